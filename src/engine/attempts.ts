/** Which attempts a document gets, whatever the engine. All of them share its one budget of time. */
import { PlatenError } from '../errors.ts';
import type { Job } from './engine.ts';
import { killed } from './outcome.ts';

/** How an attempt ended that may not be the last: its process crashed, was killed from outside, or its kit died. */
export type Disturbance = 'crashed' | 'killed' | 'kit-gone';

export class Attempts {
  /** Which one this is, from 1. */
  number = 1;
  /** Whether the PDF is to be tagged. */
  tagged = true;
  readonly #canBeUntagged: boolean;
  #disturbed = false;
  #killed = false;

  constructor({ pdfa }: Job) {
    // LibreOffice tags a PDF/A whatever it is asked for.
    this.#canBeUntagged = pdfa === undefined;
  }

  /**
   * Whether another attempt follows one that ended so; then this is that attempt. After a crash it is one without tags:
   * the same again would crash again, and LibreOffice's tags are the only part of its work that can be left out. What
   * the document does not cause gets one more attempt in all.
   */
  next(ended: Disturbance): boolean {
    if (ended === 'crashed') {
      if (!this.tagged || !this.#canBeUntagged) return false;
      this.tagged = false;
    } else {
      this.#killed ||= ended === 'killed';
      if (this.#disturbed) return false;
      this.#disturbed = true;
    }
    this.number++;
    return true;
  }

  /**
   * What the error of the last attempt is to the document. Where something outside killed one before, it had only a part
   * of its time: that this was too little is not its doing.
   */
  failure(error: unknown): unknown {
    const isOutOfTime = error instanceof PlatenError && (error.reason === 'time' || error.reason === 'cpu');
    return this.#killed && isOutOfTime ? killed(error) : error;
  }
}
