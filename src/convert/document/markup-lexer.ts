/**
 * The one place that decides where XML markup begins and ends: tags and the values in them, comments, CDATA sections,
 * instructions, document types. It does not check that a part is well-formed. In all that an XML processor would accept
 * it sees the same markup, and the engine's parser ends at the first thing that is not well-formed: what is made of the
 * rest does no harm. It takes a part in pieces, in linear time and bounded memory.
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

/** A tag that lies in several pieces and is longer may lack its middle: only values of pictures are so long. */
export const MAX_SPLIT_TAG = 65_536;

/** Is told of the markup, in document order. Positions are in `xml`, which may be another string each time. */
export interface MarkupListener {
  /**
   * A start tag.
   *
   * @param start where its `<` is.
   * @param local where its local name begins, behind the prefix.
   * @param nameEnd where what follows its name begins.
   * @param end where what follows the tag begins; `/>` before it says that the element is empty.
   * @param values how many quoted values it has: one for each attribute.
   */
  open(xml: string, start: number, local: number, nameEnd: number, end: number, values: number): void;
  /** An end tag. */
  close(xml: string, start: number, end: number): void;
  /** Text from `start` to `end`, with its references as they are written; in several pieces perhaps. */
  text?(xml: string, start: number, end: number): void;
  /** What is in a CDATA section, in several pieces perhaps. */
  section?(xml: string, start: number, end: number): void;
  /** The beginning of something else. `subset`: of the declarations in a document type, where the reading ends. */
  other?(kind: Body | 'doctype' | 'subset', xml: string, start: number): void;
}

/** What begins with `begin`, up to the first `end` behind it. */
const BODIES = {
  comment: { begin: '<!--', end: '-->' },
  section: { begin: '<![CDATA[', end: ']]>' },
  instruction: { begin: '<?', end: '?>' },
} as const;
type Body = keyof typeof BODIES;

export class MarkupLexer {
  readonly #listener: MarkupListener;
  /** What the reading is in the middle of. */
  #state: 'text' | 'tag' | 'end-tag' | 'doctype' | Body = 'text';
  /** What was not dealt with yet of the pieces before. */
  #kept = '';
  /** In a tag or a document type: the quote that the open value ends with, empty where none is open. */
  #quote: '' | '"' | "'" = '';
  #values = 0;
  #isOver = false;

  constructor(listener: MarkupListener) {
    this.#listener = listener;
  }

  /** Whether all that began has ended. */
  get isComplete(): boolean {
    return this.#state === 'text' && this.#kept === '';
  }

  /** Nothing is read any more. */
  stop(): void {
    this.#isOver = true;
  }

  /** @param piece where a character is a byte, one for each, or all of them characters. */
  write(piece: string): void {
    const xml = this.#kept + piece;
    let at = this.#state === 'tag' || this.#state === 'end-tag' ? this.#kept.length : 0;
    this.#kept = '';
    while (at < xml.length && !this.#isOver) at = this.#read(xml, at);
  }

  /** Reads on from `at`; where what follows begins. */
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

  /** @param from where to look for its end from. */
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

  /** Where the `>` is, or the `[` of a document type, that is in no value; negative where it is not in this piece. */
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

  /** Begins what is no tag, once it is known what it is. */
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

  /** Keeps the beginning of a tag that goes on in the next piece, and its last character, which may be a slash. */
  #keepTag(xml: string, start: number, state: 'tag' | 'end-tag'): number {
    this.#state = state;
    const tag = xml.slice(start);
    this.#kept = tag.length > MAX_SPLIT_TAG ? tag.slice(0, MAX_SPLIT_TAG) + tag.slice(-1) : tag;
    return xml.length;
  }
}

/** No quote is: a value is found from wherever in a tag the reading goes on. Behind the end of the text, `code` is NaN. */
function isInName(code: number): boolean {
  return (
    code > GREATER ||
    (code > SPACE && code !== GREATER && code !== SLASH && code !== QUOTE && code !== APOSTROPHE)
  );
}
