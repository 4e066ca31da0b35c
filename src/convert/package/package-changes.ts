/** Changes to a package, in stored form. */
import { crc32, deflateRawSync, constants as zlib } from 'node:zlib';
import type { Entry } from 'yauzl';
import { DEFLATED, STORED } from './content.ts';

/**
 * Most bytes that are stored uncompressed, which is fastest for the next reader. If all were, a file could take a
 * thousand times the size of its upload.
 */
const MAX_STORED_BYTES = 524_288;
/** 1 January 1980, as DOS writes it: the zero of its time. */
const DOS_DATE = 0x21;
/** Flag of a name in UTF-8 (APPNOTE.TXT 4.4.4). */
export const UTF8_NAME = 0x800;
const VERSION = 20;

/** Header fields of an entry, apart from its content. */
export type EntryHeader = Pick<
  Entry,
  | 'fileNameRaw'
  | 'versionMadeBy'
  | 'generalPurposeBitFlag'
  | 'lastModFileTime'
  | 'lastModFileDate'
  | 'internalFileAttributes'
  | 'externalFileAttributes'
>;

/** The content of a part, in stored form. */
export interface StoredContent {
  readonly method: number;
  readonly crc: number;
  readonly size: number;
  readonly bytes: Buffer;
}

/** Content that is read when it is written. */
export interface LateContent {
  readonly method: number;
  readonly size: number;
  readonly pieces: () => AsyncIterable<Buffer>;
}

export class Changes {
  readonly #replaced = new Map<Entry, StoredContent | LateContent>();
  readonly #added: (readonly [EntryHeader, StoredContent])[] = [];
  #storedBytes = 0;

  /** New content by entry. */
  get replaced(): ReadonlyMap<Entry, StoredContent | LateContent> {
    return this.#replaced;
  }

  /** Parts that are added. */
  get added(): readonly (readonly [EntryHeader, StoredContent])[] {
    return this.#added;
  }

  replace(entry: Entry, content: Buffer): void {
    this.#replaced.set(entry, this.#store(content));
  }

  /** Has an entry written with content that is too large to wait in memory. */
  rewrite(entry: Entry, content: Omit<LateContent, 'method'>): void {
    this.#replaced.set(entry, { ...content, method: this.#method(content.size) });
  }

  add(name: string, content: Buffer): void {
    const header: EntryHeader = {
      fileNameRaw: Buffer.from(name),
      versionMadeBy: VERSION,
      generalPurposeBitFlag: UTF8_NAME,
      lastModFileTime: 0,
      lastModFileDate: DOS_DATE,
      internalFileAttributes: 0,
      externalFileAttributes: 0,
    };
    this.#added.push([header, this.#store(content)]);
  }

  #store(content: Buffer): StoredContent {
    const about = { crc: crc32(content), size: content.length };
    return this.#method(content.length) === STORED
      ? { ...about, method: STORED, bytes: content }
      : { ...about, method: DEFLATED, bytes: deflateRawSync(content, { level: zlib.Z_BEST_SPEED }) };
  }

  #method(bytes: number): number {
    if (this.#storedBytes + bytes > MAX_STORED_BYTES) return DEFLATED;
    this.#storedBytes += bytes;
    return STORED;
  }
}
