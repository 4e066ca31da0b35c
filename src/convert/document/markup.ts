/** Going through the markup of an XML part that is in memory, without checking it: the engine's parser does that. */
import { CLOSE, EMPTY, ENTRY, KIND, KIND_BITS, nameAt, OPEN, readEntries, TEXT } from './markup-index.ts';
import { MarkupLexer } from './markup-lexer.ts';
import type { MarkupNames } from './markup-names.ts';

const SPACE = 0x20;

/** Who is told of the markup of a part, in document order. */
export interface MarkupVisitor {
  /** The names of the elements to be told of, as they are written; all by default. Those that can be listed take less time. */
  readonly names?: { has(name: string): boolean; keys?(): Iterable<string> } | undefined;
  /**
   * @param name as it is written, with its prefix.
   * @param attributes as they are written, see {@link attributeOf}.
   * @param start where the tag begins.
   * @param end where what follows the tag begins.
   * @returns true to pass over what is in the element.
   */
  open(name: string, attributes: string, isEmpty: boolean, start: number, end: number): unknown;
  /** The end of an element that is not empty, passed over or not. */
  close?(name: string, start: number, end: number): void;
  /** Text from `start` to `end`, with its references as they are written. */
  text?(xml: string, start: number, end: number): void;
}

/** Visits the elements up to the end, or to where the markup breaks off, see {@link readEntries}. */
export function visitMarkup(xml: string, visitor: MarkupVisitor): void {
  const walk = new Walk(xml, visitor);
  readEntries(xml, false, (...block) => walk.read(...block));
}

/** Visits the elements of a piece of a part, which may end elements that began before it. */
export function visitFragment(xml: string, visitor: MarkupVisitor): void {
  const walk = new Walk(xml, visitor);
  readEntries(xml, true, (...block) => walk.read(...block));
}

class Walk {
  readonly #xml: string;
  readonly #visitor: MarkupVisitor;
  /** By the number of a name, whether the visitor is told of it; undefined where that is not known, or depends on the name. */
  readonly #isTold: (boolean | undefined)[] = [];
  /** The numbers of the names that the visitor lists, once one came that several names share. */
  #listed: ReadonlySet<number> | undefined;
  /** How many elements are open from the one on that is passed over. */
  #passedOver = 0;

  constructor(xml: string, visitor: MarkupVisitor) {
    this.#xml = xml;
    this.#visitor = visitor;
  }

