/** Converts an upload in its workspace to a verified, open PDF. */
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { type Conversion, type Engine, type EngineStatus, INPUT_NAME } from '../engine/engine.ts';
import { assertPossible } from '../engine/option-limits.ts';
import { PlatenError } from '../errors.ts';
import type { Place, Queue } from '../queue/queue.ts';
import { ownerOf, type Sender } from '../queue/sender.ts';
import {
  type ConversionOptions,
  FACTURX_NAME,
  type Format,
  type FormOptions,
  formatOf,
  workOf,
} from '../shared/options/conversion-options.ts';
import { withLinkedController } from '../system/linked-controller.ts';
import { TailReader } from '../system/tail-reader.ts';
import { TimeBudget } from '../system/time-budget.ts';
import { type Attributes, noTrace, type Trace } from '../telemetry/trace.ts';
import type { PageNumbers } from './document/page-numbers.ts';
import { type FinishedPdf, finishingJob, finishPdf } from './finish.ts';
import { type LaidOut, type LayOutOptions, type LayoutEngine, layOut } from './lay-out.ts';
import { assertPages } from './page-selection.ts';
import { openOutput, openPicture, outputFailure } from './pdf/output-file.ts';
import { drawPicture, type Picture } from './picture.ts';
import type { PoisonMemory, SentDocument } from './poison.ts';
import { propertiesIn } from './preflight/properties.ts';
import type { Inspected } from './reading/document-tasks.ts';
import type { Verified } from './reading/output-tasks.ts';
import type { Readers, Reading } from './reading/readers.ts';
import type { Workspace } from './workspace.ts';

/** Milliseconds in the queue after which the poison memory is asked again. */
const LONG_WAIT_MS = 100;
/** Of the time that is left after a document's first layout, what further ones may take: the PDF is still to be verified. */
const FURTHER_SHARE = 2 / 3;
/** Reasons of failures that used up a whole budget. */
const budgets: ReadonlySet<string | undefined> = new Set(['time', 'cpu', 'memory']);

interface ConverterOptions {
  readonly readers: Readers;
  readonly engine: Engine;
  readonly queue: Queue;
  /** Undefined: every document is tried. */
  readonly poison?: PoisonMemory | undefined;
  /** How long one document may be read and run in the engine, in milliseconds. */
  readonly timeoutMs: number;
}

/** What is known of an upload, apart from its content. */
interface Submission {
  /** Its place in the queue. The caller leaves it. */
  readonly place: Place;
  /** Its size in bytes. */
  readonly bytes: number;
  /** Its turn among documents of one sender: the smaller first. By default that is its size; readers take documents as they come. */
  readonly rank?: (() => number) | undefined;
  /** SHA-256 of its content, in hexadecimal; undefined if the document is always tried. */
  readonly sha256: string | undefined;
  /** Without defaults; see withoutDefaults. None by default. */
  readonly options?: ConversionOptions | undefined;
  readonly form?: FormOptions | undefined;
  /** Whose it is, if not its sender's: one process may convert several documents of one owner. */
  readonly owner?: string | undefined;
  /** Whether its PDF becomes a part of another: qpdf's work is on that. */
  readonly isPart?: boolean | undefined;
  /** Of a part whose pages are counted with those of the others; as the document says by default. */
  readonly pageNumbers?: PageNumbers | undefined;
}

/** A PDF that passed verification, or the picture of one of its pages. The receiver closes the file. */
export interface ConvertedPdf extends Omit<Verified, 'pictureSha256'> {
  readonly format: Format;
  /** Folder of the file, in the workspace. */
  readonly folder: string;
  /** Of the PDF, in hexadecimal; `sha256` is that of the file. */
  readonly pdfSha256: string;
  /** Its descriptor. */
  readonly fd: number;
  /** Size in bytes. */
  readonly bytes: number;
  /** Reads the file. */
  readonly reader: TailReader;
  /** What made it. */
  readonly engine: Pick<EngineStatus, 'libreOffice' | 'fontSet' | 'poppler'>;
  readonly conversion: Conversion;
  readonly layouts: LaidOut['layouts'];
  /** The code of the error by which a further layout of the document failed. */
  readonly layoutFailure: string | undefined;
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
interface Notes {
  readonly phases?: Phases | undefined;
  /** What its spans are inside of. */
  readonly trace?: Trace;
  /** Is told of the budget from which its running time is taken. */
  readonly onBudget?: ((budget: TimeBudget) => void) | undefined;
}

/** What the engine is asked to make. */
interface EngineTask extends Inspected {
  readonly document: SentDocument;
  readonly options: ConversionOptions;
  readonly form: FormOptions;
  readonly owner: string | undefined;
  readonly isPart: boolean;
  readonly totalPages: number | undefined;
  readonly budget: TimeBudget;
  readonly trace: Trace;
}

/** What the engine has made. */
interface EngineOutput {
  readonly laidOut: LaidOut;
  /** How many diagonal lines in cells it lacks; undefined: it is still to be completed. */
  readonly missingLines?: number | undefined;
  /** The same PDF, after qpdf's work on it. */
  readonly finished?: FinishedPdf | undefined;
  /** Of one of its pages. */
  readonly picture?: Picture | undefined;
}

export class Converter {
  readonly #options: ConverterOptions;
  #lastSuccess: number | undefined;

