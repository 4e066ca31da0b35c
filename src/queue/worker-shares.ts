/** How many workers each holder has, for how long, and how many it may have. */
import { LRUCache } from 'lru-cache';

/** Weight of the newest run in the averages that waiting times are estimated from. */
const SMOOTHING = 0.2;
/** Holders whose averages are kept. */
const REMEMBERED = 1_000;
/** How long a restrained holder is limited to half of the workers, in milliseconds. */
const RESTRAINT_MS = 600_000;

/** A task on a worker. */
export interface Run {
  readonly holder: string;
  /** By `performance.now()`. */
  readonly started: number;
}

export class WorkerShares {
  /** Half of the workers, at least one. */
  readonly #half: number;
  /** In order of start. */
  readonly #runs = new Set<Run>();
  readonly #runningOf = new Map<string, number>();
  /** Smoothed duration of a run by holder, in milliseconds. */
  readonly #averages = new LRUCache<string, number>({ max: REMEMBERED });
  readonly #restrained = new LRUCache<string, true>({ max: REMEMBERED, ttl: RESTRAINT_MS });
  /** Smoothed duration of successful runs; 0 until the first. */
  #averageMs = 0;

  constructor(workers: number) {
    this.#half = Math.max(1, Math.floor(workers / 2));
  }

  get running(): number {
    return this.#runs.size;
  }

  /** Time since the newest run started, in milliseconds: no worker has become free since then. */
  get stuckMs(): number {
    const newest = [...this.#runs].at(-1);
    return newest ? performance.now() - newest.started : 0;
  }

  runningOf(holder: string): number {
    return this.#runningOf.get(holder) ?? 0;
  }

  isBelowHalf(holder: string): boolean {
    return this.runningOf(holder) < this.#half;
  }

  isRestrained(holder: string): boolean {
    return this.#restrained.has(holder);
  }

  mayStart(holder: string): boolean {
    return !this.isRestrained(holder) || this.isBelowHalf(holder);
  }

  restrain(holder: string): void {
    this.#restrained.set(holder, true);
  }

  /** Average duration of this holder's runs; of everybody's if it has had none. */
  averageMs(holder: string): number {
    return this.#averages.get(holder) ?? this.#averageMs;
  }

  start(holder: string): Run {
    const run = { holder, started: performance.now() };
    this.#runs.add(run);
    this.#runningOf.set(holder, this.runningOf(holder) + 1);
    return run;
  }

  /** @param done whether the run succeeded. */
  finish(run: Run, done: boolean): void {
    const { holder, started } = run;
    const durationMs = performance.now() - started;
    this.#runs.delete(run);
    const left = this.runningOf(holder) - 1;
    if (left > 0) this.#runningOf.set(holder, left);
    else this.#runningOf.delete(holder);
    this.#averages.set(holder, smooth(this.#averages.get(holder) ?? 0, durationMs));
    if (done) this.#averageMs = smooth(this.#averageMs, durationMs);
  }
}

function smooth(average: number, newest: number): number {
  return average === 0 ? newest : average + SMOOTHING * (newest - average);
}
