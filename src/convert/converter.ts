/** Converts an upload in its workspace to a verified, open PDF. */
import { closeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Conversion, Engine, EngineStatus } from '../engine/engine.ts';
import { assertPossible } from '../engine/option-limits.ts';
import { isShortage, PlatenError } from '../errors.ts';
import {
  type ConversionOptions,
  FACTURX_NAME,
  type FormOptions,
  workOf,
} from '../options/conversion-options.ts';
import type { Place, Queue } from '../queue/queue.ts';
import type { Sender } from '../queue/sender.ts';
import { sha256Of } from '../system/file-digest.ts';
import { withLinkedController } from '../system/linked-controller.ts';
import { afterRunning } from '../system/running-time.ts';
import { type Attributes, noTrace, type Trace } from '../telemetry/trace.ts';
import type { DocumentMetadata } from './document/metadata.ts';
import { type FinishedPdf, finishingJob, finishPdf } from './finish.ts';
import type { FontCoverage } from './fonts/coverage.ts';
import type { StandIns } from './fonts/stand-ins.ts';
import { type LaidOut, type LayoutEngine, layOut } from './lay-out.ts';
import type { StoredParts } from './package/stored-parts.ts';
import { assertPages } from './page-selection.ts';
import { completePdf } from './pdf/complete.ts';
import { sketchText } from './pdf/text.ts';
import { type VerifiedPdf, verifyFinished, verifyPdf } from './pdf/verify.ts';
import type { PoisonMemory, SentDocument } from './poison.ts';
import type { Checked, Preflight } from './preflight/preflight.ts';
import { propertiesIn } from './preflight/properties.ts';
import { mayLackText, missingPercent } from './report/missing-text.ts';
import { reportOf } from './report/report-of.ts';
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
  /** Without defaults; see withoutDefaults. None by default. */
  readonly options?: ConversionOptions | undefined;
  readonly form?: FormOptions | undefined;
}

/** A PDF that passed verification. The receiver closes the file. */
export interface ConvertedPdf extends VerifiedPdf {
  /** Its descriptor. */
  readonly fd: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /** What made it. */
  readonly engine: Pick<EngineStatus, 'libreOffice' | 'fontSet'>;
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

/** Where a conversion is noted while it runs, even if it fails. */
export interface Notes {
  readonly phases?: Phases | undefined;
  /** What its spans are inside of. */
  readonly trace?: Trace;
}

/** What the engine is asked to make. */
interface EngineTask extends Pick<Checked, 'wordPages' | 'compressesPunctuation' | 'time'> {
  readonly document: SentDocument;
  readonly options: ConversionOptions;
  readonly form: FormOptions;
  readonly trace: Trace;
}

/** What the engine has made. */
interface Made {
  readonly laidOut: LaidOut;
  /** The same PDF, after qpdf's work on it. */
  readonly finished?: FinishedPdf | undefined;
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

