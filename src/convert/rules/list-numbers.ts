/**
 * Numbers of list items that LibreOffice writes unlike Word. Such an item gets an instance of its list that says its number. What
 * follows goes on from there, as LibreOffice counts the items of all instances of a definition together.
 *
 * - Levels that go on where a higher level has come between (`w:lvlRestart`, ISO/IEC 29500-1, 17.9.10): at 0 they never begin anew,
 *   otherwise only below that level. LibreOffice begins anew below each higher level. So the numbers are counted in both ways;
 *   where they differ, the instance starts with Word's number.
 * - Number formats that LibreOffice lacks (list-number-texts.ts): the level of the instance has the number as text.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import type { KeptParts } from '../document/kept-parts.ts';
import { linkedText, linksOf } from '../document/links.ts';
import {
  isUnwritten,
  listNumberText,
  nativeZeros,
  numberFormat,
  otherFormats,
} from '../document/list-number-texts.ts';
import { attributeOf, wordPrefixOf } from '../document/markup.ts';
import type { Styles } from '../document/styles.ts';
import { tagsIn } from '../document/tags.ts';
import { type Bytes, fromBytes, toBytes } from '../text/bytes.ts';
import { LEVELS, ListDefinitions, type ListInstance } from './list-definitions.ts';
import { itemOf, listParagraphs } from './list-paragraphs.ts';

/** Instances that are added, and the length of their markup; what comes after them has LibreOffice's numbers. */
const MAX_ADDED = 1_000;
const MAX_MARKUP = 2_097_152;
/** Word's largest number. */
const MAX_START = 32_767;

/** An instance of a list. */
interface AddedList {
  readonly id: number;
  readonly level: number;
  readonly markup: string;
}

/** An item in an instance that is added. */
interface ListItem {
  readonly list: AddedList;
  /** The attributes of its style's indentation: Word prefers it to that of a list that the style names. */
  readonly indentation: ReadonlyMap<string, string> | undefined;
}

/** Which items get which instance. */
export interface ListNumbers {
  /** By the part and the index of the paragraph. */
  readonly items: ReadonlyMap<string, ReadonlyMap<number, ListItem>>;
  readonly added: readonly AddedList[];
  /** How many items have digits in place of their format. */
  readonly unwritten: number;
}

/** Counts the items of a document. @returns undefined where LibreOffice's numbers are Word's. */
export function listNumbers(parts: KeptParts, styles: Styles): ListNumbers | undefined {
  const numbering = linkedText(parts, 'numbering');
  const formats = [...otherFormats].some((each) => numbering.includes(each));
  const isCustom = numbering.includes('custom');
  if (!formats && !isCustom && !/lvlRestart|hindiCounting/.test(numbering)) return undefined;
  const instances = new Instances(new ListDefinitions(numbering, styles));
  const items = new Map<string, ReadonlyMap<number, ListItem>>();
  for (const part of partsWithItems(parts)) {
    const found = addedIn(parts.text(part), styles, instances, part === parts.mainPart);
    if (found.size > 0) items.set(part, found);
  }
  const { added, unwritten } = instances;
  return items.size > 0 || isCustom || unwritten > 0 ? { items, added, unwritten } : undefined;
}

/** The main part first, then what stands beside its text, which Word counts by itself. */
function partsWithItems(parts: KeptParts): Set<string> {
  const beside = linksOf(parts, parts.mainPart).filter(({ type }) =>
    /^(?:header|footer|footnotes|endnotes)$/.test(type),
  );
  return new Set([parts.mainPart, ...beside.map(({ target }) => target)]);
}

/** Which paragraphs of a part get which instance. */
function addedIn(xml: string, styles: Styles, instances: Instances, isMain: boolean): Map<number, ListItem> {
  const items = new Map<number, ListItem>();
  const { definitions } = instances;
  const counters = new Map<string, Counter>();
  for (const paragraph of listParagraphs(xml)) {
    const item = itemOf(paragraph, styles);
    const instance = item && definitions.instance(item.list);
    if (!item || !instance) continue;
    const place = `${paragraph.isInside} ${instance.definition}`;
    const counter = counters.get(place) ?? new Counter(definitions);
    counters.set(place, counter);
    const { level, list } = item;
    const { number, isSame, isAnew } = counter.count(list, instance, level);
    const goesOn = isMain && !paragraph.isInside && !isSame && definitions.mayGoOn(instance.definition);
    const { text, isWritten } = textOf(definitions, instance, level, counter);
    if (!isWritten) instances.unwritten += 1;
    if ((!goesOn && text === undefined) || number > MAX_START) continue;
    const isShown = text === undefined || text.includes(`%${level + 1}`);
    const start = isShown && (goesOn || isAnew) ? number : undefined;
    const added = instances.add(list, instance, { level, start, text });
    if (!added && text !== undefined) instances.unwritten += 1;
    if (!added) continue;
    const ofStyle = paragraph.own === undefined;
    const indentation = ofStyle ? styles.indentation(styles.paragraphStyle(paragraph.style)) : undefined;
    items.set(paragraph.index, { list: added, indentation });
    if (start !== undefined) counter.accept(level);
  }
  return items;
}

/** The text of a level with the numbers that LibreOffice would write otherwise; undefined where it would not, or nobody can. */
function textOf(
  definitions: ListDefinitions,
  instance: ListInstance,
  level: number,
  counter: Counter,
): { readonly text: string | undefined; readonly isWritten: boolean } {
  const own = definitions.level(instance, level);
  if (!own || own.isLegal || own.format === 'bullet') return { text: undefined, isWritten: true };
  let [isOther, isWritten] = [false, true];
  const text = own.text.replace(/%([1-9])/g, (whole: string, digit: string) => {
    const index = Number(digit) - 1;
    const format = definitions.level(instance, index)?.format;
    if (index > level || format === undefined) return whole;
    const number = counter.number(index) ?? definitions.start(instance, index);
    const other = listNumberText(number, format);
    if (isUnwritten(number, format)) isWritten = false;
    isOther ||= other !== undefined;
    return other ?? whole;
  });
  return { text: isOther ? text : undefined, isWritten };
}

