/** Warnings by e-mail, to a real SMTP server. */
import t, { type Test } from 'tap';
import { limitKeys } from '../../src/accounts/billing/redis-keys.ts';
import { Settlement } from '../../src/accounts/billing/settlement.ts';
import { KeyStore } from '../../src/accounts/keys/store.ts';
import { defaultPlans } from '../../src/accounts/plans/plans.ts';
import { ContactStore } from '../../src/webhooks/contacts.ts';
import { ADDRESSES_PER_DAY, WarningMails } from '../../src/webhooks/warning-mails.ts';
import { Warnings } from '../../src/webhooks/warnings.ts';
import { figures, reservation } from '../accounts/billing/samples.ts';
import { recordingLog } from '../redis/support.ts';
import { type SmtpOptions, startSmtp } from '../support/smtp.ts';
import { until } from '../support/until.ts';
import { owner, testWebhooks } from './support.ts';

const DAY_MS = 86_400_000;
const month = new Date().toISOString().slice(0, 7);
const publicUrl = 'https://pdf.example.com';
const anna = 'anna@example.com';

async function start(t: Test, options: SmtpOptions = {}) {
  const world = await testWebhooks(t);
  const { redis, webhooks } = world;
  const smtp = await startSmtp(t, options);
  const { log, messages } = recordingLog();
  const keys = new KeyStore(redis, defaultPlans);
  await keys.createAccount({ id: 'acme', name: 'Acme Ltd', plan: 'free' });
  const contacts = new ContactStore(redis, keys);
  /** What another server on the same Redis has. */
  const server = () => {
    const settings = { url: smtp.url, from: 'platen@example.com', publicUrl };
    const mails = new WarningMails({ redis, contacts, settings, log });
    const warnings = new Warnings({ redis, webhooks, keys, plans: defaultPlans, mails, log });
    t.teardown(() => warnings.close());
    return warnings;
  };
  const use = (used: number) => redis.hset(limitKeys.months('acme', 'live'), `used:${month}`, used);
  const usual = { account: 'acme', type: 'sk', environment: 'live' } as const;
  const expiring = (name: string, days: number) =>
    keys.createKey({ ...usual, name, expiresAt: new Date(Date.now() + days * DAY_MS) });
  return { ...world, ...smtp, messages, keys, contacts, server, use, expiring };
}

t.test('80 and 100 % of a quota are written about once, whichever servers notice', async (t) => {
  const { redis, received, contacts, server, use, messages } = await start(t);
  await contacts.set('acme', { addresses: [anna, ' Ops@Example.com'], warnings: true });
  const servers = [server(), server()];
  const counted = (used: number) =>
    Promise.all(servers.map((each) => each.warnOfQuota({ ...owner, month, used })));
  await counted(3_999);
  t.same(received, []);
  await counted(4_000);
  await counted(4_001);
  t.match(received, [{ to: [anna, 'ops@example.com'] }]);
  const [{ text } = { text: '' }] = received;
  t.match(text, 'Subject: Acme Ltd has used 80 % of its quota');
  t.match(text, /has used 4,00[01] of 5,000 conversions of \w+ \d{4}\./);
  t.match(text, `${publicUrl}/console/usage`);
  t.match(text, `${publicUrl}/console/settings`);
  await use(5_000);
  await Promise.all(servers.map((each) => each.look()));
  t.equal(received.length, 2);
  t.match(received[1]?.text, 'Subject: Acme Ltd has used 100 % of its quota');
  for (const name of await redis.keys('platen:{acme}:live:warning-mail:*')) {
    t.ok((await redis.pttl(name)) > DAY_MS, 'it is remembered for some time');
  }
  t.same(messages, []);
});

t.test('a conversion does not wait for the mail server', async (t) => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { redis, received, contacts, server, use } = await start(t, { gate });
  await contacts.set('acme', { addresses: [anna], warnings: true });
  const warnings = server();
  const settlement = new Settlement(redis, (counted) => warnings.counted(counted));
  await use(3_999);
  await settlement.settle(reservation('req_1', { at: Date.now() }), figures);
  t.same(received, []);
  open();
  await until('it is taken', () => received.length === 1);
});

