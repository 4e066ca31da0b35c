/**
 * Where the tags and the texts of a part are. The lexer finds them once, and all who read the part go through what it found: blocks
 * of entries, each of three numbers.
 */
import { MarkupLexer, type MarkupListener, nameEnd } from './markup-lexer.ts';
import { MarkupNames } from './markup-names.ts';

const SPACE = 0x20;
const SLASH = 0x2f;
const GREATER = 0x3e;

/** Numbers of an entry: what it is, where it begins, and where it ends. */
export const ENTRY = 3;
/** What it is: a start tag, the tag of an empty element, an end tag or text, and the number of its name. */
export const [OPEN, EMPTY, CLOSE, TEXT] = [0, 1, 2, 3] as const;
export const KIND_BITS = 2;
export const KIND = 3;

/** Numbers of a block. */
const BLOCK = 4_096 * ENTRY;
/** Most blocks that are kept, some 100 MB: 25 MB of nothing but tags. A text with more is read anew each time. */
const MAX_BLOCKS = 2_048;
/** Length of texts that are worth to be kept, and how many are: the part that is rewritten, and those that it is compared with. */
const MIN_KEPT = 2_048;
const MAX_KEPT = 3;
/** Elements inside each other: as many as limits.ts allows in the parts that the engine reads as XML. */
const MAX_DEPTH = 500;

/** Takes a block of entries, of which only the first `length` numbers count. */
type BlockReader = (block: Int32Array, length: number, names: MarkupNames) => void;

/** What was found in a text. */
interface Kept {
  readonly xml: string;
  readonly names: MarkupNames;
  readonly blocks: readonly Int32Array[];
  /** Numbers that count in the last block; all others are full. */
  readonly last: number;
  /** Whether there are too many entries to keep. */
  readonly isCut: boolean;
}

let names = new MarkupNames();
let kept: readonly Kept[] = [];
/** Blocks for texts that are not kept. */
const spare: Int32Array[] = [];

/** Forgets what was read: the end of a document. */
export function forgetMarkup(): void {
  kept = [];
}

/**
 * Reads the entries up to the end, or to where the markup breaks off: an end tag that ends another element is an error (XML 1.0, 3),
 * at which the engine's parser stops. So there are pairs of tags, and no more than 500 open elements.
 *
 * @param isFragment whether it may also end elements that began before it.
 */
export function readEntries(xml: string, isFragment: boolean, read: BlockReader): void {
  if (names.areFull) names = new MarkupNames();
  const known = isFragment || xml.length < MIN_KEPT ? undefined : keptOf(xml);
  if (known && !known.isCut) {
    const { blocks, last } = known;
    for (const [index, block] of blocks.entries())
      read(block, index === blocks.length - 1 ? last : block.length, known.names);
    return;
  }
  const own = names;
  const block = spare.pop() ?? new Int32Array(BLOCK);
  const indexer = new Indexer(xml, own, block, isFragment, () => {
    read(block, block.length, own);
    return block;
  });
  read(block, indexer.read(), own);
  spare.push(block);
}

function keptOf(xml: string): Kept {
  const known = kept.find((each) => each.xml === xml) ?? readAll(xml);
  if (kept[0] === known) return known;
  let blocks = 0;
  kept = [known, ...kept.filter((each) => each !== known)].slice(0, MAX_KEPT).filter((each) => {
    blocks += each.blocks.length;
    return blocks <= MAX_BLOCKS;
  });
  return known;
}

function readAll(xml: string): Kept {
  const blocks = [new Int32Array(BLOCK)];
  const [first = new Int32Array(0)] = blocks;
  const indexer = new Indexer(xml, names, first, false, () => {
    const block = new Int32Array(blocks.length < MAX_BLOCKS ? BLOCK : 0);
    blocks.push(block);
    return block;
  });
  const last = indexer.read();
  const isCut = blocks.length > MAX_BLOCKS;
  return { xml, names, blocks: isCut ? [] : blocks, last, isCut };
}

/** The name of a tag, as written. @param what the first number of its entry. */
export function nameAt(xml: string, what: number, start: number, names: MarkupNames): string {
  const id = what >> KIND_BITS;
  if (id !== 0) return names.name(id);
  const isEnd = (what & KIND) === CLOSE;
  const nameStart = start + (isEnd ? '</' : '<').length;
  return xml.slice(nameStart, isEnd ? endTagNameEnd(xml, nameStart) : nameEnd(xml, nameStart));
}

/** Whatever is in front of space, or of the end of the tag. */
function endTagNameEnd(xml: string, start: number): number {
  let at = start;
  for (let code = xml.charCodeAt(at); code > SPACE && code !== GREATER; code = xml.charCodeAt(at)) at += 1;
  return at;
}

/** Writes entries into blocks. */
class Indexer implements MarkupListener {
  readonly #xml: string;
  readonly #names: MarkupNames;
  readonly #isFragment: boolean;
  readonly #next: () => Int32Array;
  readonly #lexer = new MarkupLexer(this);
  #block: Int32Array;
  #length = 0;
  /** The entries of the start tags of the open elements, without their ends. */
  readonly #open: number[] = [];

  /** @param next is called when a block is full, and gives the next one; one without room ends the reading. */
  constructor(
    xml: string,
    names: MarkupNames,
    block: Int32Array,
    isFragment: boolean,
    next: () => Int32Array,
  ) {
    this.#xml = xml;
    this.#names = names;
    this.#block = block;
    this.#isFragment = isFragment;
    this.#next = next;
  }

  /** @returns how many numbers of the last block count. */
  read(): number {
    this.#lexer.write(this.#xml);
    return this.#length;
  }

  open(xml: string, start: number, _local: number, nameEnd: number, end: number): void {
    const id = this.#names.find(xml, start + '<'.length, nameEnd) << KIND_BITS;
    if (xml.charCodeAt(end - 2) === SLASH) this.#add(id | EMPTY, start, end);
    else if (!this.#isFragment && this.#open.push(id, start) > 2 * MAX_DEPTH) this.#lexer.stop();
    else this.#add(id | OPEN, start, end);
  }

  close(xml: string, start: number, end: number): void {
    const nameStart = start + '</'.length;
    const id = this.#names.find(xml, nameStart, endTagNameEnd(xml, nameStart)) << KIND_BITS;
    if (this.#isFragment || this.#ends(id, start)) this.#add(id | CLOSE, start, end);
    else this.#lexer.stop();
  }

  /** Whether the end tag ends the open element. */
  #ends(id: number, start: number): boolean {
    const openStart = this.#open.pop();
    if (openStart === undefined || this.#open.pop() !== id) return false;
    if (id !== 0) return true;
    const name = nameAt(this.#xml, OPEN, openStart, this.#names);
    return name === nameAt(this.#xml, CLOSE, start, this.#names);
  }

  text(_: string, start: number, end: number): void {
    this.#add(TEXT, start, end);
  }

  #add(what: number, start: number, end: number): void {
    if (this.#length === this.#block.length) {
      this.#block = this.#next();
      this.#length = 0;
      if (this.#block.length === 0) this.#lexer.stop();
    }
    this.#block[this.#length] = what;
    this.#block[this.#length + 1] = start;
    this.#block[this.#length + 2] = end;
    this.#length += ENTRY;
  }
}
