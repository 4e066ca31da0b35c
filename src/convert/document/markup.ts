/**
 * Going through the markup of an XML part from start to end, without checking it: the engine's parser does that, and
 * for a part that is not well-formed there is no PDF. Many times as fast as a parser, and linear whatever comes.
 */

const SPACE = 0x20;
const EXCLAMATION = 0x21;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const QUESTION = 0x3f;

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

/** Visits all elements up to the end, or to where the markup breaks off. */
export function visitMarkup(xml: string, visitor: MarkupVisitor): void {
  for (let at = 0; ; ) {
    const less = xml.indexOf('<', at);
    if (less < 0) return;
    if (less > at) visitor.text?.(xml, at, less);
    const start = less + 1;
    const first = xml.charCodeAt(start);
    const isDeclaration = first === EXCLAMATION || first === QUESTION;
    const end = isDeclaration ? declarationEnd(xml, start) : tagEnd(xml, start);
    if (end < 0) return;
    if (!isDeclaration) visitTag(xml, start, end, visitor);
    at = end + 1;
  }
}

function visitTag(xml: string, start: number, end: number, visitor: MarkupVisitor): void {
  if (xml.charCodeAt(start) === SLASH) {
    visitor.close(xml.slice(start + 1, nameEnd(xml, start + 1, end)), start - 1, end + 1);
    return;
  }
  const isEmpty = xml.charCodeAt(end - 1) === SLASH;
  const last = isEmpty ? end - 1 : end;
  const after = nameEnd(xml, start, last);
  const attributes = after === last ? '' : xml.slice(after, last);
  visitor.open(xml.slice(start, after), attributes, isEmpty, start - 1, end + 1);
}

function nameEnd(xml: string, start: number, end: number): number {
  let at = start;
  while (at < end && xml.charCodeAt(at) > SPACE) at += 1;
  return at;
}

/** Where the `>` of a tag is; values of attributes may have one as well. */
function tagEnd(xml: string, start: number): number {
  for (let at = start; at < xml.length; at += 1) {
    const code = xml.charCodeAt(at);
    if (code === 0x3e) return at;
    if (code !== QUOTE && code !== APOSTROPHE) continue;
    at = xml.indexOf(code === QUOTE ? '"' : "'", at + 1);
    if (at < 0) return -1;
  }
  return -1;
}

/** What a comment, a section and an instruction begin and end with; a document type, with the first `>`. */
const DECLARATIONS = [
  ['!--', '-->'],
  ['![CDATA[', ']]>'],
  ['?', '?>'],
  ['!', '>'],
] as const;

/** Where the `>` of a comment, a section, an instruction or a document type is. */
function declarationEnd(xml: string, start: number): number {
  for (const [open, close] of DECLARATIONS) {
    if (!xml.startsWith(open, start)) continue;
    const at = xml.indexOf(close, start + open.length);
    return at < 0 ? -1 : at + close.length - 1;
  }
  return -1;
}

/** Longer than any name of a part, a style or a font: what is behind it is left out, so that values cost little to compare. */
const MAX_VALUE = 512;

/** The value of an attribute by its name as it is written, cut where it is too long; undefined where it is not there. */
export function attributeOf(attributes: string, name: string): string | undefined {
  for (let at = attributes.indexOf(name); at >= 0; at = attributes.indexOf(name, at + 1)) {
    if (attributes.charCodeAt(at - 1) > SPACE) continue;
    const equals = skipSpace(attributes, at + name.length);
    if (attributes.charCodeAt(equals) !== EQUALS) continue;
    const start = skipSpace(attributes, equals + 1);
    const quote = attributes.charAt(start);
    const end = attributes.indexOf(quote, start + 1);
    return end < 0
      ? undefined
      : withoutReferences(attributes.slice(start + 1, Math.min(end, start + 1 + MAX_VALUE)));
  }
  return undefined;
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
  const root = xml.slice(0, 16_384);
  for (const [, prefix, uri = ''] of root.matchAll(
    /\sxmlns(?::([\w.-]{1,32}))?\s*=\s*["']([^"']{0,200})["']/g,
  )) {
    if (namespace.test(uri)) return prefix === undefined ? '' : `${prefix}:`;
  }
  return undefined;
}

/** WordprocessingML, transitional and strict. */
export const WORD_NAMESPACE =
  /^http:\/\/(schemas\.openxmlformats\.org\/wordprocessingml\/2006|purl\.oclc\.org\/ooxml\/wordprocessingml)\/main$/;
/** Mathematics, transitional and strict. */
export const MATH_NAMESPACE =
  /^http:\/\/(schemas\.openxmlformats\.org\/officeDocument\/2006|purl\.oclc\.org\/ooxml\/officeDocument)\/math$/;

/** The names of these elements as a part writes them, and what they are called here. */
export function qualified(prefix: string, locals: readonly string[]): Map<string, string> {
  return new Map(locals.map((local) => [prefix + local, local]));
}

/** The text whose bytes in UTF-8 these characters are. */
export function fromBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}
