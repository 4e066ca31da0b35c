/**
 * Whether a conversion would succeed now: known from the last real one or, if there was none for a while, from a
 * small document that is converted in the background. Requests for the health never start a conversion.
 */
import { closeSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { withLinkedController } from '../system/linked-controller.ts';
import type { Log } from '../system/log.ts';
import type { Converter } from './converter.ts';
import type { Workspaces } from './workspace.ts';

interface ProbeOptions {
  readonly converter: Converter;
  readonly workspaces: Workspaces;
  /** Path of the test document. */
  readonly document: string;
  /** Time between two probes, in milliseconds. */
  readonly intervalMs: number;
  /** Time limit of a probe, in milliseconds, after which it has failed. */
  readonly timeoutMs: number;
  readonly log: Log;
}

interface ProbeResult {
  readonly ok: boolean;
  /** ISO 8601. */
  readonly at: string;
}

export class Probe {
  readonly #options: ProbeOptions;
  readonly #stopped = new AbortController();
  #result: ProbeResult | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: ProbeOptions) {
    this.#options = options;
  }

  /** The newest outcome, of a probe or of a customer's document; undefined before the first. */
  get result(): ProbeResult | undefined {
    const { lastSuccess } = this.#options.converter;
    const at = lastSuccess === undefined ? undefined : new Date(lastSuccess).toISOString();
    return at !== undefined && (!this.#result || at > this.#result.at) ? { ok: true, at } : this.#result;
  }

  /** Converts once, then continues in the background. */
  async start(): Promise<void> {
    this.#running = this.#probe();
    await this.#running;
    this.#schedule();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stopped.abort();
    await this.#running;
  }

  #schedule(): void {
    if (this.#stopped.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#look().finally(() => this.#schedule());
    }, this.#options.intervalMs);
    this.#timer.unref();
  }

  /** A customer's document that was converted since the last check is proof enough. */
  async #look(): Promise<void> {
    const { converter, intervalMs } = this.#options;
    const { lastSuccess } = converter;
    if (lastSuccess === undefined || Date.now() - lastSuccess >= intervalMs) await this.#probe();
  }

  async #probe(): Promise<void> {
    const { converter, workspaces, document, timeoutMs, log } = this.#options;
    // Not AbortSignal.timeout: Node 20 may collect it, and then it never fires.
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new Error(`not within ${timeoutMs} ms`)), timeoutMs);
    try {
      const workspace = workspaces.create();
      try {
        await copyFile(document, workspace.input);
        const place = converter.admit({ class: 'probe' });
        const pdf = await withLinkedController([this.#stopped.signal, limit.signal], ({ signal }) =>
          converter.convert(workspace, { place, bytes: 0, sha256: undefined }, signal),
        ).finally(() => place.leave());
        closeSync(pdf.fd);
      } finally {
        await workspace.dispose();
      }
      this.#result = { ok: true, at: new Date().toISOString() };
    } catch (error) {
      if (this.#stopped.signal.aborted) return;
      log.error({ err: error }, 'the health probe could not convert its document');
      this.#result = { ok: false, at: new Date().toISOString() };
    } finally {
      clearTimeout(timer);
    }
  }
}