  read(block: Int32Array, length: number, names: MarkupNames): void {
    const xml = this.#xml;
    const visitor = this.#visitor;
    const isTold = this.#isTold;
    for (let at = 0; at < length; at += ENTRY) {
      const what = block[at] ?? 0;
      const kind = what & KIND;
      if (this.#passedOver > 0) {
        if (kind === OPEN) this.#passedOver += 1;
        if (kind !== CLOSE) continue;
        this.#passedOver -= 1;
        if (this.#passedOver > 0) continue;
      }
      const start = block[at + 1] ?? 0;
      if (kind === TEXT) visitor.text?.(xml, start, block[at + 2] ?? 0);
      else if (isTold[what >> KIND_BITS] ?? this.#tells(what, start, names))
        this.#tell(nameAt(xml, what, start, names), kind, start, block[at + 2] ?? 0);
    }
  }

  #tells(what: number, start: number, names: MarkupNames): boolean {
    const id = what >> KIND_BITS;
    const isShared = names.name(id) === undefined;
    const isTold =
      (!isShared || this.#lists(id, names)) &&
      (this.#visitor.names?.has(nameAt(this.#xml, what, start, names)) ?? true);
    if (!isShared || !this.#lists(id, names)) this.#isTold[id] = isTold;
    return isTold;
  }

  /** Whether one of the names that share a number may be one of the visitor's. */
  #lists(id: number, names: MarkupNames): boolean {
    const own = this.#visitor.names?.keys?.();
    if (!own) return true;
    this.#listed ??= new Set([...own].map((name) => names.find(name, 0, name.length)));
    return this.#listed.has(id);
  }

  #tell(name: string, kind: number, start: number, end: number): void {
    if (kind === CLOSE) {
      this.#visitor.close?.(name, start, end);
      return;
    }
    const isEmpty = kind === EMPTY;
    const nameEnd = start + '<'.length + name.length;
    const last = end - (isEmpty ? '/>' : '>').length;
    const attributes = nameEnd < last ? this.#xml.slice(nameEnd, last) : '';
    if (this.#visitor.open(name, attributes, isEmpty, start, end) === true && !isEmpty) this.#passedOver = 1;
  }
}

/** Longer than any name of a part, a style or a font: what is behind it is left out, so that values cost little to compare. */
const MAX_VALUE = 512;

/** The value of an attribute by its name as it is written, cut where it is too long; undefined where it is not there. */
export function attributeOf(attributes: string, name: string): string | undefined {
  if (!attributes.includes(name)) return undefined;
  // Most are the first one, behind a space.
  const first = 1 + name.length;
  if (
    attributes.startsWith(name, 1) &&
    attributes.startsWith('="', first) &&
    attributes.charCodeAt(0) === SPACE
  ) {
    const [start, end] = [first + 2, attributes.indexOf('"', first + 2)];
    return end < 0 ? undefined : readValue(attributes.slice(start, Math.min(end, start + MAX_VALUE)));
  }
  let value: string | undefined;
  visitAttributes(attributes, (start, nameEnd, valueStart, valueEnd) => {
    if (nameEnd - start !== name.length || !attributes.startsWith(name, start)) return true;
    value = readValue(attributes.slice(valueStart, Math.min(valueEnd, valueStart + MAX_VALUE)));
    return false;
  });
  return value;
}

/**
 * Visits the attributes of a tag, to the end or to where they break
 * off. Text within a value that looks like an attribute is none.
 *
 * @param attributes may have the name of the element before them.
 * @param visit is told where a name, and what is between the quotes, begin and end; whether to go on.
 */
export function visitAttributes(
  attributes: string,
  visit: (start: number, nameEnd: number, valueStart: number, valueEnd: number) => boolean,
): void {
  for (let from = 0; ; ) {
    const equals = attributes.indexOf('=', from);
    if (equals < 0) return;
    const valueStart = skipSpace(attributes, equals + 1) + 1;
    const quote = attributes.charAt(valueStart - 1);
    const valueEnd = quote === '"' || quote === "'" ? attributes.indexOf(quote, valueStart) : -1;
    if (valueEnd < 0) return;
    let nameEnd = equals;
    while (nameEnd > from && attributes.charCodeAt(nameEnd - 1) <= SPACE) nameEnd -= 1;
    let start = nameEnd;
    while (start > from && attributes.charCodeAt(start - 1) > SPACE) start -= 1;
    if (start === nameEnd || !visit(start, nameEnd, valueStart, valueEnd)) return;
    from = valueEnd + 1;
  }
}

/** Parsers read a space in its place (XML 1.0, 2.11 and 3.3.3). */
const WHITE_SPACE = /\r\n|[\t\r\n]/g;
const AMPERSAND = 0x26;

/** What stands between the quotes of an attribute, as parsers read it. */
export function readValue(written: string): string {
  for (let at = 0; at < written.length; at += 1) {
    const code = written.charCodeAt(at);
    if (code < SPACE || code === AMPERSAND) return withoutReferences(written.replace(WHITE_SPACE, ' '));
  }
  return written;
}

/** Whether a property that may be switched off is on (ISO/IEC 29500-1, 17.17.4). */
export function isOn(attributes: string, valueName: string): boolean {
  return !/^(0|false|off)$/.test(attributeOf(attributes, valueName) ?? '');
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= SPACE) at += 1;
  return at;
}

const references: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text with its references replaced by what they stand for. */
export function withoutReferences(value: string): string {
  if (!value.includes('&')) return value;
  return value.replace(
    /&(?:#x0*([0-9a-f]{1,6})|#0*(\d{1,7})|([a-z]{2,4}));/gi,
    (whole, hex, decimal, name) => {
      if (name !== undefined) return references[String(name)] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(String(hex), 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : String(whole);
    },
  );
}

/**
 * The prefix that a part's root gives to a namespace, with its colon; undefined where it gives none. It may stand in a
 * regular expression: it has letters, digits, dots, hyphens and underscores alone.
 */
export function prefixOf(xml: string, namespace: RegExp): string | undefined {
  const attributes = rootAttributes(xml);
  let prefix: string | undefined;
  visitAttributes(attributes, (start, nameEnd, valueStart, valueEnd) => {
    const declared = /^xmlns(?::([\w.-]{1,32}))?$/.exec(attributes.slice(start, nameEnd));
    if (declared && namespace.test(readValue(attributes.slice(valueStart, valueEnd))))
      prefix = declared[1] === undefined ? '' : `${declared[1]}:`;
    return prefix === undefined;
  });
  return prefix;
}

/** The attributes of a part's root, as they are written. */
export function rootAttributes(xml: string): string {
  let attributes = '';
  const lexer = new MarkupLexer({
    open(_, _start, _local, behindName, end) {
      lexer.stop();
      attributes = xml.slice(behindName, end - 1);
    },
    close() {},
  });
  lexer.write(xml);
  return attributes;
}

/** WordprocessingML, transitional and strict. */
const WORD_NAMESPACE =
  /^http:\/\/(schemas\.openxmlformats\.org\/wordprocessingml\/2006|purl\.oclc\.org\/ooxml\/wordprocessingml)\/main$/;
/** The prefix of WordprocessingML in a part, and of what is added to it. */
export function wordPrefixOf(xml: string): string {
  return prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
}

/** Mathematics, transitional and strict. */
export const MATH_NAMESPACE =
  /^http:\/\/(schemas\.openxmlformats\.org\/officeDocument\/2006|purl\.oclc\.org\/ooxml\/officeDocument)\/math$/;

/** The prefix of the formulas of a part, and of those that are added to it. */
export function mathPrefixOf(xml: string): string {
  return prefixOf(xml, MATH_NAMESPACE) || 'm:';
}

/** The names of these elements as a part writes them, and what they are called here. */
export function qualified<Local extends string>(
  prefix: string,
  locals: readonly Local[],
): Map<string, Local> {
  return new Map(locals.map((local) => [prefix + local, local]));
}
