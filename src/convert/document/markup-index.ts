/**
 * Where the tags and the texts of a part are. The lexer finds them once, and all who read the part go through what it found: blocks
 * of entries, each of three numbers. Of a part that was edited it reads only what is new.
 */
import type { Edits } from './edit-list.ts';
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

/** Entries, and numbers, of a block. */
const ENTRIES = 4_096;
const BLOCK = ENTRIES * ENTRY;
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
  /** Whether it was read up to its end: nothing in it breaks off. */
  readonly isWhole: boolean;
  /** Whether it came from another one. */
  isEdited?: boolean;
}

/** A text that came from one that was read. */
interface Edited {
  readonly xml: string;
  readonly from: Kept;
  readonly edits: Edits;
}

let names = new MarkupNames();
let kept: readonly Kept[] = [];
/** The last one. */
let edited: Edited | undefined;
/** Blocks for texts that are not kept. */
const spare: Int32Array[] = [];

/** Forgets what was read: the end of a document. */
export function forgetMarkup(): void {
  kept = [];
  edited = undefined;
}

/** Notes what a text became, so that it is not read anew. @param edits in order, without overlaps. */
export function noteEdits(before: string, xml: string, edits: Edits): void {
  if (xml.length < MIN_KEPT) return;
  const from = kept.find((each) => each.xml === before);
  if (from?.isWhole) edited = { xml, from, edits };
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
  indexer.read(0, xml.length);
  read(block, indexer.length, own);
  spare.push(block);
}

function keptOf(xml: string): Kept {
  const known = kept.find((each) => each.xml === xml) ?? readEdited(xml) ?? readAll(xml);
  if (kept[0] === known) return known;
  let blocks = 0;
  kept = [known, ...kept.filter((each) => each !== known)].slice(0, MAX_KEPT).filter((each) => {
    blocks += each.blocks.length;
    return blocks <= MAX_BLOCKS;
  });
  return known;
}

function readAll(xml: string): Kept {
  return index(xml, names, (indexer) => indexer.read(0, xml.length));
}

/** A text that came from one that was read; undefined where it has to be read anew. */
function readEdited(xml: string): Kept | undefined {
  if (edited?.xml !== xml) return undefined;
  const { from, edits } = edited;
  edited = undefined;
  const read = index(xml, from.names, (indexer) => readAround(from, edits, indexer));
  if (!read.isWhole) return undefined;
  // Nobody reads what a part was between two rules.
  if (from.isEdited) kept = kept.filter((each) => each !== from);
  read.isEdited = true;
  return read;
}

function index(xml: string, names: MarkupNames, read: (indexer: Indexer) => void): Kept {
  const blocks = [new Int32Array(BLOCK)];
  const [first = new Int32Array(0)] = blocks;
  const indexer = new Indexer(xml, names, first, false, () => {
    const block = new Int32Array(blocks.length < MAX_BLOCKS ? BLOCK : 0);
    blocks.push(block);
    return block;
  });
  read(indexer);
  const isCut = blocks.length > MAX_BLOCKS;
  return {
    xml,
    names,
    blocks: isCut ? [] : blocks,
    last: indexer.length,
    isCut,
    isWhole: !isCut && indexer.isWhole,
  };
}

/**
 * Takes the entries that no edit touches, moved to where they are now, and reads what is between them. A text beside an edit is
 * touched, as it may be one with what is new.
 */
