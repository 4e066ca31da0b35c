/** Keys of Redis by kind: their names without what differs from one account, job or document to the next. */
import type { Redis } from 'ioredis';

/** Keys that are looked at in one step. */
const STEP = 1_000;
/** Keys of a kind that are measured for its size: beyond that, the first that come. */
export const MEASURED = 50;

/** What varies in a name, the longer first. */
const variables: readonly (readonly [RegExp, string])[] = [
  [/^platen:\{(?!(jobs|webhooks|audit|servers|statistics|egress)\})[^}]+\}/, 'platen:{ACCOUNT}'],
  [/:conversion:.+$/, ':conversion:REQUEST'],
  [/:idempotency:.+?:(running|done|reserved|job)$/, ':idempotency:KEY:$1'],
  [/:webhook-told:.+$/, ':webhook-told:MESSAGE'],
  [/:deliveries:msg_.+$/, ':deliveries:MESSAGE'],
  [/:request:.+$/, ':request:REQUEST'],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID'],
  [/job_[0-9a-f]+(\.\d+|:\d+)?/g, 'JOB'],
  [/\b(req|key|wh|mem|inv|ses)_[0-9a-zA-Z]+/g, '$1_ID'],
  [/\b[0-9a-f]{64}\b/g, 'SHA256'],
  [/\b\d{4}-\d{2}(-\d{2})?\b/g, 'DATE'],
  [/\b[0-9a-f]{12,}\b/g, 'ID'],
  [/ending:.{4}$/, 'ending:XXXX'],
  [/\{statistics\}:(\d+):\d+$/, '{statistics}:$1:TIME'],
];

export function kindOf(key: string): string {
  return variables.reduce((name, [pattern, text]) => name.replace(pattern, text), key);
}

/** The keys of a kind. */
export interface Kind {
  count: number;
  /** Size of all of them by the mean of those that are measured, in bytes. */
  bytes: number;
  /** Those without an expiry, by the share of those that are measured. */
  lasting: number;
}

/** @param most of each kind that are measured. */
export async function measureKinds(redis: Redis, most: number): Promise<Map<string, Kind>> {
  const kinds = new Map<string, Kind & { measured: number }>();
  const seen = new Set<string>();
  for (let cursor: string | undefined = '0'; cursor !== undefined; ) {
    const [next, keys]: [string, string[]] = await redis.scan(cursor, 'COUNT', STEP);
    cursor = next === '0' ? undefined : next;
    const measured: { kind: string; key: string }[] = [];
    for (const key of keys) {
      if (seen.has(key)) continue;
      seen.add(key);
      const name = kindOf(key);
      const kind = kinds.get(name) ?? { count: 0, bytes: 0, lasting: 0, measured: 0 };
      kinds.set(name, kind);
      kind.count++;
      if (kind.measured >= most) continue;
      kind.measured++;
      measured.push({ kind: name, key });
    }
    const pipeline = redis.pipeline();
    for (const { key } of measured) pipeline.memory('USAGE', key, 'SAMPLES', 0).pttl(key);
    const results = (await pipeline.exec()) ?? [];
    for (const [index, { kind: name }] of measured.entries()) {
      const kind = kinds.get(name) as Kind;
      // It may have gone meanwhile.
      kind.bytes += Number(results[2 * index]?.[1] ?? 0);
      if (results[2 * index + 1]?.[1] === -1) kind.lasting++;
    }
  }
  for (const kind of kinds.values()) {
    kind.bytes *= kind.count / kind.measured;
    kind.lasting *= kind.count / kind.measured;
  }
  return kinds;
}
