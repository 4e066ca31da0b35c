/** The service's warnings, in words for people. */
import { type BareItem, parseList } from 'structured-headers';

type Parameters = ReadonlyMap<string, BareItem>;

const sentences: Readonly<Record<string, (parameters: Parameters) => string>> = {
  TEXT_MISSING: (it) => `About ${it.get('percent')} % of the text is missing.`,
  CONTENT_OMITTED: (it) =>
    `Content that cannot be shown is missing: ${it.get('count')} × ${String(it.get('kind')).replaceAll('-', ' ')}.`,
  GLYPHS_MISSING: (it) =>
    `No font here has some of the characters (${namesOf(it.get('scripts'))}): boxes stand in their place.`,
  PAGE_COUNT_DIFFERS: (it) =>
    `The number of pages is ${it.get('pages')}; Word had counted ${it.get('word-pages')}.`,
  PAGES_CLAMPED: (it) => `Not all of the pages exist: the PDF has ${it.get('pages')}.`,
  UNTAGGED: () => 'The PDF has no tags, which programs that read aloud go by.',
  EXTERNAL_CONTENT_OMITTED: () => 'Content that the document only links to is missing.',
  TRACKED_CHANGES_APPLIED: () => 'Tracked changes are shown as made, without marks.',
  COMMENTS_OMITTED: () => 'Comments are left out.',
  FONT_SUBSTITUTED: (it) =>
    it.has('by')
      ? `${it.get('by')} stands in for ${it.get('font')}.`
      : `${it.get('font')} is not here: another font is used.`,
  MORE_WARNINGS: (it) => `And ${it.get('count')} more.`,
};

/** `Hani Thai` is Han, Thai. */
function namesOf(scripts: BareItem | undefined): string {
  const names = new Intl.DisplayNames('en', { type: 'script' });
  return String(scripts)
    .split(' ')
    .map((script) => names.of(script))
    .join(', ');
}

/** @param header the value of X-Conversion-Warnings; null where there is none. */
export function describeWarnings(header: string | null): string[] {
  if (header === null) return [];
  return parseList(header).flatMap(([code, parameters]) => sentences[String(code)]?.(parameters) ?? []);
}
