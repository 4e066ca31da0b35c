/**
 * Converts one file of a job, from start to end. Whatever process dies in between, the file has one result and is billed once.
 */
import { randomUUID } from 'node:crypto';
import type { Settlement } from '../accounts/billing/settlement.ts';
import type { ConvertedPdf, Converter } from '../convert/converter.ts';
import { assertAccepted } from '../convert/report/accepted.ts';
import { warningsOf } from '../convert/report/warnings.ts';
import type { Workspace, Workspaces } from '../convert/workspace.ts';
import { isShortage, PlatenError } from '../errors.ts';
import type { Place } from '../queue/queue.ts';
import { formats } from '../shared/options/conversion-options.ts';
import { type ObjectStore, StorageError } from '../storage/object-store.ts';
import type { Log } from '../system/log.ts';
import { pdfStream } from '../system/pdf-stream.ts';
import { noTrace, type Trace } from '../telemetry/trace.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { type FileError, type FileResult, type JobFileRef, MAX_TRIES } from './job.ts';
import { JobInputs, objectNames, readFetched } from './job-objects.ts';
import type { JobRecords } from './job-records.ts';
import { tellState } from './tell.ts';

export interface FileConversionOptions {
  readonly records: JobRecords;
  readonly storage: ObjectStore;
  readonly converter: Converter;
  readonly workspaces: Workspaces;
  readonly settlement: Settlement;
  readonly webhooks: Webhooks;
  readonly log: Log;
  /** Counts a file that ended here: `success`, or the code of its error. */
  readonly count: (outcome: string) => void;
}

export interface RunningConversion {
  readonly converting: Promise<ConvertedPdf>;
  /** By `performance.now()`. */
  readonly startedAt: number;
}

const TRIED = `The conversion broke off ${MAX_TRIES} times, each time without a result. Simplify the document, or contact support.`;

/** The file must wait, for as long as its job has time: the service had no room for it, or a part of it was away. It was no try. */
export class Postponed extends Error {
  override readonly name = 'Postponed';
}

/** Nobody wants the file any more. */
export class Unwanted extends Error {
  override readonly name = 'Unwanted';
}

/** How a file ended here; `elsewhere`: it did not, or nobody wants it now. */
type FileEnd = 'succeeded' | 'failed' | 'elsewhere';

export class FileConversion {
  readonly #options: FileConversionOptions;
  readonly #inputs: JobInputs;

  constructor(options: FileConversionOptions) {
    this.#options = options;
    this.#inputs = new JobInputs(options.storage, options.records);
  }

