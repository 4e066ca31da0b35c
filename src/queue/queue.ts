/**
 * The bounded queue in front of the engine: a number of workers, a number of places to wait for them, and a number
 * of places for uploads that are on their way to it. It is fair between senders in all three.
 *
 * - Senders take turns, whatever each has waiting, see {@link turnOf}. Of one sender's, small documents go before large
 *   ones, up to three before the one that has waited longest.
 * - Guests never get more than half of the workers (at least one) while live work waits. Of a single worker they
 *   get every other turn.
 * - Whose documents ran out of their budget lately keeps to half of the workers, even when nobody waits: what is
 *   running cannot be taken back.
 * - Where no worker has become free for a while, one document more than there are workers may run: that of a live
 *   account that has none running. So nobody waits for as long as somebody else's documents take.
 * - The probe's runs beside that one, if need be: slow documents of several senders say nothing of the service's health.
 * - Where all places are taken, an account with fewer takes one from the account with the most, whose newest
 *   document is refused in its stead. Live work takes them from guests who have more than half. Of uploads those give
 *   way first that are stalled, see upload-places.ts.
 */
import { type OverloadReason, PlatenError } from '../errors.ts';
import { Places } from './places.ts';
import { GUESTS, liveHolder, PROBE, type Sender, type SenderClass, type Turn, turnOf } from './sender.ts';
import { STALLED_MS, UploadPlaces } from './upload-places.ts';
import { UploadProgress } from './upload-progress.ts';
import { expectedWaitMs } from './waiting-time.ts';
import { type Run, WorkerShares } from './worker-shares.ts';

/** An upload that has taken longer is slow: nobody knows when it will want a worker. */
const UPLOAD_SOON_MS = 1_000;

const STALLED =
  'The upload stood still, or nearly so, while another one needed its place. Wait for the seconds in the Retry-After ' +
  'header, then send it again.';

/** How much of the time that a wait may last is foreseen to be used: who waits in vain is the worst served. */
const FORESEEN = 0.8;

export interface QueueOptions {
  /** Tasks that run at a time. */
  readonly workers: number;
  /** Tasks that may wait. */
  readonly limit: number;
  /** How long a task may wait, in milliseconds. */
  readonly timeoutMs: number;
  /** Uploads that may be under way; without bound if left out. */
  readonly uploads?: number;
  /** How long an upload may take, in milliseconds; without bound if left out. */
  readonly uploadTimeoutMs?: number;
  /** For how long no worker becomes free before one task more may run, in milliseconds; never if left out. */
  readonly patienceMs?: number;
}

/** What a request holds of the queue, from before its body is read to the end of its conversion. */
export interface Place {
  readonly sender: Sender;
  /** Of its upload; whoever receives that keeps it up to date. */
  readonly progress: UploadProgress;
  /** Aborts with `OVERLOADED` when the place is taken away during the upload. */
  readonly signal: AbortSignal;

  /**
   * Runs the task when it is its turn. Once.
   *
   * @param task gets the time it waited, in milliseconds.
   * @param bytes of the document: of one sender's, the smaller go first.
   * @param signal ends the wait; the promise then rejects with the signal's reason. A running task has to
   * watch the signal itself.
   * @throws PlatenError `OVERLOADED` when the place is taken away, or the wait lasted longer than its budget.
   */
  run<T>(task: (waitedMs: number) => Promise<T>, bytes: number, signal: AbortSignal): Promise<T>;

  /** Keeps the documents of this sender to half of the workers for some time. */
  restrain(): void;

  /** Gives the place back, whatever has become of it. Idempotent; a running task keeps its worker. */
  leave(): void;
}

/** A place as the queue sees it. */
interface Member {
  readonly sender: Sender;
  readonly turn: Turn;
  /** Of its document; 0 until it has arrived. */
  bytes: number;
  /** When its upload or its wait began, as `performance.now()` counts. */
  since: number;
  /** Of its upload. */
  readonly progress: UploadProgress;
  /** Ends its wait: a worker is its own now. */
  start: (run: Run) => void;
  /** Takes its place away. */
  displace: (error: PlatenError) => void;
}

