/** Finding objects of a PDF with a few bounded reads (ISO 32000-1, 7.5). */
import type { TailReader } from './tail-reader.ts';

const TRAILER_BYTES = 65_536;
const XREF_ENTRY_BYTES = 20;
const FIRST_OBJECT_BYTES = 4_096;
const MAX_OBJECT_BYTES = 4_194_304;

/** A single cross-reference table over all objects. */
interface CrossReferences {
  /** Where the entry of object 0 begins. */
  readonly position: number;
  readonly objects: number;
}

/** What leads to all that is in a PDF. */
export interface PdfStructure {
  readonly reader: TailReader;
  readonly xref: CrossReferences;
  /** From the word `trailer` on. */
  readonly trailer: string;
  /** The text of the document catalog. */
  readonly catalog: string;
}

/**
 * Reads what LibreOffice writes, all versions to date: one cross-reference table, no incremental
 * updates, no object streams.
 *
 * @param startXref position of the cross-reference table, as the end of the file names it.
 * @throws Error saying what is missing or broken.
 */
export async function readStructure(reader: TailReader, startXref: number): Promise<PdfStructure> {
  const xref = await readCrossReferences(reader, startXref);
  const afterTable = xref.position + xref.objects * XREF_ENTRY_BYTES;
  const trailer = await readText(reader, afterTable, TRAILER_BYTES);
  if (!trailer.startsWith('trailer')) throw new Error('no trailer after the cross-reference table');
  const structure = { reader, xref, trailer, catalog: '' };
  return { ...structure, catalog: await readObject(structure, reference(trailer, 'Root')) };
}

async function readCrossReferences(reader: TailReader, position: number): Promise<CrossReferences> {
  const match = /^xref\r?\n0 (\d{1,9})\r?\n/.exec(await readText(reader, position, 32));
  if (!match) throw new Error('no cross-reference table where the end of the file says it is');
  return { position: position + match[0].length, objects: Number(match[1]) };
}

/**
 * The text of an object from its number to `endobj`.
 *
 * @throws Error saying what is missing or broken.
 */
export async function readObject({ reader, xref }: PdfStructure, number: number): Promise<string> {
  if (number >= xref.objects) throw new Error(`object ${number} is not in the cross-reference table`);
  const entry = await readText(reader, xref.position + number * XREF_ENTRY_BYTES, XREF_ENTRY_BYTES);
  const offset = /^(\d{10}) \d{5} n/.exec(entry)?.[1];
  if (offset === undefined) throw new Error(`object ${number} has no position`);
  // The page tree's root lists every page before its count, so its length grows with the document.
  for (let length = FIRST_OBJECT_BYTES; length <= MAX_OBJECT_BYTES; length *= 4) {
    const text = await readText(reader, Number(offset), length);
    if (!text.startsWith(`${number} 0 obj`)) throw new Error(`object ${number} is not at its position`);
    const end = text.indexOf('endobj');
    if (end !== -1) return text.slice(0, end);
  }
  throw new Error(`object ${number} has no end within ${MAX_OBJECT_BYTES} bytes`);
}

/**
 * The object number behind a key of a dictionary.
 *
 * @throws Error when there is none.
 */
export function reference(dictionary: string, key: string): number {
  const match = new RegExp(`/${key}\\s+(\\d{1,9})\\s+0\\s+R`).exec(dictionary);
  if (!match) throw new Error(`no /${key} in the dictionary that must have it`);
  return Number(match[1]);
}

async function readText(reader: TailReader, position: number, length: number): Promise<string> {
  return (await reader.read(position, length)).toString('latin1');
}
