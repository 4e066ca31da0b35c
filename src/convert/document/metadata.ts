/** Properties of a document that affect its PDF; no content. */
import { packed, type TextCounts, TextSketch } from '../text/sketch.ts';
import { type AccessibilityFinding, AccessibilityReader, documentFindings } from './accessibility.ts';
import { titleOf } from './core-properties.ts';
import type { KeptParts } from './kept-parts.ts';
import { type LastResorts, lastResortsOf } from './last-resorts.ts';
import { externalLinks, type Link, linksOf } from './links.ts';
import { mathPrefixOf, qualified, wordPrefixOf } from './markup.ts';
import { Numbering } from './numbering.ts';
import { type OmittedBefore, OmittedContent, OmittedContentReader } from './omitted-content.ts';
import { readSavedBy, type SavedBy } from './saved-by.ts';
import { Settings } from './settings.ts';
import { ShownCharacters } from './shown-characters.ts';
import { ShownText } from './shown-text.ts';
import { readStory, type Story } from './story.ts';
import { Styles } from './styles.ts';
import { tagsIn } from './tags.ts';
import { noTheme, Theme } from './theme.ts';
import { WantedFonts } from './wanted-fonts.ts';
import { wordArtIn } from './word-art.ts';

export interface DocumentMetadata {
  readonly title: string | undefined;
  /** Names of the fonts that it shows, at most 50. */
  readonly fonts: readonly string[];
  /** Replacements for fonts that are not installed. */
  readonly lastResorts: LastResorts;
  /** Code points beyond ASCII that it shows, in ascending order. */
  readonly characters: readonly number[];
  /** Counts of the text that its PDF must have. */
  readonly text: TextCounts;
  /** Whether it embeds fonts. */
  readonly embedsFonts: boolean;
  /** Number of insertions, deletions and moves that it had, and has no more. */
  readonly trackedChanges: number;
  readonly comments: number;
  /** Number of links to external content. Hyperlinks do not count. */
  readonly external: number;
  /** Content that some LibreOffice versions do not show. */
  readonly omitted: readonly OmittedBefore[];
  /** Number of PDFs that it shows as pictures. */
  readonly pdfPictures: number;
  /** The page count that Word stored when it last saved the document; undefined if that is unknown or contradictory. */
  readonly wordPages: number | undefined;
  /** What it lacks for readers who cannot see it. */
  readonly accessibility: readonly AccessibilityFinding[];
  /** Names of the rules that rewrote it for the engine. */
  readonly rewrites: readonly string[];
}

/** Types of links whose targets are shown. */
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
 * Reads the metadata. Never fails: unreadable parts count as missing.
 *
 * @param known names of the installed fonts and stand-ins, in lower case; undefined if unknown.
 */
export function readMetadata(parts: KeptParts, known?: ReadonlySet<string> | undefined): DocumentMetadata {
  const links = linksOf(parts, parts.mainPart).filter(({ isExternal }) => !isExternal);
  const part = (type: string) => parts.text(links.find((link) => link.type === type)?.target);
  const settings = new Settings(part('settings'));
  const theme = new Theme(part('theme'), settings.themeLanguages);
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
  omitted.add('damaged-part', parts.damagedParts);
  const notes = new Set<string>();
  const accessibility = documentFindings(parts, styles);
  const read = (name: string, isRepeated: boolean): Story => {
    let shownText: ShownText | undefined;
    let body: AccessibilityReader | undefined;
    const xml = parts.text(name);
    const story = readStory(xml, characters, (prefix) => {
      const content = new OmittedContentReader(name, parts, prefix, omitted);
      if (isRepeated) return [content];
      const drawn = wordArtIn(xml).filter(({ isFilled }) => !isFilled);
      shownText = new ShownText([prefix, mathPrefixOf(xml)], styles, text, notes, drawn);
      if (name !== parts.mainPart) return [content, shownText];
      body = new AccessibilityReader(prefix, styles);
      return [content, shownText, body];
    });
    shownText?.end();
    accessibility.push(...(body?.findings ?? []));
    omitted.add('alternate-content', story.untaken);
    return story;
  };
  const copies = new Map<string, ReadonlySet<string>>();
  let trackedChanges = 0;
  for (const [name, story] of storiesOf(parts.mainPart, links, settings, read)) {
    fonts.add(story);
    trackedChanges += parts.changes(name);
    copies.set(name, story.copies);
  }
  for (const [kind, count] of parts.missing) omitted.add(kind, count);
  return {
    title: titleOf(parts),
    fonts: fonts.names,
    lastResorts: lastResortsOf(parts, known),
    characters: characters.codePoints,
    text: packed(text),
    embedsFonts: count(part('fontTable'), embedded) > 0,
    trackedChanges,
    comments: count(part('comments'), ['comment']),
    external:
      parts.inserted.external +
      externalLinks(parts).filter(
        ({ from, link }) =>
          isShown(link, copies.get(from)) || (link.type === TEMPLATE && settings.isOn('linkStyles')),
      ).length,
    omitted: omitted.all,
    pdfPictures: omitted.pdfPictures + parts.inserted.pdfs,
    wordPages: pageCount(readSavedBy(parts), parts.text(parts.mainPart)),
    accessibility,
    rewrites: parts.rewrites,
  };
}

/** Number of links of the main part of an inserted document to external content. Never fails. */
export function insertedExternal(parts: KeptParts): number {
  const links = linksOf(parts, parts.mainPart).filter(({ isExternal }) => isExternal);
  if (links.length === 0) return 0;
  const characters = new ShownCharacters(new Styles('', noTheme));
  const { copies } = readStory(parts.text(parts.mainPart), characters, () => []);
  return links.filter((link) => isShown(link, copies)).length;
}

/** Whether the target of a link is shown, and there is no copy of it. */
function isShown({ id, type }: Link, copies: ReadonlySet<string> | undefined): boolean {
  return contents.has(type) && !copies?.has(id);
}

/**
 * The visible stories, each once, by part name: headers and footers only if a section uses them.
 *
 * @param read reads the story of a part, which may be repeated on many pages.
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

/**
 * The page count that Word stored. It stores 1 when it saves before it has laid a document out: a main part with a mark
 * where a page began (`w:lastRenderedPageBreak`) contradicts that.
 */
function pageCount({ pages }: SavedBy, mainText: string): number | undefined {
  return pages === 1 && count(mainText, ['lastRenderedPageBreak']) > 0 ? undefined : pages;
}

/** How many elements of these names a part has. */
function count(xml: string, locals: readonly string[]): number {
  const names = qualified(wordPrefixOf(xml), locals);
  return tagsIn(xml, (name) => names.has(name)).length;
}
