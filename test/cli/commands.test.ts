import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { parseKey } from '../../src/accounts/keys/format.ts';
import { KeyStore } from '../../src/accounts/keys/store.ts';
import { defaultPlans } from '../../src/accounts/plans/plans.ts';
import { Audit } from '../../src/operator/audit.ts';
import { Servers } from '../../src/operator/servers.ts';
import { openRedis } from '../../src/redis/open.ts';
import { lockFolder } from '../../src/system/folder-lock.ts';
import { log, startRedis, temporaryFolder } from '../redis/support.ts';
import { jsonCommands, run } from './support.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

t.test('accounts and keys as JSON, against a running service', async (t) => {
  const { server } = await startRedis(t);
  const json = jsonCommands(t, { REDIS_URL: server.socketPath });

  const acme = await json('accounts', 'create', '--name', 'Acme Ltd', '--plan', 'pro', '--id', 'acme');
  t.match(acme, { id: 'acme', name: 'Acme Ltd', plan: 'pro', createdAt: TIME });
  t.same(acme, { ...acme, suspendedAt: null, deletesAt: null, isolation: 'account', ownLimits: [] });
  const suspended = await json('accounts', 'suspend', 'acme');
  t.match(suspended, { ...acme, suspendedAt: TIME });
  t.same(await json('accounts', 'list'), [suspended]);
  t.same(await json('accounts', 'resume', 'acme'), acme);
  t.match(await json('accounts', 'delete', 'acme'), { deletesAt: TIME });
  t.same(await json('accounts', 'restore', 'acme'), acme);
  t.same(await json('accounts', 'set-isolation', 'acme', 'document'), { ...acme, isolation: 'document' });
  for (const word of ['documents', 'Document', 'none'])
    t.match(await run({ REDIS_URL: server.socketPath }, 'accounts', 'set-isolation', 'acme', word), {
      code: 2,
      stderr: /Allowed choices are account, document/,
    });
  t.match(await json('accounts', 'show', 'acme'), { isolation: 'document', isolationNow: 'document' });
  t.same(await json('accounts', 'set-isolation', 'acme', 'account'), acme);
  const until = '2999-12-31T00:00:00Z';
  const limited = await json('accounts', 'set-limit', 'acme', 'perMonth', '7000', '--until', until);
  t.match(limited, { ownLimits: [{ limit: 'perMonth', value: 7_000, until: '2999-12-31T00:00:00.000Z' }] });
  t.match(await json('accounts', 'show', 'acme'), { ...limited, used: 0, keys: Number });
  t.same(await json('accounts', 'remove-limit', 'acme', 'perMonth'), acme);
  await json('accounts', 'rename', 'acme', 'Acme Corp');
  t.same(await json('accounts', 'rename', 'acme', 'Acme Ltd'), acme);
  t.same(await json('accounts', 'list'), [acme]);
  t.same(await json('accounts', 'list', '--search', 'CORP'), [], 'no more');
  t.same(await json('accounts', 'list', '--search', 'ACME'), [acme]);
  t.same(await json('accounts', 'set-plan', 'acme', 'free'), { ...acme, plan: 'free' });
  t.same(await json('keys', 'list'), []);
  t.match(await json('accounts', 'export', 'acme'), { account: { id: 'acme' }, keys: [], cut: [] });
  const out = join(await temporaryFolder(t), 'acme.json');
  t.same(await json('accounts', 'export', 'acme', '--out', out), { account: 'acme', out });
  t.match(JSON.parse(await readFile(out, 'utf8')), { audit: [{ action: 'account.exported', by: 'cli' }] });

  const key = await json(
    ...['keys', 'create', '--account', 'acme', '--name', 'Billing', '--env', 'live', '--type', 'sk'],
    ...['--permissions', 'convert,usage', '--ip', '192.0.2.0/24', '--ip', '2001:db8::1'],
    ...['--expires', '2999-12-31T00:00:00Z'],
  );
  const shown = [
    'id',
    'display',
    'account',
    'name',
    'environment',
    'type',
    'permissions',
    'ipRestrictions',
    'origins',
  ];
  t.same(new Set(Object.keys(key)), new Set([...shown, 'key', 'expiresAt', 'createdAt', 'madeBy']));
  t.same(parseKey(key.key), { environment: 'live', type: 'sk' });
  t.match(key, {
    display: `svc_live_sk_…${key.key.slice(-4)}`,
    account: 'acme',
    name: 'Billing',
    permissions: ['convert', 'usage'],
    ipRestrictions: ['192.0.2.0/24', '2001:db8::1'],
    expiresAt: '2999-12-31T00:00:00.000Z',
    createdAt: TIME,
  });

  const { key: secret, ...record } = key;
  const [listed, ...others] = await json('keys', 'list', '--account', 'acme');
  t.same(others, []);
  t.match(listed, { ...record, revokedAt: null });
  t.notOk('key' in listed, 'the key is shown once');
  const edited = await json('keys', 'edit', key.id, '--name', 'Bills', '--anywhere');
  t.match(edited, { id: key.id, name: 'Bills', ipRestrictions: [] });
  t.same(await json('keys', 'find', key.display), [edited]);
  const page = await json(
    ...['keys', 'create', '--account', 'acme', '--name', 'Page', '--env', 'test', '--type', 'pk'],
    ...['--origin', 'https://shop.example', '--origin', 'http://localhost:3000'],
  );
  t.same(page.origins, ['https://shop.example', 'http://localhost:3000']);
  t.match(await json('keys', 'edit', page.id, '--origin', 'https://new.example'), {
    origins: ['https://new.example'],
  });
  t.match(await json('keys', 'edit', page.id, '--pageless'), { origins: [] });
  await json('keys', 'revoke', page.id);
  const revoked = await json('keys', 'revoke', key.id);
  t.match(revoked, { id: key.id, revokedAt: TIME });
  t.match(await json('keys', 'list', '--account', 'acme'), [revoked, { id: page.id }]);
  t.notOk(JSON.stringify([listed, revoked]).includes(secret));
});

