/** The program that last saved a document, by its extended properties (ISO/IEC 29500-1, 22.2). */
import type { KeptParts } from './kept-parts.ts';
import { linksOf } from './links.ts';

export interface SavedBy {
  /** Other programs leave the properties of their template unchanged. */
  readonly isWord: boolean;
  /** Word's version: 14 is Word 2010, 15 Word 2013, 16 all later ones. */
  readonly version?: number | undefined;
  /** The page count that Word stored. */
  readonly pages: number | undefined;
}

/** Types of the link to the properties: transitional and strict. */
const types: ReadonlySet<string> = new Set(['extended-properties', 'extendedProperties']);
const MAX_PAGES = 1_000_000;

export function readSavedBy(parts: KeptParts): SavedBy {
  const links = linksOf(parts, '');
  const properties = parts.text(links.find(({ type }) => types.has(type))?.target);
  if (!/<(\w+:)?Application>\s*Microsoft/.test(properties)) {
    return { isWord: false, version: undefined, pages: undefined };
  }
  const pages = Number(/<(?:\w+:)?Pages>\s*(\d{1,9})\s*</.exec(properties)?.[1] ?? 0);
  const version = /<(?:\w+:)?AppVersion>\s*(\d{1,3})\./.exec(properties)?.[1];
  return {
    isWord: true,
    version: version === undefined ? undefined : Number(version),
    pages: pages > 0 && pages <= MAX_PAGES ? pages : undefined,
  };
}
