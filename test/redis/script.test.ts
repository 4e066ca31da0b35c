import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';

import { Script } from '../../src/redis/script.ts';
import { nextEvent, startRedis, temporaryFolder } from './support.ts';

/** A script that counts how often it ran, and says what it was given. */
const TEXT = "redis.call('INCR', KEYS[2])\nreturn { KEYS[1], #KEYS, ARGV[1], ARGV[2] }\n";

async function scriptFile(t: Test): Promise<URL> {
  const path = join(await temporaryFolder(t), 'count.lua');
  await writeFile(path, TEXT);
  return pathToFileURL(path);
}

t.test('keys, arguments and what it returns', async (t) => {
  const { client } = await startRedis(t);
  const script = new Script(client, await scriptFile(t));
  t.same(await script.run(['first', 'count'], ['text with spaces', 7]), [
    'first',
    2,
    'text with spaces',
    '7',
  ]);
});

t.test('it includes other files, by their paths from its own', async (t) => {
  const { client } = await startRedis(t);
  const folder = await temporaryFolder(t);
  await mkdir(join(folder, 'shared'));
  await writeFile(join(folder, 'shared', 'twice.lua'), 'local function twice(n) return 2 * n end\n');
  await writeFile(
    join(folder, 'shared', 'more.lua'),
    '--- @include "twice.lua"\nlocal function more(n) return twice(n) + 1 end\n',
  );
  const path = join(folder, 'count.lua');
  await writeFile(path, '--- @include "shared/more.lua"\nreturn more(tonumber(ARGV[1]))\n');
  const script = new Script(client, pathToFileURL(path));
  t.equal(await script.run([], [20]), 41);
  await writeFile(path, '--- @include "nowhere.lua"\n');
  t.throws(() => new Script(client, pathToFileURL(path)), { code: 'ENOENT' });
});

t.test('it is sent by its SHA-1, and whole when Redis does not know it', async (t) => {
  const { server, client } = await startRedis(t);
  const script = new Script(client, await scriptFile(t));
  const observer = new Redis(server.socketPath);
  t.teardown(() => observer.disconnect());
  const seen: string[] = [];
  const monitor = await observer.monitor();
  t.teardown(() => monitor.disconnect());
  monitor.on('monitor', (_time: string, [name = '']: string[], source: string) => {
    if (source !== 'lua') seen.push(name.toLowerCase());
  });
  const run = () => script.run(['first', 'count'], ['']);
  await run();
  await run();
  await client.script('FLUSH');
  await run();
  const end = new Promise<void>((resolve) => {
    monitor.on(
      'monitor',
      (_time: string, [name = '']: string[]) => name.toLowerCase() === 'echo' && resolve(),
    );
  });
  await client.echo('end');
  await end;
  t.same(seen, ['eval', 'evalsha', 'script', 'evalsha', 'eval', 'echo']);
  t.equal(await client.get('count'), '3', 'and has run as often as it was asked to');
});

t.test('in parallel, when Redis does not know it', async (t) => {
  const { client } = await startRedis(t);
  const script = new Script(client, await scriptFile(t));
  await Promise.all(Array.from({ length: 50 }, () => script.run(['first', 'count'], [''])));
  t.equal(await client.get('count'), '50');
});

t.test('after a restart of Redis, which has forgotten it', async (t) => {
  const { server, client } = await startRedis(t);
  const script = new Script(client, await scriptFile(t));
  await script.run(['first', 'count'], ['']);
  const back = nextEvent(client, 'ready');
  process.kill(server.pid, 'SIGKILL');
  await back;
  await script.run(['first', 'count'], ['']);
  t.equal(await client.get('count'), '2');
});

t.test('an error in it is an error', async (t) => {
  const { client } = await startRedis(t);
  const script = new Script(client, await scriptFile(t));
  await client.set('count', 'not a number');
  await t.rejects(script.run(['first', 'count'], ['']), /not an integer/);
});

t.test('a file that is not there', async (t) => {
  const { client } = await startRedis(t);
  t.throws(() => new Script(client, new URL('file:///nowhere/count.lua')), { code: 'ENOENT' });
});
