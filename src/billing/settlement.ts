/** Settlement: ends the reservations of conversions. */

import type { ErrorCode } from '../errors.ts';
import { luaFiles } from '../paths.ts';
import type { RedisClient } from '../redis/connect.ts';
import { Script } from '../redis/script.ts';
import { idempotencyKeys, KEY_KEPT_MS } from './idempotency.ts';
import { monthEnd } from './months.ts';
import { limitKeys } from './redis-keys.ts';
import type { PdfFigures, Reservation } from './reservation.ts';

/** Retention of a month's figures and ledger after its end: 400 days, in seconds. */
const KEPT_SECONDS = 400 * 86_400;

export class Settlement {
  readonly #script: Script;

  constructor(redis: RedisClient) {
    this.#script = new Script(redis, luaFiles.settle);
  }

  /**
   * Counts a conversion whose PDF is made, once, however often it is called, and once per document and idempotency
   * key. Live conversions are billed.
   *
   * @throws Error if Redis does not answer.
   */
  async settle(reservation: Reservation, figures: PdfFigures): Promise<void> {
    const { requestId, key, at } = reservation;
    const { pages, bytesIn, bytesOut, durationMs, document = '' } = figures;
    const entry = {
      requestId,
      account: key.account,
      key: key.id,
      pages,
      bytesIn,
      bytesOut,
      durationMs: Math.round(durationMs),
      at: new Date(at).toISOString(),
    };
    await this.#run(reservation, 'converted', [
      pages,
      bytesIn,
      bytesOut,
      document,
      KEY_KEPT_MS,
      key.environment === 'live' ? 'billed' : '',
      ...Object.entries(entry).flat(),
    ]);
  }

  /**
   * Releases the reservation of a conversion without a PDF, or of a repetition.
   *
   * @param failure the code of the answer; undefined if the client left.
   * @throws Error if Redis does not answer; the reservation then expires by itself.
   */
  async release(reservation: Reservation, failure: ErrorCode | undefined): Promise<void> {
    await this.#run(reservation, failure ?? '', []);
  }

  async #run(
    { requestId, key, at, idempotencyKey }: Reservation,
    outcome: string,
    details: readonly (string | number)[],
  ): Promise<void> {
    const { account, environment } = key;
    const date = new Date(at).toISOString();
    const month = date.slice(0, 7);
    await this.#script.run(
      [
        limitKeys.months(account, environment),
        limitKeys.reservations(account, environment),
        limitKeys.settled(account, environment, month),
        limitKeys.ledger(account, month),
        limitKeys.days(account, environment, month),
        ...idempotencyKeys(key, idempotencyKey),
      ],
      [requestId, month, date.slice(8, 10), outcome, monthEnd(month) / 1000 + KEPT_SECONDS, ...details],
    );
  }
}
