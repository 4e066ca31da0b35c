/**
 * The XML parts of a package, as the preflight went through them, and what the others are: kept until the metadata has been
 * read from them.
 */
import type { UndrawnFormat } from './undrawn-formats.ts';

/** More is not kept; documents that are nearly all text stay far below. */
const MAX_PART_BYTES = 8_388_608;
const MAX_BYTES = 16_777_216;

/** What the engine makes nothing of, though it can be large. */
const IGNORED = /^customxml\//;

/** What a part is by its content. */
export interface PartContent {
  /** `package`: another ZIP archive. */
  readonly kind: string;
  /** The format of a picture that the engine does not draw. */
  readonly undrawn: UndrawnFormat | undefined;
}

export class KeptParts {
  readonly #parts = new Map<string, readonly Buffer[]>();
  readonly #contents = new Map<string, PartContent>();
  #bytes = 0;
  /** Name of the main part, in lower case. */
  readonly mainPart: string;
  /** Names of the rules by which the document was rewritten for the engine. */
  rewrites: readonly string[] = [];
  /** PDFs that may be pictures in documents that are inserted. */
  insertedPdfs = 0;

  constructor(mainPart: string) {
    this.mainPart = mainPart;
  }

  /** Names of all parts that are kept, in lower case. */
  get names(): Iterable<string> {
    return this.#parts.keys();
  }

  /** Whether a part of so many bytes would be kept. */
  wants(name: string, bytes: number): boolean {
    if (IGNORED.test(name) || !/\.(xml|rels)$/.test(name)) return false;
    return bytes <= MAX_PART_BYTES && this.#bytes + bytes <= MAX_BYTES;
  }

  /** @param pieces are not to be changed by anybody. */
  keep(name: string, pieces: readonly Buffer[]): void {
    this.#bytes += pieces.reduce((sum, { length }) => sum + length, 0);
    this.#parts.set(name, pieces);
  }

  /** Takes note of a part, kept or not. */
  note(name: string, { kind, undrawn }: PartContent): void {
    this.#contents.set(name, { kind, undrawn });
  }

  /** What a part is; undefined where there is none. */
  content(name: string): PartContent | undefined {
    return this.#contents.get(name);
  }

  /** The text of a part; empty where there is none. */
  text(name: string | undefined): string {
    const pieces = (name === undefined ? undefined : this.#parts.get(name)) ?? [];
    const [only] = pieces;
    return only === undefined ? '' : decode(pieces.length === 1 ? only : Buffer.concat(pieces));
  }
}

function decode(bytes: Buffer): string {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  if (mark === 0xfeff) return new TextDecoder('utf-16be').decode(bytes);
  return mark === 0xfffe ? bytes.toString('utf16le', 2) : bytes.toString('utf8');
}
