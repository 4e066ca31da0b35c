import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { OperatorError } from '../../src/errors.ts';
import { connectRedis } from '../../src/redis/connect.ts';
import { type EmbeddedRedis, startEmbeddedRedis } from '../../src/redis/embedded.ts';
import { lockFolder } from '../../src/system/folder-lock.ts';
import { isAlive, openFiles } from '../e2e/support/processes.ts';
import { until } from '../support/until.ts';
import { log, nextEvent, recordingLog, startRedis, temporaryFolder } from './support.ts';

const owner = fileURLToPath(new URL('fixtures/owner.ts', import.meta.url));
/** Longer than anything here takes: whoever waits this long has failed. */
const PATIENCE_MS = 60_000;
/** How soon a Redis must be gone when its parent is. */
const GONE_WITHIN_MS = 2_000;

/** Resolves when the folder has no owner any more: neither a Platen nor a redis-server. */
async function isFree(folder: string): Promise<void> {
  await (await lockFolder(folder, PATIENCE_MS)).release();
}

t.test('it starts in a folder it makes, and stops for good', async (t) => {
  const folder = join(await temporaryFolder(t), 'not there yet', 'redis');
  const first = await startEmbeddedRedis({ folder, log });
  t.teardown(() => first.stop());
  t.equal(first.socketPath, join(folder, 'redis.sock'));
  t.equal((await stat(folder)).mode & 0o777, 0o700, 'the folder is for its owner only');
  t.equal((await stat(first.socketPath)).mode & 0o777, 0o700, 'and so is the socket');
  const connection = await connectRedis({ target: first.socketPath, log });
  t.teardown(connection.close);
  await connection.client.set('kept', 'yes');
  const [, port] = (await connection.client.config('GET', 'port')) as string[];
  t.equal(port, '0', 'it listens nowhere else');
  connection.close();
  await Promise.all([first.stop(), first.stop()]);
  await isFree(folder);
  await t.rejects(stat(first.socketPath), { code: 'ENOENT' });

  const second = await startEmbeddedRedis({ folder, log });
  t.teardown(() => second.stop());
  const again = await connectRedis({ target: second.socketPath, log });
  t.teardown(again.close);
  t.equal(await again.client.get('kept'), 'yes', 'the data is back');
});