function readAround({ xml, blocks, last }: Kept, edits: Edits, indexer: Indexer): void {
  const count = (blocks.length - 1) * ENTRIES + last / ENTRY;
  const at = (entry: number, number: number) =>
    blocks[Math.floor(entry / ENTRIES)]?.[(entry % ENTRIES) * ENTRY + number] ?? 0;
  const beside = (entry: number) => ((at(entry, 0) & KIND) === TEXT ? 1 : 0);
  let entry = 0;
  /** By how much what follows has moved. */
  let moved = 0;
  /** Up to where the new text was read. */
  let done = 0;
  const startOf = (edit: number) => (edit < edits.length ? edits.start(edit) : xml.length + 1);
  for (let next = 0; ; ) {
    const first = startOf(next);
    for (; entry < count && at(entry, 2) + beside(entry) <= first; entry += 1)
      indexer.take(at(entry, 0), at(entry, 1) + moved, at(entry, 2) + moved);
    if (next === edits.length) return;
    // What is no entry, such as a comment, may have been read with the edit before.
    const start = Math.max(done, moved + (entry === 0 ? 0 : at(entry - 1, 2)));
    let end = first;
    let gap = end;
    do {
      end = Math.max(end, gap);
      for (; startOf(next) <= end && next < edits.length; next += 1) {
        moved += edits.text(next).length - (edits.end(next) - edits.start(next));
        end = Math.max(end, edits.end(next));
      }
      for (; entry < count && at(entry, 1) < end + beside(entry); entry += 1)
        end = Math.max(end, at(entry, 2));
      gap = entry < count ? at(entry, 1) : xml.length;
    } while (startOf(next) <= gap);
    done = moved + gap;
    indexer.read(start, done);
  }
}

/** The name of a tag, as written. @param what the first number of its entry. */
export function nameAt(xml: string, what: number, start: number, names: MarkupNames): string {
  const own = names.name(what >> KIND_BITS);
  if (own !== undefined) return own;
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
  #isStopped = false;
  /** Where the piece begins that is read. */
  #from = 0;
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

  /** How many numbers of the last block count. */
  get length(): number {
    return this.#length;
  }

  /** Whether each piece was read up to its end, where no construct is open. */
  get isWhole(): boolean {
    return !this.#isStopped && this.#lexer.isComplete;
  }

  /** Reads a piece; a piece behind it only if nothing is open at its end. */
  read(from: number, to: number): void {
    this.#from = from;
    this.#lexer.write(this.#xml.slice(from, to));
    if (to < this.#xml.length && !this.#lexer.isComplete) this.#stop();
  }

  /** Takes an entry that is known. */
  take(what: number, start: number, end: number): void {
    if (this.#isStopped) return;
    const kind = what & KIND;
    if (kind === OPEN) this.#begin(what, start, end);
    else if (kind === CLOSE) this.#end(what, start, end);
    else this.#add(what, start, end);
  }

  open(xml: string, start: number, _local: number, nameEnd: number, end: number): void {
    const id = this.#names.find(xml, start + '<'.length, nameEnd) << KIND_BITS;
    if (xml.charCodeAt(end - 2) === SLASH) this.#add(id | EMPTY, this.#from + start, this.#from + end);
    else this.#begin(id | OPEN, this.#from + start, this.#from + end);
  }

  close(xml: string, start: number, end: number): void {
    const nameStart = start + '</'.length;
    const id = this.#names.find(xml, nameStart, endTagNameEnd(xml, nameStart)) << KIND_BITS;
    this.#end(id | CLOSE, this.#from + start, this.#from + end);
  }

  text(_: string, start: number, end: number): void {
    this.#add(TEXT, this.#from + start, this.#from + end);
  }

  #begin(what: number, start: number, end: number): void {
    if (!this.#isFragment && this.#open.push(what, start) > 2 * MAX_DEPTH) this.#stop();
    else this.#add(what, start, end);
  }

  #end(what: number, start: number, end: number): void {
    if (this.#isFragment || this.#ends(what, start)) this.#add(what, start, end);
    else this.#stop();
  }

  /** Whether the end tag ends the open element. */
  #ends(what: number, start: number): boolean {
    const openStart = this.#open.pop();
    const open = this.#open.pop();
    if (openStart === undefined || open === undefined || open >> KIND_BITS !== what >> KIND_BITS)
      return false;
    return (
      this.#names.name(open >> KIND_BITS) !== undefined ||
      nameAt(this.#xml, open, openStart, this.#names) === nameAt(this.#xml, what, start, this.#names)
    );
  }

  #stop(): void {
    this.#isStopped = true;
    this.#lexer.stop();
  }

  #add(what: number, start: number, end: number): void {
    if (this.#length === this.#block.length) {
      this.#block = this.#next();
      this.#length = 0;
      if (this.#block.length === 0) this.#stop();
    }
    this.#block[this.#length] = what;
    this.#block[this.#length + 1] = start;
    this.#block[this.#length + 2] = end;
    this.#length += ENTRY;
  }
}
