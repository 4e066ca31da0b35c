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

export class Changes {
  readonly #replaced = new Map<Entry, StoredContent>();
  readonly #added: (readonly [EntryHeader, StoredContent])[] = [];
  #storedBytes = 0;

  get isEmpty(): boolean {
    return this.#replaced.size === 0 && this.#added.length === 0;
  }

  /** New content by entry. */
  get replaced(): ReadonlyMap<Entry, StoredContent> {
    return this.#replaced;
  }

  /** Parts that are added. */
  get added(): readonly (readonly [EntryHeader, StoredContent])[] {
    return this.#added;
  }

  replace(entry: Entry, content: Buffer): void {
    this.#replaced.set(entry, this.#store(content));
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
    if (this.#storedBytes + content.length <= MAX_STORED_BYTES) {
      this.#storedBytes += content.length;
      return { ...about, method: STORED, bytes: content };
    }
    return { ...about, method: DEFLATED, bytes: deflateRawSync(content, { level: zlib.Z_BEST_SPEED }) };
  }
}