t.test('it has a session of its own, out of reach of Ctrl-C', async (t) => {
  const { server } = await startRedis(t);
  const fields = (await readFile(`/proc/${server.pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  const [, , group, session] = fields;
  t.same([group, session], [String(server.pid), String(server.pid)]);
});

t.test('killed, it comes back by itself with its data', async (t) => {
  const folder = await temporaryFolder(t);
  const { log, messages } = recordingLog();
  const server = await startEmbeddedRedis({ folder, log });
  t.teardown(() => server.stop());
  const { client, close } = await connectRedis({ target: server.socketPath, log });
  t.teardown(close);
  await client.set('kept', 'yes');
  const { pid } = server;
  const back = nextEvent(client, 'ready');
  process.kill(pid, 'SIGKILL');
  await back;
  t.equal(await client.get('kept'), 'yes');
  const died = messages.indexOf('embedded Redis ended');
  t.ok(died >= 0, 'the log says that it ended');
  await server.stop();
  await isFree(folder);
});

t.test('stopped while it is down, it stays down', async (t) => {
  const folder = await temporaryFolder(t);
  const server = await startEmbeddedRedis({ folder, log });
  t.teardown(() => server.stop());
  const { client, close } = await connectRedis({ target: server.socketPath, log });
  t.teardown(close);
  const away = nextEvent(client, 'reconnecting');
  process.kill(server.pid, 'SIGKILL');
  await away;
  await server.stop();
  await isFree(folder);
});

/** An owner in a process of its own, and the process of its Redis. */
async function startOwner(t: Test, folder: string): Promise<{ parent: ChildProcess; pid: number }> {
  const parent = spawn(process.execPath, ['--import=tsx', owner, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => parent.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: parent.stdout }), 'line');
  const pid = Number(line);
  t.teardown(() => {
    if (isAlive(pid)) process.kill(-pid, 'SIGKILL');
  });
  return { parent, pid };
}

/** The processes of a Redis that live: those of its process group. */
function groupOf(pid: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((other) => other > 0 && isAlive(other) && processGroupOf(other) === pid);
}

function processGroupOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[2]);
  } catch {
    return 0;
  }
}

/** Makes a Redis run an endless script. */
async function keepBusy(folder: string): Promise<void> {
  const socket = connect(join(folder, 'redis.sock'));
  const lines = createInterface({ input: socket });
  socket.write('CONFIG SET busy-reply-threshold 1\r\n');
  await once(lines, 'line');
  socket.write("EVAL 'while true do end' 0\r\n");
  const other = connect(join(folder, 'redis.sock'));
  const answers = createInterface({ input: other });
  for (let answer = ''; !answer.startsWith('-BUSY'); ) {
    other.write('PING\r\n');
    [answer] = await once(answers, 'line');
  }
  socket.destroy();
  other.destroy();
}

/** What becomes of a Redis whose parent is killed with -9; the end of each, and whether Redis comes to it by itself. */
const states: readonly [
  state: string,
  endsByItself: boolean,
  bring: (pid: number, folder: string) => unknown,
][] = [
  ['well', true, () => {}],
  ['stopped', true, (pid) => process.kill(pid, 'SIGSTOP')],
  ['hanging', false, (_, folder) => keepBusy(folder)],
];
for (const [state, endsByItself, bring] of states) {
  t.test(`${state}, it dies with its parent under kill -9`, async (t) => {
    const folder = await temporaryFolder(t);
    const { parent, pid } = await startOwner(t, folder);
    const message = `(process ${parent.pid})`;
    await t.rejects(lockFolder(folder, 0), { message }, 'the folder has an owner');
    t.ok(groupOf(pid).length > 1, 'it has a guard');
    await bring(pid, folder);
    parent.kill('SIGKILL');
    await until('it and its guard are gone', () => groupOf(pid).length === 0, GONE_WITHIN_MS);
    t.equal(existsSync(join(folder, 'redis.sock')), !endsByItself, 'a Redis that ends removes its socket');

    const heir = await startEmbeddedRedis({ folder, log });
    t.teardown(() => heir.stop());
    const { client, close } = await connectRedis({ target: heir.socketPath, log });
    t.teardown(close);
    t.equal(await client.get('written by'), 'the owner', 'nothing was lost');
  });
}

t.test('its guard goes with it, and does not keep the folder', async (t) => {
  const folder = await temporaryFolder(t);
  const server = await startEmbeddedRedis({ folder, log });
  t.teardown(() => server.stop());
  const guarded = groupOf(server.pid);
  t.ok(guarded.length > 1, 'it has one');
  const lock = join(folder, 'owner.lock');
  const owners = () => guarded.filter((pid) => openFiles(pid).includes(lock));
  // A guard that has just been forked has not closed the lock yet.
  await until('the guard has closed the lock', () => owners().length === 1);
  t.strictSame(owners(), [server.pid]);
  const { pid } = server;
  process.kill(pid, 'SIGKILL');
  await until('the guard is gone', () => !guarded.some(isAlive));
  await until('another has come', () => server.pid !== pid && groupOf(server.pid).length > 1);
  const next = groupOf(server.pid);
  await server.stop();
  await until('all are gone', () => !next.some(isAlive));
});

t.test('stopped while its parent lives, it is left alone', async (t) => {
  const folder = await temporaryFolder(t);
  const server = await startEmbeddedRedis({ folder, log });
  t.teardown(() => server.stop());
  const isStopped = async () => / T /.test(await readFile(`/proc/${server.pid}/stat`, 'utf8'));
  process.kill(server.pid, 'SIGSTOP');
  try {
    await until('Redis has stopped', isStopped);
    await t.rejects(startEmbeddedRedis({ folder, log, ownerTimeoutMs: 0 }), {
      message: 'another Platen is using',
    });
    t.ok(await isStopped(), 'it was not even woken');
  } finally {
    process.kill(server.pid, 'SIGCONT');
  }
});

t.test('a folder has one owner at a time', async (t) => {
  const folder = await temporaryFolder(t);
  const start = (ownerTimeoutMs: number) => startEmbeddedRedis({ folder, log, ownerTimeoutMs });

  const racers = await Promise.allSettled([start(0), start(0), start(0)]);
  const won = racers.filter((racer) => racer.status === 'fulfilled').map(({ value }) => value);
  const lost = racers.filter((racer) => racer.status === 'rejected').map(({ reason }) => reason);
  for (const server of won) t.teardown(() => server.stop());
  t.equal(won.length, 1, 'one of three starters wins');
  for (const error of lost) t.match(error, { name: 'OperatorError', message: /another Platen is using/ });

  const patient = start(PATIENCE_MS);
  t.teardown(async () => (await patient).stop());
  await won[0]?.stop();
  t.match(await patient, { socketPath: join(folder, 'redis.sock') }, 'who waits gets the folder in turn');
});

t.test('what prevents a start is said, and the folder is free again', async (t) => {
  const failure = async (start: Promise<EmbeddedRedis>): Promise<string> => {
    const error = await start.then(
      (server) => server.stop(),
      (error) => error,
    );
    t.type(error, OperatorError);
    return error.message;
  };
  const folder = await temporaryFolder(t);

  const long = join(folder, 'x'.repeat(108));
  t.match(await failure(startEmbeddedRedis({ folder: long, log })), /107 are possible.*DATA_DIR/);

  const file = join(folder, 'file');
  await writeFile(file, '');
  t.match(await failure(startEmbeddedRedis({ folder: join(file, 'redis'), log })), /data folder/);

  const bin = join(folder, 'bin');
  await mkdir(bin);
  for (const tool of ['flock', 'setpriv']) await symlink(`/usr/bin/${tool}`, join(bin, tool));
  await symlink('/bin/sh', join(bin, 'sh'));
  const { PATH } = process.env;
  t.teardown(() => Object.assign(process.env, { PATH }));
  process.env.PATH = bin;
  t.match(await failure(startEmbeddedRedis({ folder, log })), /apt-get install redis-server/);
  await rm(join(bin, 'setpriv'));
  t.match(await failure(startEmbeddedRedis({ folder, log })), /setpriv.*apt-get install util-linux/);
  await rm(join(bin, 'flock'));
  t.match(await failure(startEmbeddedRedis({ folder, log })), /flock.*apt-get install util-linux/);
  process.env.PATH = PATH;

  await mkdir(join(folder, 'appendonlydir'));
  await writeFile(join(folder, 'appendonlydir', 'appendonly.aof.manifest'), 'not a manifest\n');
  t.match(
    await failure(startEmbeddedRedis({ folder, log })),
    /did not start: .*manifest/i,
    "Redis's own words",
  );
  await (await lockFolder(folder, 0)).release();
});
