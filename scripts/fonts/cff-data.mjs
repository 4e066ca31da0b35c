/** The two data structures of the table `CFF ` (Adobe Technical Note 5176): lists (INDEX) and dictionaries (DICT). */

const INTEGER_32 = 29;
const REAL = 30;

/**
 * @typedef {object} Entry of a DICT
 * @property {number} operator those with two bytes as 12 in the high byte
 * @property {Buffer[]} operands as they are written
 */

/**
 * @param {Buffer} cff
 * @param {number} at
 * @returns {{ items: Buffer[], end: number }}
 */
export function readIndex(cff, at) {
  const count = cff.readUInt16BE(at);
  if (count === 0) return { items: [], end: at + 2 };
  const size = cff.readUInt8(at + 2);
  // Offsets count from the byte before the data.
  const data = at + 2 + size * (count + 1);
  const offset = (/** @type {number} */ index) => data + cff.readUIntBE(at + 3 + size * index, size);
  const items = Array.from({ length: count }, (_, index) => cff.subarray(offset(index), offset(index + 1)));
  return { items, end: offset(count) };
}

/**
 * @param {Buffer[]} items
 * @returns {Buffer} of a length that depends on nothing but theirs
 */
export function writeIndex(items) {
  const size = 4;
  const front = Buffer.alloc(3 + size * (items.length + 1));
  front.writeUInt16BE(items.length, 0);
  front.writeUInt8(size, 2);
  let offset = 1;
  front.writeUInt32BE(offset, 3);
  items.forEach((item, index) => {
    offset += item.length;
    front.writeUInt32BE(offset, 3 + size * (index + 1));
  });
  return Buffer.concat([front, ...items]);
}

/**
 * @param {Buffer} dict
 * @returns {Entry[]}
 */
export function readDict(dict) {
  /** @type {Entry[]} */
  const entries = [];
  /** @type {Buffer[]} */
  let operands = [];
  for (let at = 0; at < dict.length; ) {
    const first = dict.readUInt8(at);
    if (first <= 21) {
      const long = first === 12;
      entries.push({ operator: long ? dict.readUInt16BE(at) : first, operands });
      operands = [];
      at += long ? 2 : 1;
    } else {
      const size = operandSize(dict, at);
      operands.push(dict.subarray(at, at + size));
      at += size;
    }
  }
  return entries;
}

/**
 * @param {Buffer} dict
 * @param {number} at
 */
function operandSize(dict, at) {
  const first = dict.readUInt8(at);
  if (first === 28) return 3;
  if (first === INTEGER_32) return 5;
  if (first >= 247) return 2;
  if (first !== REAL) return 1;
  // Decimals, two in a byte; 15 ends them.
  let end = at + 1;
  while ((dict.readUInt8(end) & 15) !== 15) end++;
  return end + 1 - at;
}

/** @param {Entry[]} entries */
export function writeDict(entries) {
  return Buffer.concat(
    entries.flatMap(({ operator, operands }) => [
      ...operands,
      operator > 255 ? Buffer.from([operator >> 8, operator & 255]) : Buffer.from([operator]),
    ]),
  );
}

/** @param {Buffer} operand a whole number */
export function number(operand) {
  const first = operand.readUInt8(0);
  if (first === 28) return operand.readInt16BE(1);
  if (first === INTEGER_32) return operand.readInt32BE(1);
  if (first >= 251) return -(first - 251) * 256 - operand.readUInt8(1) - 108;
  if (first >= 247) return (first - 247) * 256 + operand.readUInt8(1) + 108;
  return first - 139;
}

/**
 * @param {number} value
 * @returns {Buffer} of five bytes, whatever the number
 */
export function integer(value) {
  const operand = Buffer.alloc(5);
  operand.writeUInt8(INTEGER_32, 0);
  operand.writeInt32BE(value, 1);
  return operand;
}

/**
 * @param {number} value between 0 and 1
 * @returns {Buffer} with six digits that count
 */
export function fraction(value) {
  // Ten digits, a byte for two: 10 is the decimal point and 15 the end.
  const digits = value.toFixed(9).slice(2);
  return Buffer.from(`1ea${digits}f`.padEnd(14, 'f'), 'hex');
}
