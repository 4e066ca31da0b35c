/** The preflight: decides by content, before any engine sees the file, that it is a DOCX within the limits. */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { DocumentType } from '../../document-types.ts';
import { PlatenError } from '../../errors.ts';
import type { Attachment, FacturxProfile } from '../../options/conversion-options.ts';
import { Queue } from '../../queue/queue.ts';
import type { Sender, SenderClass } from '../../queue/sender.ts';
import { withLinkedController } from '../../system/linked-controller.ts';
import { timeOf } from '../document/core-properties.ts';
import { type DocumentMetadata, readMetadata } from '../document/metadata.ts';
import { COMPOUND_FILE } from '../package/foreign-file.ts';
import { checkInvoice, largeInvoice, MAX_INVOICE_BYTES } from '../package/invoice.ts';
import { Allowance, MAX_READING_MS, TooHeavy } from '../package/limits.ts';
import { beyondLimits } from '../package/refusal.ts';
import type { StoredParts } from '../package/stored-parts.ts';
import type { WordPagination } from '../pagination/word-pages.ts';
import { eastAsianSettings } from '../rules/east-asian-settings.ts';
import { inspect } from './inspection.ts';
import type { ShownOptions } from './print-view.ts';
import type { Properties } from './properties.ts';
import { OutOfMemory, Readers } from './readers.ts';
import type { Inspection, Refused, Repagination, TaskInput, TaskName, TaskResult } from './tasks.ts';

/** Heavy packages read at a time, besides the extra one of the queue; each may take some 100 MB. */
const READERS = 2;
/** Milliseconds without a free process after which one more package may be read. */
const PATIENCE_MS = 500;
/** Only few packages take longer; their senders are limited to half of the processes for some time. */
const SLOW_MS = 1_000;
/** Largest invoice that is read in the thread that serves requests: about two milliseconds. */
const LIGHT_INVOICE_BYTES = 32_768;
/** More than there are workspaces. */
const MAX_WAITING = 200_000;
/** The queue needs a size, and the size on disk says little about the reading time. */
const AS_THEY_COME = 0;

/** State of the heavy packages. */
export interface PreflightState {
  /** Most that may be read at a time, each in a process of its own; operators know it by this name. */
  readonly threads: number;
  /** Being read; sometimes one more. */
  readonly running: number;
  /** Waiting for a process, by sender class. */
  readonly waitingByClass: Readonly<Record<SenderClass, number>>;
  /** Waiting time of the oldest, in milliseconds; 0 if none waits. */
  readonly oldestWaitMs: number;
}

/** Options of a check. */
export interface CheckOptions {
  /** Whether Word's page breaks are requested; then the document gets anchors where its pages begin. */
  readonly wantsPages?: boolean;
  /** The parts that were checked while they arrived. */
  readonly arrived?: StoredParts | undefined;
  /** Opens the package, if it is encrypted. */
  readonly password?: string | undefined;
  /** The version of LibreOffice that the document is for; undefined if unknown. */
  readonly libreOffice?: string | undefined;
  /** Replace the document's; none by default. */
  readonly properties?: Properties | undefined;
  readonly shown?: ShownOptions | undefined;
}

/** Result of a check. */
export interface Checked {
  /** Reads the metadata. Call it once, when the thread is idle: for a light package it takes some time. */
  readonly readMetadata: () => DocumentMetadata;
  readonly wordPages: WordPagination;
  /** Whether its full-width punctuation may be compressed to fit one more character into a line. */
  readonly compressesPunctuation: boolean;
  /** What the document says of its last change, in seconds since the epoch; see {@link timeOf}. */
  readonly time: number;
}

/** The creator closes it. */
export class Preflight {
  readonly #timeoutMs: number;
  readonly #accepted: readonly DocumentType[];
  readonly #fonts: ReadonlySet<string> | undefined;
  readonly #readingMs: number;
  /** Senders take turns for the processes as they do for the workers. */
  readonly #places: Queue;
  readonly #readers = new Readers();
  /** Each aborts the reading of one heavy package. */
  readonly #running = new Set<AbortController>();
  #closed = false;

