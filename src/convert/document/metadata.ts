/** What a document says of itself that decides what its PDF looks like. Nothing of its content. */

import { type TextCounts, TextSketch } from '../text/sketch.ts';
import type { KeptParts } from './kept-parts.ts';
import { type LastResorts, lastResortsOf } from './last-resorts.ts';
import { externalLinks, type Link, linksOf } from './links.ts';
import { prefixOf, qualified, WORD_NAMESPACE } from './markup.ts';
import { Numbering } from './numbering.ts';
import { DRAWS_MORE, type OmittedBefore, OmittedContent, OmittedContentReader } from './omitted-content.ts';
import { readSavedBy } from './saved-by.ts';
import { Settings } from './settings.ts';
import { ShownCharacters } from './shown-characters.ts';
import { ShownText } from './shown-text.ts';
import { readStory, type Story } from './story.ts';
import { Styles } from './styles.ts';
import { tagsIn } from './tags.ts';
import { Theme } from './theme.ts';
import { WantedFonts } from './wanted-fonts.ts';

export interface DocumentMetadata {
  /** Names of the fonts of what it shows, 50 at most. */
  readonly fonts: readonly string[];
  /** What was taken for those that are nowhere to be had. */
  readonly lastResorts: LastResorts;
  /** Code points of the characters beyond ASCII that it shows, in ascending order. */
  readonly characters: readonly number[];
  /** The text that its PDF is to have. */
  readonly text: TextCounts;
  /** Whether it brings fonts of its own. */
  readonly embedsFonts: boolean;
  /** Insertions, deletions and moves that nobody has accepted or rejected. */
  readonly trackedChanges: number;
  readonly comments: number;
  /** Content that it links to instead of having it. Hyperlinks are none. */
  readonly external: number;
  /** Content that it has and that some LibreOffice does not show. */
  readonly omitted: readonly OmittedBefore[];
  /** PDFs that it shows as pictures. */
  readonly pdfPictures: number;
  /** The number of pages that Word noted when it last saved the document. */
  readonly wordPages: number | undefined;
  /** Names of the rules by which it was rewritten for the engine. */
  readonly rewrites: readonly string[];
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
const embedded = ['embedRegular', 'embedBold', 'embedItalic', 'embedBoldItalic'];

/**
 * Never fails: what cannot be read is not there.
 *
 * @param known names of the fonts that documents find, in lower case; undefined where nobody knows.
 */
export function readMetadata(parts: KeptParts, known?: ReadonlySet<string> | undefined): DocumentMetadata {
  const links = linksOf(parts, parts.mainPart).filter(({ isExternal }) => !isExternal);
  const part = (type: string) => parts.text(links.find((link) => link.type === type)?.target);
  const settings = new Settings(part('settings'));
  const theme = new Theme(part('theme'), {
    eastAsia: settings.value('themeFontLang', 'eastAsia'),
    bidi: settings.value('themeFontLang', 'bidi'),
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
  const text = new TextSketch();
  const omitted = new OmittedContent();
  const notes = new Set<string>();
  const read = (name: string, isRepeated: boolean): Story => {
    let shownText: ShownText | undefined;
    const story = readStory(parts.text(name), characters, (prefix) => {
      const content = new OmittedContentReader(name, parts, prefix, omitted);
      if (isRepeated) return [content];
      shownText = new ShownText(prefix, styles, text, notes);
      return [content, shownText];
    });
    shownText?.end();
    omitted.add('alternate-content', story.untaken.withoutAlternative);
    omitted.add('alternate-content', story.untaken.canvasAlone, DRAWS_MORE);
    return story;
  };
  const copies = new Map<string, ReadonlySet<string>>();
  let trackedChanges = 0;
  for (const [name, story] of storiesOf(parts.mainPart, links, settings, read)) {
    fonts.add(story);
    trackedChanges += story.trackedChanges;
    copies.set(name, story.copies);
  }
  return {
    fonts: fonts.names,
    lastResorts: lastResortsOf(parts, known),
    characters: characters.codePoints,
    text: { counts: text.counts, total: text.total },
    embedsFonts: count(part('fontTable'), embedded) > 0,
    trackedChanges,
    comments: count(part('comments'), ['comment']),
    external: externalLinks(parts).filter(
      ({ from, link }) =>
        (contents.has(link.type) && !copies.get(from)?.has(link.id)) ||
        (link.type === TEMPLATE && settings.isOn('linkStyles')),
    ).length,
    omitted: omitted.all,
    pdfPictures: omitted.pdfPictures + parts.insertedPdfs,
    wordPages: readSavedBy(parts).pages,
    rewrites: parts.rewrites,
  };
}

/**
 * The stories that are shown, each once, by the names of their parts: headers and footers only where a section has them.
 *
 * @param read reads the story of a part, which stands on many pages where it is repeated.
 */
function* storiesOf(
  mainPart: string,
  links: readonly Link[],
  settings: Settings,
  read: (name: string, isRepeated: boolean) => Story,
): Generator<readonly [string, Story]> {
  const main = read(mainPart, false);
  yield [mainPart, main];
  const hasEvenPages = settings.isOn('evenAndOddHeaders');
  const shown = new Set(
    main.references
      .filter(({ type }) => type === 'default' || (type === 'first' ? main.hasTitlePage : hasEvenPages))
      .map(({ id }) => id),
  );
  const seen = new Set([mainPart]);
  for (const { id, type, target } of links) {
    const isNotes = type === 'footnotes' || type === 'endnotes';
    if (seen.has(target) || !(isNotes || shown.has(id))) continue;
    seen.add(target);
    yield [target, read(target, !isNotes)];
  }
}

/** How many elements of these names a part has. */
function count(xml: string, locals: readonly string[]): number {
  const names = qualified(prefixOf(xml, WORD_NAMESPACE) ?? 'w:', locals);
  return tagsIn(xml, (name) => names.has(name)).length;
}
