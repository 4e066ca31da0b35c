/** From an upload in its workspace to a verified, open PDF. */
import { closeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Conversion, type Engine, INPUT_NAME, type Job } from '../engine/engine.ts';
import type { PdfaLevel } from '../engine/pdfa.ts';
import type { Place, Queue } from '../engine/queue.ts';
import type { Sender } from '../engine/sender.ts';
import { PlatenError } from '../errors.ts';
import { withLinkedController } from '../linked-controller.ts';
import { afterRunning } from '../running-time.ts';
import type { DocumentFacts } from './facts/document-facts.ts';
import { omittedBy } from './facts/omitted-content.ts';
import type { FontCoverage } from './font-coverage.ts';
import { fontUse } from './font-use.ts';
import { missingGlyphs } from './missing-glyphs.ts';
import { mayLackText, missingPercent } from './missing-text.ts';
import {
  type EngineReason,
  isWithin,
  type Pagination,
  type WordPagination,
} from './pagination/word-pagination.ts';
import { completePdfa } from './pdf-archive.ts';
import { sketchText } from './pdf-text.ts';
import type { PoisonMemory, SentDocument } from './poison.ts';
import type { StoredParts } from './preflight/stored-parts.ts';
import type { Preflight } from './preflight.ts';
import type { StandIns } from './stand-ins.ts';
import type { TextCounts } from './text-sketch.ts';
import { type VerifiedPdf, verifyPdf } from './verify.ts';
import type { ConversionReport } from './warnings.ts';
import type { Workspace } from './workspace.ts';

/** After so long it is asked again whether a document is known as poison, in milliseconds. */
const LONG_WAIT_MS = 100;
/** By then the engine has the document, if there is a worker for it. */
const HANDED_OVER_MS = 1;
/** Folder of the document with Word's pages, in its workspace, and what its job's id ends with. */
const PAGINATED_NAME = 'paginated';
const PAGINATED_ID = '-paginated';
/** Reasons of failures that cost as much as a conversion may. */
const budgets: ReadonlySet<string | undefined> = new Set(['time', 'cpu', 'memory']);

export interface ConverterOptions {
  readonly preflight: Preflight;
  readonly engine: Engine;
  readonly queue: Queue;
  /** Undefined: every document is tried. */
  readonly poison?: PoisonMemory | undefined;
  /** How long one document may run in the engine, in milliseconds. */
  readonly timeoutMs: number;
  /** By which the fonts that stand in for others are known; none by default. */
  readonly standIns?: StandIns;
  /** What the engine's fonts have. Undefined: that is not known, and nobody is told of characters that they lack. */
  readonly coverage?: FontCoverage | undefined;
}

/** An upload, beside its content. */
export interface Submission {
  /** What it holds of the queue, which stays the caller's to leave. */
  readonly place: Place;
  /** Its size: of one sender's documents, the smaller go first. */
  readonly bytes: number;
  /** What was looked at of it while it arrived. */
  readonly storedParts?: StoredParts | undefined;
  /** Of its content, in hexadecimal; undefined for one that is always tried. */
  readonly sha256: string | undefined;
  /** When its sender was known to have no poison, as `performance.now()` counts; undefined where nobody knows. */
  readonly cleanAt?: number | undefined;
  /** The PDF is to be one for archives; any by default. */
  readonly pdfa?: PdfaLevel | undefined;
  /** Whose pages the PDF is to have: Word's where they are known, or those of the engine in any case. */
  readonly layout?: 'word' | 'engine' | undefined;
}

/** What the engine made of a document. */
interface LaidOut {
  readonly conversion: Conversion;
  /** Folder that the PDF is in. */
  readonly folder: string;
  readonly pagination: Pagination;
}

/** A PDF that passed the verification. Whoever receives it closes the file. */
export interface ConvertedPdf extends VerifiedPdf {
  /** Its descriptor. */
  readonly fd: number;
  readonly conversion: Conversion;
  readonly report: ConversionReport;
}

/** How long the phases of a conversion took, in milliseconds; those that it came to. */
export interface Phases {
  preflight?: number;
  /** The wait for a worker. */
  queue?: number;
  /** The time in the engine. */
  convert?: number;
}

export class Converter {
  readonly #options: ConverterOptions;
  readonly #standIns: StandIns;
  #lastSuccess: number | undefined;

  constructor(options: ConverterOptions) {
    this.#options = options;
    this.#standIns = options.standIns ?? new Map();
  }