t.test('an address without warnings gets none, and none later about earlier causes', async (t) => {
  const { received, contacts, server, use, expiring } = await start(t);
  await contacts.set('acme', { addresses: [anna], warnings: false });
  await use(4_000);
  await expiring('soon', 5);
  await server().look();
  await contacts.set('acme', { addresses: [], warnings: true });
  await server().look();
  await contacts.set('acme', { addresses: [anna], warnings: true });
  await server().look();
  t.same(received, []);
  await use(5_000);
  await server().look();
  t.match(received, [{ text: /100 %/ }]);
  t.equal(received.length, 1);
});

t.test('keys that expire share a message, without the keys', async (t) => {
  const { received, contacts, server, expiring } = await start(t);
  await contacts.set('acme', { addresses: [anna], warnings: true });
  const keys = [await expiring('back end', 5), await expiring('shop', 6)];
  await expiring('later', 30);
  await server().look();
  await server().look();
  t.equal(received.length, 1);
  const [{ text } = { text: '' }] = received;
  t.match(text, 'Subject: Acme Ltd has 2 keys that expire');
  for (const { id, name, key } of keys) {
    t.match(text, `"${name}"`);
    t.match(text, `${publicUrl}/console/keys/${id}`);
    t.notOk(text.includes(key));
  }
  await server().look(Date.now() + 4.5 * DAY_MS);
  t.match(received[1]?.text, 'Subject: Acme Ltd has a key that expires');
});

t.test('a suspended account is not warned of its keys before it is resumed', async (t) => {
  const { redis, received, contacts, server, keys, expiring, endpoint, webhooks } = await start(t);
  await contacts.set('acme', { addresses: [anna], warnings: true });
  const { id } = await endpoint('/a', { events: ['key.expiring'] });
  await webhooks.endpoints.disable({ ...owner, id });
  const { id: told } = await endpoint('/b', { events: ['key.expiring'] });
  await expiring('soon', 5);
  const messages = () => redis.zcard(`platen:{acme}:live:webhook:${told}:deliveries`);
  await keys.changes.setSuspended('acme', true);
  await server().look();
  await keys.changes.planDeletion('acme');
  await keys.changes.setSuspended('acme', false);
  await server().look();
  t.same([received.length, await messages()], [0, 0]);
  await keys.changes.restore('acme');
  await server().look();
  t.same([received.length, await messages()], [2, 1]);
});

t.test('an endpoint that was disabled is written about, unless its account did it', async (t) => {
  const { redis, received, contacts, server, endpoint, webhooks } = await start(t);
  await contacts.set('acme', { addresses: [anna], warnings: true });
  const { id } = await endpoint('/a?s3cret');
  const own = await endpoint('/b');
  await webhooks.endpoints.change({ ...owner, id: own.id }, { enabled: false });
  await server().look();
  t.same(received, []);
  const gone = { enabled: '0', disabledReason: 'gone', disabledAt: Date.now() };
  await redis.hset(`platen:{acme}:live:webhook:${id}`, gone);
  await Promise.all([server().look(), server().look()]);
  t.equal(received.length, 1);
  t.match(received[0]?.text, 'Subject: Acme Ltd has a disabled webhook endpoint');
  t.match(received[0]?.text, /it answered 410/);
  t.match(received[0]?.text, `${publicUrl}/console/webhooks/${id}`);
  t.notMatch(received[0]?.text, /s3cret/);
  await webhooks.endpoints.change({ ...owner, id }, { enabled: true });
  await redis.hset(`platen:{acme}:live:webhook:${id}`, { ...gone, disabledAt: Date.now() + 1 });
  await server().look();
  t.equal(received.length, 2, 'again if it happens again');
  await webhooks.endpoints.change({ ...owner, id }, { enabled: true });
  await redis.hset(`platen:{acme}:live:webhook:${id}`, { ...gone, disabledAt: Date.now() - 2 * DAY_MS });
  await server().look();
  t.equal(received.length, 2, 'not of long ago');
});

