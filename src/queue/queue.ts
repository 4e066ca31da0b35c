/**
 * The bounded queue in front of the engine: workers, places to wait for them, and places for uploads in progress. It is
 * fair between senders in all three.
 *
 * - Senders take turns, however much each has waiting, see {@link turnOf}. Within one sender small documents go first; up to
 *   three may overtake the oldest.
 * - Guests get at most half of the workers (at least one) while live work waits. A single worker alternates.
 * - A sender that recently exceeded a budget gets at most half of the workers, even when nobody waits: a running document
 *   cannot be interrupted.
 * - If no worker becomes free for a while, one document beyond the number of workers may run, for a live account that has
 *   none running. So nobody waits as long as another sender's documents take.
 * - The probe may run beside that one: slow documents say nothing about the service's health.
 * - Files of jobs take the workers that nobody else waits for; whoever takes them from the jobs asks for {@link
 *   Queue.hasSpareWorker} first. While one has a worker, somebody else's document may run beyond the number of workers.
 * - When all places are taken, an account with fewer takes one from the account with the most, whose newest document is
 *   refused. Live work takes them from guests above half. Of uploads, stalled ones give way first, see upload-places.ts.
 */
import { type OverloadReason, PlatenError } from '../errors.ts';
import { Places } from './places.ts';
import { RoundRobin } from './round-robin.ts';
import {
  GUESTS,
  JOBS,
  liveHolder,
  PROBE,
  type Sender,
  type SenderClass,
  type Turn,
  turnOf,
} from './sender.ts';
import { STALLED_MS, UploadPlaces } from './upload-places.ts';
import { UploadProgress } from './upload-progress.ts';
import { expectedWaitMs } from './waiting-time.ts';
import { type Run, WorkerShares } from './worker-shares.ts';

/** An upload older than this is slow: when it will need a worker is unknown. */
const UPLOAD_SOON_MS = 1_000;

const STALLED =
  'The upload stalled while another one needed its place. Wait for the seconds in the Retry-After header, then send it ' +
  'again.';

/** Share of the wait limit that an expected wait may use. An early refusal is better than a useless wait. */
const FORESEEN = 0.8;

export interface QueueOptions {
  /** Tasks that run at a time. */
  readonly workers: number;
  /** Tasks that may wait. */
  readonly limit: number;
  /** How long a task may wait, in milliseconds. */
  readonly timeoutMs: number;
  /** Uploads in progress; unlimited by default. */
  readonly uploads?: number;
  /** How long an upload may take, in milliseconds; unlimited by default. */
  readonly uploadTimeoutMs?: number;
  /** How long no worker may become free before one more task may run, in milliseconds; never by default. */
  readonly patienceMs?: number;
}

/** A request's place in the queue, from before its body is read to the end of its conversion. */
export interface Place {
  readonly sender: Sender;
  /** Whether it may wait for any time, see {@link another}. */
  readonly isPatient: boolean;
  /** Of its upload; the receiver of the upload keeps it up to date. */
  readonly progress: UploadProgress;
  /** Aborts with `OVERLOADED` when the place is taken away during the upload. */
  readonly signal: AbortSignal;

  /**
   * Runs the task when its turn comes. To be called once.
   *
   * @param task receives the time it waited, in milliseconds.
   * @param bytes size of the document: within one sender, smaller ones go first.
   * @param signal ends the wait; the promise then rejects with the signal's reason. A running task has to
   * watch the signal itself.
   * @throws PlatenError `OVERLOADED` when the place is taken away, or the wait exceeds its limit.
   */
  run<T>(task: (waitedMs: number) => Promise<T>, bytes: number, signal: AbortSignal): Promise<T>;

  /**
   * A place for another document of the same request, which has arrived: it goes into the line as one that its sender has sent by
   * itself, but may wait for any time, as it may wait for the others of its request.
   */
  another(): Place;

  /** Limits this sender to half of the workers for some time. */
  restrain(): void;

  /**
   * Gives back what it holds before its task waits: the place of an upload, or the worker that a file of a job is about to take.
   * Idempotent. A task that waits or runs is ended by the signal of {@link run}.
   */
  leave(): void;
}

