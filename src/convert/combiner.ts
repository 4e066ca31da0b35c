/** Converts several documents, each as if it came alone, and makes one PDF of theirs. */
import { closeSync } from 'node:fs';
import { link, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Engine, OUTPUT_NAME } from '../engine/engine.ts';
import { type ErrorCode, type FileOfRequest, PlatenError } from '../errors.ts';
import type { Place } from '../queue/queue.ts';
import type {
  ConversionOptions,
  FormOptions,
  Isolation,
  PageNumbering,
} from '../shared/options/conversion-options.ts';
import { withLinkedController } from '../system/linked-controller.ts';
import { afterRunning } from '../system/running-time.ts';
import { TailReader } from '../system/tail-reader.ts';
import type { TimeBudget } from '../system/time-budget.ts';
import { noTrace, type Trace } from '../telemetry/trace.ts';
import type { ConvertedPdf, Converter, Phases } from './converter.ts';
import type { PageNumbers } from './document/page-numbers.ts';
import { finishingJob, finishPdf } from './finish.ts';
import { leastIsolated } from './lay-out.ts';
import type { Conformance } from './pdf/conformance/verdict.ts';
import { openOutput, outputFailure } from './pdf/output-file.ts';
import type { Readers } from './reading/readers.ts';
import { assertAccepted } from './report/accepted.ts';
import { combinedReport } from './report/combined-report.ts';
import type { ConversionReport } from './report/warnings.ts';
import type { Workspace } from './workspace.ts';

