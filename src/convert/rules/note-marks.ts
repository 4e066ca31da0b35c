/**
 * Numbers of footnotes and endnotes that begin anew in each section, or have another format in one (ISO/IEC 29500-1, 17.11.19 and
 * .17): LibreOffice counts through, in one format, and lacks some formats. So each note gets its number as a mark of its own.
 *
 * LibreOffice writes such marks twice if they have several characters, and always in the note. So only the first character is the
 * mark, with the others behind it as text, and the note has these alone: LibreOffice puts the mark in front of them.
 */
import { withValues } from '../document/attributes.ts';
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, qualified, visitMarkup, withoutReferences, wordPrefixOf } from '../document/markup.ts';
import { type Bytes, fromBytes } from '../text/bytes.ts';
import { writtenText } from './field-reader.ts';
import { type NoteKind, noteKinds } from './note-order.ts';
import { type NoteReference, noteNumbers, readNoteReferences } from './note-references.ts';

/** A mark begins with a character that LibreOffice takes for one, and is no longer than any that people write. */
const MARK = /^[!-\ud7ff\ue000-\uffff].{0,19}$/;

/** Behind a single character, which would become another part of the mark in some runs. It is invisible. */
const JOINER = '\u2060';

/** The marks of notes, in the order of their references, and by the ids of the notes. */
export interface NoteMarks {
  readonly references: readonly (string | undefined)[];
  readonly notes: ReadonlyMap<string, string>;
}

/**
 * @param main the part that refers to the notes.
 * @param settings those of the document.
 * @returns undefined where LibreOffice's numbers are Word's.
 */
export function noteMarks(main: string, settings: string, kind: NoteKind): NoteMarks | undefined {
  if (!main.includes(`${kind}Reference`)) return undefined;
  const { references, sections } = readNoteReferences(main, kind);
  const { texts, isOther } = noteNumbers(references, sections, settings, kind);
  const numbers = isOther ? texts : undefined;
  const marks = references.map(({ isCustom, mark }, at) => {
    const text = isCustom ? mark && withoutReferences(main.slice(mark.start, mark.end)) : numbers?.[at];
    return text !== undefined && MARK.test(text) ? text : undefined;
  });
  if (marks.every((mark) => mark === undefined)) return undefined;
  const id = `${wordPrefixOf(main)}id`;
  const notes = new Map<string, string>();
  for (const [at, { tag }] of references.entries()) {
    const note = attributeOf(tag.attributes, id) ?? '';
    const mark = marks[at];
    if (mark !== undefined && !notes.has(note)) notes.set(note, mark);
  }
  return { references: marks, notes };
}

/**
 * A part with its references, or its notes, with these marks; in linear time.
 *
 * @param isMain whether it may refer to notes.
 */
export function withNoteMarks(
  xml: Bytes,
  isMain: boolean,
  marksOf: (kind: NoteKind) => NoteMarks | undefined,
): Bytes {
  const w = wordPrefixOf(xml);
  const edits: Edit[] = [];
  for (const kind of noteKinds) {
    if (!xml.includes(isMain ? `${kind}Reference` : kind)) continue;
    const marks = marksOf(kind);
    if (!marks) continue;
    if (isMain) {
      for (const [at, reference] of readNoteReferences(xml, kind).references.entries()) {
        const mark = marks.references[at];
        if (mark !== undefined) edits.push(...marked(w, reference, mark));
      }
    } else for (const edit of restsOfMarks(xml, kind, marks.notes)) edits.push(edit);
  }
  return withEdits(xml, edits);
}

function marked(w: string, { tag, end, properties, isCustom, mark }: NoteReference, text: string): Edit[] {
  const rest = text.length === 2 ? text.slice(1) + JOINER : text.slice(1);
  const behind =
    rest === '' ? '' : `</${w}t></${w}r><${w}r>${properties}<${w}t xml:space="preserve">${writtenText(rest)}`;
  const whole = writtenText(text.slice(0, 1)) + behind;
  if (isCustom) return mark && rest !== '' ? [{ ...mark, text: whole }] : [];
  const attributes = withValues(tag.attributes, (name, value) =>
    name === `${w}customMarkFollows` ? '1' : value,
  );
  const custom = attributes.includes('customMarkFollows') ? '' : ` ${w}customMarkFollows="1"`;
  const reference = `<${tag.name}${custom}${attributes}/>`;
  return [{ start: tag.start, end, text: `${reference}<${w}t xml:space="preserve">${whole}</${w}t>` }];
}

/** In each note: text behind its number, or without the first character of its mark. */
function restsOfMarks(xml: string, kind: NoteKind, notes: ReadonlyMap<string, string>): Edit[] {
  const w = wordPrefixOf(xml);
  const names = qualified(w, [kind, `${kind}Ref`, 't']);
  const edits: Edit[] = [];
  let mark: string | undefined;
  let text: { readonly start: number; readonly end: number } | undefined;
  visitMarkup(xml, {
    names,
    open(name, attributes, isEmpty, start, end) {
      const local = names.get(name);
      if (local === kind) mark = notes.get(attributeOf(attributes, `${w}id`) ?? '');
      else if (mark === undefined || local === undefined) return;
      else if (local === 't') text = isEmpty ? undefined : { start, end };
      else {
        const rest = mark.slice(1);
        const written = `<${w}t xml:space="preserve">${writtenText(rest)}</${w}t>`;
        // In front: LibreOffice shows nothing in the place of this element.
        if (rest !== '') edits.push({ start, end: start, text: written });
        mark = undefined;
      }
    },
    close(name, start, end) {
      if (names.get(name) !== 't' || text === undefined || mark === undefined) return;
      const shown = withoutReferences(fromBytes(xml.slice(text.end, start)));
      if (shown.startsWith(mark)) {
        const rest = shown.slice(1);
        const written = rest === '' ? '' : `<${w}t xml:space="preserve">${writtenText(rest)}</${w}t>`;
        edits.push({ start: text.start, end, text: `<${w}${kind}Ref/>${written}` });
      }
      [mark, text] = [undefined, undefined];
    },
  });
  return edits;
}
