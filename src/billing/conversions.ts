/** What became of conversions: the last ones of an account, for a day. Nothing of the documents is kept. */
import type { ConversionReport } from '../convert/report/warnings.ts';
import { type ErrorCode, PlatenError } from '../errors.ts';
import type { KeyLocation } from '../keys/locate.ts';
import { luaFiles } from '../paths.ts';
import type { RedisClient } from '../redis/connect.ts';
import { Script } from '../redis/script.ts';
import { limitKeys } from './redis-keys.ts';

/** For how long one is kept: 24 hours. */
export const CONVERSION_KEPT_MS = 86_400_000;
/**
 * Of an account in each environment. One takes about 1 kB, some 10 kB at most: a million a day would fill Redis. No plan with a
 * limit a day comes to more by default.
 */
export const KEPT_CONVERSIONS = 10_000;

/** How a conversion ended. Sizes in bytes, times in milliseconds; null for what it did not come to. */
export interface ConversionResult {
  /** When it was admitted, by the clock of Redis: ISO 8601. */
  readonly at: string;
  readonly outcome: 'success' | 'failure' | 'client_left';
  /** Of a failure. */
  readonly code: ErrorCode | null;
  readonly bytesIn: number | null;
  readonly bytesOut: number | null;
  readonly durationMs: number;
  readonly uploadMs: number | null;
  readonly queueMs: number | null;
  readonly convertMs: number | null;
  /** Null where there is no PDF. */
  readonly report: ConversionReport | null;
}

export class Conversions {
  readonly #redis: RedisClient;
  readonly #keep: Script;
  readonly #most: number;

  /** @param most how many an account has at most in each environment. */
  constructor(redis: RedisClient, most = KEPT_CONVERSIONS) {
    this.#redis = redis;
    this.#keep = new Script(redis, luaFiles.keepConversion);
    this.#most = most;
  }

  /**
   * Keeps the result of a conversion, in the place of what was kept of it before; the account's oldest goes where it
   * has too many.
   *
   * @throws Error when Redis fails.
   */
  async keep(
    { account, environment }: KeyLocation,
    requestId: string,
    result: ConversionResult,
  ): Promise<void> {
    await this.#keep.run(
      [limitKeys.conversion(account, environment, requestId), limitKeys.conversions(account, environment)],
      [requestId, JSON.stringify(result), CONVERSION_KEPT_MS, this.#most],
    );
  }

  /**
   * The conversion of an id, among those of the key's account and environment.
   *
   * @throws PlatenError `INTERNAL_ERROR` when somebody damaged what is kept; Error when Redis fails.
   */
  async find(
    { account, environment }: KeyLocation,
    requestId: string,
  ): Promise<ConversionResult | undefined> {
    const name = limitKeys.conversion(account, environment, requestId);
    const text = await this.#redis.get(name);
    if (text === null) return undefined;
    try {
      return JSON.parse(text) as ConversionResult;
    } catch {
      throw new PlatenError('INTERNAL_ERROR', { cause: `the record ${name} is no JSON` });
    }
  }
}
