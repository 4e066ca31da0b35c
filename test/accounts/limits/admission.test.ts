import t from 'tap';
import { limitKeys } from '../../../src/accounts/billing/redis-keys.ts';
import type { KeyLocation } from '../../../src/accounts/keys/locate.ts';
import { redisKeys } from '../../../src/accounts/keys/redis-keys.ts';
import { KeyStore } from '../../../src/accounts/keys/store.ts';
import {
  Admission,
  type AdmissionRequest,
  type Standing,
  type Verdict,
} from '../../../src/accounts/limits/admission.ts';
import { defaultPlans, type Plan } from '../../../src/accounts/plans/plans.ts';
import { startRedis } from '../../redis/support.ts';
import { awayFromTheHoursEnd } from '../../support/hours-end.ts';
import { createKey, plansOf } from './support.ts';

const { client } = await startRedis(t);
t.beforeEach(() => client.flushall());
await awayFromTheHoursEnd();

const HOUR_MS = 3_600_000;

function request(key: KeyLocation, options: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return { key, address: '192.0.2.1', permission: undefined, conversion: undefined, ...options };
}

/** What an authenticated request was told. */
function standing(verdict: Verdict): Extract<Verdict, Standing> {
  if (!('at' in verdict)) throw new Error(verdict.outcome);
  return verdict;
}

t.test('says whether documents have a process each: by the account, or else by its plan', async (t) => {
  const [usual] = [...defaultPlans.values()];
  const plans = new Map(
    Object.entries({ shared: { ...usual }, apart: { ...usual, isolation: 'document' } }) as [string, Plan][],
  );
  const admission = new Admission(client, { plans, reservationMs: HOUR_MS });
  const store = new KeyStore(client, plans);
  const { location: live } = await createKey(client, plans);
  const { location: test } = await createKey(client, plans, { environment: 'test' });
  const isolations = async () => {
    const verdicts = [live, test].map((location) => admission.admit(request(location)));
    return (await Promise.all(verdicts)).map((verdict) => standing(verdict).isolation);
  };
  t.strictSame(await isolations(), ['account', 'account']);
  t.match(await store.changes.setIsolation('acme', 'document'), { isolation: 'document' });
  t.strictSame(await isolations(), ['document', 'document'], 'the account');
  t.match(await store.changes.setIsolation('acme', 'account'), { isolation: 'account' });
  t.strictSame(await isolations(), ['account', 'account'], 'no more');
  await store.setPlan('acme', 'apart');
  t.strictSame(await isolations(), ['document', 'document'], 'its plan');
  await store.setPlan('acme', 'shared');
  await client.hset(redisKeys.account('acme'), 'isolation', 'a later word');
  t.strictSame(await isolations(), ['document', 'document'], 'what this server does not know');
  t.match(await store.getAccount('acme'), { isolation: 'document' });
});

t.test('says where the account stands', async (t) => {
  const plans = plansOf({ small: { perSecond: 10, perHour: 20, perDay: 30, perMonth: 40 } });
  const admission = new Admission(client, { plans, reservationMs: HOUR_MS });
  const { location } = await createKey(client, plans);
  const before = Date.now();
  const verdict = standing(await admission.admit(request(location, { conversion: 'req_1' })));
  t.ok(verdict.at >= before - 1 && verdict.at <= Date.now(), 'by the clock of Redis');
  const seconds = Math.floor(verdict.at / 1000);
  const end = (length: number) => seconds - (seconds % length) + length;
  t.same(verdict, {
    outcome: 'admitted',
    at: verdict.at,
    plan: 'small',
    isolation: 'account',
    month: new Date(verdict.at).toISOString().slice(0, 7),
    used: 0,
    quota: 40,
    windows: [
      { name: 'second', limit: 10, remaining: 9, resetsAt: end(1), length: 1 },
      { name: 'hour', limit: 20, remaining: 19, resetsAt: end(3_600), length: 3_600 },
      { name: 'day', limit: 30, remaining: 29, resetsAt: end(86_400), length: 86_400 },
    ],
  });
  t.equal(await client.hget(limitKeys.months('acme', 'live'), `reserved:${verdict.month}`), '1');
  t.same(await client.zrange(limitKeys.reservations('acme', 'live'), '-inf', '+inf', 'BYSCORE'), [
    `${verdict.month} req_1`,
  ]);
});

