/** When a kit that lives is replaced by a fresh one. */
import type { KitProcess } from './kit-process.ts';

/** Whoever makes documents that crash must not keep a core busy with the starts of kits… */
const CRASH_INTERVAL_MS = 5_000;
/** …nor must a machine so busy that kits which are well answer late. */
const SUSPICION_INTERVAL_MS = 30_000;

export interface RenewalOptions {
  /** Documents after which a fresh kit takes over. */
  readonly maxDocuments: number;
  /** The time has come for what was not due yet. */
  readonly onTime: () => void;
}

/**
 * A kit is replaced
 *
 * - after a number of documents;
 * - after a crash, as its children share its address layout, which the crash may have been a probe of: after the
 *   first at once, after the others at intervals;
 * - while it does not answer, so that its successor is on its way when it turns out to be dead. It goes on with what
 *   it has if it was only late.
 */
export class Renewal {
  readonly #options: RenewalOptions;
  #nextCrash = Number.NEGATIVE_INFINITY;
  #nextSuspicion = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RenewalOptions) {
    this.#options = options;
  }

  /** Whether the kit is to be replaced now. Who is told so does it. */
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

  /** A suspected kit has ended: the next suspicion may be as right. */
  suspicionHeld(): void {
    this.#nextSuspicion = Number.NEGATIVE_INFINITY;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
