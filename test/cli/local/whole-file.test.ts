/** Files that are written as a whole. */
import { execFileSync } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import t from 'tap';
import { writeWhole } from '../../../src/cli/local/whole-file.ts';

t.test('a file is written as a whole, or not at all', async (t) => {
  const folder = t.testdir({ 'a.pdf': 'former', folder: {} });
  const path = join(folder, 'a.pdf');
  const broken = Readable.from(
    (function* () {
      yield 'half';
      throw new Error('it broke');
    })(),
  );
  await t.rejects(writeWhole(path, broken), { message: `${path} cannot be written: it broke` });
  t.equal(await readFile(path, 'utf8'), 'former');
  await writeWhole(path, Readable.from(['new']));
  t.equal(await readFile(path, 'utf8'), 'new');

  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await t.rejects(writeWhole(pipe, 'text'), { message: `${pipe} cannot be written: it is not a file` });
  t.ok((await stat(pipe)).isFIFO());
  const inner = join(folder, 'folder');
  await t.rejects(writeWhole(inner, 'text'), { message: `${inner} cannot be written: it is a folder` });
  t.strictSame((await readdir(folder)).sort(), ['a.pdf', 'folder', 'pipe'], 'no drafts');
});

t.test('a file that came meanwhile is not replaced unasked', async (t) => {
  const folder = t.testdir({ 'a.pdf': 'of somebody else', 'b.pdf': t.fixture('symlink', 'nowhere') });
  for (const name of ['a.pdf', 'b.pdf']) {
    const path = join(folder, name);
    await t.rejects(writeWhole(path, Readable.from(['new']), false), {
      message: `${path} cannot be written: it is there already`,
    });
  }
  t.equal(await readFile(join(folder, 'a.pdf'), 'utf8'), 'of somebody else');
  await writeWhole(join(folder, 'c.pdf'), Readable.from(['new']), false);
  t.strictSame((await readdir(folder)).sort(), ['a.pdf', 'b.pdf', 'c.pdf'], 'no drafts');
  const both = ['one', 'two'].map((text) => writeWhole(join(folder, 'd.pdf'), Readable.from([text]), false));
  const results = await Promise.allSettled(both);
  t.strictSame(
    results.map(({ status }) => status).sort(),
    ['fulfilled', 'rejected'],
    'also in the same moment',
  );
});

t.test('a file with data of people is for its owner alone', async (t) => {
  const path = join(t.testdir({}), 'account.json');
  await writeWhole(path, Readable.from(['{}']), false, 0o600);
  t.equal((await stat(path)).mode & 0o777, 0o600);
});
