/** Going through the markup of an XML part that is in memory, without checking it: the engine's parser does that. */

import { MarkupLexer } from './markup-lexer.ts';

const SPACE = 0x20;
const SLASH = 0x2f;

/** Who is told of the markup of a part, in document order. */
export interface MarkupVisitor {
  /**
   * @param name as it is written, with its prefix.
   * @param attributes as they are written, see {@link attributeOf}.
   * @param start where the tag begins.
   * @param end where what follows the tag begins.
   */
  open(name: string, attributes: string, isEmpty: boolean, start: number, end: number): void;
  close(name: string, start: number, end: number): void;
  /** Text from `start` to `end`, with its references as they are written. */
  text?(xml: string, start: number, end: number): void;
}

/** Elements inside each other: as many as limits.ts allows in the parts that the engine reads as XML. */
const MAX_DEPTH = 500;

/**
 * Visits all elements up to the end, or to where the markup breaks off: an end tag that ends another element is an error
 * (XML 1.0, 3), at which the engine's parser stops. So a visitor sees pairs of tags, and no more than 500 open elements.
 */
export function visitMarkup(xml: string, visitor: MarkupVisitor): void {
  const open: string[] = [];
  visit(xml, {
    open(name, attributes, isEmpty, start, end) {
      if (!isEmpty && open.push(name) > MAX_DEPTH) return false;
      visitor.open(name, attributes, isEmpty, start, end);
      return true;
    },
    close(name, start, end) {
      if (open.pop() !== name) return false;
      visitor.close(name, start, end);
      return true;
    },
    text: (start, end) => visitor.text?.(xml, start, end),
  });
}

/** Visits all elements of a piece of a part, which may end elements that began before it. */
export function visitFragment(xml: string, visitor: MarkupVisitor): void {
  visit(xml, {
    open(...tag) {
      visitor.open(...tag);
      return true;
    },
    close(...tag) {
      visitor.close(...tag);
      return true;
    },
    text: (start, end) => visitor.text?.(xml, start, end),
  });
}

/** As {@link MarkupVisitor}; a tag's method returns whether to go on. */
interface Visit {
  open(...tag: Parameters<MarkupVisitor['open']>): boolean;
  close(...tag: Parameters<MarkupVisitor['close']>): boolean;
  text(start: number, end: number): void;
}

function visit(xml: string, visitor: Visit): void {
  const lexer = new MarkupLexer({
    open(_, start, _local, nameEnd, end) {
      const isEmpty = xml.charCodeAt(end - 2) === SLASH;
      const last = isEmpty ? end - 2 : end - 1;
      const attributes = nameEnd < last ? xml.slice(nameEnd, last) : '';
      if (!visitor.open(xml.slice(start + 1, nameEnd), attributes, isEmpty, start, end)) lexer.stop();
    },
    close(_, start, end) {
      if (!visitor.close(xml.slice(start + 2, nameEnd(xml, start + 2, end - 1)), start, end)) lexer.stop();
    },
    text: (_, start, end) => visitor.text(start, end),
  });
  lexer.write(xml);
}

function nameEnd(xml: string, start: number, end: number): number {
  let at = start;
  while (at < end && xml.charCodeAt(at) > SPACE) at += 1;
  return at;
}

/** Longer than any name of a part, a style or a font: what is behind it is left out, so that values cost little to compare. */
const MAX_VALUE = 512;

/** The value of an attribute by its name as it is written, cut where it is too long; undefined where it is not there. */
export function attributeOf(attributes: string, name: string): string | undefined {
  if (!attributes.includes(name)) return undefined;
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

/** What stands between the quotes of an attribute, as parsers read it. */
export function readValue(written: string): string {
  return withoutReferences(written.replace(WHITE_SPACE, ' '));
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
export const WORD_NAMESPACE =
  /^http:\/\/(schemas\.openxmlformats\.org\/wordprocessingml\/2006|purl\.oclc\.org\/ooxml\/wordprocessingml)\/main$/;
/** Mathematics, transitional and strict. */
export const MATH_NAMESPACE =
  /^http:\/\/(schemas\.openxmlformats\.org\/officeDocument\/2006|purl\.oclc\.org\/ooxml\/officeDocument)\/math$/;

/** The prefix of the formulas of a part, and of those that are added to it. */
export function mathPrefixOf(xml: string): string {
  return prefixOf(xml, MATH_NAMESPACE) || 'm:';
}

/** The names of these elements as a part writes them, and what they are called here. */
export function qualified(prefix: string, locals: readonly string[]): Map<string, string> {
  return new Map(locals.map((local) => [prefix + local, local]));
}

/** The text whose bytes in UTF-8 these characters are. */
export function fromBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}
