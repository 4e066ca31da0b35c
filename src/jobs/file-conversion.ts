/**
 * Converts one file of a job, or all that become one PDF, from start to end. Whatever process dies in between, the file has one result and is billed once.
 */
import { randomUUID } from 'node:crypto';
import type { Settlement } from '../accounts/billing/settlement.ts';
import { LARGEST_TOGETHER } from '../accounts/plans/plans.ts';
import { type CombinedPdf, type Combiner, type DocumentToCombine, ofDocument } from '../convert/combiner.ts';
import type { ConvertedPdf, Converter } from '../convert/converter.ts';
import { assertAccepted, RefusedPdf } from '../convert/report/accepted.ts';
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
import {
  type FileError,
  type FileResult,
  type JobFile,
  type JobFileRef,
  MAX_TRIES,
  WHOLE,
  wholeOf,
} from './job.ts';
import { JobInputs, objectNames, readFetched } from './job-objects.ts';
import type { JobRecords } from './job-records.ts';
import { tellState } from './tell.ts';

export interface FileConversionOptions {
  readonly records: JobRecords;
  readonly storage: ObjectStore;
  readonly converter: Converter;
  readonly combiner: Combiner;
  /** Largest file, in bytes. */
  readonly maxFileBytes: number;
  readonly workspaces: Workspaces;
  readonly settlement: Settlement;
  readonly webhooks: Webhooks;
  readonly log: Log;
  /** Counts a file that ended here: `success`, or the code of its error. */
  readonly count: (outcome: string) => void;
}

export interface RunningConversion {
  readonly converting: Promise<MadePdf>;
  /** By `performance.now()`. */
  readonly startedAt: number;
}

const MISSING = 'an input is missing in the storage';
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

/** What is stored of a conversion. */
type MadePdf = Pick<
  ConvertedPdf,
  'format' | 'pages' | 'bytes' | 'sha256' | 'engine' | 'report' | 'fd' | 'reader'
