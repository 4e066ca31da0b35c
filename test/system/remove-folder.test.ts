import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { removeFolder } from '../../src/system/remove-folder.ts';
import { temporaryFolder } from '../support/kit.ts';

const run = promisify(execFile);

/** Runs a shell script in a new folder that it returns. */
async function folderOf(t: Parameters<typeof temporaryFolder>[0], script: string): Promise<string> {
  const folder = join(await temporaryFolder(t), 'folder');
  await mkdir(folder);
  await run('sh', ['-euc', script], { cwd: folder });
  return folder;
}

t.test('what a conversion leaves', async (t) => {
  const folder = await folderOf(t, 'mkdir -p tmp/deep; touch input.docx output.pdf tmp/deep/file');
  await removeFolder(folder);
  t.notOk(existsSync(folder));
});

t.test('a folder that is gone already', async (t) => {
  await t.resolves(removeFolder(join(await temporaryFolder(t), 'gone')));
});

t.test('a link is removed, not followed', async (t) => {
  const outside = await temporaryFolder(t);
  await writeFile(join(outside, 'precious'), '');
  for (const many of [0, 1000]) {
    const folder = await folderOf(t, `touch $(seq ${many}) plain`);
    await symlink(outside, join(folder, 'link'));
    await removeFolder(folder);
    t.notOk(existsSync(folder));
  }
  t.ok(existsSync(join(outside, 'precious')));
});

t.test('folders below one another, longer than a path can be', async (t) => {
  const name = 'd'.repeat(200);
  const folder = await folderOf(t, `for i in $(seq 40); do mkdir ${name}; cd -P ${name}; done`);
  await removeFolder(folder);
  t.notOk(existsSync(folder));
});

t.test('folders that cannot be read or entered', async (t) => {
  const folder = await folderOf(t, 'mkdir -p a/b c; touch a/b/file c/file; chmod 0 a/b; chmod 300 a c');
  await removeFolder(folder);
  t.notOk(existsSync(folder));
});

t.test('more files than a conversion leaves', async (t) => {
  const folder = await folderOf(t, 'mkdir more; seq 5000 | xargs touch; cd more; seq 300 | xargs touch');
  await removeFolder(folder);
  t.notOk(existsSync(folder));
});

t.test('files larger than a conversion leaves', async (t) => {
  const folder = await folderOf(t, 'truncate -s 40M one two; mkdir more; truncate -s 40M more/three');
  await removeFolder(folder);
  t.notOk(existsSync(folder));
});
