/** Inflates PDF streams (ISO 32000-1, 7.3.8) within limits, as documents decide their content. */
import { inflateSync } from 'node:zlib';
import { type PdfStructure, readObject, readObjectStart, reference, spend } from './structure.ts';

/** Longer than the dictionary of any stream that is read here. */
const DICTIONARY_BYTES = 2_048;

/**
 * The content of a stream.
 *
 * @param limit most bytes, inflated.
 * @throws RangeError if it is longer; Error if it is compressed in another way, or is broken.
 */
export function readStream(structure: PdfStructure, number: number, limit: number): Buffer {
  const start = readObjectStart(structure, number, DICTIONARY_BYTES);
  const begin = /stream\r?\n/.exec(start.text);
  if (!begin) throw new Error(`object ${number} is not a stream`);
  const dictionary = start.text.slice(0, begin.index);
  const filter = /\/Filter\s*(\/\w+|\[)/.exec(dictionary)?.[1];
  if (filter !== undefined && filter !== '/FlateDecode')
    throw new Error(`object ${number} has another filter`);
  const length = lengthOf(structure, dictionary);
  if (length > limit) throw new RangeError(`object ${number} is longer than ${limit} bytes`);
  spend(structure, length);
  const bytes = structure.reader.read(start.position + begin.index + begin[0].length, length);
  return filter === undefined ? bytes : inflateSync(bytes, { maxOutputLength: limit });
}

function lengthOf(structure: PdfStructure, dictionary: string): number {
  const direct = /\/Length\s+(\d{1,9})\b(?!\s+0\s+R)/.exec(dictionary)?.[1];
  if (direct !== undefined) return Number(direct);
  const object = readObject(structure, reference(dictionary, 'Length'));
  const length = /obj\s*(\d{1,9})\s*$/.exec(object)?.[1];
  if (length === undefined) throw new Error('the length of a stream is no number');
  return Number(length);
}
