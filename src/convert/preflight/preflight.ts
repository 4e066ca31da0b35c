/** The preflight: decides by content, before any engine sees the file, that it is a DOCX within the limits. */
import { Piscina } from 'piscina';
import type { DocumentType } from '../../document-types.ts';
import { PlatenError } from '../../errors.ts';
import { preflightWorker } from '../../paths.ts';
import { Queue } from '../../queue/queue.ts';
import type { Sender, SenderClass } from '../../queue/sender.ts';
import { withLinkedController } from '../../system/linked-controller.ts';
import { type DocumentMetadata, readMetadata } from '../document/metadata.ts';
import { Allowance, TooHeavy } from '../package/limits.ts';
import { beyondLimits } from '../package/refusal.ts';
import type { StoredParts } from '../package/stored-parts.ts';
import type { WordPagination } from '../pagination/word-pages.ts';
import { eastAsianSettings } from '../rules/east-asian-settings.ts';
import { inspect } from './inspection.ts';
import type { Inspection, Refusal, Repagination } from './worker.ts';

/** Heavy packages that are read at a time, beside the one more of the queue; each may take some 100 MB. */
const THREADS = 2;
/** For how long no thread becomes free before one package more may be read. */
const PATIENCE_MS = 500;
/** More than all but a few packages take. Whose took longer keep to half of the threads for some time. */
const SLOW_MS = 1_000;
/** More than there are workspaces. */
const MAX_WAITING = 200_000;
/** A thread that has nothing to do for so long ends. */
const IDLE_MS = 60_000;
const THREAD_HEAP_MB = 128;
/** For the queue: how long a package takes to read says its size on disk least of all. */
const AS_THEY_COME = 0;

/** Heavy packages, now. */
export interface PreflightState {
  /** That may be read at a time. */
  readonly threads: number;
  /** That are read; one more than there are threads at times. */
  readonly running: number;
  /** That wait for a thread, by who sent them. */
  readonly waitingByClass: Readonly<Record<SenderClass, number>>;
  /** How long the oldest of those has waited, in milliseconds; 0 when none waits. */
  readonly oldestWaitMs: number;
}

/** Whoever makes one closes it. */
/** How a document is checked. */
export interface CheckOptions {
  /** Whether the pages of Word are asked for; then the document gets anchors where they begin. */
  readonly wantsPages?: boolean;
  /** What was looked at of it while it arrived. */
  readonly arrived?: StoredParts | undefined;
  /** The version of LibreOffice that the document is for; undefined where it is not known. */
  readonly libreOffice?: string | undefined;
}

/** What is known of a document that was checked. */
export interface Checked {
  /**
   * Reads what the document says of itself. To be called once, when there is time: for a light package it takes some time
   * itself.
   */
  readonly readMetadata: () => DocumentMetadata;
  readonly wordPages: WordPagination;
  /** Its full-width punctuation may be narrower where a line holds more then. */
  readonly compressesPunctuation: boolean;
}

export class Preflight {
  readonly #timeoutMs: number;
  readonly #accepted: readonly DocumentType[];
  readonly #fonts: ReadonlySet<string> | undefined;
  /** Senders take turns with their heavy packages as they do with their conversions. */
  readonly #threads: Queue;
  /** Each ends the reading of one heavy package. */
  readonly #running = new Set<AbortController>();
  #pool: Piscina | undefined;
  #closed = false;

