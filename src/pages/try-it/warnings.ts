/** The service's warnings, in words for people. */
import { type BareItem, parseList } from 'structured-headers';
import { levelOf } from '../../shared/warning-levels.ts';

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
  NONCONFORMING: (it) => `The PDF breaks rules of ${it.get('standard')}.`,
  TRACKED_CHANGES_APPLIED: () => 'Tracked changes are shown as made, without marks.',
  TRACKED_CHANGES_OMITTED: () => 'Tracked changes are left out.',
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

/** What there is to know of a PDF, as sentences. */
export interface DescribedWarnings {
  /** What it lacks. */
  readonly loss: readonly string[];
  readonly notes: readonly string[];
}

/** @param header the value of X-Conversion-Warnings; null where there is none. */
export function describeWarnings(header: string | null): DescribedWarnings {
  const described = { loss: [] as string[], notes: [] as string[] };
  for (const [token, parameters] of header === null ? [] : parseList(header)) {
    const code = String(token);
    const sentence = sentences[code]?.(parameters as Parameters);
    if (sentence !== undefined) described[levelOf(code) === 'loss' ? 'loss' : 'notes'].push(sentence);
  }
  return described;
}