t.test('a key that is not there, revoked or expired', async (t) => {
  const plans = defaultPlans;
  const admission = new Admission(client, { plans, reservationMs: HOUR_MS });
  const { key, location } = await createKey(client, plans);
  t.same(await admission.admit(request({ ...location, id: 'key_other' })), { outcome: 'gone' });
  await new KeyStore(client, plans).revokeKey(key.id);
  t.same(await admission.admit(request(location)), { outcome: 'unknown' });

  const soon = new Date(Date.now() + 60_000);
  const { location: dated } = await createKey(client, plans, { expiresAt: soon });
  t.equal((await admission.admit(request(dated))).outcome, 'admitted');
  await client.hset(`platen:{acme}:key:${dated.id}`, 'expiresAt', Date.now());
  t.same(await admission.admit(request(dated)), { outcome: 'expired' });
});

t.test('a suspended account: every key is refused, and nothing is taken', async (t) => {
  const plans = plansOf({ small: { perHour: 2, perMonth: 1 } });
  const admission = new Admission(client, { plans, reservationMs: HOUR_MS });
  const store = new KeyStore(client, plans);
  const keys = [
    await createKey(client, plans, { ipRestrictions: ['10.0.0.0/8'] }),
    await createKey(client, plans, { environment: 'test' }),
  ];
  await store.changes.setSuspended('acme', true);
  for (const { location, key } of keys) {
    const verdict = standing(await admission.admit(request(location, { conversion: 'req_1' })));
    t.equal(verdict.outcome, 'suspended', 'before the address');
    t.equal(
      verdict.windows.find(({ name }) => name === 'hour')?.remaining,
      location.environment === 'live' ? 2 : 100,
    );
    t.equal((await store.findKey(key.id)).lastUsedAt, null);
  }
  await store.revokeKey(keys[1]?.key.id ?? '');
  t.same(
    await admission.admit(request(keys[1]?.location as KeyLocation)),
    { outcome: 'unknown' },
    'the key comes first',
  );
  await store.changes.setSuspended('acme', false);
  const first = keys[0]?.location as KeyLocation;
  const allowed = request(first, { address: '10.1.2.3', conversion: 'req_2' });
  t.equal((await admission.admit(allowed)).outcome, 'admitted');
});

t.test('address and permission are checked before anything is taken', async (t) => {
  const plans = plansOf({ small: { perHour: 2 } });
  const admission = new Admission(client, { plans, reservationMs: HOUR_MS });
  const ipRestrictions = ['10.0.0.0/8', '2001:db8::/32', '192.0.2.7'];
  const { location } = await createKey(client, plans, { ipRestrictions, permissions: ['convert'] });
  for (const address of ['11.0.0.1', '192.0.2.70', '2001:db9::1', 'unknown', '']) {
    t.equal((await admission.admit(request(location, { address }))).outcome, 'address', address);
  }
  for (const permission of ['usage', 'rotate'] as const) {
    const verdict = await admission.admit(request(location, { address: '10.1.2.3', permission }));
    t.equal(verdict.outcome, 'permission');
    t.equal(standing(verdict).windows[0]?.remaining, 2, 'refused requests do not count');
  }
  for (const address of ['::ffff:10.1.2.3', '2001:db8:1::9']) {
    const verdict = await admission.admit(request(location, { address, permission: 'convert' }));
    t.equal(verdict.outcome, 'admitted', address);
  }
  const verdict = await admission.admit(request(location, { address: '192.0.2.7', permission: 'convert' }));
  t.equal(verdict.outcome, 'rate');
  t.equal(standing(verdict).windows[0]?.remaining, 0);
});