/** A place as the queue sees it. */
interface Member {
  readonly sender: Sender;
  readonly turn: Turn;
  /** Size of its document; 0 until it has arrived. */
  bytes: number;
  /** When its upload or its wait began, by `performance.now()`. */
  since: number;
  /** Of its upload. */
  readonly progress: UploadProgress;
  /** How long it may wait, in milliseconds; undefined: for any time. */
  readonly timeoutMs: number | undefined;
  /** Ends its wait: it has a worker now. */
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
  /** Probes that wait: first in line, and they need no place. */
  readonly #probes = new Set<Member>();
  /** Files of jobs that wait: last in line, and they need no place. */
  readonly #jobs = new RoundRobin<Member>();
  /** Files of jobs that have entered and do not run yet. */
  readonly #comingJobs = new Set<Member>();
  /** Files of jobs that run. */
  #runningJobs = 0;
  /** Called once there is a spare worker. */
  readonly #sparesWanted = new Set<() => void>();
  /** Everybody who waits, in order of arrival. */
  readonly #line = new Set<Member>();
  readonly #refusals: Record<OverloadReason, number> = {
    full: 0,
    late: 0,
    timeout: 0,
    displaced: 0,
    stalled: 0,
    uploads: 0,
  };
  /** Whose turn it is when guests and live work both wait. */
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

  /** Uploads in progress. */
  get arriving(): number {
    return this.#uploads.size;
  }

  /** Tasks that wait, by kind of sender. */
  get waitingByClass(): Readonly<Record<SenderClass, number>> {
    const counts = { live: 0, test: 0, public: 0, job: 0, probe: 0 };
    for (const { sender } of this.#line) counts[sender.class]++;
    return counts;
  }

  /** Wait of the oldest task in line, in milliseconds; 0 if none waits. */
  get oldestWaitMs(): number {
    const [oldest] = this.#line;
    return oldest ? performance.now() - oldest.since : 0;
  }

  /** Refusals so far, by cause. */
  get refusals(): Readonly<Record<OverloadReason, number>> {
    return this.#refusals;
  }

  /** Whether a worker is free that nobody waits for, and no file of a job is about to take. */
  get hasSpareWorker(): boolean {
    return this.#line.size === 0 && this.running + this.#comingJobs.size < this.#options.workers;
  }

  /** Resolves when there is a spare worker, or when the signal aborts. */
  async spareWorker(signal: AbortSignal): Promise<void> {
    if (this.hasSpareWorker || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        this.#sparesWanted.delete(end);
        signal.removeEventListener('abort', end);
        resolve();
      };
      this.#sparesWanted.add(end);
      signal.addEventListener('abort', end);
    });
  }

  /**
   * Takes a place for a request whose upload begins now. The caller must leave it.
   *
   * @param isForLater whether the upload will not need a worker here: of a job.
   * @throws PlatenError `OVERLOADED` when there is no place, or the expected wait for a worker is too long.
   */
  enter(sender: Sender, { isForLater = false } = {}): Place {
    const turn = turnOf(sender);
    if (turn.group !== PROBE && turn.group !== JOBS) {
      if (!isForLater) this.#assertRoom(turn);
      this.#makeRoom(sender, turn);
    }
    return this.#placeOf(sender, turn, this.#options.timeoutMs, (member) => {
      if (turn.group === JOBS) this.#comingJobs.add(member);
      else this.#uploads.add(member);
    });
  }

  /** @param timeoutMs how long it may wait; undefined: for any time. */
  #placeOf(
    sender: Sender,
    turn: Turn,
    timeoutMs?: number,
    arrive: (member: Member) => void = () => {},
  ): Place {
    const controller = new AbortController();
    const member: Member = {
      sender,
      turn,
      bytes: 0,
      since: performance.now(),
      progress: new UploadProgress(),
      timeoutMs,
      start: () => {},
      displace: (error) => controller.abort(error),
    };
    arrive(member);
    return {
      sender,
      isPatient: timeoutMs === undefined,
      progress: member.progress,
      signal: controller.signal,
      run: async (task, bytes, signal) => {
        controller.signal.throwIfAborted();
        this.#uploads.delete(member);
        member.bytes = bytes;
        return this.#run(member, task, signal);
      },
      another: () => this.#placeOf(sender, turn),
      restrain: () => this.#shares.restrain(turn.holder),
      leave: () => {
        this.#uploads.delete(member);
        this.#comingJobs.delete(member);
        this.#tellOfSpareWorker();
      },
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
      if (member.turn.group === JOBS) this.#runningJobs--;
      this.#dispatch();
    }
  }

  /** Resolves when the member gets a worker. */
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
      const timeout = () => member.displace(this.#refuseWait(member.turn));
      const { timeoutMs } = member;
      const timer = timeoutMs === undefined ? undefined : setTimeout(timeout, timeoutMs);
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
    if (member.turn.group === JOBS) this.#jobs.add(member.turn.path, member, member.bytes);
    this.#waiting.add(member, member.bytes);
    this.#dispatch();
    if (this.#waiting.size <= this.#waiting.limit || !this.#line.has(member)) return;
    const evictionCandidate = this.#waiting.evictionCandidates(member.turn, 0).at(-1);
    const evicted = evictionCandidate ?? member;
    evicted.displace(this.#refuse(evictionCandidate ? 'displaced' : 'full', evicted.turn));
  }

  #leaveLine(member: Member): void {
    this.#line.delete(member);
    this.#probes.delete(member);
    this.#jobs.delete(member.turn.path, member);
    this.#waiting.delete(member);
  }

  /** Assigns free workers, and the one extra when it is due. */
  #dispatch(): void {
    clearTimeout(this.#patience);
    // Before each look: what becomes due during the last one was perhaps not tried, and gets a timer.
    let { stuckMs } = this.#shares;
    for (let next = this.#next(); next; next = this.#next()) {
      this.#comingJobs.delete(next);
      if (next.turn.group === JOBS) this.#runningJobs++;
      next.start(this.#shares.start(next.turn.holder));
      stuckMs = this.#shares.stuckMs;
    }
    this.#tellOfSpareWorker();
    const mayRunOneMore = this.#probes.size > 0 || (this.#waiting.live.size > 0 && !this.#runsOneMore());
    if (!mayRunOneMore || this.running < this.#options.workers) return;
    const wait = this.#patienceMs - stuckMs;
    // If it is already due, every candidate was tried above; the next change tries again.
    if (wait > 0 && wait < Number.POSITIVE_INFINITY)
      this.#patience = setTimeout(() => this.#dispatch(), Math.ceil(wait));
  }

  #next(): Member | undefined {
    const { workers } = this.#options;
    const [probe] = this.#probes;
    if (this.running < workers) return probe ?? this.#nextTurn() ?? this.#nextJob();
    if (this.#runningJobs > 0 && !this.#runsOneMore()) {
      const next = this.#nextTurn();
      if (next) return next;
    }
    if (this.#shares.stuckMs < this.#patienceMs) return undefined;
    if (probe && !this.#runsProbe()) return probe;
    if (this.#runsOneMore()) return undefined;
    return this.#waiting.live.take((account) => this.#shares.runningOf(liveHolder(account)) === 0);
  }

  #runsProbe(): boolean {
    return this.#shares.runningOf(PROBE) > 0;
  }

  /** Whether the extra task runs, not counting the probe. */
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

  /** The names in the rotation of jobs are those of the holders, except of guests. */
  #nextJob(): Member | undefined {
    return this.#jobs.take((name) => this.#shares.mayStart(name.startsWith(GUESTS) ? GUESTS : name));
  }

  #tellOfSpareWorker(): void {
    if (this.#sparesWanted.size === 0 || !this.hasSpareWorker) return;
    for (const tell of this.#sparesWanted) tell();
  }

  /** A file of a job is no client's loss: another server may have a worker for it. */
  #refuseWait(turn: Turn): PlatenError {
    if (turn.group !== JOBS) return this.#refuse('timeout', turn);
    return new PlatenError('OVERLOADED', { retryAfter: 1, reason: 'timeout' });
  }

  /** Refuses an upload whose document would find no place, or would wait too long. */
  #assertRoom(turn: Turn): void {
    const { workers, timeoutMs } = this.#options;
    const soon = this.#uploads.turnsSince(performance.now() - UPLOAD_SOON_MS);
    const ahead = this.#waiting.size + soon.length - (workers - this.running);
    if (ahead >= 0 || !this.#shares.mayStart(turn.holder)) {
      const own = soon.filter(({ holder }) => holder === turn.holder).length;
      const isFull =
        ahead >= this.#waiting.limit && this.#waiting.evictionCandidates(turn, own + 1).length === 0;
      if (isFull) throw this.#refuse('full', turn);
      if (!this.#hasNone(turn) && this.#expectedWaitMs(turn) > FORESEEN * timeoutMs)
        throw this.#refuse('late', turn);
    }
  }

  /** Evicts an upload if all upload places are taken. @throws PlatenError `OVERLOADED` when none gives way. */
  #makeRoom(sender: Sender, turn: Turn): void {
    if (!this.#uploads.isFull) return;
    const newcomer = { sender, turn };
    const evicted = this.#uploads.evictionCandidate(newcomer);
    if (!evicted) throw this.#refuse('uploads', turn, { leastMs: this.#uploads.expectedMs(newcomer) });
    this.#uploads.delete(evicted);
    const leastMs = this.#uploads.expectedMs(evicted);
    evicted.displace(
      evicted.progress.stalledMs < STALLED_MS
        ? this.#refuse('displaced', evicted.turn, { leastMs })
        : this.#refuse('stalled', evicted.turn, { leastMs, message: STALLED }),
    );
  }

  /** Whether this is a live account's only document, which the extra slot lets run without waiting for others. */
  #hasNone({ group, path, holder }: Turn): boolean {
    return group === 'live' && this.#shares.runningOf(holder) === 0 && this.#waiting.live.rank(path) === 1;
  }

  #expectedWaitMs(turn: Turn): number {
    return expectedWaitMs(turn, this.#waiting, this.#shares, this.#options.workers);
  }

  /**
   * `retryAfter` is when everything now ahead of it will have had its turn.
   *
   * @param leastMs minimum of that, in milliseconds.
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