  constructor(options: ConverterOptions) {
    this.#options = options;
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
    submission: Submission,
    signal: AbortSignal,
    notes: Notes = {},
  ): Promise<ConvertedPdf> {
    const convert = await this.check(workspace, submission, signal, notes);
    return convert();
  }

  /**
   * The first half of {@link convert}: the preflight.
   *
   * @returns the second half, to be called once. It may wait: only what runs takes of the document's time.
   */
  async check(
    workspace: Workspace,
    {
      place,
      bytes,
      rank,
      sha256,
      options = {},
      form = {},
      owner = ownerOf(place.sender),
      isPart = false,
      pageNumbers,
    }: Submission,
    signal: AbortSignal,
    { phases = {}, trace = noTrace, onBudget }: Notes = {},
  ): Promise<() => Promise<ConvertedPdf>> {
    const document = { sender: place.sender, sha256, work: workOf(options) };
    const budget = new TimeBudget(this.#options.timeoutMs);
    onBudget?.(budget);
    const refuse = async () => this.#refuse(await this.#options.poison?.find(document));
    await refuse();
    // The same document may have failed during a wait.
    const mayBegin = async (waitedMs: number) => (waitedMs > LONG_WAIT_MS ? refuse() : undefined);
    const reading = { signal, budget };
    const { sender, isPatient } = place;
    const first = { ...reading, sender, isPatient, rank: rank?.(), mayBegin };
    const inspect = () => this.#inspect(workspace, { options, form, pageNumbers }, first);
    const { result: inspected, rest: metadata } = await this.#remembering(document, () =>
      trace.timed('preflight', inspect, {
        took: (ms) => {
          phases.preflight = ms;
        },
      }),
    );
    return async () => {
      const arrived = performance.now();
      const waited = (ms: number) => {
        phases.queue = ms;
        const now = performance.now();
        trace.note('queue wait', now - ms, now);
      };
      const run = place.run(
        async (waitedMs) => {
          waited(waitedMs);
          await mayBegin(waitedMs);
          const totalPages = pageNumbers?.total;
          const task = { document, options, form, owner, isPart, totalPages, budget, ...inspected };
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
        rank?.() ?? bytes,
        signal,
      );
      const made = await run.finally(() => {
        // Includes documents that never got a worker.
        if (phases.queue === undefined) waited(performance.now() - arrived);
      });
      return this.#remembering(document, async () => {
        const { markedCells } = inspected;
        const missingLines =
          made.missingLines ??
          (await trace.timed('post-processing', () =>
            this.#complete(made.laidOut, { options, form, markedCells }, reading),
          ));
        return trace.timed('verification', async () =>
          this.#verify({ ...made, missingLines, isPart }, await metadata, options, reading),
        );
      });
    };
  }

