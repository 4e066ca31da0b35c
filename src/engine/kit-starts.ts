/** Starts of kits: their results, their back-off, and the jobs that wait for one. */
import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from './outcome.ts';

const MIN_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 10_000;
/** A start that takes this long hangs: for the first one, as nothing is known of the machine… */
const MAX_START_MS = 60_000;
/** …and for later ones, as a multiple of the longest successful start. */
const MIN_START_MS = 8_000;
const USUAL_STARTS = 5;

export class KitStarts {
  /** Callbacks for the result. */
  readonly #waiting = new Set<() => void>();
  #failures = 0;
  /** Duration of the longest successful start; undefined before the first. */
  #longestMs: number | undefined;
  /** Why the last start failed; undefined when it did not. */
  #error: unknown;

  /** Consecutive starts whose kit served nobody, the current one included. */
  get failures(): number {
    return this.#failures;
  }

  /** Begins a start. It counts as failed until its kit has served; each failure in a row delays the next. */
  async begin(signal: AbortSignal): Promise<void> {
    if (this.#failures > 0) await delay(this.#backoffMs, undefined, { signal }).catch(() => {});
    this.#failures++;
  }

  /** Time limit of the current start. It doubles after a failure, as the machine may be busy. */
  get limitMs(): number {
    if (this.#longestMs === undefined) return MAX_START_MS;
    const usualMs = Math.max(MIN_START_MS, USUAL_STARTS * this.#longestMs);
    return Math.min(MAX_START_MS, usualMs * 2 ** Math.max(0, this.#failures - 1));
  }

  served(): void {
    this.#failures = 0;
  }

  /** @param tookMs from the start of the process until it was ready. */
  succeeded(tookMs: number): void {
    this.#longestMs = Math.max(this.#longestMs ?? 0, tookMs);
    this.#error = undefined;
    this.#tell();
  }

  failed(error: unknown): void {
    this.#error = error;
    this.#tell();
  }

  /**
   * Waits for a start to succeed, up to the given milliseconds.
   *
   * @throws PlatenError `SERVICE_UNAVAILABLE` when it fails or takes too long; the signal's reason when it aborts.
   */
  async untilReady(limitMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const inTime = this.#error === undefined && (await this.#news(limitMs, signal));
    signal.throwIfAborted();
    if (inTime && this.#error === undefined) return;
    throw unavailable(this.#error ?? 'no kit got ready in time', this.#backoffMs / 1000);
  }

  /** Resolves when a start has ended or the signal aborts; with false on a timeout. */
  async #news(limitMs: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (inTime: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve(inTime);
      };
      const wake = () => end(true);
      const timer = setTimeout(() => end(false), limitMs);
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }

  #tell(): void {
    for (const wake of this.#waiting) wake();
  }

  /** How long to wait before the next start. */
  get #backoffMs(): number {
    return Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** (this.#failures - 1));
  }
}
