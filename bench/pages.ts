/**
 * node --import=tsx bench/pages.ts: measures the requests of the pages of dashboard and console, over HTTP to the built
 * service, with ACCOUNTS (1,000) accounts of ten members, ten sessions and 50 keys each; one account has its last requests
 * stored, and another as many members as one can have and 10,000 keys. Prints the memory of Redis for each kind, and one line per
 * path; fails if one takes 100 ms or more at the 95th percentile.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { inBatches } from '../src/accounts/keys/batches.ts';
import { KeyStore } from '../src/accounts/keys/store.ts';
import { defaultPlans } from '../src/accounts/plans/plans.ts';
import { MAX_MEMBERS, newId, type Role } from '../src/members/member.ts';
import { memberRealm, realmSessions, subjectOf } from '../src/members/realm.ts';
import { MemberStore } from '../src/members/store.ts';
import { Audit } from '../src/operator/audit.ts';
import { KEPT_REQUESTS } from '../src/operator/request-writer.ts';
import { RecentRequests } from '../src/operator/requests.ts';
import { Statistics } from '../src/operator/statistics.ts';
import type { RedisClient } from '../src/redis/connect.ts';
import { openRedis } from '../src/redis/open.ts';
import { Authenticator } from '../test/support/authenticator.ts';
import { Server } from '../test/support/server.ts';
import { summary } from './statistics.ts';

const ACCOUNTS = Number(process.env.ACCOUNTS ?? 1_000);
const MEMBERS_EACH = 10;
const KEYS_EACH = 50;
const KEYS_OF_ONE = 10_000;
const ROUNDS = Number(process.env.ROUNDS ?? 50);
const LIMIT_MS = 100;
const DAY_MS = 86_400_000;
const requestId = `req_${'0'.repeat(31)}1`;
const site = { host: 'pdf.example.com', origin: 'https://pdf.example.com' };
/** As long as those of browsers. */
const agent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const numbers = Array.from({ length: ACCOUNTS }, (_, i) => i);
const log = pino({ level: 'warn' });

/** The data for requests with a member's cookie. */
interface Filled {
  /** Ids of sessions of owners. */
  readonly usual: string;
  readonly many: string;
  /** The last four characters of a key. */
  readonly ending: string;
}

const server = await Server.start({ env: { LOG_LEVEL: 'info' } });
try {
  const redis = await openRedis({ redisUrl: undefined, dataDir: server.dataDir }, log, 'guest');
  let filled: Filled;
  try {
    filled = await fill(redis.client);
  } finally {
    await redis.close();
  }
  const slow = await measure(filled);
  if (slow.length > 0) throw new Error(`slower than ${LIMIT_MS} ms: ${slow.join(', ')}`);
} finally {
  await server.stop();
}

async function fill(redis: RedisClient): Promise<Filled> {
  const store = new KeyStore(redis, defaultPlans);
  await weighed(redis, 'account', ACCOUNTS, () =>
    inBatches(numbers, (i) =>
      store.createAccount({ id: `account-${i}`, name: `Customer ${i} GmbH`, plan: 'pro' }),
    ),
  );
  const places: { readonly account: string; readonly id: string }[] = [];
  await weighed(redis, 'member with a passkey', ACCOUNTS * MEMBERS_EACH, () =>
    inBatches(numbers, async (i) => {
      for (let m = 0; m < MEMBERS_EACH; m++) places.push(await enroll(redis, `account-${i}`, m));
    }),
  );
  const sessions = realmSessions(redis, memberRealm);
  const begin = async ({ account, id }: { readonly account: string; readonly id: string }) =>
    (await sessions.begin(subjectOf(account, id), { address: '2001:db8:1:2:3:4:5:6', agent })).id;
  await weighed(redis, 'session', places.length, () => inBatches(places, begin));
  let ending = '';
  await weighed(redis, 'key', ACCOUNTS * KEYS_EACH, () =>
    inBatches(numbers, async (i) => {
      const account = `account-${i}`;
      for (let k = 0; k < KEYS_EACH; k++) {
        const expiresAt = k === 0 ? new Date(Date.now() + (1 + (i % 365)) * DAY_MS) : undefined;
        const key = { account, name: `key ${k}`, environment: 'live', type: 'sk', expiresAt } as const;
        ending = (await store.createKey(key)).display.slice(-4);
      }
    }),
  );
  await store.createAccount({ id: 'many', name: 'Many keys', plan: 'pro' });
  await inBatches(Array.from({ length: KEYS_OF_ONE }), () =>
    store.createKey({ account: 'many', name: 'one of many', environment: 'live', type: 'sk' }),
  );
  const owner = await enroll(redis, 'many', 0);
  for (let m = 1; m < MAX_MEMBERS; m++) await enroll(redis, 'many', m);
  await recordRequests(redis, store);
  await recordStatistics(redis);
  const audit = new Audit(redis, log);
  await inBatches(numbers, (i) =>
    audit.record({ by: 'member', who: 'Ann' }, 'session.began', {
      account: i % 2 === 0 ? 'account-7' : 'many',
      details: { address: '192.0.2.1', by: 'passkey' },
    }),
  );
  const usual = places.find(({ account }) => account === 'account-7') ?? owner;
  return { usual: await begin(usual), many: await begin(owner), ending };
}

