import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, open, readdir, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
import t from 'tap';
import { FolderStore } from '../../src/storage/folder-store.ts';
import { namespace, noSmallDisk } from '../fault/support/small-disk.ts';
import { temporaryFolder } from '../support/kit.ts';
import { until } from '../support/until.ts';
import { keepsTheContract, keysOf, large, readAll } from './contract.ts';

const failed = { name: 'StorageError' };

async function openIn(folder: string) {
  const store = await FolderStore.open(folder);
  const all = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  };
  return { store, all };
}

t.test('the contract', (t) =>
  keepsTheContract(t, async (t) => openIn(join(await temporaryFolder(t), 'objects'))),
);

t.test('nobody else can read the folder', async (t) => {
  const folder = join(await temporaryFolder(t), 'objects');
  const { store } = await openIn(folder);
  await store.put('jobs/1/pdf', Buffer.from('x'));
  const modes = ['', 'jobs', 'jobs/1', 'jobs/1/pdf'].map(async (name) => {
    return ((await stat(join(folder, name))).mode & 0o777).toString(8);
  });
  t.strictSame(await Promise.all(modes), ['700', '700', '700', '600']);
  t.equal(await store.address(), undefined);
  store.close();
});

t.test('a disk that does not answer in time has failed', async (t) => {
  const folder = join(await temporaryFolder(t), 'objects');
  const { store, all } = await openIn(folder);
  await store.put('jobs/1/pdf', Buffer.from('x'));
  // No disk answers at once.
  const hasty = await FolderStore.open(folder, 0);
  await t.rejects(hasty.put('jobs/1/large', Buffer.alloc(100_000_000)), failed);
  const slow = new PassThrough();
  const put = store.put('jobs/1/slow', slow);
  slow.end(Buffer.alloc(1_000));
  await put;
  await until('nothing is left of it', async () => (await all()).length === 2);
  hasty.close();
});

t.test('a file whose disk fails is closed', async (t) => {
  const folder = join(await temporaryFolder(t), 'objects');
  const { store } = await openIn(folder);
  await store.put('jobs/1/pdf', Buffer.from('x'));
  const handle = await open(folder);
  await handle.close();
  // As a disk on the network does.
  const failing = t.intercept(Object.getPrototypeOf(handle), 'stat', {
    value: async () => {
      throw Object.assign(new Error('EIO: i/o error, fstat'), { code: 'EIO', syscall: 'fstat' });
    },
  });
  await t.rejects(store.open('jobs/1/pdf'), { ...failed, message: /EIO/ });
  failing.restore();
  const opened = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  t.notOk(opened.includes(join(folder, 'jobs/1/pdf')));
});

t.test('no link is followed', async (t) => {
  const root = await temporaryFolder(t);
  const [folder, outside] = [join(root, 'objects'), join(root, 'outside')];
  const { store } = await openIn(folder);
  await mkdir(join(outside, '1'), { recursive: true });
  await writeFile(join(outside, 'pdf'), 'secret');
  await writeFile(join(outside, '1', 'pdf'), 'secret');
  await mkdir(join(folder, 'jobs'));
  await symlink(outside, join(folder, 'jobs/link'));
  await symlink(join(outside, 'pdf'), join(folder, 'jobs/pdf'));
  for (const key of ['jobs/link/pdf', 'jobs/link/1/pdf', 'jobs/pdf'])
    await t.rejects(store.open(key), failed, key);
  for (const key of ['jobs/link/new', 'jobs/link/2/new'])
    await t.rejects(store.put(key, Buffer.from('x')), failed, key);
  for (const prefix of ['jobs/link/', 'jobs/link/1/']) {
    await t.rejects(store.remove(prefix), failed, prefix);
    await t.rejects(keysOf(store, prefix), failed, prefix);
  }
  t.strictSame(await keysOf(store), []);
  await store.put('jobs/pdf', Buffer.from('ours'));
  t.equal(String(await readAll(store, 'jobs/pdf')), 'ours', 'the link was replaced');
  await store.remove('jobs/');
  t.strictSame((await readdir(outside, { recursive: true })).sort(), ['1', '1/pdf', 'pdf']);
  t.equal(String((await promisify(execFile)('cat', [join(outside, 'pdf')])).stdout), 'secret');
});

t.test('what is no file', async (t) => {
  const folder = await temporaryFolder(t);
  const { store } = await openIn(folder);
  await mkdir(join(folder, 'jobs/1'), { recursive: true });
  await promisify(execFile)('mkfifo', [join(folder, 'jobs/fifo')]);
  for (const key of ['jobs/1', 'jobs/fifo']) await t.rejects(store.open(key), failed, key);
  t.strictSame(await keysOf(store), []);
});

t.test('what a server that died has left goes with the rest', async (t) => {
  const folder = await temporaryFolder(t);
  const { store, all } = await openIn(folder);
  await store.put('jobs/1/pdf', Buffer.from('x'));
  await writeFile(join(folder, 'jobs/1/.0b7c'), 'half');
  t.strictSame(await keysOf(store), ['jobs/1/pdf']);
  await store.remove('jobs/1/');
  t.strictSame(await all(), []);
});

t.test('a folder that cannot be made', async (t) => {
  const file = join(await temporaryFolder(t), 'file');
  await writeFile(file, '');
  await chmod(file, 0o600);
  await t.rejects(FolderStore.open(join(file, 'objects')), failed);
});

t.test('a full disk', { skip: noSmallDisk() }, async (t) => {
  const disk = await temporaryFolder(t);
  const mount = 'mount -t tmpfs -o size=1m none "$0" && echo ready && exec cat';
  const [command = '', ...args] = [...namespace, 'sh', '-c', mount, disk];
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  t.teardown(() => child.stdin.end());
  await once(child.stdout, 'data');
  // As the child sees it: nobody else has it mounted.
  const { store, all } = await openIn(`/proc/${child.pid}/root${disk}/objects`);
  await store.put('jobs/1/small', Buffer.from('x'));
  await t.rejects(store.put('jobs/1/large', large), { ...failed, message: /ENOSPC/ });
  t.strictSame(await all(), ['small']);
  await store.put('jobs/1/next', large.subarray(0, 500_000));
  t.strictSame(await all(), ['next', 'small']);
});