  /**
   * Converts a file that was taken from the queue.
   *
   * @param place its place in the queue of the engine; the caller leaves it.
   * @param signal aborts the conversion: with {@link Unwanted}, or with another reason if this server stops.
   * @param trace what its spans are inside of.
   * @throws Postponed with the cause; another Error if it was a try, and may be repeated.
   */
  async run(file: JobFileRef, place: Place, signal: AbortSignal, trace: Trace): Promise<FileEnd> {
    const begin = await this.#options.records.start(file);
    if (begin === 'made') return this.settle(file, trace);
    if (begin === 'tried') return this.fail(file, triedTooOften(), trace);
    if (begin !== 'running') return 'elsewhere';
    const { simulate } = (await this.#options.records.about(file)) ?? {};
    if (simulate) {
      const { code, message } = new PlatenError(simulate);
      return this.fail(file, { code, message }, trace);
    }
    const startedAt = performance.now();
    const converting = this.#convert(file, place, signal, trace);
    return this.finish(file, { converting, startedAt }, signal, trace);
  }

  /**
   * Ends a file with the result of its conversion.
   *
   * @throws as {@link run}.
   */
  async finish(
    file: JobFileRef,
    { converting, startedAt }: RunningConversion,
    signal: AbortSignal,
    trace: Trace,
  ): Promise<FileEnd> {
    let pdf: ConvertedPdf | undefined;
    try {
      pdf = await converting;
    } catch (error) {
      if (signal.aborted) {
        if (signal.reason instanceof Unwanted) return 'elsewhere';
        throw new Postponed('this server stops', { cause: error });
      }
      return this.fail(file, await this.#errorOf(file, error), trace);
    }
    return this.#deliver(file, pdf, performance.now() - startedAt, trace);
  }

  /**
   * Stores the PDF of a file, closes its descriptor, and bills it.
   *
   * @throws Postponed if the storage failed; Error if Redis did.
   */
  async #deliver(file: JobFileRef, pdf: ConvertedPdf, durationMs: number, trace: Trace): Promise<FileEnd> {
    const { records, storage } = this.#options;
    const token = randomUUID().replaceAll('-', '');
    const { type, extension } = formats[pdf.format];
    const key = objectNames.result(file.id, file.n, token, extension);
    const storing = () => storage.put(key, pdfStream(pdf.fd, pdf.reader), { type });
    await trace.timed('delivery', storing).catch((cause: unknown) => {
      throw new Postponed('the PDF could not be stored', { cause });
    });
    const { pages, bytes, sha256, engine, report } = pdf;
    const result: FileResult = {
      key,
      pages,
      bytes,
      sha256,
      libreOffice: engine.libreOffice,
      durationMs: Math.round(durationMs),
      warnings: warningsOf(report),
      conformance: report.conformance,
    };
    if (await records.make(file, result)) return this.settle(file, trace);
    await storage.remove(objectNames.output(file.id, file.n, token)).catch(() => {});
    return 'elsewhere';
  }

  /** Bills a file whose PDF is stored, and ends it. @throws Error if Redis failed. */
  async settle(file: JobFileRef, trace = noTrace): Promise<FileEnd> {
    const { records, settlement } = this.#options;
    const [bill, about, made] = await Promise.all([
      records.bill(file),
      records.about(file),
      records.made(file),
    ]);
    // The job was deleted meanwhile.
    if (!bill || !about || !made) return 'elsewhere';
    const { pages, bytes: bytesOut, durationMs } = made;
    const figures = { pages, bytesIn: about.bytes ?? 0, bytesOut, durationMs, document: bill.document };
    await trace.timed('settlement', () => settlement.settle(bill.reservation, figures));
    const { ended, isLast } = await records.end(file);
    if (ended) this.#options.count('success');
    await this.#tell(file, isLast);
    return ended ? 'succeeded' : 'elsewhere';
  }

  /** Ends a file without a PDF and releases its reservation; if it has a PDF, it is billed. @throws Error if Redis failed. */
  async fail(file: JobFileRef, { code, message, warnings }: FileError, trace = noTrace): Promise<FileEnd> {
    const { records, settlement } = this.#options;
    const bill = await records.bill(file);
    const { ended, isLast } = await records.end(file, { code, message, ...(warnings && { warnings }) });
    if (!ended) return (await records.start(file)) === 'made' ? this.settle(file, trace) : 'elsewhere';
    if (bill) await trace.timed('settlement', () => settlement.release(bill.reservation, code));
    this.#options.count(code);
    await this.#tell(file, isLast);
    return 'failed';
  }

  async #convert(file: JobFileRef, place: Place, signal: AbortSignal, trace: Trace): Promise<ConvertedPdf> {
    const { converter, workspaces } = this.#options;
    let workspace: Workspace | undefined;
    try {
      workspace = workspaces.create();
      const document = await this.#documentOf(file);
      const inputs = document && (await this.#inputs.fetch(file, workspace, signal));
      if (!inputs) throw new Error('an input is missing in the storage');
      const { bytes, sha256 } = document;
      converter.assertPossible(inputs.options);
      const pdf = await converter.convert(workspace, { place, bytes, sha256, ...inputs }, signal, { trace });
      assertAccepted(pdf, inputs.options);
      return pdf;
    } finally {
      await workspace?.dispose();
    }
  }

  /**
   * Name, size and hash of a document that was sent or fetched; undefined: there is none.
   *
   * @throws PlatenError `FETCH_FAILED`
   */
  async #documentOf(
    file: JobFileRef,
  ): Promise<{ readonly bytes: number; readonly sha256: string } | undefined> {
    const { records, storage } = this.#options;
    const about = await records.about(file);
    if (!about) return undefined;
    const { bytes, sha256 } = about;
    if (bytes !== null && sha256 !== null) return { bytes, sha256 };
    const fetched = await readFetched(storage, file);
    if (!fetched) return undefined;
    if ('failure' in fetched) throw new PlatenError('FETCH_FAILED', { message: fetched.message });
    const document = { bytes: fetched.bytes, sha256: fetched.sha256 };
    await records.describe(file, { ...about, ...document });
    return document;
  }

  /** Tells the owner of a job whose last file has ended. If that fails, upkeep does it. */
  async #tell(file: JobFileRef, isLast: boolean): Promise<void> {
    if (isLast) await tellState(file, this.#options).catch(() => {});
  }

  /**
   * The error that the client gets for a file.
   *
   * @throws Postponed if the file could not be tried; the error itself if there is another try; Error if Redis failed.
   */
  async #errorOf(file: JobFileRef, error: unknown): Promise<FileError> {
    if (isWait(error)) throw new Postponed((error as Error).message, { cause: error });
    const isKilled = error instanceof PlatenError && error.code === 'SERVICE_UNAVAILABLE';
    if (error instanceof PlatenError && !isKilled) return error;
    if ((await this.#options.records.tries(file)) < MAX_TRIES) throw error;
    return isKilled ? triedTooOften() : new PlatenError('INTERNAL_ERROR');
  }
}

/** Whether the service had no room for a file, no engine or no storage. A process that was killed under it is no such case. */
function isWait(error: unknown): boolean {
  if (error instanceof StorageError || isShortage(error)) return true;
  if (!(error instanceof PlatenError)) return false;
  return error.code === 'OVERLOADED' || (error.code === 'SERVICE_UNAVAILABLE' && error.reason === undefined);
}

/** For a file whose servers, or processes, ended under it: the document may be the cause. */
function triedTooOften(): PlatenError {
  return new PlatenError('CONVERSION_FAILED', { message: TRIED });
}