t.test('lists have all, however many there are', async (t) => {
  const { server, client } = await startRedis(t);
  const json = jsonCommands(t, { REDIS_URL: server.socketPath });
  const store = new KeyStore(client, defaultPlans);
  const audit = new Audit(client, log);
  const names = Array.from({ length: 201 }, (_, index) => `account-${String(999 - index)}`);
  for (const id of names) {
    await store.createAccount({ id, name: id, plan: 'pro' });
    await audit.record({ by: 'service', who: '-' }, 'account.created', { account: id });
  }
  const settings = { name: 'k', environment: 'test', type: 'pk' } as const;
  for (const account of ['account-999', 'account-799']) await store.createKey({ ...settings, account });
  const ids = (all: { id: string }[]) => all.map(({ id }) => id);
  const listed = await json('accounts', 'list');
  t.same(ids(listed).sort(), [...names].sort());
  const times = listed.map(({ createdAt }: { createdAt: string }) => createdAt);
  t.same(times, [...times].sort(), 'the oldest first');
  t.match(await json('keys', 'list'), [{ account: 'account-999' }, { account: 'account-799' }]);
  t.equal((await json('audit')).length, 100);
  t.equal((await json('audit', '--limit', '150')).length, 150);
  const { stdout } = await run(
    { REDIS_URL: server.socketPath },
    'audit',
    '--csv',
    '--account',
    'account-999',
  );
  t.match(stdout, /^at,by,.*\n.*,service,.*,account-999,,\n$/);
  t.equal(
    (await run({ REDIS_URL: server.socketPath }, 'audit', '--csv')).stdout.split('\n').length,
    1 + 201 + 1,
  );
});

