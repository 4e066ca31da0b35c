/**
 * What is promised, by the clock and what clients were told: it must hold whatever the model says about windows and
 * quotas.
 */
import assert from 'node:assert/strict';
import type { Verdict } from '../../../src/accounts/limits/admission.ts';
import type { WindowState } from '../../../src/accounts/limits/windows.ts';

/** Where the month of a conversion stands after its verdict. */
export interface MonthStanding {
  /** Settled in the month. */
  readonly used: number;
  /** Deadlines of the month's conversions that are neither settled nor released, in ms since the epoch. */
  readonly deadlines: readonly number[];
  /** null: unlimited. */
  readonly quota: number | null;
}

export class Witness {
  /** How many requests were told that they count in a window. */
  readonly #counts = new Map<string, number>();
  /** The latest that the clock ever was. */
  #latest = -Infinity;

  /** @param now the clock from now on, in milliseconds since the epoch. */
  clock(now: number): void {
    this.#latest = Math.max(this.#latest, now);
  }

  /** @param owner whose windows they are. @throws AssertionError when an admitted request exceeds a window. */
  hear(owner: string, verdict: Verdict): void {
    if (verdict.outcome !== 'admitted') return;
    for (const window of verdict.windows) this.#count(owner, window, verdict.at);
  }

  /** @throws AssertionError when the verdict about a conversion breaks the promise of its quota. */
  hearConversion(verdict: Verdict, { used, deadlines, quota }: MonthStanding): void {
    const limit = quota ?? Infinity;
    const alive = (at: number) => deadlines.filter((deadline) => deadline > at).length;
    // One whose deadline once passed may have ended, though the clock stepped back since.
    if (verdict.outcome === 'admitted')
      assert.ok(used + alive(this.#latest) <= limit, 'a month exceeds its quota');
    if (verdict.outcome === 'quota')
      assert.ok(used + alive(verdict.at) >= limit, 'a reservation outlives its deadline');
  }

  #count(owner: string, { name, limit, length, resetsAt }: WindowState, now: number): void {
    assert.ok(resetsAt * 1000 > now, `a ${name} goes on after its end`);
    assert.ok((resetsAt - length) * 1000 <= this.#latest, `a ${name} counts before it begins`);
    const window = `${owner}, the ${name} that ends at ${resetsAt}`;
    const count = (this.#counts.get(window) ?? 0) + 1;
    this.#counts.set(window, count);
    assert.ok(count <= limit, `${window} takes more than its limit`);
  }
}
