import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import t from 'tap';
import { lockFolder } from '../../src/system/folder-lock.ts';
import { ServerFolder } from '../../src/system/server-folder.ts';
import { temporaryFolder } from '../redis/support.ts';

const isServerFolder = (name: string) => name.startsWith('server-');
const serversIn = async (root: string) => (await readdir(root)).filter(isServerFolder);

t.test('a server has a folder for its user alone, and takes it along', async (t) => {
  const root = await temporaryFolder(t);
  const folder = await ServerFolder.open(root);
  t.equal(dirname(folder.path), root);
  t.equal((await stat(folder.path)).mode & 0o777, 0o700);
  await writeFile(join(folder.path, 'file'), '');
  await folder.remove();
  t.same(await serversIn(root), []);
});

t.test('the folder of a living server is left alone', async (t) => {
  const root = await temporaryFolder(t);
  const living = await ServerFolder.open(root);
  const other = await ServerFolder.open(root);
  t.same((await serversIn(root)).sort(), [living, other].map(({ path }) => basename(path)).sort());
  await Promise.all([living.remove(), other.remove()]);
  t.same(await serversIn(root), []);
});

t.test('what a dead server left is removed, also by several that start at once', async (t) => {
  const root = await temporaryFolder(t);
  // The kernel lets go of a dead server's lock, and its folder stays.
  const dead = join(root, `server-${randomUUID()}`);
  await mkdir(join(dead, 'job'), { recursive: true });
  await (await lockFolder(dead, 0)).release();
  await writeFile(join(dead, 'job', 'document'), 'secret');
  const next = await Promise.all([1, 2, 3].map(() => ServerFolder.open(root)));
  t.same((await serversIn(root)).sort(), next.map(({ path }) => basename(path)).sort());
  await Promise.all(next.map((folder) => folder.remove()));
});

t.test('a folder is locked even if there is no space for the name of its owner', async (t) => {
  const folder = await temporaryFolder(t);
  await symlink('/dev/full', join(folder, 'owner.lock'));
  const lock = await lockFolder(folder, 0);
  t.equal(spawnSync('flock', ['--nonblock', '/dev/full', 'true']).status, 1);
  await lock.release();
});

t.test('nothing else in the root is taken for a folder of a server', async (t) => {
  const root = await temporaryFolder(t);
  await mkdir(join(root, 'server-'));
  await mkdir(join(root, 'server-1234'));
  await writeFile(join(root, 'server-00000000-0000-0000-0000-000000000000'), 'a file');
  const before = await readdir(root);
  const folder = await ServerFolder.open(root);
  await folder.remove();
  t.same((await readdir(root)).filter((name) => name !== 'owner.lock').sort(), before.sort());
});

t.test('a root that is not there', async (t) => {
  const root = join(await temporaryFolder(t), 'missing');
  await t.rejects(ServerFolder.open(root), { name: 'OperatorError', message: /cannot be used/ });
});