/** Folder of the whole, inside the workspace. */
const WHOLE_NAME = 'whole';
/** How often documents are laid out again at most, if their page numbers change their pages. */
const MAX_ROUNDS = 3;
/** When another try may find a worker in time, in seconds. */
const LATE_SECONDS = 5;
/** Failures that are not of one document. */
const ofAll: ReadonlySet<ErrorCode> = new Set(['OVERLOADED', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR']);

interface CombinerOptions {
  readonly converter: Converter;
  readonly readers: Readers;
  readonly engine: Engine;
  /** Conversions that run at a time. Fewer of one PDF may, as their sender takes turns with others. */
  readonly workers: number;
  /** How long all of it may take, in milliseconds; those of a job as if they came one after the other. */
  readonly timeoutMs: number;
}

/** One of several documents. */
export interface DocumentToCombine {
  /** Its own, inside that of the whole: it has the upload. */
  readonly workspace: Workspace;
  /** Its file name; null for none. */
  readonly name: string | null;
  /** Size in bytes. */
  readonly bytes: number;
  /** SHA-256 of its content, in hexadecimal; undefined if it is always tried. */
  readonly sha256: string | undefined;
}

interface CombinationToMake {
  /** The sender's, which is left once all documents are checked. Each gets another, as it may have to wait for the others. */
  readonly place: Place;
  readonly documents: readonly DocumentToCombine[];
  /** Without defaults. */
  readonly options: ConversionOptions;
  /** By default each document counts its own. */
  readonly pageNumbers?: PageNumbering | undefined;
  readonly form: FormOptions;
}

/** A PDF of several documents. The receiver closes the file. */
export interface CombinedPdf
  extends Pick<
    ConvertedPdf,
    'format' | 'sha256' | 'pdfSha256' | 'fd' | 'bytes' | 'reader' | 'pages' | 'report' | 'engine' | 'rewrites'
  > {
  /** Pages of each document, in order. */
  readonly documentPages: readonly number[];
  /** Greatest of all documents, in bytes; undefined if the engine cannot tell. */
  readonly peakBytes: number | undefined;
  /** Of all documents together, in milliseconds; undefined if the engine cannot tell. */
  readonly cpuMs: number | undefined;
  /** Of all documents: the least. */
  readonly isolation: Isolation;
}

interface Notes {
  /** `queue` becomes the shortest wait of a document, and `convert` all that follows it. */
  readonly phases?: Phases;
  readonly trace?: Trace;
}

/** Of all documents. */
interface Noted {
  readonly phases: Phases[];
  readonly budgets: TimeBudget[];
}

/** A document that is converted. */
interface Part extends Pick<ConvertedPdf, 'pages' | 'report' | 'title' | 'conversion' | 'rewrites'> {
  /** Path of its PDF. */
  readonly path: string;
}

/** Does something with every document. @returns what that gave, in the order of the documents. */
type ForEach = <T>(work: (document: DocumentToCombine, index: number) => Promise<T>) => Promise<T[]>;

/** The failure of one of several documents, which says of which unless it is about none. */
export function ofDocument(error: PlatenError, document: FileOfRequest): PlatenError {
  return ofAll.has(error.code) ? error : error.ofFile(document);
}

/** Another document has failed, or time is up: no fault of who is ended so. */
class Stopped extends Error {
  override readonly name = 'Stopped';
}

export class Combiner {
  readonly #options: CombinerOptions;

  constructor(options: CombinerOptions) {
    this.#options = options;
  }

  /**
   * Converts the documents, a few at a time, and makes one PDF of them, in their order. The same documents give the same bytes.
   *
   * @param workspace of the whole, which the caller disposes of; the PDF is an open file and outlives it.
   * @param signal ends everything; the promise then rejects with its reason.
   * @throws PlatenError as a conversion. If it is about a document, it says about which; the first failure ends the others.
   * `CONVERSION_FAILED` or `OVERLOADED` if all of it takes too long, by what took the time.
   */
  async combine(
    workspace: Workspace,
    combination: CombinationToMake,
    signal: AbortSignal,
    { phases = {}, trace = noTrace }: Notes = {},
  ): Promise<CombinedPdf> {
    const began = performance.now();
    const noted: Noted = { phases: [], budgets: [] };
    const spent = () => noted.budgets.reduce((total, { spentMs }) => total + spentMs, 0);
    const { place, documents } = combination;
    const timeoutMs = this.#options.timeoutMs * (isOfJob(place) ? documents.length : 1);
    try {
      return await this.#withinTime(timeoutMs, signal, spent, async (both) => {
        const parts = await this.#convertAll(workspace, combination, both, trace, noted);
        return this.#make(workspace, combination, parts, both, trace);
      });
    } finally {
      const waits = noted.phases.flatMap(({ queue }) => queue ?? []);
      if (waits.length > 0) {
        phases.queue = Math.min(...waits);
        phases.convert = performance.now() - began - phases.queue;
      }
    }
  }

  /** @param spent the running time of all documents, in milliseconds. */
  async #withinTime<T>(
    timeoutMs: number,
    signal: AbortSignal,
    spent: () => number,
    task: (both: AbortSignal) => Promise<T>,
  ): Promise<T> {
    let isLate = false;
    return withLinkedController([signal], async (linked) => {
      const stop = afterRunning(timeoutMs, () => {
        isLate = true;
        linked.abort(new Stopped());
      });
      try {
        return await task(linked.signal);
      } catch (error) {
        signal.throwIfAborted();
        throw isLate ? late(timeoutMs, spent()) : error;
      } finally {
        stop();
      }
    });
  }

  async #convertAll(
    workspace: Workspace,
    { place, documents, options, pageNumbers, form }: CombinationToMake,
    signal: AbortSignal,
    trace: Trace,
    noted: Noted,
  ): Promise<readonly Part[]> {
    const { title: _, linearize: __, allow: ___, ...others } = options;
    const { facturx: ____, attachmentRelationship: _____, ...own } = others;
    const { password } = form;
    const ofParts = { options: own, form: password === undefined ? {} : { password }, isPart: true };
    // Of a request, one more than run, so that it is read meanwhile; others' files wait as long as one of a job is in line.
    const parallel = this.#options.workers + (isOfJob(place) ? 0 : 1);
    // Each is read, and converted. Of a sender's PDFs the one that lacks least goes first: so one after another is made in time.
    let left = 2 * documents.reduce((sum, { bytes }) => sum + bytes, 0);
    const onBudget = (budget: TimeBudget) => noted.budgets.push(budget);
    return this.#withEach(documents, parallel, signal, async (forEach, linked) => {
      const isContinuous = pageNumbers === 'continuous';
      const original = (index: number) => join(workspace.folder, `document-${index + 1}`);
      const check = async (
        { bytes, sha256 }: DocumentToCombine,
        folder: Workspace,
        numbers?: PageNumbers,
      ) => {
        const phases: Phases = {};
        noted.phases.push(phases);
        // Those that are laid out again do not overtake a document that came alone.
        const rank = () => Math.max(left, bytes);
        // The first one needs another place, too: the others may take the worker for which it waits.
        const submission = { ...ofParts, place: place.another(), bytes, rank, sha256, pageNumbers: numbers };
        return this.#options.converter.check(folder, submission, linked, { phases, trace, onBudget });
      };
      const finish = async (convert: () => Promise<ConvertedPdf>, folder: Workspace, index: number) => {
        try {
          const pdf = await convert();
          assertAccepted(pdf, options);
          closeSync(pdf.fd);
          const path = join(workspace.folder, `part-${index + 1}.pdf`);
          await rm(path, { force: true });
          await link(join(pdf.folder, OUTPUT_NAME), path);
          const { pages, report, title, conversion, rewrites } = pdf;
          return { path, pages, report, title, conversion, rewrites };
        } finally {
          // Only its PDF is needed from here on.
          await folder.dispose();
        }
      };
      // All are checked before the first is converted: so a broken one is found early.
      const checked = await forEach(async (document, index) => {
        if (isContinuous) await link(document.workspace.input, original(index));
        const convert = await check(document, document.workspace);
        left -= document.bytes;
        return convert;
      });
      // What is left waits for the turns of the documents.
      place.leave();
      const parts: readonly Part[] = await forEach(async (document, index) => {
        const part = await finish(checked[index] as (typeof checked)[number], document.workspace, index);
        left -= document.bytes;
        return part;
      });
      if (!isContinuous) return parts;
      const again = async (document: DocumentToCombine, index: number, numbers: PageNumbers) => {
        const folder = workspace.inside();
        await link(original(index), folder.input);
        return finish(await check(document, folder, numbers), folder, index);
      };
      return renumbered(parts, forEach, again);
    });
  }

  /**
   * Calls the task with a function that does something with every document, a few at a time. The first document that fails ends
   * the others, and the error says which it is.
   */
  async #withEach<T>(
    documents: readonly DocumentToCombine[],
    parallel: number,
    signal: AbortSignal,
    task: (forEach: ForEach, linked: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return withLinkedController([signal], async (linked) => {
      let failure: { readonly error: unknown } | undefined;
      const forEach: ForEach = async (work) => {
        const results: Awaited<ReturnType<typeof work>>[] = [];
        let next = 0;
        const run = async () => {
          for (let index = next++; index < documents.length && !failure; index = next++) {
            const document = documents[index] as DocumentToCombine;
            try {
              results[index] = await work(document, index);
            } catch (error) {
              const ofOne = { index, name: document.name };
              failure ??= { error: error instanceof PlatenError ? ofDocument(error, ofOne) : error };
              linked.abort(new Stopped());
            }
          }
        };
        await Promise.all(Array.from({ length: parallel }, run));
        signal.throwIfAborted();
        if (failure) throw failure.error;
        return results;
      };
      return task(forEach, linked.signal);
    });
  }

  async #make(
    { id, folder: own }: Workspace,
    { place, documents, options, form }: CombinationToMake,
    parts: readonly Part[],
    signal: AbortSignal,
    trace: Trace,
  ): Promise<CombinedPdf> {
    const { readers, engine } = this.#options;
    const folder = join(own, WHOLE_NAME);
    await mkdir(folder, { mode: 0o700 });
    const named = parts.map(({ path, title }, index) => {
      const name = documents[index]?.name ?? `document ${index + 1}`;
      return { path, name, title: title ?? name };
    });
    const { title, pdfa, pdfua, bookmarks, facturx, attachmentRelationship } = options;
    const asked = { title, pdfa, pdfua, bookmarks, facturx, attachmentRelationship };
    const combination = {
      ...{ ...asked, parts: named, attachments: form.attachments },
      out: join(folder, OUTPUT_NAME),
    };
    const documentPages = parts.map((part) => part.pages);
    const expected = documentPages.reduce((sum, each) => sum + each, 0);
    const qpdf = finishingJob(options, form);
    const make = async () => {
      const { pages, ...combined } = await trace.timed('combining', () =>
        readers.combine(combination, { signal }),
      );
      if (pages !== expected) {
        throw new PlatenError('INTERNAL_ERROR', { cause: `${pages} pages of documents with ${expected}` });
      }
      if (!qpdf) return { ...combined, folder };
      const work = { qpdf, isAccessible: options.pdfua, password: form.userPassword ?? form.ownerPassword };
      const finished = await trace.timed('post-processing', () =>
        finishPdf(engine, { id, folder: own }, folder, work, signal),
      );
      const verified = await trace.timed('verification', () =>
        readers.verifyWhole({ folder, finished, pdfa, pdfua }, { signal }),
      );
      return { ...verified, folder: finished.folder };
    };
    // A worker's turn bounds how many are made at a time, and takes turns with other senders.
    const { sha256, conformance, ...made } = await place.another().run(make, 0, signal);
    const whole = opened(made.folder, {
      ...{ pages: expected, sha256, pdfSha256: sha256 },
      format: 'pdf',
      report: reportOf(expected, parts, options, conformance),
      engine: engine.status(),
      rewrites: [...new Set(parts.flatMap(({ rewrites }) => rewrites))].sort(),
      documentPages,
      ...costsOf(parts),
    });
    assertAccepted(whole, options);
    return whole;
  }
}

