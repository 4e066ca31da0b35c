/**
 * Endnotes at the end of their sections (ISO/IEC 29500-1, 17.11.22): LibreOffice has all at the end of the document. So they become
 * paragraphs there, below a line, and their references text. Numbers are Word's; there are no links between both.
 */
import { attributesIn, withValues } from '../document/attributes.ts';
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, prefixOf, rootAttributes, visitFragment, wordPrefixOf } from '../document/markup.ts';
import { editAttributes, localName, type Tag } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';
import { writtenText } from './field-reader.ts';
import { type Note, notesIn } from './note-order.ts';
import { type NoteReference, type NoteSection, noteNumbers, readNoteReferences } from './note-references.ts';

const RELATIONSHIPS =
  /^http:\/\/(schemas\.openxmlformats\.org\/officeDocument\/2006|purl\.oclc\.org\/ooxml\/officeDocument)\/relationships$/;
/** How long the line above the notes is in Word, in twips. */
const LINE = 2_880;
/** Most tabs that make it, and most characters of what is around it: each section has its own copy. */
const MAX_TABS = 12;
const MAX_SEPARATOR = 512;
/** Most characters that both parts gain, beside the line: a namespace may be declared for each paragraph. */
const MAX_GAINED = 4_194_304;

/** What the part with the notes has, and the main part lacks. */
interface Surroundings {
  readonly prefix: string;
  /** Attributes that declare prefixes which are other namespaces in the main part. */
  readonly declared: string;
  /** Of the ids of relationships. */
  readonly linkPrefix: string;
  readonly linkId: (id: string) => string;
}

/**
 * Whether endnotes stand at the end of their sections.
 *
 * @param settings those of the document.
 */
export function hasSectionEndnotes(settings: string): boolean {
  if (!settings.includes('sectEnd')) return false;
  return readNoteReferences(settings, 'endnote').sections[0]?.counting.position === 'sectEnd';
}

/** The part without its notes, which are elsewhere. */
export function withoutNotes(part: Bytes): Bytes {
  const notes = notesIn(part, 'endnote').filter(({ isSpecial }) => !isSpecial);
  return withEdits(
    part,
    notes.map(({ tag, end }) => ({ start: tag.start, end, text: '' })),
  );
}

/** What becomes of the endnotes of sections that end before the document does. */
interface MovedEndnotes {
  readonly count: number;
  /** How many endnotes have digits in place of their format. */
  readonly unwritten: number;
  /**
   * The main part with the endnotes at the end of their sections. Undefined where there are none, and where that is not possible:
   * their numbers depend on their pages, notes or references have no id, as elements and attributes have different prefixes, or the
   * part would grow too much.
   */
  readonly changed: Bytes | undefined;
}

/**
 * Moves the endnotes to the end of their sections, in linear time.
 *
 * @param part has the notes.
 * @param settings those of the document.
 * @param tabStop the distance of its tab stops, in twips.
 * @param linkId the id in the main part of a relationship of the other one.
 */
export function withSectionEndnotes(
  main: Bytes,
  part: Bytes,
  { settings, ...options }: MovingOptions & { readonly settings: string },
): MovedEndnotes {
  const read = readNoteReferences(main, 'endnote');
  const { references, sections } = read;
  const bodyEnd = main.lastIndexOf(`</${wordPrefixOf(main)}body`);
  const count = references.filter(({ section }) => (sections[section]?.end ?? bodyEnd) !== bodyEnd).length;
  if (count === 0) return { count, unwritten: 0, changed: undefined };
  const { texts, unwritten } = noteNumbers(references, sections, settings, 'endnote');
  const isPossible = texts && bodyEnd >= 0;
  return {
    count,
    unwritten,
    changed: isPossible ? moved(main, part, { ...read, texts, bodyEnd, ...options }) : undefined,
  };
}

interface MovingOptions {
  readonly tabStop: number;
  readonly linkId: (id: string) => string;
}

function moved(
  main: Bytes,
  part: Bytes,
  {
    references,
    sections,
    texts,
    bodyEnd,
    tabStop,
    linkId,
  }: MovingOptions & {
    readonly references: readonly NoteReference[];
    readonly sections: readonly NoteSection[];
    readonly texts: readonly (string | undefined)[];
    readonly bodyEnd: number;
  },
): Bytes | undefined {
  const w = wordPrefixOf(main);
  const { missing, other, own } = declarationsBeside(part, main);
  const around: Surroundings = {
    prefix: wordPrefixOf(part),
    declared: other,
    linkPrefix: prefixOf(part, RELATIONSHIPS) ?? 'r:',
    linkId,
  };
  const notes = notesIn(part, 'endnote');
  const waiting = new Map(notes.filter(({ isSpecial }) => !isSpecial).map((note) => [note.id, note]));
  const noteOf = ({ attributes }: Tag) => attributeOf(attributes, `${w}id`) ?? '';
  if (waiting.has('') || references.some(({ tag }) => noteOf(tag) === '')) return undefined;
  const separator = separatorOf(
    part,
    notes,
    around,
    Math.min(MAX_TABS, Math.max(1, Math.round(LINE / tabStop))),
  );
  const placeOf = placesIn(sections);
  const written = new Map<number, string[]>();
  const root = main.indexOf(`<${w}document`) + `<${w}document`.length;
  const edits: Edit[] = [{ start: root, end: root, text: missing }];
  for (const [at, { tag, end, section }] of references.entries()) {
    const number = texts[at];
    const mark = (prefix: string) =>
      number === undefined ? '' : `<${prefix}t>${writtenText(number)}</${prefix}t>`;
    edits.push({ start: tag.start, end, text: mark(w) });
    const note = waiting.get(noteOf(tag));
    if (!note) continue;
    // What has several references is shown once.
    waiting.delete(note.id);
    const place = placeOf(section);
    const paragraphs = written.get(place) ?? [separator];
    if (paragraphs.length === 1) written.set(place, paragraphs);
    paragraphs.push(movedBlocks(contentOf(part, note), mark(around.prefix), around));
  }
  for (const [place, paragraphs] of written) {
    const { from = bodyEnd, to = bodyEnd, end } = sections[place] ?? {};
    if (end === undefined) edits.push({ start: from, end: from, text: paragraphs.join('') });
    else {
      const properties = withDeclarations(main.slice(from, to), own);
      const text = withLastProperties(paragraphs.join(''), properties, w, around.prefix);
      edits.push({ start: from, end: to, text: '' }, { start: end, end, text });
    }
  }
  const changed = withEdits(main, edits);
  return changed.length > main.length + part.length + MAX_GAINED ? undefined : changed;
}

