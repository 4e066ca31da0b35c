import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import t, { type Test } from 'tap';
import { operatorKeys } from '../../src/operator/redis-keys.ts';
import { lockFolder } from '../../src/system/folder-lock.ts';
import { startRedis, temporaryFolder } from '../redis/support.ts';
import { run, runAlone, start } from './support.ts';

/** Longer than anything here takes: whoever waits this long has failed. */
const PATIENCE_MS = 60_000;

t.test('a process of its own ends with the code of its command', async (t) => {
  const DATA_DIR = await temporaryFolder(t);
  const create = ['accounts', 'create', '--name', 'Acme', '--plan', 'pro', '--id', 'acme'];
  t.match(await runAlone({ DATA_DIR }, ...create), {
    code: 0,
    stdout: 'Created account acme (Acme, pro).\n',
  });
  t.match(await runAlone({ DATA_DIR }, ...create), { code: 1, stdout: '', stderr: /exists already/ });
  t.match(await runAlone({ DATA_DIR }, 'nonsense'), { code: 2, stdout: '', stderr: /nonsense/ });
});

t.test('what cannot be done is said on stderr, with exit code 1', async (t) => {
  const { server } = await startRedis(t);
  const env = { REDIS_URL: server.socketPath };
  const key = ['keys', 'create', '--account', 'acme', '--name', 'k', '--env', 'live'];
  const secret = [...key, '--type', 'sk'];
  await run(env, 'accounts', 'create', '--name', 'Acme', '--plan', 'pro', '--id', 'acme');
  const mistakes: readonly [args: readonly string[], message: RegExp][] = [
    [['accounts', 'create', '--name', 'Acme', '--plan', 'pro', '--id', 'acme'], /exists already/],
    [['accounts', 'create', '--name', 'Acme', '--plan', 'gold'], /no plan "gold"/],
    [['accounts', 'set-plan', 'nobody', 'pro'], /no account "nobody"/],
    [['keys', 'list', '--account', 'nobody'], /no account "nobody"/],
    [['keys', 'revoke', 'key_none'], /no key "key_none"/],
    [[...key, '--type', 'pk', '--permissions', 'convert,rotate'], /pk key can only hold/],
    [[...secret, '--ip', 'localhost'], /"localhost"/],
    [[...secret, '--expires', '2001-01-01T00:00:00Z'], /future/],
  ];
  for (const [args, message] of mistakes) {
    const { code, stdout, stderr } = await run(env, ...args, '--json');
    t.match({ code, stdout, stderr }, { code: 1, stdout: '', stderr: message }, args.join(' '));
    t.notMatch(stderr, / at .*\.ts/, 'without a stack');
  }
  const misconfigured = await run({ ...env, PORT: 'many' }, 'accounts', 'list');
  t.match(misconfigured, { code: 1, stdout: '', stderr: /PORT/ });
});

t.test('nobody is invited whose link could not be shown', async (t) => {
  const { server, client } = await startRedis(t);
  const env = { REDIS_URL: server.socketPath };
  await run(env, 'accounts', 'create', '--name', 'Acme', '--plan', 'pro', '--id', 'acme');
  // Redis refuses to say which servers there are.
  await client.set(operatorKeys.servers, '');
  const invite = ['members', 'invite', '--account', 'acme', '--email', 'anna@example.com', '--role', 'owner'];
  t.not((await run(env, ...invite)).code, 0);
  t.match(await run(env, 'members', 'list', '--account', 'acme', '--json'), { code: 0, stdout: '[]' });
});

t.test('bad usage has exit code 2, help has none', async (t) => {
  const key = ['keys', 'create', '--account', 'acme', '--name', 'k'];
  const live = [...key, '--env', 'live', '--type', 'sk'];
  const mistakes = [
    [],
    ['nonsense'],
    ['accounts', 'create', '--name', 'Acme'],
    ['accounts', 'list', 'more'],
    ['accounts', 'list', '--nonsense'],
    [...key, '--env', 'live'],
    [...key, '--env', 'production', '--type', 'sk'],
    [...live, '--permissions', 'convert,everything'],
    [...live, '--expires', '2999-01-01T00:00:00'],
    [...live, '--expires', '2999-02-30T00:00:00Z'],
  ];
  for (const args of mistakes) {
    const { code, stdout, stderr } = await run({}, ...args);
    t.match({ code, stdout }, { code: 2, stdout: '' }, `platen ${args.join(' ')}`);
    t.not(stderr, '', 'and says why');
  }
  const misspelled = await run({}, 'accounts', 'create', '--nme', 'Acme');
  t.match(misspelled.stderr, /unknown option '--nme'[\s\S]*--name/, 'not what it was meant to be');
  t.match(await run({}, 'accounts', 'create', '--plan', 'pro'), { code: 2, stderr: /--name/ });
  t.match(await run({}, '--help'), { code: 0, stdout: /accounts[\s\S]*keys/, stderr: '' });
  const { code, stdout, stderr } = await run({}, 'keys', 'create', '--help');
  t.match({ code, stderr }, { code: 0, stderr: '' });
  const options = stdout.split(/\n(?= +-)/);
  t.ok(options.some((text) => text.includes('--permissions')));
  const required = options.filter((text) => /\(required\)/.test(text)).map((text) => /--\w+/.exec(text)?.[0]);
  t.strictSame(required, ['--account', '--name', '--env', '--type']);
  for (const name of ['create', 'edit', 'rotate']) {
    const help = await run({}, 'keys', name, '--help');
    t.notMatch(help.stdout, /[A-Z]_[A-Z]|message/, `keys ${name}: no words of HTTP`);
  }
});

