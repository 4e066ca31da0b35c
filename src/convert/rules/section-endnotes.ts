/**
 * Endnotes at the end of their sections (ISO/IEC 29500-1, 17.11.22): LibreOffice has all at the end of the document. So they become
 * paragraphs there, below a line, and their references text. Numbers are Word's; there are no links between both.
 */
import { attributesIn, withValues } from '../document/attributes.ts';
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, prefixOf, rootAttributes, visitFragment, wordPrefixOf } from '../document/markup.ts';
import { editAttributes, localName, type Tag } from '../document/tags.ts';
import { writtenText } from './field-reader.ts';
import { type Note, notesIn } from './note-order.ts';
import { type NoteSection, noteNumbers, readNoteReferences } from './note-references.ts';

const RELATIONSHIPS =
  /^http:\/\/(schemas\.openxmlformats\.org\/officeDocument\/2006|purl\.oclc\.org\/ooxml\/officeDocument)\/relationships$/;
/** How long the line above the notes is in Word, in twips. */
const LINE = 2_880;
/** Most tabs that make it, and most characters of what is around it: each section has its own copy. */
const MAX_TABS = 12;
const MAX_SEPARATOR = 512;

/** What the part with the notes has, and the main part lacks. */
interface Surroundings {
  readonly prefix: string;
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

/** The part without its notes, which are elsewhere; in an encoding in which ASCII is ASCII. */
export function withoutNotes(part: string): string {
  const notes = notesIn(part, 'endnote').filter(({ isSpecial }) => !isSpecial);
  return withEdits(
    part,
    notes.map(({ tag, end }) => ({ start: tag.start, end, text: '' })),
  );
}

/**
 * The main part with the endnotes at the end of their sections; the same where all belong to the last one, or where both parts call
 * different namespaces alike.
 *
 * @param main in an encoding in which ASCII is ASCII, as `part`, which has the notes.
 * @param settings those of the document.
 * @param tabStop the distance of its tab stops, in twips.
 * @param linkId the id in the main part of a relationship of the other one.
 */
export function withSectionEndnotes(
  main: string,
  part: string,
  { settings, tabStop, linkId }: { settings: string; tabStop: number; linkId: (id: string) => string },
): string {
  const { references, sections } = readNoteReferences(main, 'endnote');
  const { texts } = noteNumbers(references, sections, settings, 'endnote');
  const w = wordPrefixOf(main);
  const bodyEnd = main.lastIndexOf(`</${w}body`);
  const isInOrder = references.every(({ section }) => (sections[section]?.end ?? bodyEnd) === bodyEnd);
  const declarations = declarationsBeside(part, main);
  if (!texts || bodyEnd < 0 || isInOrder || declarations === undefined) return main;
  const around: Surroundings = {
    prefix: wordPrefixOf(part),
    linkPrefix: prefixOf(part, RELATIONSHIPS) ?? 'r:',
    linkId,
  };
  const notes = notesIn(part, 'endnote');
  const waiting = new Map(notes.filter(({ isSpecial }) => !isSpecial).map((note) => [note.id, note]));
  const separator = separatorOf(
    part,
    notes,
    around,
    Math.min(MAX_TABS, Math.max(1, Math.round(LINE / tabStop))),
  );
  const placeOf = placesIn(sections);
  const written = new Map<number, string[]>();
  const root = main.indexOf(`<${w}document`) + `<${w}document`.length;
  const edits: Edit[] = [{ start: root, end: root, text: declarations }];
  for (const [at, { tag, end, section }] of references.entries()) {
    const mark = texts[at] === undefined ? '' : `<${w}t>${writtenText(texts[at])}</${w}t>`;
    edits.push({ start: tag.start, end, text: mark });
    const note = waiting.get(attributeOf(tag.attributes, `${w}id`) ?? '');
    if (!note) continue;
    // What has several references is shown once.
    waiting.delete(note.id);
    const place = placeOf(section);
    const paragraphs = written.get(place) ?? [separator];
    if (paragraphs.length === 1) written.set(place, paragraphs);
    paragraphs.push(movedBlocks(contentOf(part, note), mark, around));
  }
  for (const [place, paragraphs] of written) {
    const { from = bodyEnd, to = bodyEnd, end } = sections[place] ?? {};
    if (end === undefined) edits.push({ start: from, end: from, text: paragraphs.join('') });
    else {
      const text = withLastProperties(paragraphs.join(''), main.slice(from, to), w);
      edits.push({ start: from, end: to, text: '' }, { start: end, end, text });
    }
  }
  return withEdits(main, edits);
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
  const { prefix: w, linkPrefix, linkId } = around;
  const own = new Set([`${w}endnoteRef`, `${w}separator`]);
  const edits: Edit[] = [];
  visitFragment(content, {
    open(name, attributes, _isEmpty, start, end) {
      if (own.has(name)) edits.push({ start, end, text: mark });
      else {
        const linked = attributes.includes(linkPrefix)
          ? withValues(attributes, (each, value) =>
              each.startsWith(linkPrefix) && value !== '' ? linkId(value) : value,
            )
          : attributes;
        if (linked !== attributes) edits.push(editAttributes({ name, attributes, start }, linked));
      }
    },
    close(name, start, end) {
      if (own.has(name)) edits.push({ start, end, text: '' });
    },
  });
  return withEdits(content, edits);
}

/** The namespaces of a part that another one does not declare, as written; undefined where it declares one otherwise. */
function declarationsBeside(part: string, other: string): string | undefined {
  const known = new Map(attributesIn(rootAttributes(other)).map(({ name, value }) => [name, value]));
  const missing: string[] = [];
  for (const { name, value, quoted } of attributesIn(rootAttributes(part))) {
    if (!/^xmlns(?::|$)/.test(name) || known.get(name) === value) continue;
    if (known.has(name)) return undefined;
    missing.push(` ${name}=${quoted}`);
  }
  return missing.join('');
}

/** Blocks whose last paragraph ends a section. */
function withLastProperties(blocks: string, properties: string, w: string): string {
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
  const written = `<${w}pPr>${properties}</${w}pPr>`;
  if (!last || localName(last.name) !== 'p' || last.isEmpty) return `${blocks}<${w}p>${written}</${w}p>`;
  const { start, end } = own ?? last;
  if (own && !own.isEmpty) return blocks.slice(0, closing) + properties + blocks.slice(closing);
  return blocks.slice(0, own ? start : end) + written + blocks.slice(end);
}