t.test('the origin of a page is checked after the key, before all else', async (t) => {
  const plans = plansOf({ small: { perHour: 2 } });
  const admission = new Admission(client, { plans, reservationMs: HOUR_MS });
  const store = new KeyStore(client, plans);
  const origins = ['https://shop.example', 'http://localhost:8080'];
  const ipRestrictions = ['192.0.2.1'];
  const { key, location } = await createKey(client, plans, { type: 'pk', origins, ipRestrictions });
  const { location: secret } = await createKey(client, plans, { ipRestrictions });
  const elsewhere = [
    'https://other.example',
    'https://shop.example:8443',
    'http://shop.example',
    'https://shop.example.other.example',
    'https://shop',
    'null',
    'https://shop.example http://localhost:8080',
    '%S+',
  ];
  for (const origin of elsewhere) {
    const verdict = standing(await admission.admit(request(location, { origin, address: '' })));
    t.equal(verdict.outcome, 'origin', origin);
    t.equal(verdict.windows[0]?.remaining, 2, 'refused requests do not count');
  }
  t.equal((await store.findKey(key.id)).lastUsedAt, null);
  for (const origin of origins) {
    t.equal((await admission.admit(request(secret, { origin }))).outcome, 'origin', 'a secret key');
    t.equal((await admission.admit(request(location, { origin, address: '' }))).outcome, 'address');
    t.equal((await admission.admit(request(location, { origin }))).outcome, 'admitted', origin);
  }
  t.equal((await admission.admit(request(secret))).outcome, 'rate', 'a program needs no origin');
  const { conversion: _, ...caller } = request(location, { origin: 'https://shop.example' });
  t.equal(await admission.stillAdmits(caller), true);
  await store.changeKey(key.id, { origins: ['https://new.example'] });
  t.equal(await admission.stillAdmits(caller), false, 'from the next request on');
  await store.changes.setSuspended('acme', true);
  t.equal((await admission.admit(request(location, { origin: 'null' }))).outcome, 'origin');
  await store.revokeKey(key.id);
  t.equal((await admission.admit(request(location, { origin: 'null' }))).outcome, 'unknown');
});

t.test('a look at what was admitted takes and notes nothing', async (t) => {
  const plans = plansOf({ small: { perHour: 1 } });
  const admission = new Admission(client, { plans, reservationMs: HOUR_MS });
  const store = new KeyStore(client, plans);
  const { key, location } = await createKey(client, plans, { ipRestrictions: ['192.0.2.0/24'] });
  const look = (options: Partial<AdmissionRequest> = {}) => {
    const { conversion: _, ...caller } = request(location, { permission: 'jobs', ...options });
    return admission.stillAdmits(caller);
  };
  t.equal(await look(), true);
  t.equal((await store.findKey(key.id)).lastUsedAt, null);
  t.equal((await admission.admit(request(location))).outcome, 'admitted');
  t.equal(await look(), true, 'also when a window is full');
  t.equal(await look({ address: '198.51.100.1' }), false);
  await store.changes.setSuspended('acme', true);
  t.equal(await look(), false);
  await store.changes.setSuspended('acme', false);
  t.equal(await look(), true);
  await store.revokeKey(key.id);
  t.equal(await look(), false);
});

t.test('the last use is noted, also of requests over a limit', async (t) => {
  const plans = plansOf({ small: { perHour: 1 } });
  const admission = new Admission(client, { plans, reservationMs: HOUR_MS });
  const store = new KeyStore(client, plans);
  const { key, location } = await createKey(client, plans, { ipRestrictions: ['192.0.2.0/24'] });
  await admission.admit(request(location, { address: '198.51.100.1' }));
  t.match(await store.findKey(key.id), { lastUsedAt: null, lastUsedAddress: null });
  for (const [address, outcome] of [
    ['192.0.2.1', 'admitted'],
    ['192.0.2.2', 'rate'],
  ] as const) {
    const verdict = standing(await admission.admit(request(location, { address })));
    t.equal(verdict.outcome, outcome);
    const lastUsedAt = new Date(verdict.at).toISOString();
    t.match(await store.findKey(key.id), { lastUsedAt, lastUsedAddress: address });
  }
});

t.test('of requests in parallel exactly as many are admitted as the window takes', async (t) => {
  const plans = plansOf({ small: { perHour: 100 } });
  const two = [1, 2].map(() => new Admission(client, { plans, reservationMs: HOUR_MS }));
  const { location } = await createKey(client, plans);
  const verdicts = await Promise.all(
    Array.from({ length: 200 }, (_, n) => two[n % 2]?.admit(request(location)) as Promise<Verdict>),
  );
  const admitted = verdicts.filter(({ outcome }) => outcome === 'admitted');
  t.equal(admitted.length, 100);
  const remaining = admitted.map((verdict) => standing(verdict).windows[0]?.remaining);
  t.same(
    remaining.sort((a = 0, b = 0) => a - b),
    Array.from({ length: 100 }, (_, n) => n),
    'and no two are told the same',
  );
});