  /** When a document was last converted: milliseconds since the epoch, undefined if none was. */
  get lastSuccess(): number | undefined {
    return this.#lastSuccess;
  }

  /**
   * Takes a place for a document before its upload. Whoever takes it leaves it.
   *
   * @throws PlatenError `OVERLOADED` when there is none, or when its wait could not end in time.
   */
  admit(sender: Sender): Place {
    return this.#options.queue.enter(sender);
  }

  /**
   * Converts the upload in the workspace. Disposing of the workspace, whatever happens, stays the caller's; the PDF
   * is an open file and outlives it.
   *
   * @param signal ends everything that runs for this document; the promise then rejects with its reason. Where it
   *   aborts with that of the place as well, a preflight does not go on for a document that has lost its place.
   * @param phases is filled in while the conversion goes on, also by one that fails.
   * @throws PlatenError any code of the catalogue about a file, its conversion or the load.
   */
  async convert(
    workspace: Workspace,
    { place, bytes, storedParts, sha256, cleanAt, pdfa, layout = 'word' }: Submission,
    signal: AbortSignal,
    phases: Phases = {},
  ): Promise<ConvertedPdf> {
    const { preflight } = this.#options;
    const document = { sender: place.sender, sha256, pdfa };
    const isClean = cleanAt !== undefined && performance.now() - cleanAt < LONG_WAIT_MS;
    const remembered = isClean ? undefined : this.#options.poison?.find(document);
    const readFacts = await timed(phases, 'preflight', () =>
      preflight.check(workspace.input, place.sender, signal, storedParts),
    );
    this.#refuse(await remembered);
    const arrived = performance.now();
    // When the engine has the document, this thread has nothing else to do for it.
    const reading = delay(HANDED_OVER_MS).then(readFacts);
    reading.catch(() => {}); // where the conversion fails, nobody asks
    const wordPagination = async () => (layout === 'engine' ? 'requested' : (await reading).wordPagination);
    const run = place.run(
      async (waitedMs) => {
        phases.queue = waitedMs;
        // While it waited, the same document may have failed.
        if (waitedMs > LONG_WAIT_MS) this.#refuse(await this.#options.poison?.find(document));
        return timed(phases, 'convert', () =>
          this.#engineConvert(workspace, place, document, wordPagination, signal),
        );
      },
      bytes,
      signal,
    );
    const laidOut = await run.finally(() => {
      // Also the wait of one that never had its turn.
      phases.queue ??= performance.now() - arrived;
    });
    const { conversion, folder } = laidOut;
    if (pdfa !== undefined) await completeOutput(workspace, folder, pdfa);
    const fd = openOutput(workspace, { folder });
    try {
      const pdf = await verifyPdf(fd, pdfa);
      const facts = await reading;
      const report = this.#report(facts, pdf, laidOut, await missingText(facts.text, pdf));
      this.#lastSuccess = Date.now();
      return { fd, ...pdf, conversion, report };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  #report(
    facts: DocumentFacts,
    pdf: VerifiedPdf,
    { conversion, pagination }: LaidOut,
    percent: number | undefined,
  ): ConversionReport {
    const { fonts, characters, embedsFonts, text, omitted, wordPagination: _, ...others } = facts;
    const { coverage, engine } = this.#options;
    return {
      ...others,
      omitted: omittedBy(engine.status().libreOffice, omitted),
      pages: pdf.pages,
      pagination,
      untagged: !conversion.tagged,
      fonts: pdf.fonts
        ? fontUse(
            fonts,
            pdf.fonts.map(({ name }) => name),
            this.#standIns,
          )
        : [],
      missingPercent: percent,
      // What fonts in the document have is not known.
      missingGlyphs: (coverage && !embedsFonts && missingGlyphs(characters, coverage)) || null,
    };
  }

  /** @throws PlatenError the refusal, if there is one. */
  #refuse(refusal: PlatenError | undefined): void {
    if (!refusal) return;
    this.#options.poison?.countRefusal();
    throw refusal;
  }

