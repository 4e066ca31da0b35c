import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
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
  const inherited: string[] = [];
  const other = await ServerFolder.open(root, async (dead) => void inherited.push(dead));
  t.same((await serversIn(root)).sort(), [living, other].map(({ path }) => basename(path)).sort());
  t.same(inherited, []);
  await Promise.all([living.remove(), other.remove()]);
  t.same(await serversIn(root), []);
});

t.test('what a dead server left goes to the next one, once', async (t) => {
  const root = await temporaryFolder(t);
  const dead = await ServerFolder.open(root);
  await writeFile(join(dead.path, 'file'), 'kept');
  await dead.abandon();
  const texts: string[] = [];
  const open = () =>
    ServerFolder.open(root, async (folder, own) => {
      t.not(folder, own);
      texts.push(await readFile(join(folder, 'file'), 'utf8'));
    });
  const heirs = await Promise.all([open(), open(), open()]);
  t.same(texts, ['kept'], 'although several started at once');
  t.same((await serversIn(root)).sort(), heirs.map(({ path }) => basename(path)).sort());
  await Promise.all(heirs.map((heir) => heir.remove()));
});

t.test('what cannot be inherited stays, and is free for another attempt', async (t) => {
  const root = await temporaryFolder(t);
  const dead = await ServerFolder.open(root);
  await dead.abandon();
  const failure = new Error('the disk is full');
  await t.rejects(
    ServerFolder.open(root, () => Promise.reject(failure)),
    failure,
  );
  await (await lockFolder(dead.path, 0)).release();
  await (await lockFolder(root, 0)).release();
});

t.test('nothing else in the root is taken for a folder of a server', async (t) => {
  const root = await temporaryFolder(t);
  await mkdir(join(root, 'server-'));
  await mkdir(join(root, 'server-1234'));
  await writeFile(join(root, 'server-00000000-0000-0000-0000-000000000000'), 'a file');
  const before = await readdir(root);
  const folder = await ServerFolder.open(root, () => Promise.reject(new Error('nothing to inherit')));
  await folder.remove();
  t.same((await readdir(root)).filter((name) => name !== 'owner.lock').sort(), before.sort());
});

t.test('a root that is not there', async (t) => {
  const root = join(await temporaryFolder(t), 'missing');
  await t.rejects(ServerFolder.open(root), { name: 'OperatorError', message: /cannot be used/ });
});
