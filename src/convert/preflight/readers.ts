/**
 * The processes that read heavy packages, one package at a time each.
 *
 * Not worker threads: a thread has a limit for its heap, but V8 ends the whole process when a thread beyond it needs a large
 * piece of memory.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { PlatenError } from '../../errors.ts';
import { preflightReader } from '../../paths.ts';
import { afterRunning } from '../../system/running-time.ts';
import type { Message, Order, Reply } from './reader.ts';
import type { TaskInput, TaskName, TaskResult } from './tasks.ts';

/** Idle milliseconds after which a process ends. */
const IDLE_MS = 60_000;
/** Time in which a process must begin with a task. Node hangs if it cannot start all of its threads. */
const BEGIN_MS = 10_000;
const HEAP_MB = 128;
const MOST_ATTEMPTS = 2;

/** The process had not enough memory for the package. */
export class OutOfMemory extends Error {
  override readonly name = 'OutOfMemory';
}

/** Somebody killed the process. The file may be half changed. */
class Ended extends Error {}

/** The process could not be started, or ended before it began with the task, or did not begin in time. */
class NotBegun extends Ended {}

/** The caller bounds how many tasks run at a time, and closes it. */
export class Readers {
  readonly #idle: Reader[] = [];
  readonly #all = new Set<Reader>();

  /**
   * Runs a task in an idle process, or in a new one. An abort ends the process.
   *
   * @throws OutOfMemory; PlatenError `SERVICE_UNAVAILABLE` if there can be no process; the signal's reason; what the task
   * throws.
   */
  async run<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    signal: AbortSignal,
  ): Promise<TaskResult<Name>> {
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      // An idle one may have been killed a moment ago.
      const idle = attempt === 1 ? this.#idle.pop() : undefined;
      try {
        const result = await this.#ask(idle ?? this.#start(), { name, input }, signal);
        return result as TaskResult<Name>;
      } catch (error) {
        if (error instanceof NotBegun && attempt < MOST_ATTEMPTS) continue;
        throw error instanceof Ended ? new PlatenError('SERVICE_UNAVAILABLE', { cause: error }) : error;
      }
    }
  }

  /** Ends the processes, even busy ones, and waits for their end. */
  async close(): Promise<void> {
    await Promise.all([...this.#all].map((reader) => reader.kill()));
  }

  #start(): Reader {
    const reader = new Reader(() => {
      this.#all.delete(reader);
      const index = this.#idle.indexOf(reader);
      if (index >= 0) this.#idle.splice(index, 1);
    });
    this.#all.add(reader);
    return reader;
  }

  async #ask(reader: Reader, order: Order, signal: AbortSignal): Promise<unknown> {
    const reply = await reader.ask(order, signal);
    reader.rest();
    this.#idle.push(reader);
    if ('error' in reply) throw reply.error;
    return reply.result;
  }
}

class Reader {
  readonly #child: ChildProcess;
  /** Fulfilled when it has ended, by the reason. */
  readonly #ended: Promise<Error>;
  #timer: NodeJS.Timeout | undefined;
  /** Settles the promise of the current task. A race of promises would keep every reply until the process ends. */
  #task: { resolve(reply: Reply): void; reject(reason: unknown): void } | undefined;
  #hasBegun = false;
  /** Cancels the time limit for the start of the current task. */
  #cancelBeginLimit = () => {};

  constructor(onEnd: () => void) {
    try {
      this.#child = startProcess();
    } catch (error) {
      throw new NotBegun('a process that reads packages cannot be started', { cause: error });
    }
    this.#child.on('message', (message: Message) => {
      if (message !== 'begun') return this.#task?.resolve(message);
      this.#hasBegun = true;
      this.#cancelBeginLimit();
    });
    this.#ended = new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => resolve(reasonOf(code, signal, this.#hasBegun)));
      // Without a process id it could not be started. Other errors are followed by its end.
      this.#child.on('error', (error) => {
        if (this.#child.pid === undefined) resolve(new NotBegun(error.message));
      });
    });
    void this.#ended.then((reason) => {
      clearTimeout(this.#timer);
      this.#task?.reject(reason);
      onEnd();
    });
  }

  /** @throws what ended the process; the signal's reason. */
  async ask(order: Order, signal: AbortSignal): Promise<Reply> {
    const child = this.#child;
    clearTimeout(this.#timer);
    this.#hasBegun = false;
    this.#cancelBeginLimit = afterRunning(BEGIN_MS, () => void this.kill());
    const abort = () => this.#task?.reject(signal.reason);
    signal.addEventListener('abort', abort);
    try {
      const reply = new Promise<Reply>((resolve, reject) => {
        this.#task = { resolve, reject };
      });
      child.ref();
      child.channel?.ref();
      // A task that cannot be sent: the process has ended.
      if (child.connected) child.send(order, () => {});
      return await reply;
    } catch (error) {
      void this.kill();
      throw error;
    } finally {
      this.#cancelBeginLimit();
      this.#task = undefined;
      signal.removeEventListener('abort', abort);
    }
  }

  /** Waits for the next task, for some time. It keeps nothing else alive. */
  rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
    this.#timer = setTimeout(() => void this.kill(), IDLE_MS).unref();
  }

  /** Ends the process and waits for it. */
  async kill(): Promise<void> {
    this.#child.ref();
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}

function startProcess(): ChildProcess {
  // The argument names the service in lists of processes.
  return fork(preflightReader, [String(process.pid)], {
    // A full heap ends the process: no dump of its memory, which has the document. It ends with this process.
    execPath: '/bin/sh',
    execArgv: [
      ...['-c', 'ulimit -c 0 && exec setpriv --pdeathsig KILL --no-new-privs "$0" "$@"', process.execPath],
      `--max-old-space-size=${HEAP_MB}`,
      '--enable-source-maps',
      // From the sources.
      ...(extname(preflightReader.pathname) === '.ts' ? ['--import=tsx'] : []),
    ],
    // None of the service's secrets.
    env: {},
    // V8's report on a lack of memory is no line of the log.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // A set is none in JSON.
    serialization: 'advanced',
  });
}

/** V8 aborts when the heap is full. Before a task, Node aborts when it can start no thread. */
function reasonOf(code: number | null, signal: NodeJS.Signals | null, hasBegun: boolean): Error {
  if (signal === 'SIGABRT' && hasBegun) return new OutOfMemory();
  const message = `a process that reads packages ended with ${signal ?? `code ${code}`}`;
  return hasBegun ? new Ended(message) : new NotBegun(message);
}