/** Prints what each of them takes of the memory of Redis. */
async function weighed(redis: RedisClient, name: string, count: number, make: () => Promise<unknown>) {
  const used = async () => Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
  const before = await used();
  await make();
  const kilobytes = ((await used()) - before) / count / 1_000;
  console.log(`${kilobytes.toFixed(2).padStart(7)} KB of Redis each: ${count} × ${name}`);
}

/** A member with a passkey, as an invitation makes one. */
async function enroll(redis: RedisClient, account: string, m: number) {
  const store = new MemberStore(redis, memberRealm);
  const role: Role = m === 0 ? 'owner' : m % 2 === 0 ? 'billing' : 'developer';
  const id = newId('mem');
  const { id: passkey } = new Authenticator(site);
  const made = {
    // As long as those of P-256.
    ...{ id: passkey, publicKey: 'A'.repeat(103), counter: 0, transports: ['internal', 'hybrid'] },
    ...{ name: 'Chrome on Windows', createdAt: new Date().toISOString(), lastUsedAt: null },
  };
  const email = `member-${m}@${account}.example`;
  await store.placePasskey(passkey, { account, id });
  await store.placeEmail(email, account);
  await store.change(account, (roster) => {
    const invitation = roster.invite(email, role, '0'.repeat(64));
    return roster.accept(invitation.id, id, `Member Number ${m}`, made);
  });
  return { account, id };
}

async function recordRequests(redis: RedisClient, store: KeyStore): Promise<void> {
  const requests = new RecentRequests(redis, log);
  const { keys } = await store.listed.page('account-7', undefined, 1);
  const [key] = keys;
  for (let i = 0; i < KEPT_REQUESTS; i++) {
    const record = {
      ...{ requestId: `req_${i.toString(16).padStart(32, '0')}`, at: new Date().toISOString() },
      ...{
        account: 'account-7',
        key: key?.id ?? '',
        environment: 'live' as const,
        method: 'POST',
        route: '/v1/convert',
      },
      ...{ status: 200, outcome: 'success', reason: null, pages: 3, bytesIn: 18_204, bytesOut: 37_982 },
      ...{
        durationMs: 52.4,
        uploadMs: 4.1,
        queueMs: 0.2,
        convertMs: 38.9,
        warnings: null,
        libreOffice: null,
        message: null,
      },
    };
    requests.record(record, 'admitted');
    // Refused requests have other ids.
    requests.record({ ...record, requestId: record.requestId.replace('req_0', 'req_f') }, 'refused');
  }
  await requests.close();
}

async function recordStatistics(redis: RedisClient): Promise<void> {
  const statistics = new Statistics(redis, log);
  for (let minute = 0; minute < 60; minute++) {
    for (let i = 0; i < 100; i++) {
      const conversion = { outcome: 'success', queueMs: i / 10, convertMs: 20 + i };
      statistics.record(conversion, Date.now() - minute * 60_000);
    }
  }
  await statistics.close();
}

/** @returns the paths that are too slow. */
async function measure({ usual, many, ending }: Filled): Promise<string[]> {
  const token = (await readFile(join(server.dataDir, 'operator-token'), 'utf8')).trim();
  const month = new Date().toISOString().slice(0, 7);
  const operator = [
    'overview',
    'health',
    'accounts',
    'accounts?limit=200',
    'accounts?search=customer%20999',
    'accounts?search=nobody',
    'accounts/account-7',
    'accounts/account-7/usage',
    `accounts/account-7/ledger?month=${month}`,
    'accounts/account-7/keys',
    'accounts/many/keys',
    'accounts/many/keys?limit=200',
    'accounts/many/members',
    'accounts/account-7/requests',
    'accounts/account-7/requests?limit=1000',
    'accounts/account-7/requests?outcome=failures',
    'accounts/account-7/jobs',
    'accounts/account-7/webhooks',
    `requests/${requestId}`,
    `keys?ending=${ending}`,
    'keys/expiring?limit=200',
    'audit',
    'audit?account=account-7',
    'audit?account=nobody',
    'plans',
    'banner',
    'maintenance',
  ];
  const own = [
    'session',
    'account',
    'usage',
    'usage?environment=test',
    `ledger?month=${month}`,
    'keys',
    'keys?limit=200',
    'requests',
    'requests?limit=1000',
    'requests?outcome=failures',
    'jobs',
    'webhooks',
    'members',
    'passkeys',
    'sessions',
    'audit',
    'audit?limit=500',
  ];
  const slow: string[] = [];
  const time = async (name: string, path: string, headers: Readonly<Record<string, string>>) => {
    const times: number[] = [];
    for (let round = -5; round < ROUNDS; round++) {
      const started = performance.now();
      const answer = await fetch(server.url + path, { headers });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${answer.status} ${path}`);
      if (round >= 0) times.push(performance.now() - started);
    }
    const { median, p95 } = summary(times);
    console.log(`${median.toFixed(1).padStart(7)} ms  ${p95.toFixed(1).padStart(7)} ms (p95)  ${name}`);
    if (p95 >= LIMIT_MS) slow.push(name);
  };
  for (const path of operator) await time(path, `/operator/v1/${path}`, { authorization: `Bearer ${token}` });
  for (const [who, id] of Object.entries({ usual, many })) {
    for (const path of own)
      await time(`${path} (${who} account)`, `/account/v1/${path}`, { cookie: `platen-console=${id}` });
  }
  await time(`requests/${requestId} (usual account)`, `/account/v1/requests/${requestId}`, {
    cookie: `platen-console=${usual}`,
  });
  return slow;
}
