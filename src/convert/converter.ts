/** Converts an upload in its workspace to a verified, open PDF. */
import { closeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Conversion, Engine } from '../engine/engine.ts';
import type { PdfaLevel } from '../engine/pdfa.ts';
import { PlatenError } from '../errors.ts';
import type { Place, Queue } from '../queue/queue.ts';
import type { Sender } from '../queue/sender.ts';
import { withLinkedController } from '../system/linked-controller.ts';
import { afterRunning } from '../system/running-time.ts';
import type { DocumentMetadata } from './document/metadata.ts';
import { omittedBy } from './document/omitted-content.ts';
import type { FontCoverage } from './fonts/coverage.ts';
import type { StandIns } from './fonts/stand-ins.ts';
import { type LaidOut, layOut } from './lay-out.ts';
import type { StoredParts } from './package/stored-parts.ts';
import { type Completion, completePdf } from './pdf/complete.ts';
import { sketchText } from './pdf/text.ts';
import { type VerifiedPdf, verifyPdf } from './pdf/verify.ts';
import type { PoisonMemory, SentDocument } from './poison.ts';
import type { Checked, Preflight } from './preflight/preflight.ts';
import { fontUse } from './report/font-use.ts';
import { missingGlyphs } from './report/missing-glyphs.ts';
import { mayLackText, missingPercent } from './report/missing-text.ts';
import type { ConversionReport } from './report/warnings.ts';
import type { TextCounts } from './text/sketch.ts';
import type { Workspace } from './workspace.ts';

/** Milliseconds in the queue after which the poison memory is asked again. */
const LONG_WAIT_MS = 100;
/** Milliseconds after which the engine has the document, if a worker is free. */
const HANDED_OVER_MS = 1;
/** Reasons of failures that used up a whole budget. */
const budgets: ReadonlySet<string | undefined> = new Set(['time', 'cpu', 'memory']);

export interface ConverterOptions {
  readonly preflight: Preflight;
  readonly engine: Engine;
  readonly queue: Queue;
  /** Undefined: every document is tried. */
  readonly poison?: PoisonMemory | undefined;
  /** How long one document may run in the engine, in milliseconds. */
  readonly timeoutMs: number;
  /** Knows the stand-in fonts; none by default. */
  readonly standIns?: StandIns;
  /** The characters of the engine's fonts. Undefined: unknown, and no warning of missing glyphs is given. */
  readonly coverage?: FontCoverage | undefined;
}

/** What is known of an upload, apart from its content. */
export interface Submission {
  /** Its place in the queue. The caller leaves it. */
  readonly place: Place;
  /** Its size in bytes: among one sender's documents, smaller ones go first. */
  readonly bytes: number;
  /** The parts that were checked while they arrived. */
  readonly storedParts?: StoredParts | undefined;
  /** SHA-256 of its content, in hexadecimal; undefined if the document is always tried. */
  readonly sha256: string | undefined;
  /** The level of PDF/A that the PDF must have; undefined for a plain PDF. */
  readonly pdfa?: PdfaLevel | undefined;
  /** Whose page breaks the PDF gets: Word's if they are known, or always the engine's. */
  readonly layout?: 'word' | 'engine' | undefined;
}

/** A PDF that passed verification. The receiver closes the file. */
export interface ConvertedPdf extends VerifiedPdf {
  /** Its descriptor. */
  readonly fd: number;
  readonly conversion: Conversion;
  readonly report: ConversionReport;
  /** The code of the error by which a further layout of the document failed. */
  readonly layoutFailure: string | undefined;
  /** Names of the rules by which the document was rewritten for the engine. */
  readonly rewrites: readonly string[];
}

