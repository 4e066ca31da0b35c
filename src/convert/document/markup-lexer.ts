/**
 * The only lexer of XML markup: it finds tags, attribute values, comments, CDATA sections, instructions and document types.
 * It does not check that a part is well-formed. In well-formed XML it finds what an XML processor finds. The engine's parser
 * stops at the first error, so what follows one does no harm. It reads a part in pieces, in linear time and bounded memory.
 */

const SPACE = 0x20;
const EXCLAMATION = 0x21;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const COLON = 0x3a;
const GREATER = 0x3e;
const QUESTION = 0x3f;
const BRACKET = 0x5b;

/** A longer tag that spans several pieces loses its middle. Only embedded pictures have such long values. */
export const MAX_SPLIT_TAG = 65_536;

/** Receives the markup in document order. Positions refer to `xml`, which may be a different string in each call. */
export interface MarkupListener {
  /**
   * A start tag.
   *
   * @param start position of its `<`.
   * @param local start of its local name, after the prefix.
   * @param nameEnd end of its name.
   * @param end position after its `>`; the element is empty if `/>` precedes it.
   * @param values number of quoted values: one per attribute.
   */
  open(xml: string, start: number, local: number, nameEnd: number, end: number, values: number): void;
  /** An end tag. */
  close(xml: string, start: number, end: number): void;
  /** Text from `start` to `end`, with references unresolved; possibly in several calls. */
  text?(xml: string, start: number, end: number): void;
  /** Content of a CDATA section, possibly in several calls. */
  section?(xml: string, start: number, end: number): void;
  /** The start of other markup. `subset`: the internal subset of a document type, where reading ends. */
  other?(kind: Body | 'doctype' | 'subset', xml: string, start: number): void;
}

/** Markup from `begin` to the next `end`. */
const BODIES = {
  comment: { begin: '<!--', end: '-->' },
  section: { begin: '<![CDATA[', end: ']]>' },
  instruction: { begin: '<?', end: '?>' },
} as const;
type Body = keyof typeof BODIES;

export class MarkupLexer {
  readonly #listener: MarkupListener;
  /** The construct that is being read. */
  #state: 'text' | 'tag' | 'end-tag' | 'doctype' | Body = 'text';
  /** Unread rest of the previous pieces. */
  #kept = '';
  /** In a tag or document type: the quote that ends the open value, or empty. */
  #quote: '' | '"' | "'" = '';
  #values = 0;
  #isOver = false;

  constructor(listener: MarkupListener) {
    this.#listener = listener;
  }

  /** Whether no construct is open. */
  get isComplete(): boolean {
    return this.#state === 'text' && this.#kept === '';
  }

  /** Ends the reading. */
  stop(): void {
    this.#isOver = true;
  }

  /** @param piece latin1 text with one character per byte, or decoded text; the same kind in every call. */
  write(piece: string): void {
    const xml = this.#kept + piece;
    let at = this.#state === 'tag' || this.#state === 'end-tag' ? this.#kept.length : 0;
    this.#kept = '';
    while (at < xml.length && !this.#isOver) at = this.#read(xml, at);
  }

  /** Reads the next construct at `at`. Returns the position after it. */
  #read(xml: string, at: number): number {
    switch (this.#state) {
      case 'text':
        return this.#readText(xml, at);
      case 'tag':
        return this.#readTag(xml, 0, at);
      case 'end-tag':
        return this.#readEndTag(xml, 0, at);
      case 'doctype':
        return this.#readDoctype(xml, at);
      default:
        return this.#readBody(xml, at, this.#state);
    }
  }

