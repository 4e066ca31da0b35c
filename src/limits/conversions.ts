/** What became of conversions: for the account that asked for them, for a day. Nothing of the documents is kept. */
import type { ConversionReport } from '../convert/warnings.ts';
import { type ErrorCode, PlatenError } from '../errors.ts';
import type { KeyLocation } from '../keys/locate.ts';
import type { RedisClient } from '../redis/connect.ts';
import { limitKeys } from './redis-keys.ts';

/** For how long one is kept: 24 hours. */
export const CONVERSION_KEPT_MS = 86_400_000;

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

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** Keeps the result of a conversion, in the place of what was kept of it before. @throws Error when Redis fails. */
  async keep(
    { account, environment }: KeyLocation,
    requestId: string,
    result: ConversionResult,
  ): Promise<void> {
    const name = limitKeys.conversion(account, environment, requestId);
    await this.#redis.set(name, JSON.stringify(result), 'PX', CONVERSION_KEPT_MS);
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
