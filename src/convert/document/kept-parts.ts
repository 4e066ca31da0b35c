/** The XML parts that the preflight read, and what the other parts are, kept until the metadata is read. */
import type { Text } from '../text/bytes.ts';
import type { OmittedKind } from './omitted-kinds.ts';
import type { UndrawnFormat } from './undrawn-formats.ts';

/** Total limit; documents that are nearly all text stay far below it. */
const MAX_PART_BYTES = 8_388_608;
const MAX_BYTES = 16_777_216;

/** How many texts are kept as such. */
const MAX_TEXTS = 4;

/** Data of programs: the engine shows what content controls take from it, unless it is larger than this. */
const DATA = /^customxml\//;
const MAX_DATUM_BYTES = 131_072;
const MAX_DATA_BYTES = 1_048_576;

/** What a part is, judged by its content. */
interface PartContent {
  /** `package`: another ZIP archive. */
  readonly kind: string;
  /** The format, if it is a picture that the engine does not draw. */
  readonly undrawn: UndrawnFormat | undefined;
}

/** What is in inserted documents. */
export interface Inserted {
  /** Number of PDFs that may be pictures. */
  readonly pdfs: number;
  /** Number of links to external content. */
  readonly external: number;
}

export class KeptParts {
  readonly #parts = new Map<string, readonly Buffer[]>();
  readonly #contents = new Map<string, PartContent>();
  readonly #changes = new Map<string, number>();
  /** The texts that were asked for last, which are asked for again and again. */
  #texts: readonly { readonly pieces: readonly Buffer[]; readonly text: Text }[] = [];
  /** What was read of the parts, by who read it. */
  readonly #read = new Map<unknown, unknown>();
  #bytes = 0;
  #dataBytes = 0;
  /** Name of the main part, in lower case. */
  readonly mainPart: string;
  /** Names of the rules by which the document was rewritten for the engine. */
  rewrites: readonly string[] = [];
  inserted: Inserted = { pdfs: 0, external: 0 };
  /** Number of parts that are left out, as they are damaged. */
  damagedParts = 0;
  /** What the rules of the print view could not show as Word does, and how often. */
  missing: ReadonlyMap<OmittedKind, number> = new Map();

  constructor(mainPart: string) {
    this.mainPart = mainPart;
  }

  /** Names of all kept parts, in lower case. */
  get names(): Iterable<string> {
    return this.#parts.keys();
  }

  /** Whether a part of this size would be kept. */
  wants(name: string, bytes: number): boolean {
    if (!/\.(xml|rels|psmdcp)$/.test(name)) return false;
    if (DATA.test(name)) return bytes <= MAX_DATUM_BYTES && this.#dataBytes + bytes <= MAX_DATA_BYTES;
    return bytes <= MAX_PART_BYTES && this.#bytes + bytes <= MAX_BYTES;
  }

  /** @param pieces must not change afterwards. */
  keep(name: string, pieces: readonly Buffer[]): void {
    const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
    if (DATA.test(name)) this.#dataBytes += bytes;
    else this.#bytes += bytes;
    this.#parts.set(name, pieces);
    this.#read.clear();
  }

  /** Replaces a part by the one without its tracked changes, if it is kept. */
  settle(name: string, part: Buffer, changes: number): void {
    this.#changes.set(name, changes);
    if (!this.#parts.has(name)) return;
    this.#parts.set(name, [part]);
    this.#read.clear();
  }

  /** How many insertions, deletions and moves a part had. */
  changes(name: string): number {
    return this.#changes.get(name) ?? 0;
  }

  /** Registers a part that is left out, as it is damaged. */
  leaveOut(name: string): void {
    this.damagedParts += 1;
    this.#parts.delete(name);
    this.#read.clear();
    this.#contents.delete(name);
  }

  /** Registers a part, kept or not. */
  note(name: string, { kind, undrawn }: PartContent): void {
    this.#contents.set(name, { kind, undrawn });
  }

  /** What a part is; undefined if it does not exist. */
  content(name: string): PartContent | undefined {
    return this.#contents.get(name);
  }

  /** What a function reads of the parts; it is called once, unless they change. */
  once<Value>(read: (parts: KeptParts) => Value): Value {
    if (!this.#read.has(read)) this.#read.set(read, read(this));
    return this.#read.get(read) as Value;
  }

  /** The text of a part; empty if it does not exist. */
  text(name: string | undefined): Text {
    const pieces = (name === undefined ? undefined : this.#parts.get(name)) ?? [];
    const [only] = pieces;
    if (only === undefined) return '';
    const known = this.#texts.find((each) => each.pieces === pieces);
    const text = known?.text ?? decode(pieces.length === 1 ? only : Buffer.concat(pieces));
    if (!known) this.#texts = [{ pieces, text }, ...this.#texts].slice(0, MAX_TEXTS);
    return text;
  }
}

function decode(bytes: Buffer): Text {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  if (mark === 0xfeff) return new TextDecoder('utf-16be').decode(bytes);
  return mark === 0xfffe ? bytes.toString('utf16le', 2) : bytes.toString('utf8');
}
