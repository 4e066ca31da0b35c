/** One Redis alone: the admissions that it takes in a second, with redis-benchmark, which ships with Redis. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Redis } from 'ioredis';
import { Admission } from '../../src/accounts/limits/admission.ts';
import { defaultPlans } from '../../src/accounts/plans/plans.ts';
import { startRedis } from '../../test/e2e/support/redis.ts';
import { round } from '../statistics.ts';
import { ACCOUNT, copyKeys, type Extent, KEY } from './accounts.ts';
import type { Scope } from './fleet.ts';
import { readRedis, recordCommands } from './redis-use.ts';

const run = promisify(execFile);

/** redis-benchmark replaces each occurrence by another random number. */
const RANDOM = '__rand_int__';
/** As the defaults of the service have it. */
const RESERVATION_MS = 505_000;
/** Clients at a time, and the admissions that they ask for together. */
const LEVELS = [
  { clients: 1, count: 20_000 },
  { clients: 8, count: 40_000 },
  { clients: 50, count: 60_000 },
  { clients: 250, count: 60_000 },
];

/** Admissions over all accounts and keys by chance. Times are those that redis-benchmark saw, in milliseconds. */
export async function measureAdmissions(scope: Scope, extent: Extent) {
  const settings = ['--appendonly', 'no', '--save', ''];
  const server = await startRedis(scope, settings);
  const redis = server.client;
  const empty = await readRedis(redis);
  await copyKeys(redis, extent);
  const full = await readRedis(redis);
  const command = await admissionCommand(redis);
  const levels = [];
  for (const { clients, count } of LEVELS) {
    const before = await readRedis(redis);
    const sizes = ['-c', String(clients), '-n', String(count), '-r', String(extent.accounts)];
    const { stdout } = await run('redis-benchmark', ['-s', server.socket, ...sizes, '--csv', ...command], {
      timeout: 300_000,
    });
    const after = await readRedis(redis);
    const [perSecond, , , p50, p95, p99] = figuresOf(stdout);
    const cpuMs = after.cpuMs - before.cpuMs;
    levels.push({
      clients,
      perSecond: Math.round(perSecond ?? 0),
      ...{ p50, p95, p99 },
      cpuMicroseconds: round((cpuMs * 1000) / count),
      busyPercent: round((100 * cpuMs) / (after.at - before.at)),
    });
  }
  await server.end('SIGKILL');
  const keys = extent.accounts * extent.keysEach;
  return { ...extent, bytesAKey: Math.round((full.memoryBytes - empty.memoryBytes) / keys), levels };
}

/** What a server sends for an admission, with random account, key and request. */
async function admissionCommand(redis: Redis): Promise<string[]> {
  const admission = new Admission(redis, { plans: defaultPlans, reservationMs: RESERVATION_MS });
  const key = { account: `${ACCOUNT}${RANDOM}`, id: `${KEY}${RANDOM}`, environment: 'live' } as const;
  const request = {
    key,
    address: '192.0.2.1',
    permission: 'convert',
    conversion: `req_00000000${RANDOM}${RANDOM}`,
  } as const;
  // The first time the script is sent.
  await admission.admit(request);
  const [command] = await recordCommands(
    redis,
    () => admission.admit(request),
    ([name]) => name?.toLowerCase() === 'evalsha',
  );
  if (!command) throw new Error('an admission ran no script');
  return command;
}

/** The last line: the command, requests a second, and latencies: average, least, p50, p95, p99, most. */
function figuresOf(csv: string): number[] {
  const line = csv.trim().split('\n').at(-1) ?? '';
  const figures = [...line.matchAll(/"([\d.]+)"/g)].slice(-7).map(([, figure]) => Number(figure));
  if (figures.length < 7) throw new Error(`redis-benchmark said: ${csv}`);
  const [perSecond = 0, average = 0, least = 0, p50 = 0, p95 = 0, p99 = 0] = figures;
  return [perSecond, average, least, p50, p95, p99];
}