  /** The preflight: of the document, and of the invoice that is to be attached. */
  #inspect(
    { input, folder }: Workspace,
    { options = {}, form = {}, pageNumbers }: Pick<Submission, 'options' | 'form' | 'pageNumbers'>,
    reading: Parameters<Readers['inspect']>[1],
  ): ReturnType<Readers['inspect']> {
    const { readers, engine } = this.#options;
    const { facturx: profile, changes, fields, pdfa } = options;
    const invoice = form.attachments?.find(({ name }) => name === FACTURX_NAME);
    const inspection = {
      path: input,
      target: join(folder, INPUT_NAME),
      layout: options.layout,
      password: form.password,
      libreOffice: engine.status().libreOffice,
      properties: propertiesIn(options),
      shown: { changes, fields, pageNumbers },
      pdfa,
      invoice: profile && invoice && { path: invoice.path, bytes: invoice.bytes, profile },
    };
    return readers.inspect(inspection, reading);
  }

  /** @returns how many diagonal lines in cells the PDF lacks. */
  async #complete(
    { folder, isAnchored }: LaidOut,
    { options, form, markedCells }: Pick<EngineTask, 'options' | 'form' | 'markedCells'>,
    reading: Reading,
  ): Promise<number> {
    const { pdfa, pdfua, keywords, facturx, attachmentRelationship } = options;
    const { attachments } = form;
    const isAsked = pdfa !== undefined || pdfua || keywords !== undefined || attachments;
    if (!isAsked && !isAnchored && markedCells.length === 0) return 0;
    const asked = { pdfa, pdfua, keywords, facturx, attachmentRelationship, attachments };
    const completion = { ...asked, isAnchored, markedCells };
    return this.#options.readers.complete(folder, completion, reading);
  }

  /** Has the PDF that is delivered verified, and opens it. */
  async #verify(
    {
      laidOut,
      finished,
      picture,
      missingLines,
      isPart,
    }: EngineOutput & { readonly missingLines: number; readonly isPart: boolean },
    metadata: Buffer,
    options: ConversionOptions,
    reading: Reading,
  ): Promise<ConvertedPdf> {
    const { engine, readers } = this.#options;
    const { conversion, folder, pagination, layouts, failure: layoutFailure } = laidOut;
    const { libreOffice } = engine.status();
    const made = { folder, finished, picture, missingLines, pagination, isTagged: conversion.tagged };
    const {
      sha256: pdfSha256,
      pictureSha256,
      ...verified
    } = await readers.verify({ ...made, metadata, options, libreOffice, isPart }, reading);
    let fd: number | undefined;
    try {
      const own = picture?.folder ?? finished?.folder ?? folder;
      fd = picture ? openPicture(own) : openOutput(own);
      const reader = TailReader.over(fd);
      this.#lastSuccess = Date.now();
      return {
        ...verified,
        format: formatOf(options),
        folder: own,
        sha256: pictureSha256 ?? pdfSha256,
        pdfSha256,
        fd,
        bytes: reader.size,
        reader,
        engine: engine.status(),
        conversion,
        layouts,
        layoutFailure,
      };
    } catch (error) {
      if (fd !== undefined) closeSync(fd);
      throw outputFailure(error);
    }
  }

  /** Remembers the document if the task fails because of it. */
  async #remembering<T>(document: SentDocument, task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } catch (error) {
      await this.#options.poison?.remember(document, error);
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
  ): Promise<EngineOutput> {
    return this.#remembering(task.document, async () => {
      try {
        return await this.#withinBudget(task.budget, signal, (both) =>
          this.#make(workspace, place.sender.class === 'job', task, both),
        );
      } catch (error) {
        if (error instanceof PlatenError && budgets.has(error.reason)) place.restrain();
        throw error;
      }
    });
  }

  /** Everything that runs in the engine. */
  async #make(
    { id, folder }: Workspace,
    isPatient: boolean,
    task: EngineTask,
    signal: AbortSignal,
  ): Promise<EngineOutput> {
    const { readers, engine } = this.#options;
    const { options, form, wordPages, dependsOnPages, fillsIndexes, compressesPunctuation } = task;
    const { joinsScripts, blankPages, time: clock, totalPages, trace } = task;
    const { pages, comments, fields, failOn: _, isolation, ...rest } = options;
    // A PDF's fields have fonts of their viewer: a picture shows their content instead.
    const exported = rest.format === 'png' ? { ...rest, formFields: false } : rest;
    const updatesFields = fields === 'updated';
    // What somebody has locked ends with its process.
    const isApart = isolation === 'document' || form.password !== undefined;
    const job = {
      id,
      folder,
      export: exported,
      compressesPunctuation,
      joinsScripts,
      clock,
      isPatient,
      owner: isApart ? undefined : task.owner,
      updatesFields: fillsIndexes,
    };
    // Word prints the pages that stay blank before others, and counts them: so must numbers that go on in the next document.
    const hasBlanks = blankPages || totalPages !== undefined;
    const last = { pages, comments, updatesFields, ...(hasBlanks && { blankPages: true }) };
    const layouts: LayoutEngine = {
      convert: (each, both) => {
        return trace.timed('layout', () => engine.convert(each, both), { attributesOf: figuresOf });
      },
      status: () => engine.status(),
    };
    const withinShare: LayOutOptions['withinShare'] = (more) =>
      this.#withinBudget(new TimeBudget(task.budget.leftMs * FURTHER_SHARE), signal, more);
    const known = { wordPages, dependsOnPages, totalPages };
    const layOutOptions = { engine: layouts, readers, ...known, withinShare, last };
    const laidOut = await layOut(job, layOutOptions, signal).catch(async (error: unknown) => {
      if (pages !== undefined) await assertPages(engine, readers, job, pages, error, signal);
      throw error;
    });
    if (options.format === 'png') {
      const missingLines = await this.#complete(laidOut, task, { signal });
      const draw = () => drawPicture({ engine, readers }, job, laidOut.folder, options, signal);
      return { laidOut, missingLines, picture: await trace.timed('drawing', draw) };
    }
    const qpdf = task.isPart ? undefined : finishingJob(options, form);
    if (!qpdf) return { laidOut };
    const work = { qpdf, isAccessible: options.pdfua, password: form.userPassword ?? form.ownerPassword };
    return trace.timed('post-processing', async () => {
      const missingLines = await this.#complete(laidOut, task, { signal });
      return { laidOut, missingLines, finished: await finishPdf(engine, job, laidOut.folder, work, signal) };
    });
  }

  /** Runs the task with a signal that also aborts when the document's time is used up. */
  async #withinBudget<T>(
    budget: TimeBudget,
    signal: AbortSignal,
    task: (both: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return withLinkedController([signal], (linked) => {
      const end = () =>
        linked.abort(
          new PlatenError('CONVERSION_FAILED', {
            message: 'The document takes longer than a conversion may last. Split or simplify it.',
            cause: `the document used up its ${this.#options.timeoutMs} ms`,
            reason: 'time',
          }),
        );
      return budget.spend(end, () => task(linked.signal));
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
