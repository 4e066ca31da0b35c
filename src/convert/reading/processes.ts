/**
 * The processes that read documents, one at a time each.
 *
 * Not worker threads: a thread has a limit for its heap, but V8 ends the whole process when a thread beyond it needs a large
 * piece of memory; and a thread in native code cannot be ended. See bench/readers.ts.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { killed } from '../../engine/outcome.ts';
import { lower } from '../../engine/priority.ts';
import { PlatenError } from '../../errors.ts';
import { readerProgram } from '../../paths.ts';
import { afterRunning } from '../../system/running-time.ts';
import { processTimeMs } from '../../system/thread-time.ts';
import type { Message, Order, Reply } from './reader.ts';
import type { Setup } from './setup.ts';
import type { TaskInput, TaskName, TaskResult } from './tasks.ts';

/** Idle milliseconds after which a process that is not kept ready ends. */
const IDLE_MS = 60_000;
/** Time in which a process must be ready. Node hangs if it cannot start all of its threads. */
const READY_MS = 10_000;
/** How long a process may go on with a reading that nobody waits for. Most end at once, and a new process takes longer. */
const GRACE_MS = 100;
/** Only few readings take longer. */
const SLOW_MS = 1_000;
/** By the clock, for the rest of an answer: nothing else ends a process that stands still then, as it would if it was stopped. */
const REST_MS = 60_000;
const HEAP_MB = 128;
/** Space for new objects: V8's default triples the memory of a process, and saves no time. */
const NEW_SPACE_MB = 8;
const MOST_ATTEMPTS = 2;

/** The process had not enough memory for the document. */
export class OutOfMemory extends Error {
  override readonly name = 'OutOfMemory';
}

/** The reading took more than its time, which the process had. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/** Something outside killed the process. */
export class Ended extends Error {}

/** It could not be started. */
class NotStarted extends Ended {}

/** What ends a reading. */
export interface ReadingLimits {
  /** Processor time, in milliseconds. It is counted from the first second on. */
  readonly cpuMs: number;
  readonly signal: AbortSignal;
  /** Is called if it is slow. */
  readonly onSlow?: (() => void) | undefined;
  /** Runs the reading, once there is a process for it, and may end it by another signal. */
  readonly within?: (<T>(reading: (signal: AbortSignal) => Promise<T>) => Promise<T>) | undefined;
}

/** The result of a task, and the rest of it, which comes later: until then the process is busy. */
export interface Answer<Name extends TaskName> {
  readonly result: TaskResult<Name>['result'];
  /** Nobody has to wait for it. Rejects as the task. */
  readonly rest: TaskResult<Name> extends { readonly rest: () => infer Rest } ? Rest : Promise<undefined>;
}

/** The caller bounds how many tasks run at a time, and closes it. */
export class ReaderProcesses {
  readonly #setup: Setup;
  /** How many are kept ready. */
  readonly #spares: number;
  readonly #idleMs: number;
  readonly #idle: Reader[] = [];
  readonly #all = new Set<Reader>();
  #closed = false;

  /** @param idleMs overridden in tests. */
  constructor(setup: Setup, spares: number, idleMs = IDLE_MS) {
    this.#setup = setup;
    this.#spares = spares;
    this.#idleMs = idleMs;
  }