t.test('where there is no data, only the first account makes some', async (t) => {
  const key = ['--account', 'acme', '--name', 'k', '--env', 'live', '--type', 'sk'];
  const folder = await temporaryFolder(t);
  const DATA_DIR = join(folder, 'mistyped');
  for (const args of [
    ['accounts', 'list'],
    ['accounts', 'set-plan', 'acme', 'free'],
    ['keys', 'list'],
    ['keys', 'create', ...key],
    ['keys', 'revoke', 'key_none'],
    ['keys', 'rotate', 'key_none'],
    ['usage', 'show', 'acme'],
    ['usage', 'export', '--month', '2026-11'],
    ['maintenance', 'status'],
    ['maintenance', 'on'],
    ['maintenance', 'off'],
  ]) {
    const { code, stdout, stderr } = await run({ DATA_DIR }, ...args);
    t.match({ code, stdout }, { code: 1, stdout: '' }, args.join(' '));
    t.match(stderr, `platen: the data folder ${DATA_DIR} has no data`);
    t.same(await readdir(folder), [], 'and nothing is made');
  }
  // Such as /var/lib, which has the folder of Debian's own Redis.
  await mkdir(join(folder, 'redis'));
  t.match(await run({ DATA_DIR: folder }, 'accounts', 'list'), { code: 1, stderr: /no data/ });
  t.same(await readdir(folder, { recursive: true }), ['redis']);

  const created = await run(
    { DATA_DIR },
    'accounts',
    'create',
    '--name',
    'Acme',
    '--plan',
    'pro',
    '--id',
    'acme',
  );
  t.equal(created.code, 0, created.stderr);
  t.match(await run({ DATA_DIR }, 'accounts', 'list'), { code: 0, stdout: /acme/ });
  await rm(join(DATA_DIR, 'redis', 'owner.lock'));
  t.match(
    await run({ DATA_DIR }, 'accounts', 'list'),
    { code: 0, stdout: /acme/ },
    'a backup that was put back',
  );
});

t.test('interrupted at its work, it ends in order', async (t) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const { server } = await startRedis(t);
    const relay = await holdBack(t, server.socketPath, /zrange/i);
    const child = start({ REDIS_URL: relay.path }, ['accounts', 'list']);
    const ended = once(child, 'exit');
    await relay.held;
    child.kill(signal);
    // Without a handler of its own, the signal would have ended it and there would be no code.
    t.same(await ended, [1, null], signal);
  }
});

t.test('egress ends in order when npm repeats a Ctrl-C', async (t) => {
  const { server } = await startRedis(t);
  const child = start({ REDIS_URL: server.socketPath }, ['egress']);
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout }))
    if (line.includes('egress is ready')) break;
  // Two at a time, which must differ: of the same signal only one would be pending.
  child.kill('SIGINT');
  child.kill('SIGTERM');
  t.same(await ended, [0, null]);
});

t.test('a Redis that does not answer', async (t) => {
  const { server } = await startRedis(t);
  const relay = await holdBack(t, server.socketPath, /zrange/i);
  const answer = await run({ REDIS_URL: relay.path }, 'accounts', 'list');
  t.same(answer, { code: 1, stdout: '', stderr: 'platen: Redis does not answer in time\n' });
});

t.test('killed as soon as its Redis is there, it takes it along', async (t) => {
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    const DATA_DIR = await temporaryFolder(t);
    const folder = join(DATA_DIR, 'redis');
    await mkdir(folder);
    const socket = appears(folder, 'guest.sock');
    const child = start({ DATA_DIR }, ['accounts', 'create', '--name', 'Acme', '--plan', 'pro']);
    const ended = once(child, 'exit');
    await socket;
    child.kill(signal);
    await ended;
    // Redis holds the lock as well: this waits until it is gone.
    const lock = await lockFolder(folder, PATIENCE_MS);
    await lock.release();
    t.pass(`no Redis is left after ${signal}`);
  }
});

/** A way to Redis that swallows the first command of this kind and what follows. */
async function holdBack(
  t: Test,
  target: string,
  command: RegExp,
): Promise<{ path: string; held: Promise<void> }> {
  const path = join(await temporaryFolder(t), 'relay.sock');
  const sockets: Socket[] = [];
  let hold = () => {};
  const held = new Promise<void>((resolve) => {
    hold = resolve;
  });
  const relay = createServer((client) => {
    const redis = connect(target);
    sockets.push(client, redis);
    for (const socket of [client, redis]) socket.on('error', () => {});
    redis.pipe(client);
    client.on('data', (data) => {
      if (command.test(data.toString())) hold();
      else redis.write(data);
    });
    client.on('close', () => redis.destroy());
  }).listen(path);
  t.teardown(() => {
    relay.close();
    for (const socket of sockets) socket.destroy();
  });
  await once(relay, 'listening');
  return { path, held };
}

/** Resolves when a file of this name is made in the folder. */
function appears(folder: string, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const watcher = watch(folder, (_event, file) => {
      if (file !== name) return;
      watcher.close();
      resolve();
    });
    watcher.on('error', reject);
  });
}
