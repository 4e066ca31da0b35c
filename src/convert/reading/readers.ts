/** Reads documents and their PDFs, in other processes: before the engine has a document, and what the engine makes of it. */
import { rmSync } from 'node:fs';
import { killed } from '../../engine/outcome.ts';
import { PlatenError } from '../../errors.ts';
import { Queue } from '../../queue/queue.ts';
import type { Sender, SenderClass } from '../../queue/sender.ts';
import { withLinkedController } from '../../system/linked-controller.ts';
import type { TimeBudget } from '../../system/time-budget.ts';
import { beyondLimits, tooLongToRead } from '../package/refusal.ts';
import type { Combination, Combined, VerifiedWhole, Whole } from './combine-tasks.ts';
import type { Inspected, Inspection } from './document-tasks.ts';
import type { Filling, LayoutToSee, Repagination, Seen } from './layout-tasks.ts';
import type { Completion, Measured, Verification, Verified } from './output-tasks.ts';
import {
  type Answer,
  Ended,
  OutOfMemory,
  OutOfTime,
  ReaderProcesses,
  type ReadingLimits,
} from './processes.ts';
import type { Setup } from './setup.ts';
import type { TaskInput, TaskName } from './tasks.ts';

/** Milliseconds without a free process after which one more document may be read. */
const PATIENCE_MS = 500;
/** More than there are workspaces. */
const MAX_WAITING = 200_000;
/** The queue needs a size, and the size on disk says little about the reading time. */
const AS_THEY_COME = 0;

/** Processor time that a PDF adds to the limit of combining it with others, in milliseconds: 25 MB take a tenth of it. */
const PART_MS = 1_000;

/** State of the documents that are read before the engine has them. */
interface ReadersState {
  /** Most that may be read at a time, each in a process of its own; operators know it by this name. */
  readonly threads: number;
  /** Being read; sometimes one more. */
  readonly running: number;
  /** Waiting for a process, by sender class. */
  readonly waitingByClass: Readonly<Record<SenderClass, number>>;
  /** Waiting time of the oldest, in milliseconds; 0 if none waits. */
  readonly oldestWaitMs: number;
}

export interface ReadersOptions extends Setup {
  /** Documents that are read at a time before the engine has them. */
  readonly places: number;
  /** How long a document may wait for a process, in milliseconds. */
  readonly waitMs: number;
}

/** What ends a reading besides its own limits. */
export interface Reading {
  readonly signal: AbortSignal;
  /** The time that it takes is taken from this; undefined if it is counted already. */
  readonly budget?: TimeBudget;
}

/** A document that waits for its first reading. */
interface FirstReading extends Reading {
  /** Takes turns with others if there are more documents than processes. */
  readonly sender: Sender;
  /** Whether it may wait for any time; by default as long as all. */
  readonly isPatient?: boolean;
  /** Its turn among documents of the sender: the smaller first; by default they are read as they come. */
  readonly rank?: number | undefined;
  /** Is called before the reading, with the waiting time in milliseconds; rejects if the document is not to be read. */
  readonly mayBegin?: (waitedMs: number) => Promise<void>;
}

/** The creator closes it. */
export class Readers {
  readonly #options: ReadersOptions;
  /** Senders take turns for the processes as they do for the workers. */
  readonly #places: Queue;
  readonly #processes: ReaderProcesses;

