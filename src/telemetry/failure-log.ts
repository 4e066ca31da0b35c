/** Tells of failures that repeat every few seconds while a collector is away: at once, and then every ten minutes. */
import type { Log } from '../system/log.ts';

const PAUSE_MS = 600_000;

export class FailureLog {
  readonly #log: Log;
  readonly #now: () => number;
  #nextAt = 0;
  #unsaid = 0;

  /** @param now in milliseconds, never going back. */
  constructor(log: Log, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  /** @param failure an error, or its text. */
  report(failure: unknown): void {
    if (this.#now() < this.#nextAt) {
      this.#unsaid++;
      return;
    }
    this.#nextAt = this.#now() + PAUSE_MS;
    this.#log.warn({ cause: textOf(failure), unsaid: this.#unsaid }, 'telemetry is not sent');
    this.#unsaid = 0;
  }
}

/** The error of a connection to a name with several addresses has a code in place of a message. */
function textOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  return failure.message || ('code' in failure ? String(failure.code) : failure.name);
}
