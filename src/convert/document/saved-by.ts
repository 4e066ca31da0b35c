/** The program that last saved a document, by its extended properties (ISO/IEC 29500-1, 22.2). */
import type { KeptParts } from './kept-parts.ts';
import { linksOf } from './links.ts';
import { visitMarkup } from './markup.ts';
import { localName } from './tags.ts';

export interface SavedBy {
  /** Other programs leave the properties of their template unchanged. */
  readonly isWord: boolean;
  /** Word's version: 14 is Word 2010, 15 Word 2013, 16 all later ones. */
  readonly version?: number | undefined;
  /** The page count that Word stored. */
  readonly pages: number | undefined;
  /** The characters that Word counted; see word-count.ts. 0 if it counted none. */
  readonly characters?: number | undefined;
}

/** Types of the link to the properties: transitional and strict. */
const types: ReadonlySet<string> = new Set(['extended-properties', 'extendedProperties']);
const elements = ['Application', 'AppVersion', 'Pages', 'Characters', 'Words'] as const;
type Property = (typeof elements)[number];
const MAX_PAGES = 1_000_000;

export function readSavedBy(parts: KeptParts): SavedBy {
  const properties = parts.once(readProperties);
  if (!properties.get('Application')?.startsWith('Microsoft')) {
    return { isWord: false, version: undefined, pages: undefined };
  }
  const number = (name: Property) => Number(/^\d{1,9}$/.exec(properties.get(name) ?? '') ?? 0);
  const pages = number('Pages');
  const version = /^(\d{1,3})\./.exec(properties.get('AppVersion') ?? '')?.[1];
  return {
    isWord: true,
    version: version === undefined ? undefined : Number(version),
    pages: pages > 0 && pages <= MAX_PAGES ? pages : undefined,
    characters: number('Characters') + number('Words'),
  };
}

/** By the names of elements, the text at the beginning of the first. */
function readProperties(parts: KeptParts): Map<Property, string> {
  const xml = parts.text(linksOf(parts, '').find(({ type }) => types.has(type))?.target);
  const found = new Map<Property, string>();
  let local: Property | undefined;
  visitMarkup(xml, {
    open(name) {
      local = elements.find((each) => each === localName(name));
    },
    close() {
      local = undefined;
    },
    text(part, start, end) {
      if (local !== undefined && !found.has(local)) found.set(local, part.slice(start, end).trim());
    },
  });
  return found;
}