  /** A failure is noted before the next in line gets the worker: it may be the same document. */
  async #engineConvert(
    workspace: Workspace,
    place: Place,
    document: SentDocument,
    wordPagination: () => Promise<WordPagination>,
    signal: AbortSignal,
  ): Promise<LaidOut> {
    const { poison } = this.#options;
    const { id, folder } = workspace;
    const job = { id, folder, pdfa: document.pdfa };
    try {
      return await this.#withinBudget(signal, (both) =>
        this.#layOut(job, place.sender, wordPagination, both),
      );
    } catch (error) {
      if (error instanceof PlatenError && budgets.has(error.reason)) place.restrain();
      await poison?.remember(document, error);
      throw error;
    }
  }

  /**
   * The engine's layout; or one with Word's pages, where those are known and the engine's are not as many. That one is
   * taken only where it has Word's number of pages, and nothing that goes wrong with it costs the first.
   */
  async #layOut(
    job: Job,
    sender: Sender,
    wordPagination: () => Promise<WordPagination>,
    signal: AbortSignal,
  ): Promise<LaidOut> {
    const conversion = await this.#options.engine.convert(job, signal);
    const byEngine = (reason: EngineReason): LaidOut => {
      return { conversion, folder: job.folder, pagination: { by: 'engine', reason } };
    };
    const range = await wordPagination();
    if (typeof range === 'string') return byEngine(range);
    if (conversion.pages === undefined || isWithin(conversion.pages, range)) return byEngine('same-pages');
    const folder = join(job.folder, PAGINATED_NAME);
    try {
      const again = await this.#paginate(job, folder, sender, signal);
      if (again.pages === undefined || !isWithin(again.pages, range)) return byEngine('does-not-fit');
      return { conversion: together(conversion, again), folder, pagination: { by: 'word', reason: 'marks' } };
    } catch {
      // Where nobody waits for it any more, the caller sees that itself.
      return byEngine('failed');
    }
  }

  async #paginate(job: Job, folder: string, sender: Sender, signal: AbortSignal): Promise<Conversion> {
    const { engine, preflight } = this.#options;
    await mkdir(folder, { mode: 0o700 });
    await preflight.paginate(join(job.folder, INPUT_NAME), join(folder, INPUT_NAME), sender, signal);
    return engine.convert({ ...job, id: `${job.id}${PAGINATED_ID}`, folder }, signal);
  }

  /** Runs the task with a signal that also aborts when the document's time is used up. */
  async #withinBudget<T>(signal: AbortSignal, task: (both: AbortSignal) => Promise<T>): Promise<T> {
    return withLinkedController([signal], async (budget) => {
      const cancel = afterRunning(this.#options.timeoutMs, () =>
        budget.abort(
          new PlatenError('CONVERSION_FAILED', {
            message: 'The document takes longer than a conversion may last. Split or simplify it.',
            cause: `the document used up its ${this.#options.timeoutMs} ms`,
            reason: 'time',
          }),
        ),
      );
      try {
        return await task(budget.signal);
      } finally {
        cancel();
      }
    });
  }
}

/** Runs the task and notes how long it took, whatever comes of it. */
async function timed<T>(phases: Phases, phase: keyof Phases, task: () => Promise<T>): Promise<T> {
  const started = performance.now();
  try {
    return await task();
  } finally {
    phases[phase] = performance.now() - started;
  }
}

/** In per cent; undefined where none is missing, or where it cannot be told. */
async function missingText(text: TextCounts, { structure, fonts }: VerifiedPdf): Promise<number | undefined> {
  if (!fonts || !mayLackText(text)) return undefined;
  const sketch = await sketchText(structure, fonts);
  return sketch && missingPercent(text, sketch);
}

async function completeOutput(workspace: Workspace, folder: string, pdfa: PdfaLevel): Promise<void> {
  const fd = openOutput(workspace, { folder, writable: true });
  try {
    await completePdfa(fd, pdfa);
  } catch (cause) {
    throw new PlatenError('CONVERSION_FAILED', { cause });
  } finally {
    closeSync(fd);
  }
}

/** What two layouts of a document took together. */
function together(first: Conversion, second: Conversion): Conversion {
  const { attempts, cpuMs, peakBytes } = first;
  return {
    ...second,
    attempts: attempts + second.attempts,
    cpuMs: (cpuMs ?? 0) + (second.cpuMs ?? 0),
    peakBytes: Math.max(peakBytes ?? 0, second.peakBytes ?? 0),
  };
}

function openOutput(workspace: Workspace, output: Parameters<Workspace['openOutput']>[0]): number {
  try {
    return workspace.openOutput(output);
  } catch (error) {
    throw new PlatenError('CONVERSION_FAILED', { cause: error });
  }
}
