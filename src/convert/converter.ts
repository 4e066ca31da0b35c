/** From an upload in its workspace to a verified, open PDF. */
import type { FileHandle } from 'node:fs/promises';
import type { Conversion, Engine } from '../engine/engine.ts';
import type { Queue } from '../engine/queue.ts';
import { PlatenError } from '../errors.ts';
import type { Preflight } from './preflight.ts';
import { type VerifiedPdf, verifyPdf } from './verify.ts';
import type { Workspace } from './workspace.ts';

export interface ConverterOptions {
  readonly preflight: Preflight;
  readonly engine: Engine;
  readonly queue: Queue;
  /** How long one document may run in the engine, in milliseconds. */
  readonly timeoutMs: number;
}

/** A PDF that passed the verification. Whoever receives it closes the file. */
export interface ConvertedPdf extends VerifiedPdf {
  readonly file: FileHandle;
  readonly conversion: Conversion;
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
  #lastSuccess: number | undefined;

  constructor(options: ConverterOptions) {
    this.#options = options;
  }

  /** When a document was last converted: milliseconds since the epoch, undefined if none was. */
  get lastSuccess(): number | undefined {
    return this.#lastSuccess;
  }

  /**
   * Refuses a document before its upload when its wait could not end in time.
   *
   * @throws PlatenError `OVERLOADED`, `SERVICE_UNAVAILABLE`
   */
  assertRoom(): void {
    this.#options.queue.assertRoom();
  }

  /**
   * Converts the upload in the workspace. Disposing of the workspace, whatever happens, stays the caller's; the PDF
   * is an open file and outlives it.
   *
   * @param signal ends everything that runs for this document; the promise then rejects with its reason.
   * @param phases is filled in while the conversion goes on, also by one that fails.
   * @throws PlatenError any code of the catalogue about a file, its conversion or the load.
   */
  async convert(workspace: Workspace, signal: AbortSignal, phases: Phases = {}): Promise<ConvertedPdf> {
    const { preflight, engine, queue } = this.#options;
    await timed(phases, 'preflight', () => preflight.check(workspace.input, signal));
    const arrived = performance.now();
    const run = queue.run(async (waitedMs) => {
      phases.queue = waitedMs;
      return timed(phases, 'convert', () =>
        this.#withinBudget(signal, (both) => engine.convert(workspace, both)),
      );
    }, signal);
    const conversion = await run.finally(() => {
      // Also the wait of one that never had its turn.
      phases.queue ??= performance.now() - arrived;
    });
    const file = await openOutput(workspace);
    try {
      const pdf = await verifyPdf(file);
      this.#lastSuccess = Date.now();
      return { file, ...pdf, conversion };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Runs the task with a signal that also aborts when the document's time is used up. */
  async #withinBudget<T>(signal: AbortSignal, task: (both: AbortSignal) => Promise<T>): Promise<T> {
    const budget = new AbortController();
    const timer = setTimeout(() => {
      budget.abort(
        new PlatenError('CONVERSION_FAILED', {
          message: 'The document takes longer than a conversion may last. Split or simplify it.',
          cause: `the document used up its ${this.#options.timeoutMs} ms`,
        }),
      );
    }, this.#options.timeoutMs);
    try {
      return await task(AbortSignal.any([signal, budget.signal]));
    } finally {
      clearTimeout(timer);
    }
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

async function openOutput(workspace: Workspace): Promise<FileHandle> {
  try {
    return await workspace.openOutput();
  } catch (error) {
    throw new PlatenError('CONVERSION_FAILED', { cause: error });
  }
}
