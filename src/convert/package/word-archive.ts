/**
 * Whether Word itself wrote an archive. Word writes ZIP in its own way, the same from 2007 on, on Windows and on the Mac, and
 * leaves room behind the first local header, to grow in place. A program that changes a document writes at least one entry in
 * another way: with the date of the day, for another version or system, without that room.
 */
import type { Entry } from 'yauzl';
import { LOCAL_HEADER_BYTES } from './local-header.ts';
import type { ByteSource } from './source.ts';

/** 1 January 1980, midnight: the first moment that DOS can name. */
const FIRST_DATE = 0x0021;
const FIRST_TIME = 0;
/** Version 4.5, for MS-DOS. */
const MADE_BY = 45;
/** Of entries without compression, and of compressed ones. */
const needed: ReadonlySet<number> = new Set([10, 20]);
/** The same: no flags, and "super fast" compression (APPNOTE.TXT 4.4.4). */
const flags: ReadonlySet<number> = new Set([0, 6]);
const FIRST_ENTRY = '[Content_Types].xml';
/** The extra field for growth of the Open Packaging Conventions, and its length in the first entry. */
const GROWTH = 0xa220;
const GROWTH_BYTES = 516;
const FIELD_HEADER_BYTES = 4;

/** @param entries in any order. */
export function isWrittenByWord(source: ByteSource, entries: readonly Entry[]): boolean {
  const first = entries.find(({ relativeOffsetOfLocalHeader: offset }) => offset === 0);
  if (first?.fileNameRaw.toString('latin1') !== FIRST_ENTRY || !entries.every(isWordsEntry)) return false;
  const fields = LOCAL_HEADER_BYTES + FIRST_ENTRY.length;
  const header = source.read(0, fields + FIELD_HEADER_BYTES);
  return (
    header.length === fields + FIELD_HEADER_BYTES &&
    header.readUInt16LE(LOCAL_HEADER_BYTES - 2) === FIELD_HEADER_BYTES + GROWTH_BYTES &&
    header.readUInt16LE(fields) === GROWTH &&
    header.readUInt16LE(fields + 2) === GROWTH_BYTES
  );
}

function isWordsEntry(entry: Entry): boolean {
  return (
    entry.lastModFileDate === FIRST_DATE &&
    entry.lastModFileTime === FIRST_TIME &&
    entry.versionMadeBy === MADE_BY &&
    needed.has(entry.versionNeededToExtract) &&
    flags.has(entry.generalPurposeBitFlag)
  );
}