t.test('of conversions in parallel exactly as many are reserved as the quota has left', async (t) => {
  const plans = plansOf({ small: { perMonth: 3, perHour: 50 } });
  const admission = new Admission(client, { plans, reservationMs: HOUR_MS });
  const { location } = await createKey(client, plans);
  const verdicts = await Promise.all(
    Array.from({ length: 50 }, (_, n) => admission.admit(request(location, { conversion: `req_${n}` }))),
  );
  t.equal(verdicts.filter(({ outcome }) => outcome === 'admitted').length, 3);
  t.equal(verdicts.filter(({ outcome }) => outcome === 'quota').length, 47);
  const verdict = standing(await admission.admit(request(location)));
  t.equal(verdict.outcome, 'admitted', 'what is no conversion needs no quota');
  t.equal(verdict.windows[0]?.remaining, 46, 'who was refused for the quota did not count');
});

t.test('a reservation whose server died expires', async (t) => {
  const plans = plansOf({ small: { perMonth: 1 } });
  const { location } = await createKey(client, plans);
  const dead = new Admission(client, { plans, reservationMs: 1 });
  t.equal((await dead.admit(request(location, { conversion: 'req_1' }))).outcome, 'admitted');
  const admission = new Admission(client, { plans, reservationMs: HOUR_MS });
  let verdict: Verdict;
  do verdict = await admission.admit(request(location, { conversion: 'req_2' }));
  while (verdict.outcome === 'quota');
  t.equal(verdict.outcome, 'admitted');
  t.equal((await admission.admit(request(location, { conversion: 'req_3' }))).outcome, 'quota');
  const { month } = standing(verdict);
  t.same(await client.zrange(limitKeys.reservations('acme', 'live'), '-inf', '+inf', 'BYSCORE'), [
    `${month} req_2`,
  ]);
  t.equal(await client.hget(limitKeys.months('acme', 'live'), `reserved:${month}`), '1');
});

t.test('live keys share the windows of their account, a test key has its own and no quota', async (t) => {
  const plans = plansOf({ free: { perSecond: 1_000, perHour: 5, perMonth: 1 } });
  const admission = new Admission(client, { plans, reservationMs: HOUR_MS });
  const [first, second] = [await createKey(client, plans), await createKey(client, plans)];
  const test = await createKey(client, plans, { environment: 'test' });
  const left = async (location: KeyLocation, conversion?: string) => {
    const verdict = standing(await admission.admit(request(location, { conversion })));
    const hour = verdict.windows.find(({ name }) => name === 'hour');
    return [verdict.outcome, hour?.limit, hour?.remaining, verdict.quota];
  };
  t.same(await left(first.location), ['admitted', 5, 4, 1]);
  t.same(await left(second.location, 'req_1'), ['admitted', 5, 3, 1]);
  t.same(await left(test.location, 'req_2'), ['admitted', 100, 99, null]);
  t.same(await left(test.location, 'req_3'), ['admitted', 100, 98, null]);
  t.same(await left(first.location, 'req_4'), ['quota', 5, 3, 1]);
});

t.test('a change of plan holds from the next request', async (t) => {
  const plans = plansOf({ small: { perHour: 1 }, large: { perHour: 10 } });
  const admission = new Admission(client, { plans, reservationMs: HOUR_MS });
  const { location } = await createKey(client, plans);
  t.equal((await admission.admit(request(location))).outcome, 'admitted');
  t.equal((await admission.admit(request(location))).outcome, 'rate');
  await new KeyStore(client, plans).setPlan('acme', 'large');
  t.match(await admission.admit(request(location)), { outcome: 'admitted', plan: 'large' });

  const other = new Admission(client, { plans: plansOf({ small: {} }), reservationMs: HOUR_MS });
  await t.rejects(other.admit(request(location)), { message: /plan "large".*PLANS_FILE/ });
});

