/** Replaces objects of a PDF, adds some, and frees what it does not have (ISO 32000-1, 7.5.4). */
import { closeSync, readSync, writeSync } from 'node:fs';
import { TailReader } from '../../system/tail-reader.ts';
import { lastSection } from './objects/cross-references.ts';

const TRAILER_BYTES = 65_536;
const ENTRY_BYTES = 20;
/** LibreOffice gives this position to objects that it has numbered, referred to and never written, such as tags of blank pages. */
const LOST = Buffer.from('4294967295 00000 n', 'latin1');
/** A reference to a free object is null (ISO 32000-1, 7.3.10). */
const FREE = Buffer.from('0000000000 65535 f', 'latin1');
/** Size of the pieces in which files are copied. */
const PIECE_BYTES = 1_048_576;

/** A new object with the content of a file in it. */
interface FileObject {
  /** From the object's number to before the content. */
  readonly head: string;
  /** Opens the file; the descriptor is closed behind its last byte. */
  readonly open: () => number;
  /** Size of the file. */
  readonly bytes: number;
  /** From behind the content to before `endobj`. */
  readonly tail: string;
}

/** An object from its number to before `endobj`. */
export type NewObject = string | FileObject;

/** The only table of cross-references, as LibreOffice writes it: at the end of the file, over all objects. */
interface Table {
  /** Position of its first line. */
  readonly start: number;
  /** Position of the entry of object 0. */
  readonly position: number;
  readonly objects: number;
  /** From the word `trailer` on. */
  readonly trailer: string;
}

/**
 * Replaces objects in the file, and adds some: the new ones follow the others, and are followed by the only cross-reference
 * table. Data read from the file before is invalid afterwards.
 *
 * @param fd of the PDF, open for reading and writing.
 * @param objects by number. The numbers behind those of the table must be without gaps.
 * @throws Error if it has another form, or if a file cannot be read or written.
 */
export function replaceObjects(fd: number, objects: ReadonlyMap<number, NewObject>): void {
  const reader = TailReader.over(fd);
  const { start, position: entries, objects: known, trailer } = tableOf(reader);
  const count = [...objects.keys()].reduce((most, number) => Math.max(most, number + 1), known);
  const table = Buffer.alloc(count * ENTRY_BYTES, '0000000000 00000 n \n', 'latin1');
  reader.read(entries, known * ENTRY_BYTES).copy(table);
  let position = start;
  // The new end covers the old one, as it is longer.
  const append = (bytes: Buffer) => {
    writeAll(fd, bytes, position);
    position += bytes.length;
  };
  for (const [number, object] of objects) {
    table.write(String(position).padStart(10, '0'), number * ENTRY_BYTES, 'latin1');
    if (typeof object !== 'string') {
      append(Buffer.from(object.head, 'latin1'));
      copyFile(object, fd, position);
      position += object.bytes;
    }
    append(Buffer.from(`${typeof object === 'string' ? object : object.tail}endobj\n\n`, 'latin1'));
  }
  const end = trailer
    .replace(/\/Size\s+\d+/, `/Size ${count}`)
    .replace(/startxref\s+\d+/, `startxref\n${position}`);
  append(Buffer.concat([Buffer.from(`xref\n0 ${count}\n`), table, Buffer.from(end, 'latin1')]));
}

/** Whether the file refers to objects that it does not have. @throws Error if it has another form. */
export function hasLostObjects(reader: TailReader): boolean {
  const { position, objects } = tableOf(reader);
  return reader.read(position, objects * ENTRY_BYTES).includes(LOST);
}

/**
 * Says in the file that it does not have them. Data read from it before is invalid afterwards.
 *
 * @param fd of the PDF, open for reading and writing.
 * @throws Error if it has another form, or cannot be written.
 */
export function freeLostObjects(fd: number): void {
  const reader = TailReader.over(fd);
  const { position, objects } = tableOf(reader);
  const table = reader.read(position, objects * ENTRY_BYTES);
  for (let at = table.indexOf(LOST); at >= 0; at = table.indexOf(LOST, at + ENTRY_BYTES)) {
    writeAll(fd, FREE, position + at);
  }
}

/** @throws Error if there is none, or more than one. */
function tableOf(reader: TailReader): Table {
  const start = lastSection(reader);
  const [head = '', count = ''] = /^xref\r?\n0 (\d{1,9})\r?\n/.exec(readText(reader, start, 32)) ?? [];
  const [position, objects] = [start + head.length, Number(count)];
  const trailer = readText(reader, position + objects * ENTRY_BYTES, TRAILER_BYTES);
  if (head === '' || !trailer.startsWith('trailer') || /\/(?:Prev|XRefStm)\b/.test(trailer)) {
    throw new Error('the cross-references are not a single table');
  }
  return { start, position, objects, trailer };
}

/** Piece by piece: it may be large. */
export function copyFile({ open, bytes }: FileObject, target: number, position: number): void {
  const source = open();
  try {
    const piece = Buffer.allocUnsafe(Math.min(bytes, PIECE_BYTES));
    for (let done = 0; done < bytes; ) {
      const wanted = Math.min(piece.length, bytes - done);
      const bytesRead = readSync(source, piece, 0, wanted, done);
      if (bytesRead === 0) throw new Error('a file became shorter before it was copied');
      for (let written = 0; written < bytesRead; ) {
        written += writeSync(target, piece, written, bytesRead - written, position + done + written);
      }
      done += bytesRead;
    }
  } finally {
    closeSync(source);
  }
}

function writeAll(fd: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(fd, bytes, done, bytes.length - done, position + done);
  }
}

function readText(reader: TailReader, position: number, length: number): string {
  return reader.read(position, length).toString('latin1');
}