  /** @throws PlatenError `INVALID_PARAMETER` if the engine cannot do what the options ask for. */
  assertPossible(options: ConversionOptions): void {
    assertPossible(options, this.#options.engine.status());
  }

  /**
   * Converts the upload in the workspace. The caller always disposes of the workspace; the PDF is an open file and
   * outlives it.
   *
   * @param signal ends everything that runs for this document; the promise then rejects with its reason. If it aborts
   * with the reason of the place, a running preflight stops, too.
   * @throws PlatenError any code of the catalogue about a file, its conversion or the load.
   */
  async convert(
    workspace: Workspace,
    { place, bytes, storedParts, sha256, options = {}, form = {} }: Submission,
    signal: AbortSignal,
    { phases = {}, trace = noTrace }: Notes = {},
  ): Promise<ConvertedPdf> {
    const document = { sender: place.sender, sha256, work: workOf(options) };
    const remembered = this.#options.poison?.find(document);
    const check = () => this.#check(workspace, place.sender, { storedParts, options, form }, signal);
    const { readMetadata, ...checked } = await trace.timed('preflight', check, {
      took: (ms) => {
        phases.preflight = ms;
      },
    });
    this.#refuse(await remembered);
    const arrived = performance.now();
    // Once the engine has the document, this thread has nothing else to do for it.
    const reading = delay(HANDED_OVER_MS).then(readMetadata);
    reading.catch(() => {}); // where the conversion fails, nobody asks
    if (options.pdfa !== undefined) assertArchivable(await reading);
    const waited = (ms: number) => {
      phases.queue = ms;
      const now = performance.now();
      trace.note('queue wait', now - ms, now);
    };
    const run = place.run(
      async (waitedMs) => {
        waited(waitedMs);
        // The same document may have failed during the wait.
        if (waitedMs > LONG_WAIT_MS) this.#refuse(await this.#options.poison?.find(document));
        const task = { document, options, form, ...checked };
        return trace.timed(
          'engine',
          (inner) => this.#engineConvert(workspace, place, { ...task, trace: inner }, signal),
          {
            took: (ms) => {
              phases.convert = ms;
            },
            attributesOf: ({ laidOut }) => figuresOf(laidOut.conversion),
          },
        );
      },
      bytes,
      signal,
    );
    const { laidOut, finished } = await run.finally(() => {
      // Includes documents that never got a worker.
      if (phases.queue === undefined) waited(performance.now() - arrived);
    });
    if (!finished) {
      await trace.timed('post-processing', () => completeOutput(workspace, laidOut, options, form));
    }
    return trace.timed('verification', () =>
      this.#verify(workspace, { laidOut, finished }, reading, options),
    );
  }

  /** The preflight: of the document, and of the invoice that is to be attached. */
  async #check(
    workspace: Workspace,
    sender: Sender,
    { storedParts, options = {}, form = {} }: Pick<Submission, 'storedParts' | 'options' | 'form'>,
    signal: AbortSignal,
  ): Promise<Checked> {
    const { preflight, engine } = this.#options;
    const { facturx } = options;
    const checked = await preflight.check(workspace.input, sender, signal, {
      wantsPages: options.layout !== 'engine',
      arrived: storedParts,
      password: form.password,
      libreOffice: engine.status().libreOffice,
      properties: propertiesIn(options),
      shown: { changes: options.changes, fields: options.fields },
    });
    const invoice = form.attachments?.find(({ name }) => name === FACTURX_NAME);
    if (facturx !== undefined && invoice) await preflight.checkInvoice(invoice, facturx, sender, signal);
    return checked;
  }

