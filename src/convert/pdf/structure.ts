/** Finds objects of a PDF with few bounded reads (ISO 32000-1, 7.5), and replaces and adds objects. */
import { closeSync, readSync, writeSync } from 'node:fs';
import type { TailReader } from '../../system/tail-reader.ts';

const END_BYTES = 1_024;
const TRAILER_BYTES = 65_536;
const XREF_ENTRY_BYTES = 20;
const FIRST_OBJECT_BYTES = 4_096;
/** Most bytes before the content of a stream whose object gives its length. */
const MAX_STREAM_START = 1_024;
const MAX_OBJECT_BYTES = 4_194_304;
/** More than any PDF by LibreOffice has; the table takes 20 bytes for each. */
const MAX_OBJECTS = 4_000_000;
/** Most bytes read of all objects together. 10,000 pages take half of them. */
const MAX_READ_BYTES = 268_435_456;
/** LibreOffice gives this position to objects that it has numbered, referred to and never written, such as tags of blank pages. */
const LOST = Buffer.from('4294967295 00000 n', 'latin1');
/** A reference to a free object is null (ISO 32000-1, 7.3.10). */
const FREE = Buffer.from('0000000000 65535 f', 'latin1');
/** Size of the pieces in which files are copied. */
const PIECE_BYTES = 1_048_576;

/** A single cross-reference table over all objects. */
interface CrossReferences {
  /** Position of the entry of object 0. */
  readonly position: number;
  readonly objects: number;
}

/** The root structures of a PDF. */
export interface PdfStructure {
  readonly reader: TailReader;
  /** Position of the cross-reference table, which follows the objects. */
  readonly startXref: number;
  readonly xref: CrossReferences;
  /** From the word `trailer` on. */
  readonly trailer: string;
  /** The text of the document catalog. */
  readonly catalog: string;
  /** Bytes of objects that may still be read: a compromised child may have written anything. */
  readonly budget: { left: number };
}

/**
 * Reads PDFs by LibreOffice, in all versions to date: one cross-reference table, no incremental updates, no object
 * streams.
 *
 * @throws Error saying what is missing or broken.
 */
export function readStructure(reader: TailReader): PdfStructure {
  const startXref = assertWhole(reader);
  const xref = readCrossReferences(reader, startXref);
  const afterTable = xref.position + xref.objects * XREF_ENTRY_BYTES;
  const trailer = readText(reader, afterTable, TRAILER_BYTES);
  if (!trailer.startsWith('trailer')) throw new Error('no trailer after the cross-reference table');
  const structure = { reader, startXref, xref, trailer, catalog: '', budget: { left: MAX_READ_BYTES } };
  return { ...structure, catalog: readObject(structure, reference(trailer, 'Root')) };
}

/**
 * Checks that a file begins and ends as a PDF.
 *
 * @returns the position of its cross-reference table.
 * @throws Error saying what is missing.
 */
export function assertWhole(reader: TailReader): number {
  if (reader.size === 0) throw new Error('the output is empty');
  const start = readText(reader, 0, 5);
  if (start !== '%PDF-') throw new Error('the output does not start as a PDF');
  const end = readText(reader, Math.max(0, reader.size - END_BYTES), END_BYTES);
  const found = /startxref\s+(\d{1,15})\s+%%EOF\s*$/.exec(end)?.[1];
  if (found === undefined) throw new Error('the output does not end as a PDF');
  return Number(found);
}

function readCrossReferences(reader: TailReader, position: number): CrossReferences {
  const match = /^xref\r?\n0 (\d{1,9})\r?\n/.exec(readText(reader, position, 32));
  if (!match) throw new Error('no cross-reference table where the end of the file says it is');
  const objects = Number(match[1]);
  if (objects > MAX_OBJECTS) throw new Error('there are too many objects');
  return { position: position + match[0].length, objects };
}

/**
 * The text of an object, from its number to before `endobj`.
 *
 * @throws Error saying what is missing or broken.
 */
export function readObject(structure: PdfStructure, number: number): string {
  // The page tree's root lists every page before its count, so its length grows with the document.
  for (let length = FIRST_OBJECT_BYTES; length <= MAX_OBJECT_BYTES; length *= 4) {
    const { text } = readObjectStart(structure, number, length);
    // Stream content may look like anything, such as a title about PDFs.
    const end = text.indexOf('endobj', streamOf(text)?.end);
    if (end !== -1) return text.slice(0, end);
  }
  throw new Error(`object ${number} has no end within ${MAX_OBJECT_BYTES} bytes`);
}