> & { readonly documentPages?: readonly number[] };

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
   * If it becomes a part of a PDF, it has arrived, which is noted.
   *
   * @returns `arrived`: it was the last that its PDF waited for.
   * @param place its place in the queue of the engine; the caller leaves it.
   * @param signal aborts the conversion: with {@link Unwanted}, or with another reason if this server stops.
   * @param trace what its spans are inside of.
   * @throws Postponed with the cause; another Error if it was a try, and may be repeated.
   */
  async run(file: JobFileRef, place: Place, signal: AbortSignal, trace: Trace): Promise<FileEnd | 'arrived'> {
    const begin = await this.#options.records.start(file);
    if (begin === 'made') return this.settle(file, trace);
    if (begin === 'tried') return this.fail(file, triedTooOften(), trace);
    if (begin === 'part') return this.#arrive(file, trace);
    if (begin !== 'running') return 'elsewhere';
    const startedAt = performance.now();
    const isWhole = file.n === WHOLE;
    const converting = isWhole
      ? this.#combine(file, place, signal, trace)
      : this.#convert(file, place, signal, trace);
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
    let pdf: MadePdf | undefined;
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
  async #deliver(file: JobFileRef, pdf: MadePdf, durationMs: number, trace: Trace): Promise<FileEnd> {
    const { records, storage } = this.#options;
    const token = randomUUID().replaceAll('-', '');
    const { type, extension } = formats[pdf.format];
    const key = objectNames.result(file.id, file.n, token, extension);
    const storing = () => storage.put(key, pdfStream(pdf.fd, pdf.reader), { type });
    await trace.timed('delivery', storing).catch((cause: unknown) => {
      throw new Postponed('the PDF could not be stored', { cause });
    });
    const { pages, bytes, sha256, engine, report, documentPages } = pdf;
    const result: FileResult = {
      key,
      pages,
      bytes,
      sha256,
      libreOffice: engine.libreOffice,
      durationMs: Math.round(durationMs),
      warnings: warningsOf(report),
      moreWarnings: report.moreWarnings,
      conformance: report.conformance,
      documentPages,
    };
    if (await records.make(file, result)) return this.settle(file, trace);
    await storage.remove(objectNames.output(file.id, file.n, token)).catch(() => {});
    return 'elsewhere';
  }

  /** Bills a file whose PDF is stored, and ends it. @throws Error if Redis failed. */
  async settle(file: JobFileRef, trace = noTrace): Promise<FileEnd> {
    const { records, settlement } = this.#options;
    const [bill, sizes, made] = await Promise.all([
      records.bill(file),
      this.#sizesOf(file),
      records.made(file),
    ]);
    // The job was deleted meanwhile.
    if (!bill || !sizes || !made) return 'elsewhere';
    const { pages, bytes: bytesOut, durationMs, documentPages } = made;
    const figures = {
      ...{ pages, bytesOut, durationMs, document: bill.document },
      bytesIn: sizes.reduce((sum, each) => sum + each, 0),
      documents: documentPages?.map((each, index) => ({ pages: each, bytesIn: sizes[index] ?? 0 })),
    };
    await trace.timed('settlement', () => settlement.settle(bill.reservation, figures));
    const { ended, isLast } = await records.end(file);
    if (ended) this.#options.count('success');
    await this.#tell(file, isLast);
    return ended ? 'succeeded' : 'elsewhere';
  }

  /** Ends a file without a PDF and releases its reservation; if it has a PDF, it is billed. @throws Error if Redis failed. */
  async fail(file: JobFileRef, error: PlatenError, trace = noTrace): Promise<FileEnd> {
    const { records, settlement } = this.#options;
    const bill = await records.bill(file);
    const { ended, isLast } = await records.end(file, errorOf(error));
    if (!ended) return (await records.start(file)) === 'made' ? this.settle(file, trace) : 'elsewhere';
    if (bill) await trace.timed('settlement', () => settlement.release(bill.reservation, error.code));
    this.#options.count(error.code);
    await this.#tell(file, isLast);
    return 'failed';
  }

  /** A document that becomes a part of a PDF is there, or never will be. @returns `arrived` if all of them are. */
  async #arrive(file: JobFileRef, trace: Trace): Promise<FileEnd | 'arrived'> {
    const { n, ...job } = file;
    try {
      if (!(await this.#documentOf(file))) throw new Error(MISSING);
    } catch (error) {
      if (!(error instanceof PlatenError)) throw error;
      const { name = null } = (await this.#options.records.about(file)) ?? {};
      return this.fail(wholeOf(job), error.ofFile({ index: n - 1, name }), trace);
    }
    const known = await this.#options.records.find(job);
    return known?.files.every(({ sha256 }) => sha256 !== null) ? 'arrived' : 'elsewhere';
  }

  async #combine(file: JobFileRef, place: Place, signal: AbortSignal, trace: Trace): Promise<CombinedPdf> {
    const { n: _, ...job } = file;
    const { combiner, converter, workspaces, records } = this.#options;
    const known = await records.find(job);
    if (!known) throw new Error(MISSING);
    const { files } = known;
    for (const { number, name } of files) {
      const failure = await this.#simulated({ ...job, n: number });
      if (failure) throw ofDocument(failure, { index: number - 1, name });
    }
    this.#assertTogether(files);
    let workspace: Workspace | undefined;
    try {
      const whole = workspaces.create(LARGEST_TOGETHER);
      workspace = whole;
      const asked = await this.#inputs.asked(job, whole, signal);
      if (!asked) throw new Error(MISSING);
      converter.assertPossible(asked.options);
      const documents: DocumentToCombine[] = [];
      for (const { number, name, bytes, sha256 } of files) {
        const own = whole.inside();
        const isThere = await this.#inputs.document({ ...job, n: number }, own.input, signal);
        if (!isThere || bytes === null || sha256 === null) throw new Error(MISSING);
        documents.push({ workspace: own, name, bytes, sha256 });
      }
      return await combiner.combine(whole, { place, documents, ...asked }, signal, { trace });
    } finally {
      await workspace?.dispose();
    }
  }

  async #convert(file: JobFileRef, place: Place, signal: AbortSignal, trace: Trace): Promise<ConvertedPdf> {
    const { converter, workspaces } = this.#options;
    const failure = await this.#simulated(file);
    if (failure) throw failure;
    let workspace: Workspace | undefined;
    try {
      workspace = workspaces.create();
      const document = await this.#documentOf(file);
      const inputs =
        document &&
        (await this.#inputs.document(file, workspace.input, signal)) &&
        (await this.#inputs.asked(file, workspace, signal));
      if (!inputs) throw new Error(MISSING);
      const { bytes, sha256 } = document;
      const { options, form } = inputs;
      converter.assertPossible(options);
      const submission = { place, bytes, sha256, options, form };
      const pdf = await converter.convert(workspace, submission, signal, { trace });
      assertAccepted(pdf, options);
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

  /** Sizes of the documents, in bytes; undefined if there is no such file. */
  async #sizesOf(file: JobFileRef): Promise<readonly number[] | undefined> {
    const { records } = this.#options;
    if (file.n === WHOLE) return (await records.find(file))?.files.map(({ bytes }) => bytes ?? 0);
    const about = await records.about(file);
    return about && [about.bytes ?? 0];
  }

  /** What the client wants the file to fail with, for a test. */
  async #simulated(file: JobFileRef): Promise<PlatenError | undefined> {
    const { simulate } = (await this.#options.records.about(file)) ?? {};
    return simulate && new PlatenError(simulate);
  }

  /** Fetched documents are only now known. @throws PlatenError `FILE_TOO_LARGE` */
  #assertTogether(files: readonly JobFile[]): void {
    const most = LARGEST_TOGETHER * this.#options.maxFileBytes;
    if (files.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0) <= most) return;
    throw new PlatenError('FILE_TOO_LARGE', {
      message: `The documents are together larger than ${Math.round(most / 1_048_576)} MB, the most that one PDF is made of.`,
    });
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
  async #errorOf(file: JobFileRef, error: unknown): Promise<PlatenError> {
    if (isWait(error)) throw new Postponed((error as Error).message, { cause: error });
    const isKilled = error instanceof PlatenError && error.code === 'SERVICE_UNAVAILABLE';
    if (error instanceof PlatenError && !isKilled) return error;
    if ((await this.#options.records.tries(file)) < MAX_TRIES) throw error;
    return isKilled ? triedTooOften() : new PlatenError('INTERNAL_ERROR');
  }
}

/** An error as it is kept. */
function errorOf(error: PlatenError): FileError {
  const { code, message, file } = error;
  return {
    ...{ code, message },
    ...(file && { file: file.index }),
    ...(error instanceof RefusedPdf && { warnings: error.warnings }),
  };
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
