/** What Redis keeps of conversions for long: bytes each, with many of one account. */
import type { Redis } from 'ioredis';
import { limitKeys } from '../../src/accounts/billing/redis-keys.ts';
import { Settlement } from '../../src/accounts/billing/settlement.ts';
import { inBatches } from '../../src/accounts/keys/batches.ts';
import { round } from '../statistics.ts';

const CONVERSIONS = 20_000;
const FIGURES = { pages: 3, bytesIn: 18_204, bytesOut: 37_982, durationMs: 52 };
/** As long as real ids. */
const account = `acct_${'0'.repeat(20)}`;
const key = { account, id: `key_${'0'.repeat(20)}`, environment: 'live' } as const;

export async function measureKept(redis: Redis) {
  const settlement = new Settlement(redis);
  const at = Date.now();
  const ids = Array.from({ length: CONVERSIONS }, (_, n) => `req_${n.toString(16).padStart(32, '0')}`);
  await inBatches(ids, (requestId) => settlement.settle({ requestId, key, at }, FIGURES));
  const month = new Date(at).toISOString().slice(0, 7);
  const bytes = async (name: string) =>
    round(Number(await redis.memory('USAGE', name, 'SAMPLES', 0)) / CONVERSIONS);
  return {
    conversions: CONVERSIONS,
    ledgerBytes: await bytes(limitKeys.ledger(account, month)),
    settledBytes: await bytes(limitKeys.settled(account, 'live', month)),
  };
}
