/** How long the check of a PDF may take: its conversion must not fail for it. */

/** Steps between two looks at the clock. */
const STEPS = 8_192;

/** The check would take too long, or too much memory. */
export class TooMuch extends Error {}

export class Patience {
  /** Milliseconds of processor time. */
  readonly #limitMs: number;
  readonly #begin = process.cpuUsage();
  #steps = 0;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Counts a step of work: an object, an element, or an operator. @throws TooMuch if the time is used up. */
  step(): void {
    this.#steps += 1;
    if (this.#steps % STEPS !== 0) return;
    const { user, system } = process.cpuUsage(this.#begin);
    if ((user + system) / 1_000 > this.#limitMs) throw new TooMuch('the check takes too long');
  }
}
