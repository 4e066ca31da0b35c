/** Attempts of a document, whatever the engine. They share one time budget. */
import { PlatenError } from '../errors.ts';
import type { Export } from './export-options.ts';
import { killed } from './outcome.ts';

/** How an attempt ended that may be repeated: its process crashed, was killed from outside, or its kit died. */
type Disturbance = 'crashed' | 'killed' | 'kit-gone';

export class Attempts {
  /** Its number, from 1. */
  number = 1;
  /** Whether the PDF is to be tagged. */
  tagged: boolean;
  readonly #canBeUntagged: boolean;
  #disturbed = false;
  #killed = false;

  /** @param wanted what the PDF must be like; undefined if none is exported. */
  constructor(wanted: Export | undefined) {
    this.tagged = wanted?.tagged ?? true;
    // LibreOffice always tags a PDF/A and a PDF/UA.
    this.#canBeUntagged = wanted !== undefined && wanted.pdfa === undefined && !wanted.pdfua;
  }

  /**
   * Whether another attempt follows one that ended so; if so, this becomes that attempt. After a crash it is one without
   * tags: the same again would crash again, and tags are the only part of LibreOffice's work that can be left out. Failures
   * that the document does not cause are repeated once in all.
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
   * The error to report after the last attempt. If an earlier one was killed from outside, the document had only part of its
   * time, so running out of it is not its fault.
   */
  failure(error: unknown): unknown {
    const isOutOfTime = error instanceof PlatenError && (error.reason === 'time' || error.reason === 'cpu');
    return this.#killed && isOutOfTime ? killed(error) : error;
  }
}
