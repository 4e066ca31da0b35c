/** An engine that converts nothing: it waits as long as a measured document took, and returns a ready PDF. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Conversion,
  type ConversionJob,
  type Engine,
  type EngineStatus,
  OUTPUT_NAME,
} from '../../src/engine/engine.ts';
import { sandboxOf } from '../../src/engine/sandbox.ts';

const EVERY_LAYER = 15;

export interface WaitingEngineOptions {
  /** Path of the PDF, and its pages. */
  readonly pdf: string;
  readonly pages: number;
  /** Milliseconds in the engine for each measured document: each wait is one of them, chosen at random. */
  readonly times: readonly number[];
}

export class WaitingEngine implements Engine {
  readonly #options: WaitingEngineOptions;
  #documents = 0;
  #running = 0;

  constructor(options: WaitingEngineOptions) {
    if (options.times.length === 0) throw new RangeError('there are no times to wait');
    this.#options = options;
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  async convert({ folder }: ConversionJob, signal: AbortSignal): Promise<Conversion> {
    const { pdf, pages, times } = this.#options;
    this.#documents++;
    this.#running++;
    try {
      const waitMs = times[Math.floor(Math.random() * times.length)] ?? 0;
      await delay(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
      await copyFile(pdf, join(folder, OUTPUT_NAME));
      return {
        peakBytes: undefined,
        pages,
        cpuMs: undefined,
        attempts: 1,
        tagged: true,
        isolation: 'document',
      };
    } finally {
      this.#running--;
    }
  }

  /** @throws Error always: the load has no options that need it. */
  finish(): Promise<number> {
    return Promise.reject(new Error('the waiting engine finishes no PDF'));
  }

  /** @throws Error always, likewise. */
  draw(): Promise<void> {
    return Promise.reject(new Error('the waiting engine draws no picture'));
  }

  status(): EngineStatus {
    return {
      engine: 'kit',
      ready: true,
      libreOffice: undefined,
      fontSet: undefined,
      poppler: undefined,
      pid: undefined,
      sandbox: sandboxOf(EVERY_LAYER),
      restarts: 0,
      renewals: 0,
      documentsPerChild: 1,
      children: { idle: 0, running: this.#running },
      documents: this.#documents,
    };
  }
}
