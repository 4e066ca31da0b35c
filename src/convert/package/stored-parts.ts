/**
 * Looking at the large parts of a package while it arrives, those that it stores as they are, as Word does with its
 * pictures: what is in memory anyway is not read again.
 */
import { crc32 } from 'node:zlib';
import type { Entry } from 'yauzl';
import type { UndrawnFormat } from '../document/undrawn-formats.ts';
import { STORED } from './content.ts';
import { Allowance, MAX_ENTRIES } from './limits.ts';
import { ENCRYPTED, HAS_DESCRIPTOR, IN_ZIP64, LOCAL_HEADER, LOCAL_HEADER_BYTES } from './local-header.ts';
import { PartScanner } from './part.ts';
import { XML_HEAD_BYTES } from './xml-encoding.ts';

/** Smaller parts are read with the others once all have arrived. */
const MIN_BYTES = 16_384;

/** All that is kept of a part: a scanner would keep pieces of the upload in memory for as long as it lives. */
interface StoredPart {
  readonly bytes: number;
  crc: number;
  /** The format of a picture that the engine does not draw. */
  undrawn?: UndrawnFormat | undefined;
}

/** A part that arrives. */
interface ArrivingPart extends StoredPart {
  readonly scanner: PartScanner;
  /** Position of its local header, of what comes behind what tells its kind, and of what comes behind its content. */
  readonly header: number;
  readonly headEnd: number;
  readonly end: number;
}

/**
 * Follows the local headers of an archive (APPNOTE.TXT 4.3.7) from its first byte on, for as long as each says where the
 * next is. It decides nothing: the preflight asks it for what the directory names, and reads what it does not know.
 */
export class StoredParts {
  readonly #allowance: Allowance;
  /** Those that have arrived whole, by the position of their local header. */
  readonly #whole = new Map<number, StoredPart>();
  #headers = 0;
  #isOver = false;
  #arrived = 0;
  /** Position of what is looked at next: the rest of a header, or of a part's content. */
  #next = 0;
  #header: Buffer = Buffer.alloc(0);
  #part: ArrivingPart | undefined;

  /** @param signal ends it, as it ends the upload. */
  constructor(signal: AbortSignal) {
    this.#allowance = new Allowance(true, signal);
  }

  /** Takes the next piece of the archive, which nobody changes afterwards. Never throws. */
  write(piece: Buffer): void {
    const start = this.#arrived;
    this.#arrived += piece.length;
    while (!this.#isOver && this.#next < this.#arrived) {
      const at = this.#next - start;
      const bytes = piece.subarray(at, at + this.#wanted());
      this.#next += bytes.length;
      if (this.#part) this.#look(this.#part, bytes);
      else this.#readHeader(bytes);
    }
  }

  /**
   * Whether a part was looked at whole, is neither markup nor a package nor compressed, has nothing wrong with it, and is
   * what the directory says of it.
   */
  has(entry: Entry): boolean {
    const part = this.#whole.get(entry.relativeOffsetOfLocalHeader);
    return (
      part !== undefined &&
      entry.compressionMethod === STORED &&
      !entry.isEncrypted() &&
      entry.compressedSize === part.bytes &&
      entry.uncompressedSize === part.bytes &&
      entry.crc32 === part.crc
    );
  }

  /** Of a part that it has: the format of a picture that the engine does not draw. */
  undrawn(entry: Entry): UndrawnFormat | undefined {
    return this.#whole.get(entry.relativeOffsetOfLocalHeader)?.undrawn;
  }

  #wanted(): number {
    const part = this.#part;
    if (!part) return LOCAL_HEADER_BYTES - this.#header.length;
    return (this.#next < part.headEnd ? part.headEnd : part.end) - this.#next;
  }

  #readHeader(more: Buffer): void {
    const header = Buffer.concat([this.#header, more]);
    this.#header = header;
    if (header.length < LOCAL_HEADER_BYTES) return;
    this.#header = Buffer.alloc(0);
    this.#headers += 1;
    const bytes = header.readUInt32LE(18);
    const saysWhereItEnds =
      header.readUInt32LE(0) === LOCAL_HEADER &&
      (header.readUInt16LE(6) & (ENCRYPTED | HAS_DESCRIPTOR)) === 0 &&
      bytes !== IN_ZIP64;
    this.#isOver = !saysWhereItEnds || this.#headers > MAX_ENTRIES;
    const start = this.#next + header.readUInt16LE(26) + header.readUInt16LE(28);
    const end = start + bytes;
    const isStored = header.readUInt16LE(8) === STORED && bytes >= MIN_BYTES;
    if (isStored) {
      const scanner = new PartScanner(this.#allowance);
      const header = this.#next - LOCAL_HEADER_BYTES;
      this.#part = { scanner, header, headEnd: start + XML_HEAD_BYTES, end, bytes, crc: 0 };
    }
    this.#next = isStored ? start : end;
  }

  #look(part: ArrivingPart, content: Buffer): void {
    const isAtEnd = this.#next === part.end;
    part.crc = crc32(content, part.crc);
    try {
      part.scanner.write(content);
      if (isAtEnd) part.scanner.end();
    } catch {
      // Too many pixels, or too many pieces of headers: that is said when it is its turn.
      this.#leave(part);
      return;
    }
    // Markup and packages are not read here, where a piece must not take long.
    if (part.scanner.kind !== 'other') this.#leave(part);
    else if (isAtEnd) {
      const { bytes, crc, scanner } = part;
      this.#whole.set(part.header, { bytes, crc, undrawn: scanner.undrawn });
      this.#leave(part);
    }
  }

  #leave(part: ArrivingPart): void {
    this.#part = undefined;
    this.#next = part.end;
  }
}
