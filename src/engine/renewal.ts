/** When a living kit is replaced by a fresh one. */
import type { KitProcess } from './kit-process.ts';

/** Minimum interval of renewals after crashes: crashing documents must not keep a core busy with starts of kits… */
const CRASH_INTERVAL_MS = 5_000;
/** …and of renewals on suspicion, so that a busy machine on which healthy kits answer late does not either. */
const SUSPICION_INTERVAL_MS = 30_000;

interface RenewalOptions {
  /** Documents after which a fresh kit takes over. */
  readonly maxDocuments: number;
  /** Called when a delayed renewal becomes due. */
  readonly onTime: () => void;
}

/**
 * A kit is replaced
 *
 * - after a number of documents;
 * - after a crash, which may have been a probe of the address layout that its children share: at once after the first, at
 *   intervals after further ones;
 * - while it does not answer, so that a successor is starting if it turns out to be dead. If it was only late, it finishes its
 *   jobs.
 */
export class Renewal {
  readonly #options: RenewalOptions;
  #nextCrash = Number.NEGATIVE_INFINITY;
  #nextSuspicion = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RenewalOptions) {
    this.#options = options;
  }

  /** Whether to replace the kit now. A caller that gets true must do it. */
  isDue(kit: KitProcess): boolean {
    clearTimeout(this.#timer);
    const now = performance.now();
    if (kit.documents >= this.#options.maxDocuments) return true;
    if (kit.suspected && now >= this.#nextSuspicion) {
      this.#nextSuspicion = now + SUSPICION_INTERVAL_MS;
      return true;
    }
    if (!kit.crashed) return false;
    if (now < this.#nextCrash) {
      this.#timer = setTimeout(this.#options.onTime, this.#nextCrash - now).unref();
      return false;
    }
    this.#nextCrash = now + CRASH_INTERVAL_MS;
    return true;
  }

  /** A suspected kit has died: the next suspicion may be right too, without an interval. */
  suspicionHeld(): void {
    this.#nextSuspicion = Number.NEGATIVE_INFINITY;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