  /** Starts those that are kept ready. */
  start(): void {
    try {
      while (!this.#closed && this.#living < this.#spares) this.#rest(this.#begin());
    } catch {
      // The next task tries again, and says why.
    }
  }

  /**
   * Runs a task in an idle process, or in a new one; once more if something outside ends the process.
   *
   * @returns the rest of it may reject with {@link Ended}: it is not repeated.
   * @throws OutOfMemory; OutOfTime; PlatenError `SERVICE_UNAVAILABLE` if there can be no process, or the task's refusal; the
   * signal's reason; what the task throws.
   */
  async run<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    limits: ReadingLimits,
  ): Promise<Answer<Name>> {
    for (let attempt = 1; ; attempt++) {
      limits.signal.throwIfAborted();
      if (this.#closed) throw new PlatenError('SERVICE_UNAVAILABLE');
      try {
        const reader = this.#takeIdle() ?? this.#begin();
        reader.hold();
        await reader.ready;
        if (limits.signal.aborted) this.#rest(reader);
        limits.signal.throwIfAborted();
        const free = () => (reader.isAlive ? this.#rest(reader) : this.start());
        const ask = (signal: AbortSignal) => reader.ask({ name, input }, limits, signal, free);
        return (await (limits.within?.(ask) ?? ask(limits.signal))) as Answer<Name>;
      } catch (error) {
        if (!(error instanceof Ended)) throw error;
        if (attempt < MOST_ATTEMPTS) continue;
        throw error instanceof NotStarted
          ? new PlatenError('SERVICE_UNAVAILABLE', { cause: error })
          : killed(error);
      }
    }
  }

  /** Ends the processes, even busy ones, and waits for their end. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#all].map((reader) => reader.kill(new PlatenError('SERVICE_UNAVAILABLE'))));
  }

  #begin(): Reader {
    const reader = new Reader(this.#setup, () => {
      this.#all.delete(reader);
      const index = this.#idle.indexOf(reader);
      if (index >= 0) this.#idle.splice(index, 1);
    });
    this.#all.add(reader);
    return reader;
  }

  #rest(reader: Reader): void {
    const isExcess = () => this.#living > this.#spares;
    reader.rest(isExcess, this.#idleMs);
    this.#idle.push(reader);
  }

  /** One that is being ended is still there until its end is known. */
  #takeIdle(): Reader | undefined {
    let reader = this.#idle.pop();
    while (reader && !reader.isAlive) reader = this.#idle.pop();
    return reader;
  }

  /** How many are not being ended. */
  get #living(): number {
    let living = 0;
    for (const { isAlive } of this.#all) if (isAlive) living++;
    return living;
  }
}

/** A task that runs. */
interface Running {
  /** Takes a reply. */
  reply(reply: Reply): void;
  /** The process has ended. */
  fail(reason: unknown): void;
}

class Reader {
  readonly #child: ChildProcess;
  /** Fulfilled when it has ended. */
  readonly #ended: Promise<void>;
  /** Rejects if it cannot be started. */
  readonly ready: Promise<void>;
  #isAlive = true;
  #isReady = false;
  /** Whether it makes way for others now: then it ends with its task. */
  #isSlow = false;
  /** Why it is being ended. */
  #verdict: unknown;
  #idleTimer: NodeJS.Timeout | undefined;
  #running: Running | undefined;