t.test('members as JSON, against a running service', async (t) => {
  const { server } = await startRedis(t);
  const env = { REDIS_URL: server.socketPath, PUBLIC_URL: 'https://pdf.example.com' };
  const json = jsonCommands(t, env);
  await json('accounts', 'create', '--name', 'Acme Ltd', '--plan', 'pro', '--id', 'acme');
  const invite = ['members', 'invite', '--account', 'acme'];
  const made = await json(...invite, '--email', 'Anna@example.com', '--role', 'owner');
  t.match(made, { id: /^inv_/, email: 'anna@example.com', role: 'owner', expiresAt: TIME });
  t.match(made.link, /^https:\/\/pdf\.example\.com\/console\/invite#[\w-]{43}$/);
  const { link: _, mailed: __, ...listed } = made;
  t.same(await json('members', 'list', '--account', 'acme'), [listed]);
  t.same(await json('members', 'remove', '--account', 'acme', made.id), { id: made.id, removed: true });
  t.same(await json('members', 'list', '--account', 'acme'), []);
  for (const [args, message] of [
    [['members', 'remove', '--account', 'acme', made.id], /no open invitation/],
    [['members', 'remove', '--account', 'acme', 'mem_1'], /no member/],
    [['members', 'role', '--account', 'acme', 'mem_1', 'owner'], /no member/],
    [[...invite, '--email', 'anna@example.com'], /--email and --role/],
    [[...invite, '--member', 'mem_1'], /no member/],
    [['members', 'invite', '--account', 'nobody', '--email', 'a@b.c', '--role', 'owner'], /no account/],
  ] as const) {
    const { code, stderr } = await run(env, ...args);
    t.match({ code, stderr }, { code: 1, stderr: message }, args.join(' '));
  }
});

t.test('operators as JSON, against a running service', async (t) => {
  const { server } = await startRedis(t);
  const env = { REDIS_URL: server.socketPath, PUBLIC_URL: 'https://pdf.example.com' };
  const json = jsonCommands(t, { ...env, DASHBOARD_URL: 'https://ops.example.com' });
  const made = await json('operators', 'invite', '--email', 'Olga@example.com', '--role', 'support');
  t.match(made, { email: 'olga@example.com', role: 'support', member: null, mailed: null });
  t.match(made.link, /^https:\/\/ops\.example\.com\/dashboard\/invite#[\w-]{43}$/);
  const { link: _, mailed: __, ...listed } = made;
  t.same(await json('operators', 'list'), [listed]);
  t.same(await json('operators', 'remove', made.id), { id: made.id, removed: true });
  t.match(await json('audit', '--action', 'operator.invited'), [{ by: 'cli', account: null }]);
  for (const [args, code, message] of [
    [['remove', 'op_1'], 1, /no operator "op_1"/],
    [['role', 'op_1', 'owner'], 2, /Allowed choices are admin, support/],
    [['invite', '--operator', 'op_1'], 1, /no operator/],
    [['invite', '--email', 'a@b.c', '--role', 'owner'], 2, /admin, support/],
  ] as const) {
    const { stderr, ...failed } = await run(env, 'operators', ...args);
    t.match([failed.code, stderr], [code, message], args.join(' '));
  }
});

t.test('the link of an invitation is of the server that runs here, else of PORT', async (t) => {
  const { server, client } = await startRedis(t);
  const env = { REDIS_URL: server.socketPath, PORT: '4000' };
  const invite = ['members', 'invite', '--account', 'acme', '--email', 'a@example.com', '--role', 'owner'];
  await run(env, 'accounts', 'create', '--name', 'Acme Ltd', '--plan', 'pro', '--id', 'acme');
  const alone = await run(env, ...invite);
  t.match(
    alone.stdout,
    /^ {2}http:\/\/localhost:4000\/console\/invite#.*only, as PUBLIC_URL is not set. No server runs/ms,
  );
  const others = { version: '1', phase: 'ready', status: 'ok', problem: null, libreOffice: null } as const;
  const load = { running: 0, workers: 1, waiting: 0, limit: 1, residentBytes: 1 };
  const at = new Date().toISOString();
  await new Servers(client).beat({ at, startedAt: at, port: 5000, ...others, ...load });
  const beside = await run(env, ...invite);
  t.match(
    beside.stdout,
    /^ {2}http:\/\/localhost:5000\/console\/invite#.*only, as PUBLIC_URL is not set.$/ms,
  );
});

t.test('without a service it starts Redis for the command, and leaves nothing behind but data', async (t) => {
  const DATA_DIR = await temporaryFolder(t);
  const json = jsonCommands(t, { DATA_DIR }, `platen: no service runs on the data folder ${DATA_DIR};`);
  const free = async () => (await lockFolder(join(DATA_DIR, 'redis'), 0)).release();
  const account = await json('accounts', 'create', '--name', 'Acme', '--plan', 'pro', '--id', 'acme');
  await free();
  const { key } = await json(
    ...['keys', 'create', '--account', 'acme', '--name', 'k', '--env', 'test', '--type', 'pk'],
  );
  await free();
  t.same(await json('accounts', 'list'), [account]);
  const failed = await run({ DATA_DIR }, 'keys', 'revoke', 'key_none');
  t.equal(failed.code, 1);
  await free();

  const files = await readdir(DATA_DIR, { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    const content = await readFile(join(file.parentPath, file.name), 'latin1');
    t.notOk(content.includes(key), `${file.name} does not hold the key`);
  }
});

t.test('beside a service it uses the same data', async (t) => {
  const DATA_DIR = await temporaryFolder(t);
  const service = await openRedis({ dataDir: DATA_DIR, redisUrl: undefined }, log, 'service');
  t.teardown(() => service.close());
  const json = jsonCommands(t, { DATA_DIR });
  await json('accounts', 'create', '--name', 'Acme', '--plan', 'pro', '--id', 'acme');
  t.match(await service.client.hgetall('platen:{acme}:account'), { name: 'Acme', plan: 'pro' });
  t.match(await run({ DATA_DIR }, 'accounts', 'list'), { code: 0, stderr: '' });
});

t.test('the plans are those of PLANS_FILE', async (t) => {
  const { server } = await startRedis(t);
  const PLANS_FILE = join(await temporaryFolder(t), 'plans.json');
  const plan = { perHour: 5, perDay: null, perSecond: 1, perMonth: 10, features: [] };
  await writeFile(PLANS_FILE, JSON.stringify({ small: plan, large: { ...plan, perHour: null } }));
  const env = { REDIS_URL: server.socketPath, PLANS_FILE };
  const json = jsonCommands(t, env);
  const acme = await json('accounts', 'create', '--name', 'Acme', '--plan', 'small', '--id', 'acme');
  t.match(acme, { plan: 'small' });
  t.same(await json('accounts', 'set-plan', 'acme', 'large'), { ...acme, plan: 'large' });
  t.match(await run(env, 'accounts', 'set-plan', 'acme', 'small'), {
    code: 0,
    stdout: 'Account acme is now on plan small.\n',
  });
  t.match(await run(env, 'accounts', 'list'), {
    code: 0,
    stdout: /^ID +NAME +PLAN +CREATED +STATE\nacme +Acme +small /,
  });
  const refused = {
    code: 1,
    stdout: '',
    stderr: 'platen: there is no plan "pro"; choose one of small, large\n',
  };
  t.match(await run(env, 'accounts', 'set-plan', 'acme', 'pro'), refused);
  t.match(await run(env, 'accounts', 'create', '--name', 'Other', '--plan', 'pro'), refused);
  t.same(await json('accounts', 'list'), [acme]);

  await writeFile(PLANS_FILE, '{"small": {"perHour": 0}}');
  t.match(await run(env, 'accounts', 'list'), {
    code: 1,
    stdout: '',
    stderr: /^platen: PLANS_FILE: the plan "small" lacks perDay, .*\n$/,
  });
});

t.test('the maintenance mode, and the version', async (t) => {
  const { server } = await startRedis(t);
  const env = { REDIS_URL: server.socketPath };
  const json = jsonCommands(t, env);
  const off = { maintenance: false, since: null, reason: null, until: null };
  t.same(await json('maintenance', 'status'), off);
  const on = await json('maintenance', 'on');
  t.match(on, { maintenance: true, since: TIME });
  t.same(await json('maintenance', 'status'), on);
  t.match(await run(env, 'maintenance', 'status'), {
    code: 0,
    stdout: `Maintenance has been on since ${on.since}.\n`,
  });
  const until = '2999-12-31T00:00:00Z';
  const told = await json('maintenance', 'on', '--reason', 'a move', '--until', until);
  t.same(told, { ...on, reason: 'a move', until: '2999-12-31T00:00:00.000Z' });
  t.same(await json('maintenance', 'off'), off);
  t.match(await run(env, 'maintenance', 'status'), { code: 0, stdout: 'Maintenance is off.\n' });

  t.same(await json('banner', 'show'), { banner: null });
  const shown = await json('banner', 'set', 'We move.', '--until', until);
  t.same(shown, { banner: { text: 'We move.', until: '2999-12-31T00:00:00.000Z' } });
  t.same(await json('banner', 'show'), shown);
  t.same(await json('banner', 'remove'), { banner: null });

  const entries = await json('audit', '--action', 'banner.set');
  t.match(entries, [{ action: 'banner.set', by: 'cli', details: { text: 'We move.' } }]);
  t.equal((await json('audit', '--limit', '2')).length, 2);
  t.match(await run(env, 'audit', '--csv', '--who', 'nobody-else'), {
    code: 0,
    stdout: 'at,by,who,action,account,key,details\n',
  });
  t.match(await run(env, 'audit'), { code: 0, stdout: /^TIME +WHO .*\n.* banner\.removed / });
  t.match(await run(env, 'audit', '--limit', '0'), { code: 2 });
  t.same(await json('servers'), []);

  const file = new URL('../../package.json', import.meta.url);
  const { version } = JSON.parse(await readFile(file, 'utf8')) as { version: string };
  t.same(await run({}, '--version'), { code: 0, stdout: `${version}\n`, stderr: '' });
});

t.test('text for people', async (t) => {
  const { server } = await startRedis(t);
  const env = { REDIS_URL: server.socketPath };
  const print = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(env, ...args);
    t.match({ code, stderr }, { code: 0, stderr: '' }, args.join(' '));
    return stdout;
  };
  t.match(
    await print('accounts', 'create', '--name', 'Acme', '--plan', 'pro', '--id', 'acme'),
    /acme.*Acme.*pro/,
  );
  t.match(
    await print('accounts', 'list'),
    /^ID +NAME +PLAN +CREATED +STATE\nacme +Acme +pro +\d{4}-.* active\n/,
  );
  const created = await print(
    'keys',
    'create',
    '--account',
    'acme',
    '--name',
    'k',
    '--env',
    'live',
    '--type',
    'sk',
  );
  t.match(created, /shown only now/);
  const [key = ''] = /svc_live_sk_\w+/.exec(created) ?? [];
  const [id = ''] = /key_\w+/.exec(created) ?? [];
  t.ok(parseKey(key));
  await print(
    ...['keys', 'create', '--account', 'acme', '--name', 'narrow', '--env', 'test', '--type', 'pk'],
    ...['--ip', '192.0.2.0/24', '--ip', '2001:db8::1', '--origin', 'https://shop.example'],
  );
  const list = await print('keys', 'list');
  t.match(list, /^ID .* WORKS FROM +PAGES OF\n/);
  t.match(list, / never +anywhere +none\n/);
  t.match(list, / narrow .* never +192\.0\.2\.0\/24,2001:db8::1 +https:\/\/shop\.example\n/);
  t.match(list, `svc_live_sk_…${key.slice(-4)}`);
  t.notMatch(list, key);
  t.match(await print('keys', 'revoke', id), /revoked/);
  t.match(await print('keys', 'list'), /revoked/);
});
