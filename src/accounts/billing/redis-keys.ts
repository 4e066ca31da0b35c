/**
 * Names of windows, reservations, idempotency keys, usage and ledger in Redis. All have the account as their hash
 * tag, like the records of key and account, so that one script may use them in a Redis Cluster.
 */
import type { Environment } from '../keys/format.ts';

export const limitKeys = {
  /** Hash: rate windows shared by an account's live keys; `second:start`, `second:count`, … */
  accountWindows: (account: string) => `platen:{${account}}:windows`,
  /** Hash: rate windows shared by a test key and its successors. It expires long after their last use. */
  familyWindows: (account: string, family: string) => `platen:{${account}}:key:${family}:windows`,
  /** Hash: conversions by month, `used:YYYY-MM` and `reserved:YYYY-MM`. */
  months: (account: string, environment: Environment) => `platen:{${account}}:${environment}:months`,
  /** Sorted set of `YYYY-MM REQUEST-ID` by deadline in ms: running conversions. */
  reservations: (account: string, environment: Environment) =>
    `platen:{${account}}:${environment}:reservations`,
  /** String: the id of the request that runs under an idempotency key; expires with the lease. */
  running: (account: string, environment: Environment, idempotencyKey: string) =>
    `platen:{${account}}:${environment}:idempotency:${idempotencyKey}:running`,
  /** String: the document settled under an idempotency key; expires with the key. */
  done: (account: string, environment: Environment, idempotencyKey: string) =>
    `platen:{${account}}:${environment}:idempotency:${idempotencyKey}:done`,
  /** String: the result of a conversion, as JSON; expires after a day. */
  conversion: (account: string, environment: Environment, requestId: string) =>
    `platen:{${account}}:${environment}:conversion:${requestId}`,
  /** String: the reservation of the last request under an idempotency key, `YYYY-MM REQUEST-ID`; expires with it. */
  reserved: (account: string, environment: Environment, idempotencyKey: string) =>
    `platen:{${account}}:${environment}:idempotency:${idempotencyKey}:reserved`,
  /**
   * String: the job taken under an idempotency key, `ID DIGEST RESERVATION`; expires with the key. The reservation is that of
   * the conversion that became the job; otherwise it is empty.
   */
  job: (account: string, environment: Environment, idempotencyKey: string) =>
    `platen:{${account}}:${environment}:idempotency:${idempotencyKey}:job`,
  /** List of the ids of requests with stored results, the newest first. */
  conversions: (account: string, environment: Environment) =>
    `platen:{${account}}:${environment}:conversions`,
  /** Set of the ids of the month's settled requests. */
  settled: (account: string, environment: Environment, month: string) =>
    `platen:{${account}}:${environment}:settled:${month}`,
  /** Hash: figures by day, `DD:conversions`, `DD:pages`, `DD:bytesIn`, `DD:bytesOut`, `DD:failures:CODE`. */
  days: (account: string, environment: Environment, month: string) =>
    `platen:{${account}}:${environment}:days:${month}`,
  /** Hash: figures of the month by key, `KEY-ID:conversions`, `KEY-ID:pages`; without an id those of keys beyond the first 1,000. */
  byKey: (account: string, environment: Environment, month: string) =>
    `platen:{${account}}:${environment}:by-key:${month}`,
  /** Stream: one entry per billed conversion of the month. */
  ledger: (account: string, month: string) => `platen:{${account}}:ledger:${month}`,
} as const;