/** Milliseconds of each phase that the conversion reached. */
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

  /** Time of the last successful conversion, in milliseconds since the epoch; undefined if there was none. */
  get lastSuccess(): number | undefined {
    return this.#lastSuccess;
  }

  /**
   * Takes a place for a document before its upload. The caller leaves it.
   *
   * @throws PlatenError `OVERLOADED` if there is no place, or if the wait could not end in time.
   */
  admit(sender: Sender): Place {
    return this.#options.queue.enter(sender);
  }

  /**
   * Converts the upload in the workspace. The caller always disposes of the workspace; the PDF is an open file and
   * outlives it.
   *
   * @param signal ends everything that runs for this document; the promise then rejects with its reason. If it aborts
   * with the reason of the place, a running preflight stops, too.
   * @param phases is filled in while the conversion runs, even if it fails.
   * @throws PlatenError any code of the catalogue about a file, its conversion or the load.
   */
  async convert(
    workspace: Workspace,
    { place, bytes, storedParts, sha256, pdfa, layout = 'word' }: Submission,
    signal: AbortSignal,
    phases: Phases = {},
  ): Promise<ConvertedPdf> {
    const { preflight, engine } = this.#options;
    const document = { sender: place.sender, sha256, pdfa };
    const remembered = this.#options.poison?.find(document);
    const { readMetadata, wordPages, compressesPunctuation } = await timed(phases, 'preflight', () =>
      preflight.check(workspace.input, place.sender, signal, {
        wantsPages: layout === 'word',
        arrived: storedParts,
        libreOffice: engine.status().libreOffice,
      }),
    );
    this.#refuse(await remembered);
    const arrived = performance.now();
    // Once the engine has the document, this thread has nothing else to do for it.
    const reading = delay(HANDED_OVER_MS).then(readMetadata);
    reading.catch(() => {}); // where the conversion fails, nobody asks
    if (pdfa !== undefined) assertArchivable(await reading);
    const run = place.run(
      async (waitedMs) => {
        phases.queue = waitedMs;
        // The same document may have failed during the wait.
        if (waitedMs > LONG_WAIT_MS) this.#refuse(await this.#options.poison?.find(document));
        return timed(phases, 'convert', () =>
          this.#engineConvert(workspace, place, document, { wordPages, compressesPunctuation }, signal),
        );
      },
      bytes,
      signal,
    );
    const laidOut = await run.finally(() => {
      // Includes documents that never got a worker.
      phases.queue ??= performance.now() - arrived;
    });
    const { conversion, folder, isAnchored } = laidOut;
    await completeOutput(workspace, folder, { pdfa, isAnchored });
    const fd = openOutput(workspace, { folder });
    try {
      const pdf = await verifyPdf(fd, pdfa);
      const metadata = await reading;
      const report = this.#report(metadata, pdf, laidOut, await missingText(metadata.text, pdf));
      this.#lastSuccess = Date.now();
      return { fd, ...pdf, conversion, report, rewrites: metadata.rewrites, layoutFailure: laidOut.failure };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  #report(
    metadata: DocumentMetadata,
    pdf: VerifiedPdf,
    { conversion, pagination }: LaidOut,
    percent: number | undefined,
  ): ConversionReport {
    const {
      fonts,
      lastResorts,
      characters,
      embedsFonts,
      text,
      omitted,
      pdfPictures: _,
      rewrites: __,
      ...others
    } = metadata;
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
            lastResorts,
          )
        : [],
      missingPercent: percent,
      // The characters of embedded fonts are unknown.
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
    { wordPages, compressesPunctuation }: Pick<Checked, 'wordPages' | 'compressesPunctuation'>,
    signal: AbortSignal,
  ): Promise<LaidOut> {
    const { poison, engine, preflight } = this.#options;
    const { id, folder } = workspace;
    const job = { id, folder, pdfa: document.pdfa, compressesPunctuation };
    try {
      const options = { engine, preflight, workspace, sender: place.sender, wordPages };
      return await this.#withinBudget(signal, (both) => layOut(job, options, both));
    } catch (error) {
      if (error instanceof PlatenError && budgets.has(error.reason)) place.restrain();
      await poison?.remember(document, error);
      throw error;
    }
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

/** Runs the task and records its duration, even if it fails. */
async function timed<T>(phases: Phases, phase: keyof Phases, task: () => Promise<T>): Promise<T> {
  const started = performance.now();
  try {
    return await task();
  } finally {
    phases[phase] = performance.now() - started;
  }
}

/** In per cent; undefined if nothing is missing or it cannot be determined. */
async function missingText(text: TextCounts, { structure, fonts }: VerifiedPdf): Promise<number | undefined> {
  if (!fonts || !mayLackText(text)) return undefined;
  const sketch = await sketchText(structure, fonts);
  return sketch && missingPercent(text, sketch);
}

/**
 * LibreOffice copies PDF pictures unchanged, even into PDF/A, with transparency and without embedding their fonts.
 *
 * @throws PlatenError `CONVERSION_FAILED`
 */
function assertArchivable({ pdfPictures }: DocumentMetadata): void {
  if (pdfPictures === 0) return;
  throw new PlatenError('CONVERSION_FAILED', {
    message:
      'The document shows a PDF as a picture, which cannot be part of a PDF/A. Convert that picture to PNG, JPEG or SVG, or ' +
      'leave out pdfa.',
    reason: 'pdf-picture',
  });
}

async function completeOutput(workspace: Workspace, folder: string, completion: Completion): Promise<void> {
  if (completion.pdfa === undefined && !completion.isAnchored) return;
  const fd = openOutput(workspace, { folder, writable: true });
  try {
    await completePdf(fd, completion);
  } catch (cause) {
    throw new PlatenError('CONVERSION_FAILED', { cause });
  } finally {
    closeSync(fd);
  }
}

function openOutput(workspace: Workspace, output: Parameters<Workspace['openOutput']>[0]): number {
  try {
    return workspace.openOutput(output);
  } catch (error) {
    throw new PlatenError('CONVERSION_FAILED', { cause: error });
  }
}