/** In which section the endnotes of each one are printed. */
function placesIn(sections: readonly NoteSection[]): (section: number) => number {
  const places: number[] = [];
  let place = sections.length;
  for (const [at, { keepsEndnotes }] of [...sections.entries()].toReversed()) {
    if (!keepsEndnotes || place === sections.length) place = at;
    places[at] = place;
  }
  return (section) => places[section] ?? section;
}

function contentOf(part: string, { tag, end }: Note): string {
  return tag.isEmpty ? '' : part.slice(tag.end, part.lastIndexOf('</', end - 1));
}

/** The paragraph above the notes: the document's own, or Word's. The line in it is struck through tabs. */
function separatorOf(part: string, notes: readonly Note[], around: Surroundings, tabs: number): string {
  const { prefix: w } = around;
  const usual = `<${w}p><${w}pPr><${w}spacing ${w}after="0"/></${w}pPr><${w}r><${w}separator/></${w}r></${w}p>`;
  const own = notes.find(({ tag }) => attributeOf(tag.attributes, `${w}type`) === 'separator');
  const content = own ? contentOf(part, own) : '';
  const isShort = content !== '' && content.length <= MAX_SEPARATOR;
  const line = `</${w}r><${w}r><${w}rPr><${w}strike/></${w}rPr>${`<${w}tab/>`.repeat(tabs)}</${w}r><${w}r>`;
  return movedBlocks(isShort ? content : usual, line, around);
}

/** Paragraphs and tables of a note for the main part, with its mark, or the separator's line. */
function movedBlocks(content: string, mark: string, around: Surroundings): string {
  const { prefix: w, declared, linkPrefix, linkId } = around;
  const own = new Set([`${w}endnoteRef`, `${w}separator`]);
  const edits: Edit[] = [];
  let depth = 0;
  visitFragment(content, {
    open(name, attributes, isEmpty, start, end) {
      if (own.has(name)) edits.push({ start, end, text: mark });
      else {
        const linked = attributes.includes(linkPrefix)
          ? withValues(attributes, (each, value) =>
              each.startsWith(linkPrefix) && value !== '' ? linkId(value) : value,
            )
          : attributes;
        const changed = depth === 0 ? declared + linked : linked;
        if (changed !== attributes) edits.push(editAttributes({ name, attributes, start }, changed));
      }
      if (!isEmpty) depth += 1;
    },
    close(name, start, end) {
      depth -= 1;
      if (own.has(name)) edits.push({ start, end, text: '' });
    },
  });
  return withEdits(content, edits);
}

/**
 * The namespaces of a part beside those of the main part, as attributes: those that are missing there, and those that have another
 * prefix there, as both parts declare it.
 */
function declarationsBeside(
  part: string,
  main: string,
): { readonly missing: string; readonly other: string; readonly own: string } {
  const known = new Map(attributesIn(rootAttributes(main)).map((each) => [each.name, each]));
  let [missing, other, own] = ['', '', ''];
  for (const { name, value, quoted } of attributesIn(rootAttributes(part))) {
    const there = known.get(name);
    if (!/^xmlns(?::|$)/.test(name) || there?.value === value) continue;
    if (!there) missing += ` ${name}=${quoted}`;
    else {
      other += ` ${name}=${quoted}`;
      own += ` ${name}=${there.quoted}`;
    }
  }
  return { missing, other, own };
}

/** An element with more attributes. */
function withDeclarations(element: string, declared: string): string {
  const name = /^<[^\s/>]+/.exec(element)?.[0] ?? '';
  return name + declared + element.slice(name.length);
}

/** Blocks whose last paragraph ends a section. @param w the prefix outside of the blocks. @param inner the one inside. */
function withLastProperties(blocks: string, properties: string, w: string, inner: string): string {
  let last: Tag | undefined;
  let own: Tag | undefined;
  let closing = 0;
  let depth = 0;
  visitFragment(blocks, {
    open(name, attributes, isEmpty, start, end) {
      const tag = { name, attributes, isEmpty, start, end };
      if (depth === 0) [last, own] = [tag, undefined];
      else if (depth === 1 && localName(name) === 'pPr') [own, closing] = [tag, start];
      if (!isEmpty) depth += 1;
    },
    close(name, start) {
      depth -= 1;
      if (depth === 1 && localName(name) === 'pPr') closing = start;
    },
  });
  const written = (prefix: string) => `<${prefix}pPr>${properties}</${prefix}pPr>`;
  if (!last || localName(last.name) !== 'p' || last.isEmpty) return `${blocks}<${w}p>${written(w)}</${w}p>`;
  const { start, end } = own ?? last;
  if (own && !own.isEmpty) return blocks.slice(0, closing) + properties + blocks.slice(closing);
  return blocks.slice(0, own ? start : end) + written(inner) + blocks.slice(end);
}