t.test('what the mail server refuses is tried three times', async (t) => {
  const { received, contacts, server, use, messages } = await start(t);
  await contacts.set('acme', { addresses: ['nobody@example.com'], warnings: true });
  await use(4_000);
  const warnings = server();
  for (let look = 0; look < 5; look++) await warnings.look();
  t.equal(messages.length, 3);
  t.same(received, []);
  await contacts.set('acme', { addresses: ['nobody@example.com', anna], warnings: true });
  await use(5_000);
  await warnings.look();
  t.match(received, [{ to: [anna], text: /100 %/ }]);
  t.equal(received.length, 1);
});

t.test('a mail server that is away is left alone, and gets it later', async (t) => {
  const { received, close, contacts, server, use, keys, webhooks, redis } = await start(t);
  await contacts.set('acme', { addresses: [anna], warnings: true });
  await use(5_000);
  const { log, messages } = recordingLog();
  const settings = { url: 'smtp://u:secret@127.0.0.1:1', from: 'platen@example.com', publicUrl };
  const mails = new WarningMails({ redis, contacts, settings, log });
  const away = new Warnings({ redis, webhooks, keys, plans: defaultPlans, mails, log });
  t.teardown(() => away.close());
  for (let look = 0; look < 5; look++) await away.look();
  t.equal(messages.length, 1, 'it is not asked again at once');
  t.notMatch(messages.join(), /secret/);
  await server().look();
  t.equal(received.length, 2, 'by another server');
  await close();
});

t.test('what Redis failed to have sent is sent later', async (t) => {
  const { redis, received, contacts, server, use, expiring } = await start(t);
  await contacts.set('acme', { addresses: [anna], warnings: true });
  await expiring('soon', 5);
  const { read } = contacts;
  let reads = 0;
  contacts.read = async (id) => {
    // First for its endpoints, then to claim it, then to send it.
    if (++reads === 3) throw new Error('Command timed out');
    return read.call(contacts, id);
  };
  await t.rejects(server().look(), /timed out/);
  const expire = async () => {
    const leases = await redis.keys('platen:{acme}:live:warning-mail:*:lease');
    t.equal(leases.length, 1);
    await redis.del(leases);
  };
  await server().look();
  t.same(received, [], 'another server leaves it to the first one');
  await expire();
  await Promise.all([server().look(), server().look()]);
  t.equal(received.length, 1);
  reads = -10;
  // As it notes that the mail server took it.
  const { set } = redis;
  redis.set = ((...args: Parameters<typeof set>) =>
    args[1] === 'sent'
      ? Promise.reject(new Error('Command timed out'))
      : set.apply(redis, args)) as typeof set;
  await use(4_000);
  await t.rejects(server().look(), /timed out/);
  t.equal(received.length, 2);
  redis.set = set;
  await expire();
  await server().look();
  await server().look();
  t.equal(received.length, 3, 'rather twice than never');
});

t.test('a server that is late sends nothing again', async (t) => {
  const { redis, received, contacts, server } = await start(t);
  await contacts.set('acme', { addresses: [anna], warnings: true });
  const warn = () => server().warnOfQuota({ ...owner, month, used: 4_000 });
  const { read } = contacts;
  contacts.read = async (id) => {
    contacts.read = read;
    // Another server sends it, while this one is about to.
    await warn();
    return read.call(contacts, id);
  };
  await warn();
  t.equal(received.length, 1);
  t.same(await redis.keys('*:lease'), []);
});

t.test('an account has so many messages sent in a day', async (t) => {
  const { redis, received, contacts, server, use, messages } = await start(t);
  await contacts.set('acme', { addresses: [anna], warnings: true });
  await redis.set(
    `platen:{acme}:mails:warnings:${new Date().toISOString().slice(0, 10)}`,
    ADDRESSES_PER_DAY - 1,
  );
  await use(5_000);
  await server().look();
  t.equal(received.length, 1);
  await server().look();
  t.match(messages, [/has reached its daily limit/]);
  t.equal(messages.length, 1, 'nor is it sent later');
});
