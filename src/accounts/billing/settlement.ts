/** Settlement: ends the reservations of conversions. */
import type { ErrorCode } from '../../errors.ts';
import { luaFiles } from '../../paths.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { Script } from '../../redis/script.ts';
import type { Environment } from '../keys/format.ts';
import { MAX_KEYS } from '../keys/records.ts';
import { idempotencyKeys, KEY_KEPT_MS } from './idempotency.ts';
import { KEPT_SECONDS, monthEnd } from './months.ts';
import { limitKeys } from './redis-keys.ts';
import type { PdfFigures, Reservation } from './reservation.ts';

/**
 * Retention of the ids of a month's settled requests after its end, in seconds. They are as many as the ledger's rows, and only
 * keep a request from being settled twice. The last that can be is a file of a job, 30 days after its admission.
 */
const IDS_KEPT_SECONDS = 62 * 86_400;

/** What an account has used of a month, once another conversion is counted. */
export interface MonthUse {
  readonly account: string;
  readonly environment: Environment;
  /** YYYY-MM. */
  readonly month: string;
  /** Conversions. */
  readonly used: number;
}

export class Settlement {
  readonly #script: Script;
  readonly #counted: (use: MonthUse) => void;

  /** @param counted is told of each conversion that is counted; whoever dies may not tell. */
  constructor(redis: RedisClient, counted: (use: MonthUse) => void = () => {}) {
    this.#script = new Script(redis, luaFiles.settle);
    this.#counted = counted;
  }

  /**
   * Counts a conversion whose PDF is made, once, however often it is called, and once per document and idempotency
   * key. Live conversions are billed. If the PDF has several documents, each counts as a conversion; the first one's entry has
   * the size of the PDF.
   *
   * @returns whether this call counted it.
   * @throws Error if Redis does not answer.
   */
  async settle(reservation: Reservation, figures: PdfFigures): Promise<boolean> {
    const { requestId, key, at } = reservation;
    const { pages, bytesIn, bytesOut, durationMs, document = '', documents } = figures;
    const date = new Date(at).toISOString();
    const entries = (documents ?? [{ pages, bytesIn }]).map((each, index) => ({
      requestId: documents ? `${requestId}.${index + 1}` : requestId,
      account: key.account,
      key: key.id,
      pages: each.pages,
      bytesIn: each.bytesIn,
      bytesOut: index === 0 ? bytesOut : 0,
      durationMs: Math.round(durationMs),
      at: date,
    }));
    const used = await this.#run(reservation, 'converted', [
      pages,
      bytesIn,
      bytesOut,
      document,
      KEY_KEPT_MS,
      key.environment === 'live' ? 'billed' : '',
      key.id,
      MAX_KEYS,
      entries.length,
      ...entries.flatMap((entry) => Object.entries(entry).flat()),
    ]);
    const { account, environment } = key;
    if (used > 0) this.#counted({ account, environment, month: date.slice(0, 7), used });
    return used > 0;
  }

  /**
   * Releases the reservation of a conversion without a PDF, or of a repetition.
   *
   * @param failure the code of the answer; undefined if the client left.
   * @returns whether there was something to release.
   * @throws Error if Redis does not answer; the reservation then expires by itself.
   */
  async release(reservation: Reservation, failure: ErrorCode | undefined): Promise<boolean> {
    return (await this.#run(reservation, failure ?? '', [])) > 0;
  }

  async #run(
    { requestId, key, at, idempotencyKey }: Reservation,
    outcome: string,
    details: readonly (string | number)[],
  ): Promise<number> {
    const { account, environment } = key;
    const date = new Date(at).toISOString();
    const month = date.slice(0, 7);
    const end = monthEnd(month) / 1000;
    const result = await this.#script.run(
      [
        limitKeys.months(account, environment),
        limitKeys.reservations(account, environment),
        limitKeys.settled(account, environment, month),
        limitKeys.ledger(account, month),
        limitKeys.days(account, environment, month),
        limitKeys.byKey(account, environment, month),
        ...idempotencyKeys(key, idempotencyKey),
      ],
      [
        ...[requestId, month, date.slice(8, 10), outcome, end + KEPT_SECONDS, end + IDS_KEPT_SECONDS],
        ...details,
      ],
    );
    return Number(result);
  }
}
