/**
 * Numbers of footnotes and endnotes that begin anew in each section, or have another format in one (ISO/IEC 29500-1, 17.11.19 and
 * .17): LibreOffice counts through, in one format, and lacks some formats. So each note gets its number as a mark of its own.
 *
 * LibreOffice writes such marks twice if they have several characters, and always in the note. So only the first character is the
 * mark, with the others behind it as text, and the note has these alone: LibreOffice puts the mark in front of them.
 */
import { withValues } from '../document/attributes.ts';
import { type Edit, withEdits } from '../document/edits.ts';
import { listNumberText, writtenNumber } from '../document/list-number-texts.ts';
import {
  attributeOf,
  fromBytes,
  isOn,
  prefixOf,
  qualified,
  visitMarkup,
  WORD_NAMESPACE,
  withoutReferences,
} from '../document/markup.ts';
import type { Tag } from '../document/tags.ts';
import { writtenText } from './field-reader.ts';
import { type NoteKind, noteKinds } from './note-order.ts';

const FALLBACK = 'mc:Fallback';
/** A mark begins with a character that LibreOffice takes for one, and is no longer than any that people write. */
const MARK = /^[!-\ud7ff\ue000-\uffff].{0,19}$/;

/** Behind a single character, which would become another part of the mark in some runs. It is invisible. */
const JOINER = '\u2060';

/** The marks of notes, in the order of their references, and by the ids of the notes. */
export interface NoteMarks {
  readonly references: readonly (string | undefined)[];
  readonly notes: ReadonlyMap<string, string>;
}

interface Reference {
  readonly tag: Tag;
  /** Where what follows it begins. */
  end: number;
  /** Of its run, as written. */
  readonly properties: string;
  readonly section: number;
  readonly isCustom: boolean;
  /** Where the text of a custom mark is. */
  mark: { readonly start: number; end: number } | undefined;
}

/** How the notes of a section are counted; undefined where it does not say so. */
interface Counting {
  format?: string;
  start?: number;
  restart?: string;
}

/**
 * @param main the part that refers to the notes.
 * @param settings those of the document.
 * @returns undefined where LibreOffice's numbers are Word's.
 */
export function noteMarks(main: string, settings: string, kind: NoteKind): NoteMarks | undefined {
  if (!main.includes(`${kind}Reference`)) return undefined;
  const { references, sections } = readReferences(main, kind);
  const numbers = numbersOf(references, sections, readReferences(settings, kind).sections[0] ?? {}, kind);
  const marks = references.map(({ isCustom, mark }, at) => {
    const text = isCustom ? mark && withoutReferences(main.slice(mark.start, mark.end)) : numbers?.[at];
    return text !== undefined && MARK.test(text) ? text : undefined;
  });
  if (marks.every((mark) => mark === undefined)) return undefined;
  const id = `${prefixOf(main, WORD_NAMESPACE) ?? 'w:'}id`;
  const notes = new Map<string, string>();
  for (const [at, { tag }] of references.entries()) {
    const note = attributeOf(tag.attributes, id) ?? '';
    const mark = marks[at];
    if (mark !== undefined && !notes.has(note)) notes.set(note, mark);
  }
  return { references: marks, notes };
}

/** The numbers of notes without a mark of their own; undefined where LibreOffice writes them, or nobody can. */
function numbersOf(
  references: readonly Reference[],
  sections: readonly Counting[],
  usual: Counting,
  kind: NoteKind,
): (string | undefined)[] | undefined {
  const format = kind === 'endnote' ? 'lowerRoman' : 'decimal';
  const countings = sections.map((own) => ({ format, start: 1, restart: 'continuous', ...usual, ...own }));
  // LibreOffice takes what the last section says that says something.
  const engine: Counting = Object.assign({}, ...sections);
  let [number, counted, section] = [0, 0, -1];
  let isOther = false;
  const texts: (string | undefined)[] = [];
  for (const reference of references) {
    const counting = countings[reference.section] ?? { format, start: 1, restart: 'continuous' };
    // Of pages, only LibreOffice knows where they begin.
    if (counting.restart === 'eachPage') return undefined;
    if (reference.isCustom) {
      texts.push(undefined);
      continue;
    }
    const beginsAnew = counting.restart === 'eachSect' && reference.section !== section;
    number = section < 0 || beginsAnew ? counting.start : number + 1;
    section = reference.section;
    counted += 1;
    const text = writtenNumber(number, counting.format);
    if (text === undefined) return undefined;
    texts.push(text);
    isOther ||=
      number !== counted - 1 + (engine.start ?? 1) ||
      counting.format !== (engine.format ?? format) ||
      listNumberText(number, counting.format) !== undefined;
  }
  return isOther ? texts : undefined;
}

