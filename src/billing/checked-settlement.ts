/**
 * Settlement that checks a minute later whether Redis still has what it confirmed, and repeats what it lost. After a failover the
 * new master may lack the last writes, as replication is asynchronous; after a crash of its machine, Redis may lack the last second.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { inBatches } from '../keys/batches.ts';
import type { Log } from '../log.ts';
import type { RedisClient } from '../redis/connect.ts';
import { monthOf } from './months.ts';
import { limitKeys } from './redis-keys.ts';
import { describeBill, type PdfFigures, type Reservation } from './reservation.ts';
import { type MonthUse, Settlement } from './settlement.ts';

/** In milliseconds. */
export interface CheckTimes {
  /** From a settlement to its check: longer than a failover, in which a master that is cut off still answers. */
  readonly afterMs: number;
  readonly everyMs: number;
}

export interface CheckedSettlementOptions {
  readonly log: Log;
  /** As for {@link Settlement}. */
  readonly counted?: (use: MonthUse) => void;
  readonly times?: CheckTimes;
}

const checkTimes: CheckTimes = { afterMs: 60_000, everyMs: 10_000 };

interface Confirmed {
  readonly reservation: Reservation;
  readonly figures: PdfFigures;
  /** When Redis confirmed it, as by `performance.now()`. */
  readonly at: number;
}

export class CheckedSettlement extends Settlement {
  readonly #redis: RedisClient;
  readonly #log: Log;
  readonly #times: CheckTimes;
  readonly #closing = new AbortController();
  /** The oldest first. */
  readonly #confirmed = new Set<Confirmed>();
  #running: Promise<void> | undefined;
  #restored = 0;

  constructor(redis: RedisClient, { log, counted, times = checkTimes }: CheckedSettlementOptions) {
    super(redis, counted);
    this.#redis = redis;
    this.#log = log;
    this.#times = times;
  }

  /** Number of settlements that Redis had lost and got again. */
  get restored(): number {
    return this.#restored;
  }

  override async settle(reservation: Reservation, figures: PdfFigures): Promise<void> {
    await super.settle(reservation, figures);
    this.#confirmed.add({ reservation, figures, at: performance.now() });
  }

  /** Checks from time to time. Never rejects. */
  start(): void {
    this.#running ??= this.#repeat();
  }

  /** Stops, after a last check of everything. Never rejects. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    await this.#tryChecking(Number.POSITIVE_INFINITY);
  }

  /**
   * Repeats what was confirmed before a time and is lost. What it checked is checked no more.
   *
   * @param before as by `performance.now()`.
   * @throws Error if Redis failed; the next check covers the rest.
   */
  async check(before: number): Promise<void> {
    const bySet = new Map<string, Confirmed[]>();
    for (const confirmed of this.#confirmed) {
      if (confirmed.at > before) break;
      const { key, at } = confirmed.reservation;
      const settled = limitKeys.settled(key.account, key.environment, monthOf(at));
      const group = bySet.get(settled);
      if (group) group.push(confirmed);
      else bySet.set(settled, [confirmed]);
    }
    await inBatches([...bySet], async ([settled, group]) => {
      const ids = group.map(({ reservation }) => reservation.requestId);
      const known = await this.#redis.smismember(settled, ids);
      for (const [index, confirmed] of group.entries()) {
        if (known[index] !== 1) await this.#restore(confirmed);
        this.#confirmed.delete(confirmed);
      }
    });
  }

  async #restore({ reservation, figures }: Confirmed): Promise<void> {
    await this.settle(reservation, figures);
    this.#restored++;
    this.#log.warn(describeBill(reservation, figures), 'Redis lost a settlement, and has it again');
  }

  async #repeat(): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      await delay(this.#times.everyMs, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      await this.#tryChecking(performance.now() - this.#times.afterMs);
    }
  }

  async #tryChecking(before: number): Promise<void> {
    await this.check(before).catch((error: Error) => {
      const unchecked = this.#confirmed.size;
      this.#log.debug({ unchecked, cause: error.message }, 'settlements are checked later');
    });
  }
}
