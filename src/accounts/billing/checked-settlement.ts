/**
 * Settlement that checks a minute later whether Redis still has what it confirmed, and settles again what it lost. After a failover
 * the new master may lack the last writes, as replication is asynchronous; after a crash of its machine, Redis may lack the last
 * second.
 */
import { ReplyError } from 'ioredis';
import { LONGEST_FAILOVER_MS, type RedisClient } from '../../redis/connect.ts';
import type { Log } from '../../system/log.ts';
import { inBatches } from '../keys/batches.ts';
import { monthOf } from './months.ts';
import { limitKeys } from './redis-keys.ts';
import { describeBill, type PdfFigures, type Reservation } from './reservation.ts';
import { type MonthUse, Settlement } from './settlement.ts';

/** In milliseconds. */
export interface CheckTimes {
  /** From a settlement to its check. Before that, a master that is cut off may answer. */
  readonly afterMs: number;
  /** From one check to the next. */
  readonly everyMs: number;
}

const checkTimes: CheckTimes = { afterMs: LONGEST_FAILOVER_MS, everyMs: 10_000 };

interface CheckedSettlementOptions {
  readonly log: Log;
  /** As for {@link Settlement}. */
  readonly counted?: (use: MonthUse) => void;
  readonly times?: CheckTimes;
}

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
  /** By request id. */
  readonly #confirmed = new Map<string, Confirmed>();
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;
  #restored = 0;

  constructor(redis: RedisClient, { log, counted, times = checkTimes }: CheckedSettlementOptions) {
    super(redis, counted);
    this.#redis = redis;
    this.#log = log;
    this.#times = times;
  }

  /** Number of settlements that Redis lost and has again. */
  get restored(): number {
    return this.#restored;
  }

  override async settle(reservation: Reservation, figures: PdfFigures): Promise<boolean> {
    const isCounted = await super.settle(reservation, figures);
    this.#confirmed.set(reservation.requestId, { reservation, figures, at: performance.now() });
    this.#schedule(this.#times.afterMs);
    return isCounted;
  }

  /** Stops, after a last check of all. Never rejects: what is lost and cannot be settled again is logged. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#checking;
    // It has set the next one.
    clearTimeout(this.#timer);
    const lost: Confirmed[] = [];
    const failure = await this.#check(Number.POSITIVE_INFINITY, lost);
    if (!failure) return;
    const cause = failure.message;
    for (const { reservation, figures } of lost) {
      const line = { ...describeBill(reservation, figures), cause };
      this.#log.error(line, 'a conversion is not known to be billed');
    }
    const unchecked = this.#confirmed.size - lost.length;
    if (unchecked > 0) this.#log.warn({ unchecked, cause }, 'settlements of the last minute are not checked');
  }

  #schedule(afterMs: number): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#checking = this.#checkDue();
    }, afterMs);
    this.#timer.unref();
  }

  async #checkDue(): Promise<void> {
    const lost: Confirmed[] = [];
    const failure = await this.#check(performance.now() - this.#times.afterMs, lost);
    if (failure) {
      const line = { lost: lost.length, cause: failure.message };
      this.#log.warn(line, 'settlements are checked again later');
    }
    this.#timer = undefined;
    if (this.#confirmed.size > 0) this.#schedule(this.#times.everyMs);
  }

  /**
   * Settles again what was confirmed before a time and is lost. What it found is not checked again.
   *
   * @param before as by `performance.now()`.
   * @param lost gets what is lost and could not be settled.
   * @returns why something could not be checked or settled.
   */
  async #check(before: number, lost: Confirmed[]): Promise<Error | undefined> {
    const failures: Error[] = [];
    // If Redis does not answer, the others would wait for it in vain, one after the other.
    const isAway = () => failures.some((failure) => !(failure instanceof ReplyError));
    const found: Confirmed[] = [];
    await inBatches([...this.#bySet(before)], async ([settled, group]) => {
      if (isAway()) return;
      const ids = group.map(({ reservation }) => reservation.requestId);
      try {
        const known = await this.#redis.smismember(settled, ids);
        for (const [index, id] of ids.entries()) if (known[index] === 1) this.#confirmed.delete(id);
        found.push(...group.filter((_, index) => known[index] !== 1));
      } catch (error) {
        failures.push(error as Error);
      }
    });
    await inBatches(found, async (confirmed) => {
      try {
        if (isAway()) throw failures.at(-1);
        await this.#restore(confirmed);
      } catch (error) {
        lost.push(confirmed);
        failures.push(error as Error);
      }
    });
    return failures[0];
  }

  /** What is to be checked, by the set of the month's settled requests. */
  #bySet(before: number): ReadonlyMap<string, readonly Confirmed[]> {
    const groups = new Map<string, Confirmed[]>();
    for (const confirmed of this.#confirmed.values()) {
      if (confirmed.at > before) continue;
      const { key, at } = confirmed.reservation;
      const settled = limitKeys.settled(key.account, key.environment, monthOf(at));
      const group = groups.get(settled);
      if (group) group.push(confirmed);
      else groups.set(settled, [confirmed]);
    }
    return groups;
  }

  async #restore({ reservation, figures }: Confirmed): Promise<void> {
    const isCounted = await super.settle(reservation, figures);
    // It can be lost again.
    this.#confirmed.set(reservation.requestId, { reservation, figures, at: performance.now() });
    // A repetition with the same idempotency key was billed in its place.
    if (!isCounted) return;
    this.#restored++;
    this.#log.warn(describeBill(reservation, figures), 'Redis lost a settlement, and has it again');
  }
}
