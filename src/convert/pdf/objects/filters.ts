/** Unpacks streams (ISO 32000-1, 7.4) within limits, as documents decide their content. */
import { inflateSync } from 'node:zlib';
import { type Dictionary, isArray, isDictionary, type Value } from './values.ts';

/** How much larger content is than its stream, mostly; and the room for it that is taken at a time, in bytes. */
const UNPACKED = 8;
const [MIN_CHUNK, MAX_CHUNK] = [1_024, 65_536];
/** Most bytes of a row of a predictor. */
const MAX_ROW = 65_536;

/**
 * What a stream holds, packed by Flate or not at all.
 *
 * @param dictionary whose values are direct.
 * @param limit most bytes.
 * @throws RangeError if it is longer; Error if it is packed in another way, or broken.
 */
export function inflated(bytes: Buffer, dictionary: Dictionary, limit: number): Buffer {
  const filters = listOf(dictionary['/Filter']);
  const parameters = listOf(dictionary['/DecodeParms']);
  let data = bytes;
  if (filters.length > 2) throw new Error('a stream has too many filters');
  for (const [index, filter] of filters.entries()) {
    if (filter !== '/FlateDecode') throw new Error(`a stream has the filter ${String(filter)}`);
    const chunkSize = Math.min(Math.max(UNPACKED * data.length, MIN_CHUNK), MAX_CHUNK);
    data = inflateSync(data, { maxOutputLength: limit, chunkSize });
    const own = parameters[index];
    if (isDictionary(own)) data = withoutPredictor(data, own);
  }
  if (data.length > limit) throw new RangeError(`a stream is longer than ${limit} bytes`);
  return data;
}

function listOf(value: Value | undefined): readonly Value[] {
  if (value === undefined || value === null) return [];
  return isArray(value) ? value : [value];
}

/** Takes back the predictors of PNG (7.4.4.4). */
function withoutPredictor(data: Buffer, parameters: Dictionary): Buffer {
  const number = (key: string, otherwise: number) => {
    const value = parameters[key];
    return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : otherwise;
  };
  const predictor = number('/Predictor', 1);
  if (predictor === 1) return data;
  if (predictor < 10) throw new Error(`a stream has the predictor ${predictor}`);
  const bits = number('/Colors', 1) * number('/BitsPerComponent', 8);
  const [row, step] = [Math.ceil((bits * number('/Columns', 1)) / 8), Math.ceil(bits / 8)];
  if (row > MAX_ROW || step > row) throw new Error('a stream has rows that are too long');
  const rows = Math.floor(data.length / (row + 1));
  const result = Buffer.alloc(rows * row);
  for (let index = 0; index < rows; index += 1) {
    const [from, to] = [index * (row + 1) + 1, index * row];
    const type = data[from - 1] ?? 0;
    for (let at = 0; at < row; at += 1) {
      const left = at < step ? 0 : (result[to + at - step] ?? 0);
      const up = index === 0 ? 0 : (result[to + at - row] ?? 0);
      const corner = index === 0 || at < step ? 0 : (result[to + at - row - step] ?? 0);
      result[to + at] = (data[from + at] ?? 0) + predicted(type, left, up, corner);
    }
  }
  return result;
}

function predicted(type: number, left: number, up: number, corner: number): number {
  switch (type) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4:
      return paeth(left, up, corner);
  }
  throw new Error('a row of a stream has an unknown predictor');
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(estimate - value)) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
