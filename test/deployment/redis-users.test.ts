/** The users of Redis that docker/make-secrets.sh makes are those of docs/redis.md, and admin can do what the pages tell. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import t from 'tap';
import { startRedis } from '../e2e/support/redis.ts';
import { runDocumented } from '../e2e/support/redis-users.ts';
import { temporaryFolder } from '../redis/support.ts';
import { until } from '../support/until.ts';
import { read, root } from './support/files.ts';

const folder = await temporaryFolder(t);
const script = 'docker/make-secrets.sh';
mkdirSync(join(folder, 'docker'));
copyFileSync(join(root, script), join(folder, script));
const makeSecrets = () => execFileSync('sh', [script], { cwd: folder });
const path = (name: string) => join(folder, 'docker/secrets', name);
const secret = (name: string) => readFileSync(path(name), 'utf8');
makeSecrets();

t.test('the users are those of the page', async (t) => {
  const usersOf = (text: string) =>
    new Map([...text.matchAll(/^user (\S+) (.*)$/gm)].map(([, name = '', rules = '']) => [name, rules]));
  const made = usersOf(secret('redis-users').replaceAll(/>[0-9a-f]{64} /g, '>PASSWORD '));
  t.equal(made.size, 4);
  const page = usersOf(read('docs/redis.md'));
  for (const [name, rules] of made) t.equal(rules, page.get(name), name);
});

t.test('an older installation gets the user that it lacks, and no user twice', async (t) => {
  const older = secret('redis-users').replace(/^user admin .*\n/m, '');
  writeFileSync(path('redis-users'), older);
  rmSync(path('redis-admin'));
  makeSecrets();
  const users = secret('redis-users');
  t.equal(users, `${older}user admin on >${secret('redis-admin').trim()} ~* &* +@all\n`);
  makeSecrets();
  t.equal(secret('redis-users'), users);
});

t.test('admin makes a backup of Redis, which can be restored, and pauses writes', async (t) => {
  const { socket } = await startRedis(t, ['--aclfile', path('redis-users')]);
  const { username, password } = new URL(secret('redis-url'));
  const platen = new Redis(socket, { username, password });
  t.teardown(() => platen.disconnect());
  await platen.set('platen:x', 'kept');

  const [, commands = ''] = /^```\n(export REDISCLI_AUTH=.*?)^```$/ms.exec(read('docs/deployment.md')) ?? [];
  const here = commands.replace(/docker compose exec .* redis redis-cli/, `redis-cli -s ${socket}`);
  execFileSync('sh', ['-c', here], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });

  const data = join(folder, 'data');
  mkdirSync(data);
  copyFileSync(join(folder, 'backup.rdb'), join(data, 'dump.rdb'));
  const restored = await startRedis(t, ['--dir', data, '--appendonly', 'no']);
  t.equal(await restored.client.get('platen:x'), 'kept');
  await restored.client.config('SET', 'appendonly', 'yes');
  await until('its append-only file is there', async () =>
    /aof_rewrite_in_progress:0\r\naof_rewrite_scheduled:0/.test(await restored.client.info('persistence')),
  );
  await restored.end('SIGTERM');
  const again = await startRedis(t, ['--dir', data]);
  t.equal(await again.client.get('platen:x'), 'kept', 'with the usual settings');

  await runDocumented('CLIENT PAUSE', ['-s', socket], { password: secret('redis-admin').trim() });
});
