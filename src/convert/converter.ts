/** From an upload in its workspace to a verified, open PDF. */
import { closeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Conversion, Engine } from '../engine/engine.ts';
import type { PdfaLevel } from '../engine/pdfa.ts';
import type { Place, Queue } from '../engine/queue.ts';
import type { Sender } from '../engine/sender.ts';
import { PlatenError } from '../errors.ts';
import { withLinkedController } from '../linked-controller.ts';
import { afterRunning } from '../running-time.ts';
import type { DocumentFacts } from './facts/document-facts.ts';
import type { FontCoverage } from './font-coverage.ts';
import { fontUse } from './font-use.ts';
import { missingGlyphs } from './missing-glyphs.ts';
import { mayLackText, missingPercent } from './missing-text.ts';
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
    { place, bytes, storedParts, sha256, cleanAt, pdfa }: Submission,
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
    const run = place.run(
      async (waitedMs) => {
        phases.queue = waitedMs;
        // While it waited, the same document may have failed.
        if (waitedMs > LONG_WAIT_MS) this.#refuse(await this.#options.poison?.find(document));
        return timed(phases, 'convert', () => this.#engineConvert(workspace, place, document, signal));
      },
      bytes,
      signal,
    );
    // This thread has nothing else to do for this document now.
    const reading = delay(HANDED_OVER_MS).then(readFacts);
    reading.catch(() => {}); // where the conversion fails, nobody asks
    const conversion = await run.finally(() => {
      // Also the wait of one that never had its turn.
      phases.queue ??= performance.now() - arrived;
    });
    if (pdfa !== undefined) await completeOutput(workspace, pdfa);
    const fd = openOutput(workspace);
    try {
      const pdf = await verifyPdf(fd, pdfa);
      const facts = await reading;
      const report = this.#report(facts, pdf, conversion, await missingText(facts.text, pdf));
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
    { tagged }: Conversion,
    percent: number | undefined,
  ): ConversionReport {
    const { fonts, characters, embedsFonts, text, ...others } = facts;
    const { coverage } = this.#options;
    return {
      ...others,
      pages: pdf.pages,
      untagged: !tagged,
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
    signal: AbortSignal,
  ): Promise<Conversion> {
    const { engine, poison } = this.#options;
    const { id, folder } = workspace;
    const job = { id, folder, pdfa: document.pdfa };
    try {
      return await this.#withinBudget(signal, (both) => engine.convert(job, both));
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

async function completeOutput(workspace: Workspace, pdfa: PdfaLevel): Promise<void> {
  const fd = openOutput(workspace, { writable: true });
  try {
    await completePdfa(fd, pdfa);
  } catch (cause) {
    throw new PlatenError('CONVERSION_FAILED', { cause });
  } finally {
    closeSync(fd);
  }
}

function openOutput(workspace: Workspace, access?: { readonly writable: boolean }): number {
  try {
    return workspace.openOutput(access);
  } catch (error) {
    throw new PlatenError('CONVERSION_FAILED', { cause: error });
  }
}