/** Range of a stream's content in the text of its object; undefined if the object does not give its length. */
export function streamOf(object: string): { readonly start: number; readonly end: number } | undefined {
  const [head, dictionary = ''] =
    /^\d+ 0 obj\s*<<([^>]*)>>\s*stream\r?\n/.exec(object.slice(0, MAX_STREAM_START)) ?? [];
  const length = /\/Length\s+(\d{1,9})(?=[/\s]|$)(?!\s+\d+\s+R)/.exec(dictionary)?.[1];
  if (head === undefined || length === undefined) return undefined;
  return { start: head.length, end: head.length + Number(length) };
}

/**
 * The first bytes of an object from its number on, maybe beyond its end, and their position in the file.
 *
 * @throws Error saying what is missing or broken.
 */
export function readObjectStart(
  structure: PdfStructure,
  number: number,
  length: number,
): { readonly position: number; readonly text: string } {
  const { reader, xref } = structure;
  if (number >= xref.objects) throw new Error(`object ${number} is not in the cross-reference table`);
  const entry = readText(reader, xref.position + number * XREF_ENTRY_BYTES, XREF_ENTRY_BYTES);
  const offset = /^(\d{10}) \d{5} n/.exec(entry)?.[1];
  if (offset === undefined) throw new Error(`object ${number} has no position`);
  const text = readText(reader, Number(offset), length);
  spend(structure, text.length);
  if (!text.startsWith(`${number} 0 obj`)) throw new Error(`object ${number} is not at its position`);
  return { position: Number(offset), text };
}

/** Counts bytes of an object that are read. @throws Error if those of all objects are too many. */
export function spend({ budget }: PdfStructure, bytes: number): void {
  budget.left -= bytes;
  if (budget.left < 0) throw new Error('the objects are too large together');
}

/**
 * The object number that a key of a dictionary references.
 *
 * @throws Error if there is none.
 */
export function reference(dictionary: string, key: string): number {
  const match = new RegExp(`/${key}\\s+(\\d{1,9})\\s+0\\s+R`).exec(dictionary);
  if (!match) throw new Error(`no /${key} in the dictionary that must have it`);
  return Number(match[1]);
}

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

/** An object from its number to before `endobj`, as {@link readObject} returns it. */
export type NewObject = string | FileObject;

/**
 * Replaces objects in the file, and adds some: the new ones follow the others, and are followed by the only cross-reference
 * table. Data read from the file before is invalid afterwards.
 *
 * @param fd of the PDF, open for writing.
 * @param objects by number. The numbers behind those of the table must be without gaps.
 * @throws Error if a file cannot be read or written.
 */
export function replaceObjects(
  fd: number,
  { reader, startXref, xref, trailer }: PdfStructure,
  objects: ReadonlyMap<number, NewObject>,
): void {
  const count = [...objects.keys()].reduce((most, number) => Math.max(most, number + 1), xref.objects);
  const table = Buffer.alloc(count * XREF_ENTRY_BYTES, '0000000000 00000 n \n', 'latin1');
  reader.read(xref.position, xref.objects * XREF_ENTRY_BYTES).copy(table);
  let position = startXref;
  // The new end covers the old one, as it is longer.
  const append = (bytes: Buffer) => {
    writeAll(fd, bytes, position);
    position += bytes.length;
  };
  for (const [number, object] of objects) {
    table.write(String(position).padStart(10, '0'), number * XREF_ENTRY_BYTES, 'latin1');
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

/** The entries of all objects, with lost ones as free ones; and how many are lost. */
function entriesOf(
  reader: TailReader,
  { position, objects }: CrossReferences,
): { readonly table: Buffer; readonly lost: number } {
  const table = Buffer.from(reader.read(position, objects * XREF_ENTRY_BYTES));
  let lost = 0;
  for (let at = table.indexOf(LOST); at >= 0; at = table.indexOf(LOST, at)) {
    FREE.copy(table, at);
    lost += 1;
  }
  return { table, lost };
}

/** Whether the file refers to objects that it does not have. */
export function hasLostObjects({ reader, xref }: PdfStructure): boolean {
  return entriesOf(reader, xref).lost > 0;
}

/** Says in the file that it does not have them; what was read from it before is then invalid. @param fd of the PDF, open for writing. */
export function freeLostObjects(fd: number, { reader, xref }: PdfStructure): void {
  const { table, lost } = entriesOf(reader, xref);
  if (lost > 0) writeAll(fd, table, xref.position);
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
