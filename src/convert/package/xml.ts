/**
 * Reads the small XML parts that describe a package, and refuses XML that is not well-formed. The content of comments and
 * instructions is not checked, as it cannot be mistaken for anything else.
 */
import { readValue, visitAttributes } from '../document/markup.ts';
import { MarkupLexer } from '../document/markup-lexer.ts';
import { Remembered } from '../document/remembered.ts';

/** Content types and relationships are two levels deep. */
const MAX_DEPTH = 32;

const XML = 'http://www.w3.org/XML/1998/namespace';
const XMLNS = 'http://www.w3.org/2000/xmlns/';

const NAME = /^(?:([\p{L}_][\p{L}\p{M}\p{N}._·-]*):)?([\p{L}_][\p{L}\p{M}\p{N}._·-]*)$/u;
const SPACE = /^[ \t\r\n]*$/;
const UNKNOWN_REFERENCE = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-fA-F]+);)/;
/** Text that stands for itself in any part. */
const PLAIN = /^[ -%'-~]*$/;
const NO_CHARACTER = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

const NONE: ReadonlyMap<string, string> = new Map();

/** An element with its attributes that have no namespace. */
export interface Element {
  readonly namespace: string;
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** An open element: its name as written, and the prefixes that it declares. */
interface OpenElement {
  readonly name: string;
  readonly prefixes: Iterable<string>;
}

/** Namespaces by prefix, those of inner elements last. */
type Scope = Map<string, string[]>;

/** The prefix of a name as written (empty without one) and its local name. */
type Qualified = readonly [prefix: string, local: string];
type Names = Remembered<Qualified>;

/** What is told of XML. */
interface XmlVisitor {
  /** An element begins; the root's depth is 1. */
  readonly element: (element: Element, depth: number) => void;
  /** A piece of text between tags, in the innermost element of that depth; not of a CDATA section. */
  readonly text?: (text: string, depth: number) => void;
}

/**
 * Tells a visitor the elements, in document order.
 *
 * @throws Error where the XML is not well-formed, nests too deep or declares a document type, which packages may not
 * (OPC 8.1.4).
 */
export function visitElements(bytes: Buffer, visitor: XmlVisitor, maxDepth = MAX_DEPTH): void {
  const xml = decodeText(bytes);
  const open: OpenElement[] = [];
  const scope: Scope = new Map();
  const names: Names = new Remembered();
  const close = () => {
    const element = open.pop();
    for (const prefix of element?.prefixes ?? []) scope.get(prefix)?.pop();
    return element?.name;
  };
  let roots = 0;
  const lexer = new MarkupLexer({
    open(_, start, _local, nameEnd, end) {
      const isEmpty = xml.startsWith('/>', end - 2);
      const name = xml.slice(start + 1, nameEnd);
      if (open.length === 0) roots += 1;
      const attributes = readAttributes(xml.slice(nameEnd, isEmpty ? end - 2 : end - 1));
      const namespaces = declared(attributes, names);
      for (const [prefix, namespace] of namespaces)
        if (scope.get(prefix)?.push(namespace) === undefined) scope.set(prefix, [namespace]);
      open.push({ name, prefixes: namespaces.keys() });
      assert(roots === 1, 'the part has several roots');
      assert(open.length <= maxDepth, 'the part nests elements too deep');
      visitor.element(resolved(name, attributes, scope, names), open.length);
      if (isEmpty) close();
    },
    close(_, start, end) {
      const name = close();
      const nameStart = start + '</'.length;
      const isOwn = name !== undefined && xml.startsWith(name, nameStart);
      assert(isOwn && SPACE.test(xml.slice(nameStart + name.length, end - 1)), 'an end tag has no start tag');
    },
    text(_, start, end) {
      const text = xml.slice(start, end);
      assert(open.length > 0 ? !text.includes(']]>') : SPACE.test(text), 'there is text out of place');
      const value = read(text);
      visitor.text?.(value, open.length);
    },
    other(kind) {
      assert(kind !== 'doctype', 'the part declares a document type');
      assert(kind !== 'section' || open.length > 0, 'there is a section outside the root');
    },
  });
  lexer.write(xml);
  assert(roots === 1 && open.length === 0 && lexer.isComplete, 'the part breaks off');
}

/**
 * Whether the engine's parser would read a part to its end.
 *
 * @param maxDepth most elements inside each other.
 */
export function isWellFormed(part: Buffer, maxDepth: number): boolean {
  try {
    visitElements(part, { element() {} }, maxDepth);
    return true;
  } catch {
    return false;
  }
}

/** Values by name as written. */
function readAttributes(written: string): ReadonlyMap<string, string> {
  if (written === '') return NONE;
  const attributes = new Map<string, string>();
  let done = 0;
  visitAttributes(written, (start, nameEnd, valueStart, valueEnd) => {
    const name = written.slice(start, nameEnd);
    const isApart = start > done && SPACE.test(written.slice(done, start));
    assert(isApart && !attributes.has(name), 'an attribute is out of place');
    const value = written.slice(valueStart, valueEnd);
    assert(!value.includes('<'), 'an attribute value contains <');
    attributes.set(name, read(value));
    done = valueEnd + 1;
    return true;
  });
  assert(SPACE.test(written.slice(done)), 'a tag has more than attributes');
  return attributes;
}

/** The value of text as written, as parsers read it. */
function read(written: string): string {
  if (PLAIN.test(written)) return written;
  assert(!UNKNOWN_REFERENCE.test(written), 'there is an unknown reference');
  const value = readValue(written);
  assert(!NO_CHARACTER.test(value), 'there is a character that XML does not allow');
  return value;
}

/** Namespace declarations by prefix (Namespaces in XML 1.0, 3). */
function declared(attributes: ReadonlyMap<string, string>, names: Names): ReadonlyMap<string, string> {
  let namespaces: Map<string, string> | undefined;
  for (const [name, namespace] of attributes) {
    const [prefix, local] = qualified(name, names);
    if (prefix !== 'xmlns' && name !== 'xmlns') continue;
    const bound = prefix === 'xmlns' ? local : '';
    const isReserved = bound === 'xmlns' || namespace === XMLNS || (bound === 'xml') !== (namespace === XML);
    // Parsers disagree on whether space around a namespace counts.
    const isProper = namespace === namespace.trim() && (bound === '' || namespace !== '');
    assert(!isReserved && isProper, 'a namespace declaration is not allowed');
    namespaces ??= new Map();
    namespaces.set(bound, namespace);
  }
  return namespaces ?? NONE;
}

/** @param scope of the element. */
function resolved(
  written: string,
  attributes: ReadonlyMap<string, string>,
  scope: Scope,
  names: Names,
): Element {
  const own = new Map<string, string>();
  const others = new Set<string>();
  for (const [attribute, value] of attributes) {
    const [prefix, local] = qualified(attribute, names);
    if (prefix === '' && local !== 'xmlns') own.set(local, value);
    if (prefix === '' || prefix === 'xmlns') continue;
    const other = `${namespaceOf(prefix, scope)} ${local}`;
    assert(!others.has(other), 'an attribute occurs twice');
    others.add(other);
  }
  const [prefix, name] = qualified(written, names);
  return { namespace: namespaceOf(prefix, scope), name, attributes: own };
}

function namespaceOf(prefix: string, scope: Scope): string {
  if (prefix === 'xml') return XML;
  const namespace = scope.get(prefix)?.at(-1);
  assert(namespace !== undefined || prefix === '', 'a prefix is not declared');
  return namespace ?? '';
}

function qualified(name: string, names: Names): Qualified {
  return names.of(name, () => {
    const [, prefix = '', local] = NAME.exec(name) ?? [];
    assert(local !== undefined, 'a name is not valid');
    return [prefix, local];
  });
}

function assert(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}

/** Text in UTF-8 or, behind a byte order mark, UTF-16: what XML processors must read. */
function decodeText(bytes: Buffer): string {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
}