  constructor({ places, waitMs, ...setup }: ReadersOptions) {
    this.#options = { places, waitMs, ...setup };
    this.#places = new Queue({
      workers: places,
      limit: MAX_WAITING,
      timeoutMs: waitMs,
      patienceMs: PATIENCE_MS,
    });
    this.#processes = new ReaderProcesses(setup, places);
  }

  /** Starts processes, so that the first documents need not wait for them. */
  start(): void {
    this.#processes.start();
  }

  /**
   * Checks an upload, and writes its print view. The upload is removed once all of it has been read.
   *
   * @returns what the service has to know of it, and its metadata, which are read while the engine has it.
   * @throws PlatenError what {@link inspectDocument} throws; `CORRUPTED_FILE` if it takes too much time or memory; `OVERLOADED`
   * if no process becomes free in time; `SERVICE_UNAVAILABLE`; the signal's reason.
   */
  inspect(
    inspection: Inspection,
    { sender, isPatient, rank = AS_THEY_COME, mayBegin, ...reading }: FirstReading,
  ): Promise<{ readonly result: Inspected; readonly rest: Promise<Buffer> }> {
    const entered = this.#places.enter(sender);
    const place = isPatient ? entered.another() : entered;
    if (isPatient) entered.leave();
    return new Promise((resolve, reject) => {
      const task = async (waitedMs: number) => {
        await mayBegin?.(waitedMs);
        const onSlow = () => place.restrain();
        const ask = () => this.#ask('inspect', inspection, reading, { onSlow });
        const { result, rest } = await ask();
        const again = async (error: unknown) => {
          if (error instanceof Ended) return (await ask()).rest;
          throw error;
        };
        const metadata = rest.catch(again).catch((error: unknown) => {
          throw error instanceof Ended ? killed(error) : refusalOf('inspect', error);
        });
        resolve({ result, rest: metadata });
        // Until then, the process is busy. If it fails, whoever needs it is told.
        await metadata.then(() => rmSync(inspection.path)).catch(() => {});
      };
      place
        .run(task, rank, reading.signal)
        .catch(reject)
        .finally(() => place.leave());
    });
  }

  /** Compares a layout with Word's pages. @throws PlatenError as {@link verify}; Error if the PDF has another form. */
  async see(layout: LayoutToSee, reading: Reading): Promise<Seen> {
    return (await this.#ask('see', layout, reading)).result;
  }

  /** Writes a document with Word's page breaks. @throws PlatenError as {@link verify}; `CORRUPTED_FILE` beyond a limit. */
  async paginate(repagination: Repagination, reading: Reading): Promise<void> {
    await this.#ask('paginate', repagination, reading);
  }

  /** Writes a document with the fields that depend on their pages. @throws PlatenError as {@link paginate}; Error as {@link see}. */
  async fillPages(filling: Filling, reading: Reading): Promise<void> {
    await this.#ask('fillPages', filling, reading);
  }

  /** The pages of the output in a folder. @throws PlatenError as {@link verify}; Error if the PDF has another form. */
  async countPages(folder: string, reading: Reading): Promise<number> {
    return (await this.#ask('countPages', { folder }, reading)).result;
  }

  /** The pages of the output in a folder, and the size of one. @throws PlatenError as {@link verify}. */
  async measurePage(folder: string, page: number, reading: Reading): Promise<Measured> {
    return (await this.#ask('measurePage', { folder, page }, reading)).result;
  }

  /** Changes the output in a folder. @returns how many diagonal lines in cells are missing. @throws PlatenError as {@link verify}. */
  async complete(folder: string, completion: Completion, reading: Reading): Promise<number> {
    return (await this.#ask('complete', { folder, completion }, reading)).result;
  }

  /**
   * Verifies the PDF that is delivered.
   *
   * @throws PlatenError `CONVERSION_FAILED`, also if it takes too much time or memory; `SERVICE_UNAVAILABLE`; the signal's reason.
   */
  async verify(verification: Verification, reading: Reading): Promise<Verified> {
    return (await this.#ask('verify', verification, reading)).result;
  }

  /**
   * Writes one PDF of many that were verified.
   *
   * @throws PlatenError as {@link verify}; its cause names the part that is broken.
   */
  async combine(combination: Combination, reading: Reading): Promise<Combined> {
    const cpuMs = this.#options.readingMs + PART_MS * combination.parts.length;
    return (await this.#ask('combine', combination, reading, { cpuMs })).result;
  }

  /** Verifies a PDF of many that qpdf has worked on. @throws PlatenError as {@link verify}. */
  async verifyWhole(whole: Whole, reading: Reading): Promise<VerifiedWhole> {
    return (await this.#ask('verifyWhole', whole, reading)).result;
  }

  state(): ReadersState {
    const { running, waitingByClass, oldestWaitMs } = this.#places;
    return { threads: this.#options.places, running, waitingByClass, oldestWaitMs };
  }

  /** Ends the processes, even busy ones. */
  async close(): Promise<void> {
    await this.#processes.close();
  }

  async #ask<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    { signal, budget }: Reading,
    { onSlow, cpuMs = this.#options.readingMs }: Partial<Pick<ReadingLimits, 'onSlow' | 'cpuMs'>> = {},
  ): Promise<Answer<Name>> {
    const within =
      budget &&
      (<T>(reading: (signal: AbortSignal) => Promise<T>) =>
        withLinkedController([signal], (linked) => {
          const end = () => linked.abort(new OutOfTime());
          return budget.spend(end, () => reading(linked.signal));
        }));
    const limits = { cpuMs, signal, onSlow, within };
    try {
      return await this.#processes.run(name, input, limits);
    } catch (error) {
      throw refusalOf(name, error);
    }
  }
}

/** The document's fault, if a reading took too much. */
function refusalOf(name: TaskName, error: unknown): unknown {
  const isFirst = name === 'inspect';
  if (error instanceof OutOfTime) {
    return isFirst ? tooLongToRead() : new PlatenError('CONVERSION_FAILED', { reason: 'time', cause: error });
  }
  if (!(error instanceof OutOfMemory)) return error;
  return isFirst
    ? beyondLimits('package-too-large', 'takes too much memory to read')
    : new PlatenError('CONVERSION_FAILED', { reason: 'memory', cause: error });
}