function reportOf(
  pages: number,
  parts: readonly Part[],
  { title }: ConversionOptions,
  conformance: readonly Conformance[],
): ConversionReport {
  const reports = parts.map(({ report }) => report);
  return combinedReport(
    { pages, hasTitle: title !== undefined || parts[0]?.title !== undefined, conformance },
    reports,
  );
}

function costsOf(parts: readonly Part[]): Pick<CombinedPdf, 'peakBytes' | 'cpuMs' | 'isolation'> {
  const peaks = parts.flatMap(({ conversion }) => conversion.peakBytes ?? []);
  const times = parts.flatMap(({ conversion }) => conversion.cpuMs ?? []);
  return {
    peakBytes: peaks.length === 0 ? undefined : Math.max(...peaks),
    isolation: leastIsolated(parts.map(({ conversion }) => conversion)),
    cpuMs: times.length === 0 ? undefined : times.reduce((sum, each) => sum + each, 0),
  };
}

function opened(folder: string, about: Omit<CombinedPdf, 'fd' | 'bytes' | 'reader'>): CombinedPdf {
  let fd: number | undefined;
  try {
    fd = openOutput(folder);
    const reader = TailReader.over(fd);
    return { ...about, fd, bytes: reader.size, reader };
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    throw outputFailure(error);
  }
}

