/**
 * Releases that Redis did not answer, or that came before what they release: an admission whose connection broke may still be on
 * its way to a Redis that hangs. They are tried again until Redis answers, however long it is away, and for a minute after that.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ReplyError } from 'ioredis';
import type { ErrorCode } from '../../errors.ts';
import { inBatches } from '../keys/batches.ts';
import type { Reservation } from './reservation.ts';
import type { Settlement } from './settlement.ts';

/** Time between two looks, and from the first answer to the next try, which then doubles. */
const FIRST_MS = 1_000;
/** The last of these times: a minute in all. */
const LAST_MS = 32_000;
/** Most of them; further ones expire. Each takes some 500 bytes. */
const MOST = 10_000;

/** What is to be released. */
interface Release {
  readonly reservation: Reservation;
  /** The code of the answer; undefined if there was none or the client left. */
  readonly failure: ErrorCode | undefined;
  /** Whether there may be nothing to release yet. */
  readonly isEarly: boolean;
}

/** What became of one. `nothing`: Redis answers, but had nothing to release; `unanswered`: it has not answered, or refuses. */
type ReleaseEnd = 'released' | 'nothing' | 'unanswered';

interface Late extends Release {
  /** When it is tried, as by `performance.now()`. */
  dueAt: number;
  /** Time to the next try, in milliseconds. */
  waitMs: number;
}

export class LateReleases {
  readonly #settlement: Settlement;
  readonly #ended: (end: ReleaseEnd) => void;
  readonly #closing = new AbortController();
  /** By request id. */
  readonly #late = new Map<string, Late>();
  #running: Promise<void> | undefined;

  /** @param ended is told once of each. */
  constructor(settlement: Settlement, ended: (end: ReleaseEnd) => void) {
    this.#settlement = settlement;
    this.#ended = ended;
  }

  /** Releases, now or later. Resolves after the first try, and never rejects. */
  async release(release: Release): Promise<void> {
    const end = await this.#try(release);
    if (isFinal(release, end)) return this.#ended(end);
    if (this.#late.size >= MOST) return this.#ended('unanswered');
    this.#late.set(release.reservation.requestId, { ...release, dueAt: 0, waitMs: FIRST_MS });
    this.#running ??= this.#repeat();
  }

  /** Tries a last time what waits. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #repeat(): Promise<void> {
    const { signal } = this.#closing;
    while (this.#late.size > 0) {
      await delay(FIRST_MS, undefined, { signal, ref: false }).catch(() => {});
      await this.#tryDue(signal.aborted);
    }
    this.#running = undefined;
  }

  /** @param isLast whether all are due, for the last time. */
  async #tryDue(isLast: boolean): Promise<void> {
    const now = performance.now();
    const due = [...this.#late.values()].filter(({ dueAt }) => isLast || dueAt <= now);
    // The others would wait in vain, one batch after the other.
    let isAway = false;
    await inBatches(due, async (late) => {
      const end = isAway ? 'unanswered' : await this.#try(late, () => (isAway = true));
      const isOver = isLast || isFinal(late, end) || (!isAway && late.waitMs > LAST_MS);
      if (isOver) {
        this.#late.delete(late.reservation.requestId);
        this.#ended(end);
      } else if (!isAway) {
        late.dueAt = now + late.waitMs;
        late.waitMs *= 2;
      }
    });
  }

  /** @param noAnswer is called if Redis does not even refuse. */
  async #try({ reservation, failure }: Release, noAnswer = () => {}): Promise<ReleaseEnd> {
    try {
      return (await this.#settlement.release(reservation, failure)) ? 'released' : 'nothing';
    } catch (error) {
      if (!(error instanceof ReplyError)) noAnswer();
      return 'unanswered';
    }
  }
}

function isFinal({ isEarly }: Release, end: ReleaseEnd): boolean {
  return end === 'released' || (end === 'nothing' && !isEarly);
}