  /**
   * @param timeoutMs limit for a heavy package, including its wait for a process.
   * @param accepted types of documents.
   * @param fonts names of the installed fonts and stand-ins, in lower case; others are replaced. Without them the
   * engine replaces fonts.
   * @param readingMs limit for the reading alone.
   */
  constructor(
    timeoutMs: number,
    accepted: readonly DocumentType[] = ['docx'],
    fonts?: ReadonlySet<string> | undefined,
    readingMs = MAX_READING_MS,
  ) {
    this.#timeoutMs = timeoutMs;
    this.#accepted = accepted;
    this.#fonts = fonts;
    this.#readingMs = readingMs;
    this.#places = new Queue({
      workers: READERS,
      limit: MAX_WAITING,
      timeoutMs,
      patienceMs: PATIENCE_MS,
    });
  }

  /**
   * Checks in bounded memory that the file at `path` is a Word document that an engine may read. A light package is
   * read in this thread, which is faster than handing it over; a heavy one in another process, as is one that must be
   * decrypted first. The file is then replaced by the one in it.
   *
   * @param sender takes turns with others if there are more heavy packages than processes.
   * @throws PlatenError `INVALID_FILE_TYPE`, `CORRUPTED_FILE` or `PASSWORD_PROTECTED`, with a reason; `OVERLOADED` if
   * no process becomes free in time; `SERVICE_UNAVAILABLE` if closed; the signal's reason if aborted.
   */
  async check(
    path: string,
    sender: Sender,
    signal: AbortSignal,
    { wantsPages = false, arrived, password, libreOffice, properties, shown }: CheckOptions = {},
  ): Promise<Checked> {
    signal.throwIfAborted();
    const isOpened = password !== undefined && isCompoundFile(path);
    if (isOpened) {
      await this.#inProcess('decrypt', { path, password }, sender, signal);
    }
    try {
      const fonts = this.#fonts;
      // What arrived is not what was in it.
      const own = isOpened ? undefined : arrived;
      const options = { wantsPages, arrived: own, fonts, libreOffice, properties, shown };
      const { kept, wordPages } = await inspect(
        path,
        new Allowance(true, signal, this.#readingMs),
        this.#accepted,
        options,
      );
      const { compressesPunctuation } = eastAsianSettings(kept);
      const time = timeOf(kept);
      return { readMetadata: () => readMetadata(kept, this.#fonts), wordPages, compressesPunctuation, time };
    } catch (error) {
      if (!(error instanceof TooHeavy)) throw error;
      const rest = { accepted: this.#accepted, fonts: this.#fonts, readingMs: this.#readingMs };
      const inspection: Inspection = { path, wantsPages, libreOffice, properties, shown, ...rest };
      const inspected = await this.#inProcess('inspect', inspection, sender, signal);
      const { metadata, ...others } = inspected;
      return { readMetadata: () => metadata, ...others };
    }
  }

  /**
   * Writes the checked document at `path`, with Word's page breaks, to `target`, in another process.
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
    const rest = { accepted: this.#accepted, readingMs: this.#readingMs };
    const repagination: Repagination = { path, target, plan, libreOffice, ...rest };
    await this.#inProcess('paginate', repagination, sender, signal);
  }

  /**
   * Checks an attachment that is an invoice by Factur-X: a large one in another process.
   *
   * @throws PlatenError `INVALID_PARAMETER`, or as {@link check}.
   */
  async checkInvoice(
    { path, bytes }: Attachment,
    profile: FacturxProfile,
    sender: Sender,
    signal: AbortSignal,
  ): Promise<void> {
    if (bytes > MAX_INVOICE_BYTES) throw largeInvoice();
    if (bytes <= LIGHT_INVOICE_BYTES) return checkInvoice(await readFile(path), profile);
    await this.#inProcess('checkInvoice', { path, profile }, sender, signal);
  }

  state(): PreflightState {
    const { running, waitingByClass, oldestWaitMs } = this.#places;
    return { threads: READERS, running, waitingByClass, oldestWaitMs };
  }

  /** Ends the processes, even busy ones. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const each of this.#running) each.abort(new PlatenError('SERVICE_UNAVAILABLE'));
    await this.#readers.close();
  }

  /** @throws PlatenError among others the process's refusal. */
  async #inProcess<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    sender: Sender,
    signal: AbortSignal,
  ): Promise<Exclude<TaskResult<Name>, Refused>> {
    if (this.#closed) throw new PlatenError('SERVICE_UNAVAILABLE');
    const place = this.#places.enter(sender);
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
              return await this.#readers.run(name, input, reading.signal);
            } finally {
              clearTimeout(slow);
            }
          },
          AS_THEY_COME,
          reading.signal,
        );
        if (isRefused(result)) throw new PlatenError(result.refusal.code, result.refusal);
        return result as Exclude<TaskResult<Name>, Refused>;
      } catch (error) {
        reading.signal.throwIfAborted();
        if (error instanceof OutOfMemory)
          throw beyondLimits('package-too-large', 'takes too much memory to read');
        throw error;
      } finally {
        place.leave();
        this.#running.delete(reading);
        clearTimeout(timer);
      }
    });
  }
}

function isCompoundFile(path: string): boolean {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const start = Buffer.alloc(COMPOUND_FILE.length);
    readSync(fd, start, 0, start.length, 0);
    return start.toString('latin1') === COMPOUND_FILE;
  } finally {
    closeSync(fd);
  }
}

function isRefused(result: object): result is Refused {
  return 'refusal' in result;
}