/** @param spentMs on the documents, without their waits. If that is little, the workers were with others. */
function late(timeoutMs: number, spentMs: number): PlatenError {
  if (spentMs < timeoutMs / 2)
    return new PlatenError('OVERLOADED', { reason: 'timeout', retryAfter: LATE_SECONDS });
  return new PlatenError('CONVERSION_FAILED', {
    message: `The documents take longer than the ${timeoutMs / 1_000} seconds that they may take together. Send fewer at a time.`,
    reason: 'time',
  });
}

const isOfJob = ({ sender }: Place): boolean => sender.class === 'job';

/**
 * The documents laid out again, with the numbers that their pages have in the whole. Wider numbers may change how many pages a
 * document has, and so the numbers of all.
 *
 * @param again lays a document out.
 * @throws PlatenError `CONVERSION_FAILED` if that has no end.
 */
async function renumbered(
  parts: readonly Part[],
  forEach: ForEach,
  again: (document: DocumentToCombine, index: number, numbers: PageNumbers) => Promise<Part>,
): Promise<readonly Part[]> {
  let [now, known] = [parts, [] as readonly PageNumbers[]];
  for (let rounds = 0; rounds <= MAX_ROUNDS; rounds++) {
    const [last, numbers] = [now, numbersOf(now)];
    const isRight = (index: number) => isDeepStrictEqual(known[index], numbers[index]);
    if (numbers.every((_, index) => isRight(index))) return now;
    now = await forEach(async (document, index) =>
      isRight(index) ? (last[index] as Part) : again(document, index, numbers[index] as PageNumbers),
    );
    known = numbers;
  }
  throw new PlatenError('CONVERSION_FAILED', {
    message: 'The documents have other numbers of pages with every page number. Leave pageNumbers out.',
  });
}

function numbersOf(parts: readonly Part[]): PageNumbers[] {
  const total = parts.reduce((sum, { pages }) => sum + pages, 0);
  let first = 1;
  return parts.map(({ pages }) => {
    const numbers = { first, total };
    first += pages;
    return numbers;
  });
}
