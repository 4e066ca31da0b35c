/** What the accounting of a conversion costs: admission and settlement. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Bill } from '../src/accounts/billing/bill.ts';
import { Billing } from '../src/accounts/billing/billing.ts';
import { Settlement } from '../src/accounts/billing/settlement.ts';
import { KeyLocator } from '../src/accounts/keys/locate.ts';
import { KeyStore } from '../src/accounts/keys/store.ts';
import { Admission } from '../src/accounts/limits/admission.ts';
import { defaultPlans } from '../src/accounts/plans/plans.ts';
import { openRedis } from '../src/redis/open.ts';
import { summary } from './statistics.ts';

const WARM_UPS = 100;
const DELIVERY = { pages: 1, bytesIn: 10_000, bytesOut: 20_000, durationMs: 50 };

/** Times in milliseconds; `together` is the sum per conversion. */
export type AccountingResult = Awaited<ReturnType<typeof measureAccounting>>;

/** Admits and settles conversions one by one, on the embedded Redis as the service starts it. */
export async function measureAccounting(count: number) {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  const log = pino({ level: 'warn' });
  const redis = await openRedis({ redisUrl: undefined, dataDir }, log, 'service');
  const billing = new Billing(new Settlement(redis.client), log);
  try {
    const store = new KeyStore(redis.client, defaultPlans);
    await store.createAccount({ id: 'bench', name: 'Benchmark', plan: 'enterprise' });
    const { key } = await store.createKey({ account: 'bench', name: 'b', environment: 'live', type: 'sk' });
    const locator = new KeyLocator(redis.client);
    // Without a limit per second, which this many in a row would exceed.
    const plans = new Map([
      ['enterprise', { ...(defaultPlans.get('enterprise') ?? fail()), perSecond: null }],
    ]);
    const admission = new Admission(redis.client, { plans, reservationMs: 600_000 });
    const admissions: number[] = [];
    const settlements: number[] = [];
    for (let n = -WARM_UPS; n < count; n++) {
      const requestId = `req_${n + WARM_UPS}`;
      const started = performance.now();
      const location = (await locator.locate(key)) ?? fail();
      const verdict = await admission.admit({
        key: location,
        address: '192.0.2.1',
        permission: 'convert',
        conversion: requestId,
      });
      const admitted = performance.now();
      if (verdict.outcome !== 'admitted') fail();
      const bill = new Bill(billing, { requestId, key: location, at: verdict.at });
      await bill.settle(DELIVERY);
      if (n < 0) continue;
      admissions.push(admitted - started);
      settlements.push(performance.now() - admitted);
    }
    return {
      admission: summary(admissions),
      settlement: summary(settlements),
      together: summary(admissions.map((ms, n) => ms + (settlements[n] ?? 0))),
    };
  } finally {
    await billing.close();
    await redis.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function fail(): never {
  throw new Error('the conversion was not admitted');
}