/**
 * A part with its references, or its notes, with these marks; in linear time.
 *
 * @param xml in an encoding in which ASCII is ASCII.
 * @param isMain whether it may refer to notes.
 */
export function withNoteMarks(
  xml: string,
  isMain: boolean,
  marksOf: (kind: NoteKind) => NoteMarks | undefined,
): string {
  const w = prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
  const edits: Edit[] = [];
  for (const kind of noteKinds) {
    if (!xml.includes(isMain ? `${kind}Reference` : kind)) continue;
    const marks = marksOf(kind);
    if (!marks) continue;
    if (isMain) {
      for (const [at, reference] of readReferences(xml, kind).references.entries()) {
        const mark = marks.references[at];
        if (mark !== undefined) edits.push(...marked(w, reference, mark));
      }
    } else for (const edit of restsOfMarks(xml, kind, marks.notes)) edits.push(edit);
  }
  return withEdits(xml, edits);
}

function marked(w: string, { tag, end, properties, isCustom, mark }: Reference, text: string): Edit[] {
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
  const w = prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
  const names = qualified(w, [kind, `${kind}Ref`, 't']);
  const edits: Edit[] = [];
  let mark: string | undefined;
  let text: { readonly start: number; readonly end: number } | undefined;
  visitMarkup(xml, {
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

/** The references of a part, not in alternatives that LibreOffice does not choose, and how its sections count. */
function readReferences(
  xml: string,
  kind: NoteKind,
): { readonly references: Reference[]; readonly sections: Counting[] } {
  const w = prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
  const [own, counts] = [`${kind}Reference`, `${kind}Pr`];
  const names = qualified(w, [
    ...['p', 'r', 'rPr', 't', 'sectPr', 'settings', 'numFmt', 'numStart', 'numRestart', own, counts],
  ]);
  names.set(FALLBACK, FALLBACK);
  const references: Reference[] = [];
  const sections: Counting[] = [];
  let [section, sectionDepth, fallbacks, propertiesAt] = [0, 0, 0, 0];
  let properties = '';
  let isCounting = false;
  let endsSection = false;
  /** A reference whose mark may come. */
  let waiting: Reference | undefined;
  visitMarkup(xml, {
    open(name, attributes, isEmpty, start, end) {
      const local = names.get(name);
      if (local === undefined) return;
      const value = () => attributeOf(attributes, `${w}val`) ?? '';
      if (local === FALLBACK) fallbacks += isEmpty ? 0 : 1;
      else if (local === 'sectPr' || local === 'settings') {
        if (sectionDepth === 0) sections.push({});
        if (sectionDepth === 0) endsSection = true;
        if (!isEmpty) sectionDepth += 1;
      } else if (sectionDepth > 0) {
        const counting = sections.at(-1);
        if (local === counts) isCounting = !isEmpty && sectionDepth === 1;
        else if (!isCounting || !counting) return;
        else if (local === 'numFmt') counting.format = value();
        else if (local === 'numRestart') counting.restart = value();
        else if (local === 'numStart' && /^\d{1,5}$/.test(value())) counting.start = Number(value());
      } else if (local === 'p') endsSection = false;
      else if (local === 'r') [properties, waiting] = ['', undefined];
      else if (local === 'rPr') propertiesAt = start;
      else if (local === 't' && waiting) {
        if (!isEmpty) waiting.mark = { start: end, end };
      } else if (local === own && fallbacks === 0) {
        const tag = { name, attributes, isEmpty, start, end };
        const custom = attributeOf(attributes, `${w}customMarkFollows`);
        const isCustom = custom !== undefined && isOn(attributes, `${w}customMarkFollows`);
        const reference: Reference = { tag, end, properties, section, isCustom, mark: undefined };
        references.push(reference);
        waiting = isCustom ? reference : undefined;
      }
    },
    close(name, start, end) {
      const local = names.get(name);
      const last = references.at(-1);
      if (local === FALLBACK) fallbacks -= 1;
      else if (local === own && last && fallbacks === 0) last.end = end;
      else if (local === 'sectPr' || local === 'settings') sectionDepth -= 1;
      else if (local === counts) isCounting = false;
      else if (sectionDepth > 0) return;
      else if (local === 'rPr') properties = xml.slice(propertiesAt, end);
      else if (local === 't' && waiting?.mark) {
        waiting.mark.end = start;
        waiting = undefined;
      } else if (local === 'p' && endsSection) {
        section += 1;
        endsSection = false;
      }
    },
  });
  return { references, sections };
}