  /**
   * @param timeoutMs how long a heavy package may take, its wait for a thread included.
   * @param accepted the types of documents that are let through.
   * @param fonts names of the fonts that documents find, in lower case: another takes the place of others. Without them
   *   that is left to the engine.
   */
  constructor(
    timeoutMs: number,
    accepted: readonly DocumentType[] = ['docx'],
    fonts?: ReadonlySet<string> | undefined,
  ) {
    this.#timeoutMs = timeoutMs;
    this.#accepted = accepted;
    this.#fonts = fonts;
    this.#threads = new Queue({
      workers: THREADS,
      limit: MAX_WAITING,
      timeoutMs,
      patienceMs: PATIENCE_MS,
    });
  }

  /**
   * Checks that the file at `path` is a Word document that may be given to an engine, in bounded memory. A light package is
   * read in this thread, which takes less time than handing it over; any other in a thread of its own.
   *
   * @param sender whose turn it is when there are more heavy packages than threads.
   * @throws PlatenError `INVALID_FILE_TYPE`, `CORRUPTED_FILE` or `PASSWORD_PROTECTED`, with a reason; `OVERLOADED`
   *   when there is no thread for it in time; `SERVICE_UNAVAILABLE` when closed; the signal's reason when aborted.
   */
  async check(
    path: string,
    sender: Sender,
    signal: AbortSignal,
    { wantsPages = false, arrived, libreOffice }: CheckOptions = {},
  ): Promise<Checked> {
    signal.throwIfAborted();
    try {
      const fonts = this.#fonts;
      const options = { wantsPages, arrived, fonts, libreOffice };
      const { kept, wordPages } = await inspect(path, new Allowance(true, signal), this.#accepted, options);
      const { compressesPunctuation } = eastAsianSettings(kept);
      return { readMetadata: () => readMetadata(kept, this.#fonts), wordPages, compressesPunctuation };
    } catch (error) {
      if (!(error instanceof TooHeavy)) throw error;
      const rest = { accepted: this.#accepted, fonts: this.#fonts };
      const inspection: Inspection = { path, wantsPages, libreOffice, ...rest };
      const inspected = await this.#inThread(sender, signal, (pool, each) =>
        pool.run(inspection, { signal: each }),
      );
      const { metadata, wordPages, compressesPunctuation } = inspected;
      return { readMetadata: () => metadata, wordPages, compressesPunctuation };
    }
  }

  /**
   * Writes the document at `path`, which was checked, with Word's pages to `target`, in a thread of its own.
   *
   * @throws PlatenError as {@link check}.
   */
  async paginate(
    path: string,
    target: string,
    { plan, libreOffice }: Pick<Repagination, 'plan' | 'libreOffice'>,
    sender: Sender,
    signal: AbortSignal,
  ): Promise<void> {
    const repagination: Repagination = { path, target, plan, libreOffice, accepted: this.#accepted };
    await this.#inThread(sender, signal, (pool, each) =>
      pool.run(repagination, { name: 'paginateInWorker', signal: each }),
    );
  }

  state(): PreflightState {
    const { running, waitingByClass, oldestWaitMs } = this.#threads;
    return { threads: THREADS, running, waitingByClass, oldestWaitMs };
  }

  /** Ends the threads, whatever they are doing. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const each of this.#running) each.abort(new PlatenError('SERVICE_UNAVAILABLE'));
    await this.#pool?.destroy();
  }

  /** @throws PlatenError the refusal that the thread came to, among others. */
  async #inThread<T extends object>(
    sender: Sender,
    signal: AbortSignal,
    task: (pool: Piscina, signal: AbortSignal) => Promise<T | { readonly refusal: Refusal }>,
  ): Promise<T> {
    if (this.#closed) throw new PlatenError('SERVICE_UNAVAILABLE');
    this.#pool ??= createPool();
    const pool = this.#pool;
    const place = this.#threads.enter(sender);
    return withLinkedController([signal], async (reading) => {
      const timer = setTimeout(
        () => reading.abort(new PlatenError('OVERLOADED', { reason: 'timeout' })),
        this.#timeoutMs,
      );
      this.#running.add(reading);
      try {
        const result = await place.run(
          async () => {
            const slow = setTimeout(() => place.restrain(), SLOW_MS);
            try {
              return await task(pool, reading.signal);
            } finally {
              clearTimeout(slow);
            }
          },
          AS_THEY_COME,
          reading.signal,
        );
        if ('refusal' in result) throw new PlatenError(result.refusal.code, result.refusal);
        return result;
      } catch (error) {
        reading.signal.throwIfAborted();
        if (isOutOfMemory(error)) throw beyondLimits('package-too-large', 'takes too much memory to read');
        throw error;
      } finally {
        place.leave();
        this.#running.delete(reading);
        clearTimeout(timer);
      }
    });
  }
}

/** Its thread has ended, and another takes its place. */
function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function createPool(): Piscina {
  return new Piscina({
    filename: preflightWorker.href,
    minThreads: 0,
    // The queue may run one more, and the probe's.
    maxThreads: THREADS + 2,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
  });
}
