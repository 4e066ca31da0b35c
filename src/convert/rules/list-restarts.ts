/**
 * Levels of lists that go on where a higher level has come between (`w:lvlRestart`, ISO/IEC 29500-1, 17.9.10): at 0 they never
 * begin anew, otherwise only below that level. LibreOffice begins anew below each higher level. So the numbers are counted in both
 * ways; where they differ, the item gets an instance of the list that starts with Word's number, and what follows goes on from there.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import type { KeptParts } from '../document/kept-parts.ts';
import { linkedText } from '../document/links.ts';
import { attributeOf, prefixOf, qualified, visitMarkup, WORD_NAMESPACE } from '../document/markup.ts';
import { NO_LIST, type Styles } from '../document/styles.ts';

/** Instances that are added; what comes after them has LibreOffice's numbers. */
const MAX_ADDED = 1_000;
const LEVELS = 9;
/** Word's largest number. */
const MAX_START = 32_767;

/** An instance of a list that starts with a number. */
interface AddedList {
  readonly id: number;
  readonly definition: string;
  readonly level: number;
  readonly start: number;
}

/** Which items of the main part get which instance. */
export interface ContinuedLists {
  /** By the index of the paragraph. */
  readonly items: ReadonlyMap<number, AddedList>;
  readonly added: readonly AddedList[];
}

/** Whether a piece of an XML part may have such levels, items of such lists, or styles that make items. */
export function mayContinueLists(piece: Buffer): boolean {
  return piece.includes('lvlRestart') || piece.includes('numPr') || piece.includes('pStyle');
}

/** Counts the items of the main part. @returns undefined where LibreOffice's numbers are Word's. */
export function continuedLists(parts: KeptParts, styles: Styles): ContinuedLists | undefined {
  const numbering = linkedText(parts, 'numbering');
  if (!numbering.includes('lvlRestart')) return undefined;
  const { definitions, lists, lastId } = readDefinitions(numbering);
  const added: AddedList[] = [];
  const items = new Map<number, AddedList>();
  const xml = parts.text(parts.mainPart);
  for (const { index, ...paragraph } of readParagraphs(xml)) {
    const item = itemOf(paragraph, styles);
    const definition = item && lists.get(item.list);
    const counter = definition === undefined ? undefined : definitions.get(definition);
    if (!item || definition === undefined || !counter?.isKnown) continue;
    const { level } = item;
    const { number, isSame } = counter.count(level);
    if (isSame || number > MAX_START || added.length >= MAX_ADDED) continue;
    // A list of its own would give a paragraph of a style another edge.
    if (paragraph.own === undefined && styles.left(styles.paragraphStyle(paragraph.style)) !== undefined)
      continue;
    const list = { id: lastId + added.length + 1, definition, level, start: number };
    added.push(list);
    items.set(index, list);
    counter.accept(level);
  }
  return added.length > 0 ? { items, added } : undefined;
}

/**
 * The main part or the numbering part with these instances, in linear time.
 *
 * @param xml in an encoding in which ASCII is ASCII.
 * @param isMain which of the two it is.
 */
export function withContinuedLists(xml: string, isMain: boolean, { items, added }: ContinuedLists): string {
  const w = prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
  if (!isMain) return withLists(xml, w, added);
  const edits: Edit[] = [];
  for (const { index, list, properties, start } of readParagraphs(xml)) {
    const item = items.get(index);
    if (!item) continue;
    if (list) {
      const { isEmpty, ...tag } = list;
      edits.push({ ...tag, text: `<${w}numId ${w}val="${item.id}"${isEmpty ? '/' : ''}>` });
    } else {
      const text = `<${w}numPr><${w}ilvl ${w}val="${item.level}"/><${w}numId ${w}val="${item.id}"/></${w}numPr>`;
      if (properties !== undefined) edits.push({ start: properties, end: properties, text });
      else edits.push({ start, end: start, text: `<${w}pPr>${text}</${w}pPr>` });
    }
  }
  return withEdits(xml, edits);
}

/** Behind the last instance of the numbering part. */
function withLists(xml: string, w: string, added: readonly AddedList[]): string {
  const end = xml.lastIndexOf(`</${w}num>`) + `</${w}num>`.length;
  if (end < `</${w}num>`.length) return xml;
  const texts = added.map(
    ({ id, definition, level, start }) =>
      `<${w}num ${w}numId="${id}"><${w}abstractNumId ${w}val="${definition}"/><${w}lvlOverride ${w}ilvl="${level}">` +
      `<${w}startOverride ${w}val="${start}"/></${w}lvlOverride></${w}num>`,
  );
  return xml.slice(0, end) + texts.join('') + xml.slice(end);
}

interface Level {
  start: number;
  /** The level above which it begins anew, from 1; undefined for each. */
  restart: number | undefined;
}

/** Counts the items of a list definition as Word and as LibreOffice do. */
class Counter {
  /** Whether all of its levels and instances are understood. */
  isKnown = false;
  readonly #levels: Level[] = Array.from({ length: LEVELS }, () => ({ start: 1, restart: undefined }));
  readonly #word: (number | undefined)[] = [];
  readonly #engine: (number | undefined)[] = [];

  level(index: number): Level | undefined {
    return this.#levels[index];
  }

