/** Results of conversions: the last ones of an account, for a day. No content of documents is kept. */
import type { ConversionReport } from '../../convert/report/warnings.ts';
import { type ErrorCode, PlatenError } from '../../errors.ts';
import { luaFiles } from '../../paths.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { Script } from '../../redis/script.ts';
import type { Isolation } from '../../shared/options/conversion-options.ts';
import type { KeyLocation } from '../keys/locate.ts';
import { limitKeys } from './redis-keys.ts';

/** Retention: 24 hours. */
export const CONVERSION_KEPT_MS = 86_400_000;
/**
 * Most results of an account in each environment. One takes about 1 kB, at most some 10 kB: a million a day would
 * fill Redis. No default plan with a daily limit exceeds it.
 */
const KEPT_CONVERSIONS = 10_000;

/** What made which PDF of what: the same again gives the same PDF. */
export interface Receipt {
  /** SHA-256 of the files, in hexadecimal. */
  readonly documentSha256: string;
  /** Of a PDF of several documents: each of them, in order. Then `documentSha256` is of their digests, see combine.ts. */
  readonly documents?: ReceiptDocument[];
  readonly pdfSha256: string;
  /** Of the picture of a page; undefined for none. */
  readonly pictureSha256?: string;
  /** Version of poppler, which drew it. */
  readonly poppler?: string;
  /** Version of LibreOffice; undefined if unknown. */
  readonly libreOffice?: string;
  /** Version of the fonts; undefined if unknown. */
  readonly fontSet?: string;
  /** Whether the process could convert other documents, too. Undefined in what an earlier version kept. */
  readonly isolation?: Isolation;
  /** Without free texts and secrets. */
  readonly options: Readonly<Record<string, string>>;
}

/** One of the documents of a PDF. */
interface ReceiptDocument {
  /** In hexadecimal. */
  readonly sha256: string;
  readonly pages: number;
}

/** The result of a conversion. Sizes in bytes, times in milliseconds; null for phases that it did not reach. */
export interface ConversionResult {
  /** Time of admission by the clock of Redis, ISO 8601. */
  readonly at: string;
  readonly outcome: 'success' | 'failure' | 'client_left';
  /** Of a failure. */
  readonly code: ErrorCode | null;
  /** Of several documents: which is at fault, counted from 0; undefined for none. */
  readonly file?: number | undefined;
  readonly bytesIn: number | null;
  readonly bytesOut: number | null;
  /** Undefined where nothing is traced. */
  readonly traceId?: string | undefined;
  readonly durationMs: number;
  readonly uploadMs: number | null;
  readonly queueMs: number | null;
  readonly convertMs: number | null;
  /** Null without a PDF. */
  readonly report: ConversionReport | null;
  /** Null without a PDF. Undefined in what an earlier version kept. */
  readonly receipt?: Receipt | null | undefined;
}

export class Conversions {
  readonly #redis: RedisClient;
  readonly #keep: Script;
  readonly #most: number;

  /** @param most results of an account in each environment. */
  constructor(redis: RedisClient, most = KEPT_CONVERSIONS) {
    this.#redis = redis;
    this.#keep = new Script(redis, luaFiles.keepConversion);
    this.#most = most;
  }

  /**
   * Stores the result of a conversion, replacing its former result; drops the account's oldest if there are too many.
   *
   * @throws Error if Redis fails.
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
   * The conversion with this id, among those of an account and environment.
   *
   * @throws PlatenError `INTERNAL_ERROR` if the record is damaged; Error if Redis fails.
   */
  async find(
    { account, environment }: Pick<KeyLocation, 'account' | 'environment'>,
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
