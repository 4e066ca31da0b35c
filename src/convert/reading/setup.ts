/** What the processes that read documents are told when they start. */
import type { DocumentType } from '../../shared/document-types.ts';
import type { FontCharacters } from '../fonts/installed-fonts.ts';
import type { StandIns } from '../fonts/stand-ins.ts';

/** What is the same for all documents. Structured clones of it travel to the processes. */
export interface Setup {
  /** Types of documents. */
  readonly accepted: readonly DocumentType[];
  /** Names of the installed fonts and stand-ins, in lower case; undefined if unknown. */
  readonly fonts: ReadonlySet<string> | undefined;
  readonly standIns: StandIns;
  /** The characters of the engine's fonts; undefined if unknown. */
  readonly characters: FontCharacters | undefined;
  /** Limit of the processor time of a reading, in milliseconds. */
  readonly readingMs: number;
}
