/**
 * The names of windows, reservations, idempotency keys, usage and ledger in Redis. All have the account as their hash tag, as the
 * key and the account themselves have, so that one script may touch them in a Redis Cluster.
 */
import type { Environment } from '../keys/format.ts';

export const limitKeys = {
  /** Hash: the rate windows that an account's live keys share; `second:start`, `second:count`, … */
  accountWindows: (account: string) => `platen:{${account}}:windows`,
  /** Hash: the rate windows that a test key and its successors share. It expires long after their last use. */
  familyWindows: (account: string, family: string) => `platen:{${account}}:key:${family}:windows`,
  /** Hash: conversions by month, `used:YYYY-MM` and `reserved:YYYY-MM`. */
  months: (account: string, environment: Environment) => `platen:{${account}}:${environment}:months`,
  /** Sorted set of `YYYY-MM REQUEST-ID` by deadline in ms: conversions under way. */
  reservations: (account: string, environment: Environment) =>
    `platen:{${account}}:${environment}:reservations`,
  /** String: the id of the request that runs under an idempotency key; it expires with the request's lease. */
  running: (account: string, environment: Environment, idempotencyKey: string) =>
    `platen:{${account}}:${environment}:idempotency:${idempotencyKey}:running`,
  /** String: the document that was settled under an idempotency key; it expires with the key. */
  done: (account: string, environment: Environment, idempotencyKey: string) =>
    `platen:{${account}}:${environment}:idempotency:${idempotencyKey}:done`,
  /** String: what became of a conversion, as JSON; it expires a day later. */
  conversion: (account: string, environment: Environment, requestId: string) =>
    `platen:{${account}}:${environment}:conversion:${requestId}`,
  /** String: the reservation of the last request under an idempotency key, `YYYY-MM REQUEST-ID`; it expires with it. */
  reserved: (account: string, environment: Environment, idempotencyKey: string) =>
    `platen:{${account}}:${environment}:idempotency:${idempotencyKey}:reserved`,
  /** List of the ids of the requests whose conversions are kept, the newest first. */
  conversions: (account: string, environment: Environment) =>
    `platen:{${account}}:${environment}:conversions`,
  /** Set of the ids of the requests of a month that were settled. */
  settled: (account: string, environment: Environment, month: string) =>
    `platen:{${account}}:${environment}:settled:${month}`,
  /** Hash: figures by day, `DD:conversions`, `DD:pages`, `DD:bytesIn`, `DD:bytesOut`, `DD:failures:CODE`. */
  days: (account: string, environment: Environment, month: string) =>
    `platen:{${account}}:${environment}:days:${month}`,
  /** Stream: one entry a billed conversion of the month. */
  ledger: (account: string, month: string) => `platen:{${account}}:ledger:${month}`,
} as const;
