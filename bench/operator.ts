/**
 * node --import=tsx bench/operator.ts: measures the operator API for the dashboard's requests, over HTTP from the
 * built service, with ACCOUNTS (1,000) accounts of ten keys each; one account has its last thousand requests stored,
 * and another has as many keys as all others together. Prints one line per path, and fails if one takes 100 ms or
 * more at the 95th percentile.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { inBatches } from '../src/keys/batches.ts';
import { KeyStore } from '../src/keys/store.ts';
import { Audit } from '../src/operator/audit.ts';
import { KEPT_REQUESTS } from '../src/operator/request-writer.ts';
import { RecentRequests } from '../src/operator/requests.ts';
import { Statistics } from '../src/operator/statistics.ts';
import { defaultPlans } from '../src/plans/plans.ts';
import type { RedisClient } from '../src/redis/connect.ts';
import { openRedis } from '../src/redis/open.ts';
import { Server } from '../test/support/server.ts';
import { summary } from './statistics.ts';

const ACCOUNTS = Number(process.env.ACCOUNTS ?? 1_000);
const KEYS_EACH = 10;
const ROUNDS = Number(process.env.ROUNDS ?? 50);
const LIMIT_MS = 100;
const DAY_MS = 86_400_000;
const requestId = `req_${'0'.repeat(31)}1`;
const log = pino({ level: 'warn' });

const server = await Server.start({ env: { LOG_LEVEL: 'info' } });
try {
  const redis = await openRedis({ redisUrl: undefined, dataDir: server.dataDir }, log, 'guest');
  try {
    await fill(redis.client);
  } finally {
    await redis.close();
  }
  const slow = await measure();
  if (slow.length > 0) throw new Error(`slower than ${LIMIT_MS} ms: ${slow.join(', ')}`);
} finally {
  await server.stop();
}

async function fill(redis: RedisClient): Promise<void> {
  const store = new KeyStore(redis, defaultPlans);
  const numbers = Array.from({ length: ACCOUNTS }, (_, i) => i);
  await inBatches(numbers, async (i) => {
    const account = `account-${i}`;
    await store.createAccount({ id: account, name: `Customer ${i} GmbH`, plan: 'pro' });
    for (let k = 0; k < KEYS_EACH; k++) {
      const expiresAt = k === 0 ? new Date(Date.now() + (1 + (i % 365)) * DAY_MS) : undefined;
      await store.createKey({ account, name: `key ${k}`, environment: 'live', type: 'sk', expiresAt });
    }
  });
  await store.createAccount({ id: 'many', name: 'Many keys', plan: 'pro' });
  await inBatches(Array.from({ length: ACCOUNTS * KEYS_EACH }), () =>
    store.createKey({ account: 'many', name: 'one of many', environment: 'live', type: 'sk' }),
  );
  const requests = new RecentRequests(redis, log);
  const [key] = await store.listKeys('account-7');
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
      ...{ durationMs: 52.4, uploadMs: 4.1, queueMs: 0.2, convertMs: 38.9, warnings: null },
    };
    requests.record(record, 'admitted');
    // Refused requests have other ids.
    requests.record({ ...record, requestId: record.requestId.replace('req_0', 'req_f') }, 'refused');
  }
  await requests.close();
  const statistics = new Statistics(redis, log);
  for (let minute = 0; minute < 60; minute++) {
    for (let i = 0; i < 100; i++) {
      const conversion = { outcome: 'success', queueMs: i / 10, convertMs: 20 + i };
      statistics.record(conversion, Date.now() - minute * 60_000);
    }
  }
  await statistics.close();
  const audit = new Audit(redis, log);
  await inBatches(numbers, () => audit.record({ by: 'cli', who: 'bench' }, 'maintenance.on'));
}

/** @returns the paths that are too slow. */
async function measure(): Promise<string[]> {
  const token = (await readFile(join(server.dataDir, 'operator-token'), 'utf8')).trim();
  const slow: string[] = [];
  for (const path of [
    'overview',
    'accounts',
    'accounts?limit=200',
    'accounts?search=customer%20999',
    'accounts?search=nobody',
    'accounts/account-7',
    'accounts/account-7/usage',
    'accounts/account-7/keys',
    'accounts/many/keys',
    'accounts/many/keys?limit=200',
    'accounts/account-7/requests',
    'accounts/account-7/requests?limit=1000',
    'accounts/account-7/requests?outcome=failures',
    `requests/${requestId}`,
    'keys/expiring?limit=200',
    'audit',
    'maintenance',
  ]) {
    const times: number[] = [];
    for (let round = -5; round < ROUNDS; round++) {
      const started = performance.now();
      const answer = await fetch(`${server.url}/operator/v1/${path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${answer.status} ${path}`);
      if (round >= 0) times.push(performance.now() - started);
    }
    const { median, p95 } = summary(times);
    console.log(`${median.toFixed(1).padStart(7)} ms  ${p95.toFixed(1).padStart(7)} ms (p95)  ${path}`);
    if (p95 >= LIMIT_MS) slow.push(path);
  }
  return slow;
}