  /** The number of the next item, and whether LibreOffice gives it as well. */
  count(level: number): { readonly number: number; readonly isSame: boolean } {
    const start = this.#levels[level]?.start ?? 1;
    const next = (numbers: (number | undefined)[]) => {
      const before = numbers[level];
      const number = before === undefined ? start : before + 1;
      numbers[level] = number;
      return number;
    };
    const [number, engine] = [next(this.#word), next(this.#engine)];
    for (let below = level + 1; below < LEVELS; below += 1) {
      const restart = this.#levels[below]?.restart;
      this.#engine[below] = undefined;
      if (restart === undefined || level < restart) this.#word[below] = undefined;
    }
    return { number, isSame: number === engine };
  }

  /** LibreOffice goes on with Word's number. */
  accept(level: number): void {
    this.#engine[level] = this.#word[level];
  }
}

/** The definitions that have such levels, the definition of each list, and the highest number of a list. */
function readDefinitions(numbering: string): {
  readonly definitions: ReadonlyMap<string, Counter>;
  readonly lists: ReadonlyMap<string, string>;
  readonly lastId: number;
} {
  const w = prefixOf(numbering, WORD_NAMESPACE) ?? 'w:';
  const own = ['abstractNum', 'num', 'abstractNumId', 'lvl', 'start', 'lvlRestart', 'lvlOverride'];
  const names = qualified(w, own);
  const definitions = new Map<string, Counter>();
  const lists = new Map<string, string>();
  const changed = new Set<string>();
  let [counter, level, list, lastId]: [Counter | undefined, Level | undefined, string, number] = [
    undefined,
    undefined,
    '',
    0,
  ];
  visitMarkup(numbering, {
    open(name, attributes) {
      const read = (attribute: string) => attributeOf(attributes, w + attribute) ?? '';
      const number = () => (/^\d{1,5}$/.test(read('val')) ? Number(read('val')) : undefined);
      switch (names.get(name)) {
        case 'abstractNum':
          counter = new Counter();
          definitions.set(read('abstractNumId'), counter);
          break;
        case 'num':
          [counter, level, list] = [undefined, undefined, read('numId')];
          if (/^\d{1,9}$/.test(list)) lastId = Math.max(lastId, Number(list));
          break;
        case 'abstractNumId':
          if (list !== '') lists.set(list, read('val'));
          break;
        case 'lvl':
          level = counter?.level(Number(read('ilvl')));
          break;
        case 'start':
          if (level) level.start = number() ?? 1;
          break;
        case 'lvlRestart':
          if (level) level.restart = number();
          if (counter) counter.isKnown = true;
          break;
        case 'lvlOverride':
          changed.add(list);
      }
    },
    close() {},
  });
  // Its instances may start anew or have other levels.
  for (const each of changed) {
    const changedOne = definitions.get(lists.get(each) ?? '');
    if (changedOne) changedOne.isKnown = false;
  }
  return { definitions, lists, lastId };
}

/** A paragraph that is not inside another one. */
interface Paragraph {
  readonly index: number;
  /** Where its content begins. */
  readonly start: number;
  style: string;
  /** The list and level that it names itself. */
  own: string | undefined;
  level: string | undefined;
  /** The tag that names the list. */
  list: { readonly start: number; readonly end: number; readonly isEmpty: boolean } | undefined;
  /** Where a list may be named. */
  properties: number | undefined;
}

function readParagraphs(xml: string): Paragraph[] {
  const w = prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
  const names = qualified(w, ['p', 'pPr', 'pStyle', 'numId', 'ilvl', 'pPrChange']);
  const found: Paragraph[] = [];
  let depth = 0;
  let isOld = false;
  visitMarkup(xml, {
    open(name, attributes, isEmpty, start, end) {
      const local = names.get(name);
      if (local === undefined) return;
      if (local === 'p') {
        if (isEmpty) return;
        depth += 1;
        const unknown = {
          style: '',
          own: undefined,
          level: undefined,
          list: undefined,
          properties: undefined,
        };
        if (depth === 1) found.push({ index: found.length, start: end, ...unknown });
      }
      const paragraph = depth === 1 && !isOld ? found.at(-1) : undefined;
      if (!paragraph) return;
      const value = attributeOf(attributes, `${w}val`);
      if (local === 'pPrChange') isOld = !isEmpty;
      else if (local === 'pPr' && !isEmpty) paragraph.properties ??= end;
      else if (local === 'pStyle') {
        paragraph.style = value ?? '';
        if (isEmpty) paragraph.properties = end;
      } else if (local === 'ilvl') paragraph.level ??= value;
      else if (local === 'numId' && paragraph.own === undefined) {
        paragraph.own = value;
        paragraph.list = { start, end, isEmpty };
      }
    },
    close(name, _, end) {
      const local = names.get(name);
      const paragraph = depth === 1 && !isOld ? found.at(-1) : undefined;
      if (local === 'pPrChange') isOld = false;
      else if (local === 'p') depth -= 1;
      else if (local === 'pStyle' && paragraph) paragraph.properties = end;
    },
  });
  return found;
}

/** The list and level of an item; undefined for other paragraphs. */
function itemOf(
  { style, own, level }: Pick<Paragraph, 'style' | 'own' | 'level'>,
  styles: Styles,
): { readonly list: string; readonly level: number } | undefined {
  const ofStyle = styles.list(styles.paragraphStyle(style));
  const list = own ?? ofStyle?.list;
  if (list === undefined || list === NO_LIST) return undefined;
  const written = level ?? (own === undefined ? ofStyle?.level : undefined) ?? '0';
  return /^[0-8]$/.test(written) ? { list, level: Number(written) } : undefined;
}
