/**
 * Checks large stored (uncompressed) parts of a package while it arrives, such as Word's pictures, so that they are
 * not read again from the file.
 */
import { crc32 } from 'node:zlib';
import type { Entry } from 'yauzl';
import type { UndrawnFormat } from '../document/undrawn-formats.ts';
import { STORED } from './content.ts';
import { Allowance, MAX_ENTRIES } from './limits.ts';
import { ENCRYPTED, HAS_DESCRIPTOR, IN_ZIP64, LOCAL_HEADER, LOCAL_HEADER_BYTES } from './local-header.ts';
import { PartScanner } from './part.ts';
import { XML_HEAD_BYTES } from './xml-encoding.ts';

/** Smaller parts are checked with the others after arrival. */
const MIN_BYTES = 16_384;

/** What is kept of a part. A scanner would keep pieces of the upload in memory. */
interface StoredPart {
  readonly bytes: number;
  crc: number;
  /** The format, if it is a picture that the engine does not draw. */
  undrawn?: UndrawnFormat | undefined;
}

/** A part that is arriving. */
interface ArrivingPart extends StoredPart {
  readonly scanner: PartScanner;
  /** Offsets: local header, end of the sniffed prefix, end of the content. */
  readonly header: number;
  readonly headEnd: number;
  readonly end: number;
}

/**
 * Follows the local headers of an archive (APPNOTE.TXT 4.3.7) from its first byte on, as long as each says where the
 * next one is. It refuses nothing: the preflight asks it about the entries of the directory, and reads those that it
 * does not know.
 */
export class StoredParts {
  readonly #allowance: Allowance;
  /** Parts that arrived whole, by the position of their local header. */
  readonly #whole = new Map<number, StoredPart>();
  #headers = 0;
  #isOver = false;
  #arrived = 0;
  /** Position of the next byte to examine: of a header, or of a part's content. */
  #next = 0;
  #header: Buffer = Buffer.alloc(0);
  #part: ArrivingPart | undefined;

  /** @param signal ends it together with the upload. */
  constructor(signal: AbortSignal) {
    this.#allowance = new Allowance(true, signal);
  }

  /** Takes the next piece of the archive, which must not change afterwards. Never throws. */
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
   * Whether a part arrived whole, has no fault, agrees with the directory, and is neither markup nor a package nor
   * compressed.
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

  /** The format of a known part, if it is a picture that the engine does not draw. */
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
      // Too many pixels, or too many header pieces: the preflight reports it later.
      this.#leave(part);
      return;
    }
    // Markup and packages are left to the preflight, as each piece must be quick.
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
