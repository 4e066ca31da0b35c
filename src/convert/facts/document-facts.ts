/** What a document says of itself that decides what its PDF looks like. Nothing of its content. */

import type { KeptParts } from './kept-parts.ts';
import { externalLinks, type Link, linksOf } from './links.ts';
import { Numbering } from './numbering.ts';
import { ShownCharacters } from './shown-characters.ts';
import { readStory, type Story } from './story.ts';
import { Styles } from './styles.ts';
import { Theme } from './theme.ts';
import { WantedFonts } from './wanted-fonts.ts';

export interface DocumentFacts {
  /** Names of the fonts of what it shows, 50 at most. */
  readonly fonts: readonly string[];
  /** Code points of the characters beyond ASCII that it shows, in ascending order. */
  readonly characters: readonly number[];
  /** Whether it brings fonts of its own. */
  readonly embedsFonts: boolean;
  /** Insertions, deletions and moves that nobody has accepted or rejected. */
  readonly trackedChanges: number;
  readonly comments: number;
  /** Content that it links to instead of having it. Hyperlinks are none. */
  readonly external: number;
  /** The number of pages that Word noted when it last saved the document. */
  readonly wordPages: number | undefined;
}

/** Types of links whose target would be a part of what is shown. */
const contents = new Set([
  ...[
    'image',
    'oleObject',
    'package',
    'frame',
    'subDocument',
    'aFChunk',
    'video',
    'audio',
    'media',
    'control',
  ],
]);
const TEMPLATE = 'attachedTemplate';
const MAX_PAGES = 1_000_000;

/** Never fails: what cannot be read is not there. */
export function readFacts(parts: KeptParts): DocumentFacts {
  const links = linksOf(parts, parts.mainPart).filter(({ isExternal }) => !isExternal);
  const part = (type: string) => parts.text(links.find((link) => link.type === type)?.target);
  const settings = part('settings');
  const theme = new Theme(part('theme'), {
    eastAsia: setting(settings, 'themeFontLang', 'eastAsia'),
    bidi: setting(settings, 'themeFontLang', 'bidi'),
  });
  const styles = new Styles(part('styles'), theme);
  let numbering: Numbering | undefined;
  const fonts = new WantedFonts({
    theme,
    styles,
    numbering: () => {
      numbering ??= new Numbering(part('numbering'), theme);
      return numbering;
    },
  });
  const characters = new ShownCharacters(styles);
  const copies = new Map<string, ReadonlySet<string>>();
  let trackedChanges = 0;
  for (const [name, story] of storiesOf(parts, links, settings, characters)) {
    fonts.add(story);
    trackedChanges += story.trackedChanges;
    copies.set(name, story.copies);
  }
  return {
    fonts: fonts.names,
    characters: characters.codePoints,
    embedsFonts: /<(\w+:)?embed(Regular|Bold|Italic|BoldItalic)[\s/>]/.test(part('fontTable')),
    trackedChanges,
    comments: part('comments').match(/<(\w+:)?comment[\s>]/g)?.length ?? 0,
    external: externalLinks(parts).filter(
      ({ from, link }) =>
        (contents.has(link.type) && !copies.get(from)?.has(link.id)) ||
        (link.type === TEMPLATE && isSet(settings, 'linkStyles')),
    ).length,
    wordPages: readPages(parts),
  };
}

/** The stories that are shown, each once, by the names of their parts: headers and footers only where a section has them. */
function* storiesOf(
  parts: KeptParts,
  links: readonly Link[],
  settings: string,
  characters: ShownCharacters,
): Generator<readonly [string, Story]> {
  const main = readStory(parts.text(parts.mainPart), characters);
  yield [parts.mainPart, main];
  const hasEvenPages = isSet(settings, 'evenAndOddHeaders');
  const shown = new Set(
    main.references
      .filter(({ type }) => type === 'default' || (type === 'first' ? main.hasTitlePage : hasEvenPages))
      .map(({ id }) => id),
  );
  const seen = new Set([parts.mainPart]);
  for (const { id, type, target } of links) {
    if (seen.has(target) || !(type === 'footnotes' || type === 'endnotes' || shown.has(id))) continue;
    seen.add(target);
    yield [target, readStory(parts.text(target), characters)];
  }
}

/** Other programs leave there what was in their template. */
function readPages(parts: KeptParts): number | undefined {
  const links = linksOf(parts, '');
  const properties = parts.text(links.find(({ type }) => type === 'extended-properties')?.target);
  if (!/<(\w+:)?Application>\s*Microsoft/.test(properties)) return undefined;
  const pages = Number(/<(?:\w+:)?Pages>\s*(\d{1,9})\s*</.exec(properties)?.[1] ?? 0);
  return pages > 0 && pages <= MAX_PAGES ? pages : undefined;
}

function setting(settings: string, element: string, attribute: string): string | undefined {
  const tag = new RegExp(`<(?:\\w+:)?${element}\\s[^>]{0,500}`).exec(settings)?.[0] ?? '';
  return new RegExp(`(?:\\w+:)?${attribute}\\s*=\\s*["']([^"']{1,40})["']`).exec(tag)?.[1];
}

function isSet(settings: string, element: string): boolean {
  const tag = new RegExp(`<(?:\\w+:)?${element}([\\s/][^>]{0,100})?>`).exec(settings)?.[0];
  return tag !== undefined && !/val\s*=\s*["'](0|false|off)["']/.test(tag);
}