t.test(
  'limits of an account of its own hold in place of those of its plan, for live keys and in their time',
  async (t) => {
    const plans = plansOf({ small: { perSecond: 5, perHour: 1, perMonth: 1, maxJobs: 2 } });
    const admission = new Admission(client, { plans, reservationMs: HOUR_MS });
    const { changes } = new KeyStore(client, plans);
    const { location } = await createKey(client, plans);
    const { location: test } = await createKey(client, plans, { environment: 'test' });
    const admit = async (key = location, conversion?: string) =>
      standing(await admission.admit(request(key, { conversion })));
    const always = { from: null, until: null };
    const past = new Date(Date.now() - HOUR_MS).toISOString();
    const soon = new Date(Date.now() + HOUR_MS).toISOString();
    await changes.setLimit('acme', { limit: 'perHour', value: 7, from: past, until: soon });
    await changes.setLimit('acme', { limit: 'perMonth', value: null, ...always });
    await changes.setLimit('acme', { limit: 'perDay', value: 1, from: soon, until: null });
    await changes.setLimit('acme', { limit: 'maxJobs', value: 50, ...always });
    const verdict = await admit(location, 'req_1');
    t.same(
      verdict.windows.map(({ name, limit, remaining }) => [name, limit, remaining]),
      [
        ['second', 5, 4],
        ['hour', 7, 6],
      ],
    );
    t.equal(verdict.quota, null);
    t.same(verdict.ownLimits, [
      { limit: 'perHour', value: 7, from: past, until: soon },
      { limit: 'perDay', value: 1, from: soon, until: null },
      { limit: 'perMonth', value: null, ...always },
      { limit: 'maxJobs', value: 50, ...always },
    ]);
    t.equal((await admit(location, 'req_2')).outcome, 'admitted', 'beyond the quota of the plan');
    const tested = await admit(test);
    t.match(tested, { outcome: 'admitted', quota: null, windows: [{ limit: 50 }, { limit: 100 }] });
    t.notOk('ownLimits' in tested);
    await client.hset(redisKeys.account('acme'), 'limit:perHour', `7 - ${Date.now()}`);
    t.equal((await admit()).outcome, 'rate', 'its time is over');
    await changes.removeLimit('acme', 'perMonth');
    await changes.setLimit('acme', { limit: 'perHour', value: null, ...always });
    t.match(await admit(location, 'req_3'), { outcome: 'quota', quota: 1 });
  },
);

t.test('an option that the plan lacks is refused after the quota, and takes nothing', async (t) => {
  const plans = plansOf({
    without: { perHour: 10, perMonth: 1 },
    with: { features: ['pdfa'] },
    withall: { features: ['all'] },
  });
  const admission = new Admission(client, { plans, reservationMs: HOUR_MS });
  const store = new KeyStore(client, plans);
  const { location } = await createKey(client, plans);
  const outcome = async (options: Partial<AdmissionRequest>, key = location) =>
    (await admission.admit(request(key, options))).outcome;
  const idempotencyKey = 'a'.repeat(64);
  t.equal(await outcome({ conversion: 'req_1', features: ['pdfa'], idempotencyKey }), 'feature');
  t.equal(await outcome({ conversion: 'req_2', idempotencyKey }), 'admitted', 'the key was not claimed');
  const refused = standing(
    await admission.admit(request(location, { conversion: 'req_3', features: ['pdfa'] })),
  );
  t.equal(refused.outcome, 'quota', 'nothing else was reserved, and the quota comes first');
  t.equal(refused.windows[0]?.remaining, 9, 'the refused did not count');
  const { location: test } = await createKey(client, plans, { environment: 'test' });
  t.equal(await outcome({ conversion: 'req_4', features: ['pdfa'] }, test), 'admitted', 'to try it');
  for (const plan of ['with', 'withall']) {
    await store.setPlan('acme', plan);
    t.equal(await outcome({ conversion: `req_${plan}`, features: ['pdfa'] }), 'admitted', plan);
  }
});

t.test('works on after SCRIPT FLUSH', async (t) => {
  const admission = new Admission(client, { plans: defaultPlans, reservationMs: HOUR_MS });
  const { location } = await createKey(client, defaultPlans);
  await admission.admit(request(location));
  await client.script('FLUSH');
  t.equal((await admission.admit(request(location))).outcome, 'admitted');
});
