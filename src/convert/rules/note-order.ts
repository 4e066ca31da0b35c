/**
 * Footnotes and endnotes in the order in which the text refers to them (ISO/IEC 29500-1, 17.11), and those alone.
 *
 * LibreOffice gives the first reference the note with the lowest id, and so on: where a note has lost its reference (to a tracked
 * change, or to a program that took its paragraph out), or notes are not numbered in order, all others stand below wrong numbers.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, visitAttributes, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import type { Tag } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';

const FALLBACK = 'mc:Fallback';
export const noteKinds = ['footnote', 'endnote'] as const;
export type NoteKind = (typeof noteKinds)[number];

/** The notes of a kind as they are to be. */
export interface NoteOrder {
  /** The id of the first one: others are used for separators. */
  readonly first: number;
  /** Ids of the notes in the order of their references. */
  readonly references: readonly string[];
}

export interface Note {
  readonly tag: Tag;
  readonly id: string;
  /** A separator. */
  readonly isSpecial: boolean;
  /** Where it ends. */
  end: number;
}

/** Elements, one of which is in every part with notes, or with references to them. */
export const noteElements: readonly string[] = [
  ...['footnote', 'endnote', 'footnoteReference', 'endnoteReference'],
];

/**
 * @param main the part that refers to the notes.
 * @param part the part that has them.
 * @returns undefined where LibreOffice shows each below its number.
 */
export function noteOrder(main: string, part: string, kind: NoteKind): NoteOrder | undefined {
  const prefix = wordPrefixOf(main);
  const references = referencesIn(main, prefix, kind).map((tag) => idOf(tag, prefix));
  const notes = notesIn(part, kind);
  const ids = notes.filter(({ isSpecial }) => !isSpecial).map(({ id }) => Number(id));
  const inOrder = ids.toSorted((a, b) => a - b);
  if (part === '' || references.length === 0) return undefined;
  if (references.length === ids.length && references.every((id, at) => Number(id) === inOrder[at]))
    return undefined;
  const special = notes.filter(({ isSpecial }) => isSpecial).map(({ id }) => Number(id) || 0);
  return { first: special.reduce((most, id) => Math.max(most, id), 0) + 1, references };
}

/**
 * A part with its notes, or its references to them, in order; the same if that is so already.
 *
 * @param isMain whether it may refer to notes.
 */
export function withNotesInOrder(
  xml: Bytes,
  isMain: boolean,
  orderOf: (kind: NoteKind) => NoteOrder | undefined,
): Bytes {
  const prefix = wordPrefixOf(xml);
  const edits: Edit[] = [];
  for (const kind of noteKinds) {
    const tags = isMain ? referencesIn(xml, prefix, kind) : [];
    const notes = isMain ? [] : notesIn(xml, kind);
    if (tags.length === 0 && notes.length === 0) continue;
    const order = orderOf(kind);
    if (!order) continue;
    for (const [at, tag] of tags.entries())
      edits.push({ start: tag.start, end: tag.end, text: withId(xml, tag, prefix, order.first + at) });
    if (notes.length > 0) for (const edit of orderedNotes(xml, notes, prefix, order)) edits.push(edit);
  }
  return withEdits(xml, edits);
}

/** The first note in place of the first one, and so on. One that is missing, or has a reference already, is empty. */
function orderedNotes(
  xml: string,
  notes: readonly Note[],
  prefix: string,
  { first, references }: NoteOrder,
): Edit[] {
  const places = notes.filter(({ isSpecial }) => !isSpecial);
  const waiting = new Map(places.toReversed().map((note) => [note.id, note]));
  const texts = references.map((id, at) => {
    const note = waiting.get(id);
    waiting.delete(id);
    if (note) return withId(xml, note.tag, prefix, first + at) + xml.slice(note.tag.end, note.end);
    const name = places[0]?.tag.name;
    return `<${name} ${prefix}id="${first + at}"><${prefix}p/></${name}>`;
  });
  const last = places.length - 1;
  return places.map(({ tag, end }, at) => ({
    start: tag.start,
    end,
    text: at === last ? texts.slice(last).join('') : (texts[at] ?? ''),
  }));
}

/** Not those in alternatives that LibreOffice does not choose: both alternatives of a drawing have the same. */
function referencesIn(xml: string, prefix: string, kind: NoteKind): Tag[] {
  const own = `${prefix}${kind}Reference`;
  const tags: Tag[] = [];
  let fallbacks = 0;
  visitMarkup(xml, {
    names: new Set([FALLBACK, own]),
    open(name, attributes, isEmpty, start, end) {
      if (name === FALLBACK && !isEmpty) fallbacks += 1;
      else if (name === own && fallbacks === 0) tags.push({ name, attributes, isEmpty, start, end });
    },
    close(name) {
      if (name === FALLBACK) fallbacks -= 1;
    },
  });
  return tags;
}

/** The notes of a part. */
export function notesIn(xml: string, kind: NoteKind): Note[] {
  const prefix = wordPrefixOf(xml);
  const own = prefix + kind;
  const notes: Note[] = [];
  let depth = 0;
  let isRoot = false;
  visitMarkup(xml, {
    open(name, attributes, isEmpty, start, end) {
      if (depth === 0) isRoot = name === `${own}s`;
      if (isRoot && depth === 1 && name === own) {
        const tag = { name, attributes, isEmpty, start, end };
        const type = attributeOf(attributes, `${prefix}type`) ?? 'normal';
        notes.push({ tag, id: idOf(tag, prefix), isSpecial: type !== 'normal', end });
      }
      if (!isEmpty) depth += 1;
    },
    close(_name, _start, end) {
      depth -= 1;
      const last = notes.at(-1);
      if (depth === 1 && last && last.end === last.tag.end && !last.tag.isEmpty) last.end = end;
    },
  });
  return notes;
}

function idOf({ attributes }: Tag, prefix: string): string {
  return attributeOf(attributes, `${prefix}id`) ?? '';
}

/** A start tag with another id. */
function withId(xml: string, { name, attributes, start, end }: Tag, prefix: string, id: number): string {
  const from = start + '<'.length + name.length;
  let text = xml.slice(start, end);
  visitAttributes(attributes, (nameStart, nameEnd, valueStart, valueEnd) => {
    if (attributes.slice(nameStart, nameEnd) !== `${prefix}id`) return true;
    text = xml.slice(start, from + valueStart) + id + xml.slice(from + valueEnd, end);
    return false;
  });
  return text;
}
