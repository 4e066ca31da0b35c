/** Where a document refers to footnotes or endnotes, in which section, and how their numbers are counted (ISO/IEC 29500-1, 17.11). */
import { isUnwritten, listNumberText, numberFormat, writtenNumber } from '../document/list-number-texts.ts';
import { attributeOf, isOn, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import type { Tag } from '../document/tags.ts';
import type { NoteKind } from './note-order.ts';

const FALLBACK = 'mc:Fallback';

export interface NoteReference {
  readonly tag: Tag;
  /** Where what follows it begins. */
  end: number;
  /** Of its run, as written. */
  readonly properties: string;
  /** The index of its section. */
  readonly section: number;
  readonly isCustom: boolean;
  /** Where the text of a custom mark is. */
  mark: { readonly start: number; end: number } | undefined;
}

/** How the notes of a section are counted, and where they stand; undefined where it does not say so. */
interface NoteCounting {
  /** See {@link numberFormat}. */
  format?: string;
  /** Whether it is a custom one: LibreOffice knows none of notes. */
  isCustom?: boolean;
  start?: number;
  restart?: string;
  position?: string;
}

export interface NoteSection {
  readonly counting: NoteCounting;
  /** Where its properties begin and end. */
  readonly from: number;
  to: number;
  /** Where the paragraph that ends it ends; undefined where the body does. */
  end: number | undefined;
  /** Whether its endnotes wait for a later section (17.11.16). */
  keepsEndnotes: boolean;
}

/** Number of notes whose numbers are digits in place of their format. @param settings those of the document. */
export function countUnwrittenNotes(main: string, settings: string, kind: NoteKind): number {
  const mayBe = main.includes(`${kind}Reference`) && (main.includes('numFmt') || settings.includes('numFmt'));
  if (!mayBe) return 0;
  const { references, sections } = readNoteReferences(main, kind);
  return noteNumbers(references, sections, settings, kind).unwritten;
}

/**
 * The numbers of notes: undefined for those with a mark of their own, and `texts` where nobody knows them.
 *
 * @returns `isOther`: whether LibreOffice writes other ones; `unwritten`: how many have digits in place of their format.
 */
export function noteNumbers(
  references: readonly NoteReference[],
  sections: readonly NoteSection[],
  settings: string,
  kind: NoteKind,
): {
  readonly texts: (string | undefined)[] | undefined;
  readonly isOther: boolean;
  readonly unwritten: number;
} {
  const format = kind === 'endnote' ? 'lowerRoman' : 'decimal';
  const [usual] = readNoteReferences(settings, kind).sections;
  const usually = { format, start: 1, restart: 'continuous', ...usual?.counting };
  // LibreOffice takes what the last section says that says something.
  const engine: NoteCounting = {};
  for (const { counting } of sections) Object.assign(engine, counting);
  const isDecimal = engine.isCustom || isUnwritten(1, engine.format ?? format);
  const engineFormat = isDecimal ? 'decimal' : (engine.format ?? format);
  let [number, counted, section, unwritten] = [0, 0, -1, 0];
  let [isOther, isKnown] = [false, true];
  const texts: (string | undefined)[] = [];
  for (const reference of references) {
    const counting = { ...usually, ...sections[reference.section]?.counting };
    // Of pages, only LibreOffice knows where they begin.
    if (counting.restart === 'eachPage') isKnown = false;
    if (reference.isCustom) {
      texts.push(undefined);
      continue;
    }
    const beginsAnew = counting.restart === 'eachSect' && reference.section !== section;
    number = section < 0 || beginsAnew ? counting.start : number + 1;
    section = reference.section;
    counted += 1;
    const isWritten = !isUnwritten(number, counting.format);
    if (!isWritten) unwritten += 1;
    const own = isWritten ? counting.format : 'decimal';
    const text = writtenNumber(number, own);
    if (text === undefined) isKnown = false;
    texts.push(text);
    isOther ||=
      number !== counted - 1 + (engine.start ?? 1) ||
      own !== engineFormat ||
      listNumberText(number, own) !== undefined;
  }
  return { texts: isKnown ? texts : undefined, isOther: isKnown && isOther, unwritten };
}

/** The references of a part, not in alternatives that LibreOffice does not choose, and how its sections count. */
export function readNoteReferences(
  xml: string,
  kind: NoteKind,
): { readonly references: NoteReference[]; readonly sections: NoteSection[] } {
  const w = wordPrefixOf(xml);
  const [own, counts] = [`${kind}Reference`, `${kind}Pr`];
  const names = qualified(w, [
    ...['p', 'r', 'rPr', 't', 'sectPr', 'settings', own, counts],
    ...['numFmt', 'numStart', 'numRestart', 'pos', 'noEndnote'],
  ]);
  names.set(FALLBACK, FALLBACK);
  const references: NoteReference[] = [];
  const sections: NoteSection[] = [];
  let [section, sectionDepth, fallbacks, propertiesAt, paragraphs] = [0, 0, 0, 0, 0];
  let properties = '';
  let isCounting = false;
  /** The number of open paragraphs where a section's properties are. */
  let ending = 0;
  /** A reference whose mark may come. */
  let waiting: NoteReference | undefined;
  visitMarkup(xml, {
    names,
    open(name, attributes, isEmpty, start, end) {
      const local = names.get(name);
      if (local === undefined) return;
      const value = () => attributeOf(attributes, `${w}val`) ?? '';
      if (local === FALLBACK) fallbacks += isEmpty ? 0 : 1;
      else if (local === 'sectPr' || local === 'settings') {
        if (sectionDepth === 0) {
          sections.push({ counting: {}, from: start, to: end, end: undefined, keepsEndnotes: false });
          ending = paragraphs;
        }
        if (!isEmpty) sectionDepth += 1;
      } else if (sectionDepth > 0) {
        const last = sections.at(-1);
        const counting = last?.counting;
        if (local === 'noEndnote' && last && sectionDepth === 1)
          last.keepsEndnotes = isOn(attributes, `${w}val`);
        else if (local === counts) isCounting = !isEmpty && sectionDepth === 1;
        else if (!isCounting || !counting) return;
        else if (local === 'numFmt') {
          counting.format = numberFormat(value(), attributeOf(attributes, `${w}format`));
          counting.isCustom = value() === 'custom';
        } else if (local === 'pos') counting.position = value();
        else if (local === 'numRestart') counting.restart = value();
        else if (local === 'numStart' && /^\d{1,5}$/.test(value())) counting.start = Number(value());
      } else if (local === 'p') paragraphs += isEmpty ? 0 : 1;
      else if (local === 'r') [properties, waiting] = ['', undefined];
      else if (local === 'rPr') propertiesAt = start;
      else if (local === 't' && waiting) {
        if (!isEmpty) waiting.mark = { start: end, end };
      } else if (local === own && fallbacks === 0) {
        const tag = { name, attributes, isEmpty, start, end };
        const custom = attributeOf(attributes, `${w}customMarkFollows`);
        const isCustom = custom !== undefined && isOn(attributes, `${w}customMarkFollows`);
        const reference: NoteReference = { tag, end, properties, section, isCustom, mark: undefined };
        references.push(reference);
        waiting = isCustom ? reference : undefined;
      }
    },
    close(name, start, end) {
      const local = names.get(name);
      const last = references.at(-1);
      if (local === FALLBACK) fallbacks -= 1;
      else if (local === own && last && fallbacks === 0) last.end = end;
      else if (local === 'sectPr' || local === 'settings') {
        sectionDepth -= 1;
        const closed = sections.at(-1);
        if (sectionDepth === 0 && closed) closed.to = end;
      } else if (local === counts) isCounting = false;
      else if (sectionDepth > 0) return;
      else if (local === 'rPr') properties = xml.slice(propertiesAt, end);
      else if (local === 't' && waiting?.mark) {
        waiting.mark.end = start;
        waiting = undefined;
      } else if (local === 'p') {
        paragraphs -= 1;
        const ended = sections.at(-1);
        if (!ended || ended.end !== undefined || ending !== paragraphs + 1) return;
        ended.end = end;
        section += 1;
      }
    },
  });
  return { references, sections };
}
