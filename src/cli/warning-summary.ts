/** Warnings about many documents, told once at the end: by code, losses first, with what they name. */
import { isLossy } from '../shared/warning-levels.ts';
import type { NamedWarnings } from './batch/batch.ts';

/** Most fonts, or documents, that a line names. */
const MOST_NAMED = 10;

export class WarningSummary {
  /** By code: in how many documents, and what they name. */
  readonly #codes = new Map<string, { documents: number; readonly named: Set<string> }>();

  /** Counts the warnings of a document. */
  add({ name, warnings }: NamedWarnings): void {
    const counted = new Set<string>();
    for (const { code, font } of warnings) {
      const entry = this.#codes.get(code) ?? { documents: 0, named: new Set() };
      this.#codes.set(code, entry);
      if (!counted.has(code)) entry.documents += 1;
      counted.add(code);
      // One more than a line names says that there are more.
      if (entry.named.size <= MOST_NAMED) entry.named.add(font ?? name);
    }
  }

  /** A line for each code. */
  lines(): string[] {
    const ranked = [...this.#codes].sort(([a], [b]) => Number(isLossy([b])) - Number(isLossy([a])));
    return ranked.map(([code, { documents, named }]) => {
      const names = [...named].slice(0, MOST_NAMED).join(', ');
      const more = named.size > MOST_NAMED ? ', …' : '';
      return `${code} in ${documents} ${documents === 1 ? 'document' : 'documents'}: ${names}${more}`;
    });
  }
}