  /** @throws NotStarted */
  constructor(setup: Setup, onEnd: () => void) {
    try {
      this.#child = startProcess();
    } catch (error) {
      throw new NotStarted('a process that reads documents cannot be started', { cause: error });
    }
    const child = this.#child;
    const cancelStart = afterRunning(
      READY_MS,
      () => void this.kill(new NotStarted('a process was not ready in time')),
    );
    const start = deferred<void>();
    this.ready = start.promise;
    child.on('message', (message: Message) => {
      if (message !== 'ready') return this.#running?.reply(message);
      this.#isReady = true;
      cancelStart();
      start.resolve();
    });
    this.#ended = new Promise((resolve) => {
      const end = (reason: Error) => {
        if (!this.#isAlive) return;
        this.#isAlive = false;
        cancelStart();
        clearTimeout(this.#idleTimer);
        onEnd();
        const verdict = this.#verdict ?? reason;
        start.reject(verdict);
        this.#running?.fail(verdict);
        resolve();
      };
      child.once('exit', (code, signal) => end(reasonOf(code, signal, this.#isReady)));
      // Without a process id it could not be started. Other errors are followed by its end.
      child.on('error', (error) => {
        if (child.pid === undefined) end(new NotStarted(error.message));
      });
    });
    this.#send(setup);
  }

  get isAlive(): boolean {
    return this.#isAlive && this.#verdict === undefined;
  }

  /**
   * @param signal ends the reading until its first reply, and then that of the limits does.
   * @param onFree is called once, when the whole answer is here, or the process has ended.
   * @throws what ended the process; the task's refusal; the signal's reason.
   */
  ask(order: Order, limits: ReadingLimits, signal: AbortSignal, onFree: () => void): Promise<unknown> {
    const { cpuMs, onSlow } = limits;
    return new Promise((resolve, reject) => {
      if (!this.#isAlive) return reject(new Ended('the process has ended'));
      let rest: Deferred<unknown> | undefined;
      let grace: NodeJS.Timeout | undefined;
      let cancelRest = () => {};
      const startedAt = performance.now();
      const abort = ({ target }: Event) => {
        const { reason } = target as AbortSignal;
        // Somebody stopped the process, or the machine is too busy.
        const isStarved =
          reason instanceof OutOfTime && !this.#isSlow && performance.now() - startedAt > cpuMs;
        const verdict = isStarved ? killed(new Ended('the process did not go on')) : reason;
        grace = setTimeout(() => void this.kill(verdict), GRACE_MS);
      };
      const quickMs = Math.min(SLOW_MS, cpuMs);
      const beSlow = () => {
        onSlow?.();
        this.#isSlow = true;
        lower(this.#child.pid ?? 0);
        cancelLimit = this.#limitCpu(cpuMs - quickMs, () => void this.kill(new OutOfTime()));
      };
      // Most readings are over before a look at the processor time, which costs as much as a small document.
      let cancelLimit: () => void = afterRunning(quickMs, () => {
        cancelLimit = this.#limitCpu(quickMs, beSlow);
      });
      signal.addEventListener('abort', abort);
      const finish = () => {
        this.#running = undefined;
        cancelLimit();
        clearTimeout(grace);
        cancelRest();
        for (const each of [signal, limits.signal]) each.removeEventListener('abort', abort);
        if (this.#isSlow) void this.kill(new Ended('it is slow'));
        onFree();
      };
      const fail = (error: unknown) => {
        const verdict = this.#verdict ?? (signal.aborted ? signal.reason : error);
        finish();
        if (rest) rest.reject(error);
        else reject(verdict);
      };
      const reply = (reply: Reply) => {
        if ('refusal' in reply) return fail(new PlatenError(reply.refusal.code, reply.refusal));
        if ('error' in reply) return fail(reply.error);
        if (rest) rest.resolve(reply.result);
        else if (signal.aborted) reject(signal.reason);
        else {
          if (reply.more) {
            rest = deferred();
            limits.signal.addEventListener('abort', abort);
            const end = () => void this.kill(new Ended('the process did not go on'));
            cancelRest = afterRunning(REST_MS, end);
          }
          resolve({ result: reply.result, rest: rest?.promise ?? Promise.resolve() });
        }
        if (!reply.more) finish();
      };
      this.#running = { reply, fail };
      this.#send(order);
    });
  }

  /** It is about to get a task. */
  hold(): void {
    clearTimeout(this.#idleTimer);
    this.#child.ref();
    this.#child.channel?.ref();
  }

  /**
   * Waits for the next task, without keeping anything else alive.
   *
   * @param isExcess whether there are more processes than are kept ready: if still so after this time, this one ends.
   */
  rest(isExcess: () => boolean, idleMs: number): void {
    this.#child.unref();
    this.#child.channel?.unref();
    const end = () => {
      if (isExcess()) void this.kill(new Ended('it was idle'));
    };
    this.#idleTimer = isExcess() ? setTimeout(end, idleMs).unref() : undefined;
  }

  /** Ends the process and waits for it. @param verdict what its task rejects with. */
  async kill(verdict: unknown): Promise<void> {
    this.#verdict ??= verdict;
    this.#child.ref();
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** Calls `end` when the process has used that much processor time from now on. @returns a function that cancels the call. */
  #limitCpu(ms: number, end: () => void): () => void {
    const { pid = 0 } = this.#child;
    const startMs = processTimeMs(pid) ?? 0;
    let cancel = afterRunning(ms, look);
    function look() {
      const usedMs = processTimeMs(pid);
      // Its end is about to be told.
      if (usedMs === undefined) return;
      const leftMs = ms - (usedMs - startMs);
      if (leftMs > 0) cancel = afterRunning(leftMs, look);
      else end();
    }
    return () => void cancel();
  }

  /** What cannot be sent goes to a process that has ended. */
  #send(message: Setup | Order): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

/** Nobody has to wait for it. */
function deferred<T>(): Deferred<T> {
  let resolve: Deferred<T>['resolve'] = () => {};
  let reject: Deferred<T>['reject'] = () => {};
  const promise = new Promise<T>((...both) => {
    [resolve, reject] = both;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}

function startProcess(): ChildProcess {
  // The argument names the service in lists of processes.
  return fork(readerProgram, [String(process.pid)], {
    // A full heap ends the process: no dump of its memory, which has the document. It ends with this process.
    execPath: '/bin/sh',
    execArgv: [
      ...['-c', 'ulimit -c 0 && exec setpriv --pdeathsig KILL --no-new-privs "$0" "$@"', process.execPath],
      `--max-old-space-size=${HEAP_MB}`,
      `--max-semi-space-size=${NEW_SPACE_MB}`,
      // Helper threads of the collector have to wait for a core when all are busy, and the reading waits for them.
      '--single-threaded-gc',
      '--enable-source-maps',
      // From the sources.
      ...(extname(readerProgram.pathname) === '.ts' ? ['--import=tsx'] : []),
    ],
    // None of the service's secrets.
    env: {},
    // V8's report on a lack of memory is no line of the log.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // A set is none in JSON.
    serialization: 'advanced',
  });
}

/** V8 aborts when the heap is full. Before it is ready, Node aborts when it can start no thread. */
function reasonOf(code: number | null, signal: NodeJS.Signals | null, isReady: boolean): Error {
  if (signal === 'SIGABRT' && isReady) return new OutOfMemory();
  const message = `a process that reads documents ended with ${signal ?? `code ${code}`}`;
  return isReady ? new Ended(message) : new NotStarted(message);
}