  /** Opens the PDF that is delivered, and finds out what to say of it. */
  async #verify(
    workspace: Workspace,
    { laidOut, finished }: Made,
    reading: Promise<DocumentMetadata>,
    options: ConversionOptions,
  ): Promise<ConvertedPdf> {
    const { engine } = this.#options;
    const { conversion, folder } = laidOut;
    const fd = openOutput(workspace, { folder });
    let delivered: number | undefined;
    try {
      const pdf = await verifyPdf(fd, options.pdfa);
      delivered = finished && openOutput(workspace, { folder: finished.folder });
      const whole = delivered === undefined ? pdf : await verifyFinished(delivered, finished?.pages, pdf);
      const sha256 = await sha256Of(whole.reader);
      const metadata = await reading;
      // An updated table of contents has other entries.
      const hasAllText = options.pages === undefined && options.fields === undefined;
      const percent = hasAllText ? await missingText(metadata.text, pdf) : undefined;
      const { coverage } = this.#options;
      const known = { coverage, standIns: this.#standIns, libreOffice: engine.status().libreOffice };
      const { pagination } = laidOut;
      const made = { pdf, isTagged: conversion.tagged, pagination, missingPercent: percent };
      const report = reportOf(metadata, made, options, known);
      this.#lastSuccess = Date.now();
      const { rewrites } = metadata;
      // Of the two, only the finished PDF is delivered.
      if (delivered !== undefined) closeSync(fd);
      return {
        fd: delivered ?? fd,
        ...whole,
        sha256,
        engine: engine.status(),
        conversion,
        report,
        rewrites,
        layoutFailure: laidOut.failure,
      };
    } catch (error) {
      closeAll(fd, delivered);
      throw error;
    }
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
    task: EngineTask,
    signal: AbortSignal,
  ): Promise<Made> {
    try {
      return await this.#withinBudget(signal, (both) => this.#make(workspace, place.sender, task, both));
    } catch (error) {
      if (error instanceof PlatenError && budgets.has(error.reason)) place.restrain();
      await this.#options.poison?.remember(task.document, error);
      throw error;
    }
  }

  /** Everything that runs in the engine. */
  async #make(workspace: Workspace, sender: Sender, task: EngineTask, signal: AbortSignal): Promise<Made> {
    const { preflight, engine } = this.#options;
    const { options, form, wordPages, compressesPunctuation, time: clock, trace } = task;
    const { id, folder } = workspace;
    const { pages, comments, fields, ...rest } = options;
    const updatesFields = fields === 'updated';
    // Files of jobs run on workers that others may need any moment.
    const isPatient = sender.class === 'job';
    const job = { id, folder, export: rest, compressesPunctuation, clock, isPatient };
    const last = { pages, comments, updatesFields };
    const layouts: LayoutEngine = {
      convert: (each, both) => {
        return trace.timed('layout', () => engine.convert(each, both), { attributesOf: figuresOf });
      },
      status: () => engine.status(),
    };
    const layOutOptions = { engine: layouts, preflight, workspace, sender, wordPages, last };
    const laidOut = await layOut(job, layOutOptions, signal).catch(async (error: unknown) => {
      if (pages !== undefined) await assertPages(engine, workspace, job, pages, error, signal);
      throw error;
    });
    const qpdf = finishingJob(options, form);
    if (!qpdf) return { laidOut };
    const work = { qpdf, isAccessible: options.pdfua, password: form.userPassword ?? form.ownerPassword };
    const finished = await trace.timed('post-processing', async () => {
      await completeOutput(workspace, laidOut, options, form);
      return finishPdf(engine, job, laidOut.folder, work, signal);
    });
    return { laidOut, finished };
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

function figuresOf({ pages, peakBytes, cpuMs, attempts }: Conversion): Attributes {
  return {
    'platen.pages': pages,
    'platen.peak_bytes': peakBytes,
    'platen.cpu_ms': cpuMs,
    'platen.attempts': attempts,
  };
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

async function completeOutput(
  workspace: Workspace,
  { folder, isAnchored }: LaidOut,
  { pdfa, pdfua, keywords, facturx, attachmentRelationship: relationship }: ConversionOptions,
  { attachments }: FormOptions,
): Promise<void> {
  if (pdfa === undefined && !pdfua && keywords === undefined && !isAnchored && !attachments) return;
  const fd = openOutput(workspace, { folder, writable: true });
  const open = (path: string) => workspace.openAttachment(path);
  const attached = attachments && { attachments, open, relationship, facturx };
  try {
    await completePdf(fd, { pdfa, pdfua, isAnchored, keywords, attached });
  } catch (cause) {
    throw failureBy(cause);
  } finally {
    closeSync(fd);
  }
}

/** Maps a failure to open or write the PDF. A full disk, or a lack of descriptors, is the server's fault. */
function failureBy(cause: unknown): PlatenError {
  const isOurs = (cause as NodeJS.ErrnoException).syscall === 'write' || isShortage(cause);
  return new PlatenError(isOurs ? 'SERVICE_UNAVAILABLE' : 'CONVERSION_FAILED', { cause });
}

function closeAll(...fds: readonly (number | undefined)[]): void {
  for (const fd of fds) if (fd !== undefined) closeSync(fd);
}

function openOutput(workspace: Workspace, output: Parameters<Workspace['openOutput']>[0]): number {
  try {
    return workspace.openOutput(output);
  } catch (error) {
    throw failureBy(error);
  }
}