  #readText(xml: string, at: number): number {
    const less = xml.indexOf('<', at);
    const end = less < 0 ? xml.length : less;
    if (end > at) this.#listener.text?.(xml, at, end);
    if (less < 0) return end;
    const first = xml.charCodeAt(less + 1);
    if (first === SLASH) return this.#readEndTag(xml, less, less + 2);
    if (first === EXCLAMATION || first === QUESTION) return this.#begin(xml, less);
    if (less + 1 === xml.length) return this.#keep(xml, less);
    this.#values = 0;
    return this.#readTag(xml, less, less + 1);
  }

  /** @param from where the search for its end starts. */
  #readTag(xml: string, start: number, from: number): number {
    let nameEnd = start + 1;
    let local = nameEnd;
    for (let code = xml.charCodeAt(nameEnd); isInName(code); code = xml.charCodeAt(nameEnd)) {
      nameEnd += 1;
      if (code === COLON) local = nameEnd;
    }
    const greater = this.#tagEnd(xml, nameEnd > from ? nameEnd : from);
    if (greater < 0) return this.#keepTag(xml, start, 'tag');
    this.#state = 'text';
    this.#listener.open(xml, start, local, nameEnd, greater + 1, this.#values);
    return greater + 1;
  }

  /** Position of the `>` (or the `[` of a document type) outside values; negative if it is not in this piece. */
  #tagEnd(xml: string, from: number): number {
    let at = from;
    let quote = this.#quote;
    if (quote !== '') {
      at = xml.indexOf(quote, from) + 1;
      if (at === 0) return -1;
      this.#quote = '';
    }
    for (; at < xml.length; at += 1) {
      const code = xml.charCodeAt(at);
      if (code > GREATER) {
        if (code === BRACKET && this.#state === 'doctype') return at;
      } else if (code === GREATER) return at;
      else if (code === QUOTE || code === APOSTROPHE) {
        quote = code === QUOTE ? '"' : "'";
        this.#values += 1;
        at = xml.indexOf(quote, at + 1);
        if (at < 0) {
          this.#quote = quote;
          return -1;
        }
      }
    }
    return -1;
  }

  #readEndTag(xml: string, start: number, from: number): number {
    const greater = xml.indexOf('>', from);
    if (greater < 0) return this.#keepTag(xml, start, 'end-tag');
    this.#state = 'text';
    this.#listener.close(xml, start, greater + 1);
    return greater + 1;
  }

  /** Starts a comment, section, instruction or document type, once its kind is known. */
  #begin(xml: string, start: number): number {
    for (const kind of ['comment', 'section', 'instruction'] as const) {
      const { begin } = BODIES[kind];
      if (xml.startsWith(begin, start)) {
        this.#state = kind;
        this.#listener.other?.(kind, xml, start);
        return start + begin.length;
      }
      if (xml.length - start < begin.length && begin.startsWith(xml.slice(start)))
        return this.#keep(xml, start);
    }
    this.#state = 'doctype';
    this.#listener.other?.('doctype', xml, start);
    return start + '<!'.length;
  }

  #readBody(xml: string, at: number, kind: Body): number {
    const { end } = BODIES[kind];
    const found = xml.indexOf(end, at);
    const bodyEnd = found < 0 ? Math.max(at, xml.length - end.length + 1) : found;
    if (kind === 'section' && bodyEnd > at) this.#listener.section?.(xml, at, bodyEnd);
    if (found < 0) return this.#keep(xml, bodyEnd);
    this.#state = 'text';
    return found + end.length;
  }

  #readDoctype(xml: string, from: number): number {
    const end = this.#tagEnd(xml, from);
    if (end < 0) return xml.length;
    if (xml.charCodeAt(end) === GREATER) this.#state = 'text';
    else {
      this.#listener.other?.('subset', xml, end);
      this.stop();
    }
    return end + 1;
  }

  #keep(xml: string, from: number): number {
    this.#kept = xml.slice(from);
    return xml.length;
  }

  /** Keeps the start of a tag that continues in the next piece, and its last character, which may be a slash. */
  #keepTag(xml: string, start: number, state: 'tag' | 'end-tag'): number {
    this.#state = state;
    const tag = xml.slice(start);
    this.#kept = tag.length > MAX_SPLIT_TAG ? tag.slice(0, MAX_SPLIT_TAG) + tag.slice(-1) : tag;
    return xml.length;
  }
}

/** Where the name that begins at `start` ends. */
export function nameEnd(xml: string, start: number): number {
  let at = start;
  while (isInName(xml.charCodeAt(at))) at += 1;
  return at;
}

/** Quotes are not part of a name, so values are found wherever reading resumes in a tag. At the end of the text, `code` is NaN. */
function isInName(code: number): boolean {
  return (
    code > GREATER ||
    (code > SPACE && code !== GREATER && code !== SLASH && code !== QUOTE && code !== APOSTROPHE)
  );
}
