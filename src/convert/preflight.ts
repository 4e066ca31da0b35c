/** The preflight: decides by content, before any engine sees the file, that it is a DOCX within the limits. */
import { extname } from 'node:path';
import { Piscina } from 'piscina';
import { PlatenError } from '../errors.ts';
import { inspect } from './preflight/inspection.ts';
import { Allowance, TooHeavy } from './preflight/limits.ts';
import type { Refusal } from './preflight/worker.ts';

/** Heavy packages that are read at a time; each may take some 100 MB. */
const THREADS = 2;
/** More than there are workspaces. */
const MAX_WAITING = 200_000;
/** A thread that has nothing to do for so long ends. */
const IDLE_MS = 60_000;
const THREAD_HEAP_MB = 128;

/** Whoever makes one closes it. */
export class Preflight {
  readonly #timeoutMs: number;
  /** Each ends the reading of one heavy package. */
  readonly #running = new Set<AbortController>();
  #pool: Piscina<string, Refusal | undefined> | undefined;
  #closed = false;

  /** @param timeoutMs how long a heavy package may take, its wait for a thread included. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Checks that the file at `path` is a DOCX that may be given to an engine, in bounded memory. A light package is
   * read in this thread, which takes less time than handing it over; any other in a thread of its own.
   *
   * @throws PlatenError `INVALID_FILE_TYPE`, `CORRUPTED_FILE` or `PASSWORD_PROTECTED`, with a reason; `OVERLOADED`
   *   when there is no thread for it in time; `SERVICE_UNAVAILABLE` when closed; the signal's reason when aborted.
   */
  async check(path: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    try {
      await inspect(path, new Allowance(true, signal));
    } catch (error) {
      if (!(error instanceof TooHeavy)) throw error;
      const refusal = await this.#inspectInThread(path, signal);
      if (refusal) throw new PlatenError(refusal.code, refusal);
    }
  }

  /** Ends the threads, whatever they are doing. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const each of this.#running) each.abort(new PlatenError('SERVICE_UNAVAILABLE'));
    await this.#pool?.destroy();
  }

  async #inspectInThread(path: string, signal: AbortSignal): Promise<Refusal | undefined> {
    if (this.#closed) throw new PlatenError('SERVICE_UNAVAILABLE');
    this.#pool ??= createPool();
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new PlatenError('OVERLOADED')), this.#timeoutMs);
    this.#running.add(limit);
    try {
      return await this.#pool.run(path, { signal: AbortSignal.any([signal, limit.signal]) });
    } catch (error) {
      signal.throwIfAborted();
      limit.signal.throwIfAborted();
      throw error;
    } finally {
      this.#running.delete(limit);
      clearTimeout(timer);
    }
  }
}

function createPool(): Piscina<string, Refusal | undefined> {
  // The worker is built beside this file, from a file of the same kind.
  const worker = new URL(`preflight/worker${extname(import.meta.url)}`, import.meta.url);
  return new Piscina({
    filename: worker.href,
    minThreads: 0,
    maxThreads: THREADS,
    maxQueue: MAX_WAITING,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
  });
}