/** The part with its items in these instances, in linear time. */
export function withListItems(xml: Bytes, items: ReadonlyMap<number, ListItem>): Bytes {
  const w = wordPrefixOf(xml);
  const edits: Edit[] = [];
  for (const { index, list, properties, start } of listParagraphs(xml)) {
    const item = items.get(index);
    if (!item) continue;
    if (list) {
      const { isEmpty, ...tag } = list;
      edits.push({ ...tag, text: `<${w}numId ${w}val="${item.list.id}"${isEmpty ? '/' : ''}>` });
    } else {
      const { id, level } = item.list;
      const edges = [...(item.indentation ?? [])].map(([name, value]) => ` ${w}${name}="${value}"`).join('');
      const text =
        `<${w}numPr><${w}ilvl ${w}val="${level}"/><${w}numId ${w}val="${id}"/></${w}numPr>` +
        (edges && `<${w}ind${edges}/>`);
      if (properties !== undefined) edits.push({ start: properties, end: properties, text });
      else edits.push({ start, end: start, text: `<${w}pPr>${text}</${w}pPr>` });
    }
  }
  return withEdits(xml, edits);
}

/**
 * The numbering part with these instances behind the last one, and named formats or plain digits in place of custom formats that
 * LibreOffice does not know: it would forget the text of their levels.
 */
export function withListInstances(xml: Bytes, { added }: ListNumbers): Bytes {
  const w = wordPrefixOf(xml);
  const end = xml.lastIndexOf(`</${w}num>`) + `</${w}num>`.length;
  const text = toBytes(added.map(({ markup }) => markup).join(''));
  const whole = end < `</${w}num>`.length ? xml : withEdits(xml, [{ start: end, end, text }]);
  const edits = tagsIn(whole, (name) => name === `${w}numFmt`).flatMap((tag): Edit[] => {
    const value = (name: string) => attributeOf(tag.attributes, w + name) ?? '';
    if (value('val') !== 'custom' || nativeZeros.includes(value('format'))) return [];
    const format = numberFormat('custom', fromBytes(value('format')));
    const text = `<${w}numFmt ${w}val="${/^\w+$/.test(format) ? format : 'decimal'}"${tag.isEmpty ? '/' : ''}>`;
    return [{ start: tag.start, end: tag.end, text }];
  });
  return withEdits(whole, edits);
}

/** Those that are added. */
class Instances {
  readonly definitions: ListDefinitions;
  readonly added: AddedList[] = [];
  /** How many items have digits in place of their format. */
  unwritten = 0;
  /** Those with text alone, which many items may have. */
  readonly #known = new Map<string, AddedList>();
  #length = 0;

  constructor(definitions: ListDefinitions) {
    this.definitions = definitions;
  }

  add(
    list: string,
    instance: ListInstance,
    at: { readonly level: number; readonly start: number | undefined; readonly text: string | undefined },
  ): AddedList | undefined {
    const owner = instance.levels.size > 0 ? `list ${list}` : instance.definition;
    const key = at.start === undefined ? `${owner} ${at.level} ${at.text}` : undefined;
    const known = key === undefined ? undefined : this.#known.get(key);
    if (known || this.added.length >= MAX_ADDED || this.#length > MAX_MARKUP) return known;
    const id = this.definitions.lastId + this.added.length + 1;
    const markup = this.definitions.markup(id, instance, at);
    if (markup === undefined) return undefined;
    const added = { id, level: at.level, markup };
    this.added.push(added);
    this.#length += markup.length;
    if (key !== undefined) this.#known.set(key, added);
    return added;
  }
}

/** Counts the items of a list definition as Word and as LibreOffice do. */
class Counter {
  readonly #definitions: ListDefinitions;
  readonly #word: (number | undefined)[] = [];
  readonly #engine: (number | undefined)[] = [];
  /** Instances whose levels have begun. */
  readonly #begun = new Set<string>();

  constructor(definitions: ListDefinitions) {
    this.#definitions = definitions;
  }

  /** The number of the last item of a level. */
  number(level: number): number | undefined {
    return this.#word[level];
  }

  /** The number of the next item, whether LibreOffice gives it as well, and whether its instance begins with it. */
  count(
    list: string,
    instance: ListInstance,
    level: number,
  ): { readonly number: number; readonly isSame: boolean; readonly isAnew: boolean } {
    const place = `${list} ${level}`;
    const isAnew = instance.starts.has(level) && !this.#begun.has(place);
    this.#begun.add(place);
    const start = this.#definitions.start(instance, level);
    const next = (numbers: (number | undefined)[]) => {
      const before = numbers[level];
      const number = before === undefined || isAnew ? start : before + 1;
      numbers[level] = number;
      return number;
    };
    const [number, engine] = [next(this.#word), next(this.#engine)];
    for (let below = level + 1; below < LEVELS; below += 1) {
      const restart = this.#definitions.level(instance, below)?.restart;
      this.#engine[below] = undefined;
      if (restart === undefined || level < restart) this.#word[below] = undefined;
    }
    return { number, isSame: number === engine, isAnew };
  }

  /** LibreOffice goes on with Word's number. */
  accept(level: number): void {
    this.#engine[level] = this.#word[level];
  }
}