export class Queue {
  readonly #options: QueueOptions;
  readonly #patienceMs: number;
  readonly #shares: WorkerShares;
  readonly #uploads: UploadPlaces<Member>;
  readonly #waiting: Places<Member>;
  /** The probe's, which is first in line and needs no place. */
  readonly #probes = new Set<Member>();
  /** All that wait, in order of arrival. */
  readonly #line = new Set<Member>();
  readonly #refusals: Record<OverloadReason, number> = {
    full: 0,
    late: 0,
    timeout: 0,
    displaced: 0,
    stalled: 0,
    uploads: 0,
  };
  /** Where guests and live work both wait, whose turn it is. */
  #guestsNext = false;
  #patience: NodeJS.Timeout | undefined;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#shares = new WorkerShares(options.workers);
    this.#patienceMs = options.patienceMs ?? Number.POSITIVE_INFINITY;
    const { uploads = Number.POSITIVE_INFINITY, uploadTimeoutMs = Number.POSITIVE_INFINITY } = options;
    this.#uploads = new UploadPlaces(uploads, uploadTimeoutMs);
    this.#waiting = new Places(options.limit, 1 / 2);
  }

  /** Tasks that run. */
  get running(): number {
    return this.#shares.running;
  }

  /** Tasks that wait. */
  get waiting(): number {
    return this.#line.size;
  }

  /** Uploads under way. */
  get arriving(): number {
    return this.#uploads.size;
  }

  /** Tasks that wait, by where they come from. */
  get waitingByClass(): Readonly<Record<SenderClass, number>> {
    const counts = { live: 0, test: 0, public: 0, probe: 0 };
    for (const { sender } of this.#line) counts[sender.class]++;
    return counts;
  }

  /** How long the oldest of those that wait has waited, in milliseconds; 0 when none waits. */
  get oldestWaitMs(): number {
    const [oldest] = this.#line;
    return oldest ? performance.now() - oldest.since : 0;
  }

  /** How many were refused so far, by cause. */
  get refusals(): Readonly<Record<OverloadReason, number>> {
    return this.#refusals;
  }

  /**
   * Takes a place for a request whose upload begins now. Whoever takes it leaves it.
   *
   * @throws PlatenError `OVERLOADED` when there is none, or when the wait for a worker would outlast its budget.
   */
  enter(sender: Sender): Place {
    const turn = turnOf(sender);
    if (turn.group !== PROBE) {
      this.#assertRoom(turn);
      this.#makeRoom(sender, turn);
    }
    const controller = new AbortController();
    const member: Member = {
      sender,
      turn,
      bytes: 0,
      since: performance.now(),
      progress: new UploadProgress(),
      start: () => {},
      displace: (error) => controller.abort(error),
    };
    this.#uploads.add(member);
    return {
      sender,
      progress: member.progress,
      signal: controller.signal,
      run: async (task, bytes, signal) => {
        controller.signal.throwIfAborted();
        this.#uploads.delete(member);
        member.bytes = bytes;
        return this.#run(member, task, signal);
      },
      restrain: () => this.#shares.restrain(turn.holder),
      leave: () => this.#uploads.delete(member),
    };
  }

  async #run<T>(member: Member, task: (waitedMs: number) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    member.since = performance.now();
    const run = await this.#wait(member, signal);
    let done = false;
    try {
      const result = await task(run.started - member.since);
      done = true;
      return result;
    } finally {
      this.#shares.finish(run, done);
      this.#dispatch();
    }
  }

  /** Resolves when a worker is handed over. */
  #wait(member: Member, signal: AbortSignal): Promise<Run> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        this.#leaveLine(member);
      };
      const abort = () => {
        leave();
        reject(signal.reason);
      };
      const timeout = () => member.displace(this.#refuse('timeout', member.turn));
      const timer = setTimeout(timeout, this.#options.timeoutMs);
      signal.addEventListener('abort', abort, { once: true });
      member.start = (run) => {
        leave();
        resolve(run);
      };
      member.displace = (error) => {
        leave();
        reject(error);
      };
      this.#joinLine(member);
    });
  }

  #joinLine(member: Member): void {
    this.#line.add(member);
    if (member.turn.group === PROBE) this.#probes.add(member);
    this.#waiting.add(member, member.bytes);
    this.#dispatch();
    if (this.#waiting.size <= this.#waiting.limit || !this.#line.has(member)) return;
    const rival = this.#waiting.rivals(member.turn, 0).at(-1);
    const loser = rival ?? member;
    loser.displace(this.#refuse(rival ? 'displaced' : 'full', loser.turn));
  }

  #leaveLine(member: Member): void {
    this.#line.delete(member);
    this.#probes.delete(member);
    this.#waiting.delete(member);
  }

  /** Hands out the workers that are free, and the one more where it is time for it. */
  #dispatch(): void {
    clearTimeout(this.#patience);
    for (let next = this.#next(); next; next = this.#next()) {
      next.start(this.#shares.start(next.turn.holder));
    }
    const mayRunOneMore = this.#probes.size > 0 || (this.#waiting.live.size > 0 && !this.#runsOneMore());
    if (!mayRunOneMore || this.running < this.#options.workers) return;
    const wait = this.#patienceMs - this.#shares.stuckMs;
    // Past that moment, whoever may be the one more has been asked; the next change asks again.
    if (wait > 0 && wait < Number.POSITIVE_INFINITY)
      this.#patience = setTimeout(() => this.#dispatch(), Math.ceil(wait));
  }

  #next(): Member | undefined {
    const { workers } = this.#options;
    const [probe] = this.#probes;
    if (this.running < workers) return probe ?? this.#nextTurn();
    if (this.#shares.stuckMs < this.#patienceMs) return undefined;
    if (probe && !this.#runsProbe()) return probe;
    if (this.#runsOneMore()) return undefined;
    return this.#waiting.live.take((account) => this.#shares.runningOf(liveHolder(account)) === 0);
  }

  #runsProbe(): boolean {
    return this.#shares.runningOf(PROBE) > 0;
  }

  /** Whether as many more than there are workers run as may, the probe's not counted. */
  #runsOneMore(): boolean {
    return this.running - this.#shares.runningOf(PROBE) > this.#options.workers;
  }

  #nextTurn(): Member | undefined {
    const { live, guests } = this.#waiting;
    const takeLive = () => live.take((account) => this.#shares.mayStart(liveHolder(account)));
    const guestsMayStart =
      this.#shares.mayStart(GUESTS) && (live.size === 0 || this.#shares.isBelowHalf(GUESTS));
    const takeGuest = () => (guestsMayStart ? guests.take() : undefined);
    const next = this.#guestsNext ? (takeGuest() ?? takeLive()) : (takeLive() ?? takeGuest());
    if (next) this.#guestsNext = next.turn.group === 'live';
    return next;
  }

  /** Foresees whether there will be room for what an upload brings. */
  #assertRoom(turn: Turn): void {
    const { workers, timeoutMs } = this.#options;
    const soon = this.#uploads.turnsSince(performance.now() - UPLOAD_SOON_MS);
    const ahead = this.#waiting.size + soon.length - (workers - this.running);
    if (ahead >= 0 || !this.#shares.mayStart(turn.holder)) {
      const own = soon.filter(({ holder }) => holder === turn.holder).length;
      const isFull = ahead >= this.#waiting.limit && this.#waiting.rivals(turn, own + 1).length === 0;
      if (isFull) throw this.#refuse('full', turn);
      if (!this.#hasNone(turn) && this.#expectedWaitMs(turn) > FORESEEN * timeoutMs)
        throw this.#refuse('late', turn);
    }
  }

  /** Makes room for an upload. */
  #makeRoom(sender: Sender, turn: Turn): void {
    if (!this.#uploads.isFull) return;
    const newcomer = { sender, turn };
    const loser = this.#uploads.loser(newcomer);
    if (!loser) throw this.#refuse('uploads', turn, { leastMs: this.#uploads.expectedMs(newcomer) });
    this.#uploads.delete(loser);
    const leastMs = this.#uploads.expectedMs(loser);
    loser.displace(
      loser.progress.stalledMs < STALLED_MS
        ? this.#refuse('displaced', loser.turn, { leastMs })
        : this.#refuse('stalled', loser.turn, { leastMs, message: STALLED }),
    );
  }

  /** Whether it is a live account's only document, which waits for nobody else's to end. */
  #hasNone({ group, path, holder }: Turn): boolean {
    return group === 'live' && this.#shares.runningOf(holder) === 0 && this.#waiting.live.rank(path) === 1;
  }

  #expectedWaitMs(turn: Turn): number {
    return expectedWaitMs(turn, this.#waiting, this.#shares, this.#options.workers);
  }

  /**
   * By the time in `retryAfter`, all that goes before it now has had its turn.
   *
   * @param leastMs what it has to wait at least, in milliseconds.
   */
  #refuse(
    cause: OverloadReason,
    turn: Turn,
    { leastMs = 0, ...text }: { readonly leastMs?: number; readonly message?: string } = {},
  ): PlatenError {
    this.#refusals[cause]++;
    const retryAfter = Math.max(leastMs, this.#expectedWaitMs(turn)) / 1000;
    return new PlatenError('OVERLOADED', { retryAfter, cause, reason: cause, ...text });
  }
}
