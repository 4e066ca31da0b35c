/**
 * The name of a font with CFF outlines (Adobe Technical Note 5176) inside the table `CFF `, where LibreOffice 7.4 takes
 * it from for a PDF.
 *
 * Faces that share outlines go on sharing them: each gets a head of its own, with its name, in front of the same table,
 * and its table reaches from its head to the end of the outlines, over the heads of the others.
 */

/** Operators of a DICT; those with two bytes as 12 in the high byte. */
const FULL_NAME = 2;
const FAMILY_NAME = 3;
const CHARSET = 15;
const ENCODING = 16;
const CHAR_STRINGS = 17;
const PRIVATE = 18;
const FONT_NAME = 0x0c26;
const FD_ARRAY = 0x0c24;
const FD_SELECT = 0x0c25;

/** Strings below this number are not in the font. */
const STANDARD_STRINGS = 391;
/** A charset or an encoding below it is one of those that every reader knows, no place in the table. */
const PREDEFINED = 3;
const INTEGER_32 = 29;

/**
 * @typedef {object} Entry of a DICT
 * @property {number} operator
 * @property {Buffer[]} operands as they are written
 */

/**
 * @param {Buffer} cff outlines that fonts share
 * @param {readonly string[]} names their PostScript names
 * @returns {Buffer[]} a table for each, parts of one buffer that all end where it ends
 */
export function withNames(cff, names) {
  const sizes = names.map((name) => head(cff, name, 0).length);
  const all = Buffer.alloc(sizes.reduce((sum, size) => sum + size, cff.length));
  cff.copy(all, all.length - cff.length);
  let from = 0;
  return names.map((name, index) => {
    const table = all.subarray(from);
    head(cff, name, table.length - cff.length).copy(table);
    from += sizes[index] ?? 0;
    return table;
  });
}

/**
 * All that stands in front of the outlines, and the fonts of a font with many, which have names as well.
 *
 * @param {Buffer} cff
 * @param {string} name
 * @param {number} shift how far behind its start the outlines stand; it does not change the length
 * @returns {Buffer} of a length that can be divided by four
 */
function head(cff, name, shift) {
  const header = Buffer.from(cff.subarray(0, cff.readUInt8(2)));
  const names = readIndex(cff, header.length);
  const top = readIndex(cff, names.end);
  const strings = readIndex(cff, top.end);
  const subroutines = readIndex(cff, strings.end);
  const named = STANDARD_STRINGS + strings.items.length;
  const [first] = top.items;
  if (!first || top.items.length > 1) throw new Error('a table of outlines has one font');
  const entries = readDict(first);

  const fontsAt = entries.find(({ operator }) => operator === FD_ARRAY)?.operands[0];
  const fonts = fontsAt
    ? writeIndex(
        readIndex(cff, number(fontsAt)).items.map((item) => writeDict(moved(readDict(item), named, shift))),
      )
    : Buffer.alloc(0);
  const parts = (/** @type {number} */ place) => [
    header,
    writeIndex([Buffer.from(name, 'latin1')]),
    writeIndex([writeDict(moved(entries, named, shift, place))]),
    writeIndex([...strings.items, Buffer.from(name, 'latin1')]),
    cff.subarray(strings.end, subroutines.end),
  ];
  const front = Buffer.concat(parts(Buffer.concat(parts(0)).length));
  return Buffer.concat([front, fonts, Buffer.alloc((4 - ((front.length + fonts.length) % 4)) % 4)]);
}

/**
 * @param {Entry[]} entries
 * @param {number} name number of the string that is the font's name
 * @param {number} shift
 * @param {number} fonts where the fonts of a font with many stand now
 * @returns {Entry[]} with that name, and with the places of all that was moved
 */
function moved(entries, name, shift, fonts = 0) {
  return entries.map(({ operator, operands }) => {
    const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = operands;
    switch (operator) {
      case FULL_NAME:
      case FAMILY_NAME:
      case FONT_NAME:
        return { operator, operands: [integer(name)] };
      case CHARSET:
      case ENCODING:
        return number(first) < PREDEFINED
          ? { operator, operands }
          : { operator, operands: [integer(number(first) + shift)] };
      case CHAR_STRINGS:
      case FD_SELECT:
        return { operator, operands: [integer(number(first) + shift)] };
      case PRIVATE:
        return { operator, operands: [first, integer(number(second) + shift)] };
      case FD_ARRAY:
        return { operator, operands: [integer(fonts)] };
      default:
        return { operator, operands };
    }
  });
}

/**
 * @param {Buffer} cff
 * @param {number} at
 * @returns {{ items: Buffer[], end: number }}
 */
function readIndex(cff, at) {
  const count = cff.readUInt16BE(at);
  if (count === 0) return { items: [], end: at + 2 };
  const size = cff.readUInt8(at + 2);
  // Offsets count from the byte before the data.
  const data = at + 2 + size * (count + 1);
  const offset = (/** @type {number} */ index) => data + cff.readUIntBE(at + 3 + size * index, size);
  const items = Array.from({ length: count }, (_, index) => cff.subarray(offset(index), offset(index + 1)));
  return { items, end: offset(count) };
}

/** @param {Buffer[]} items */
function writeIndex(items) {
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
function readDict(dict) {
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
  if (first !== 30) return 1;
  // Decimals, two in a byte; 15 ends them.
  let end = at + 1;
  while ((dict.readUInt8(end) & 15) !== 15) end++;
  return end + 1 - at;
}

/** @param {Entry[]} entries */
function writeDict(entries) {
  return Buffer.concat(
    entries.flatMap(({ operator, operands }) => [
      ...operands,
      operator > 255 ? Buffer.from([operator >> 8, operator & 255]) : Buffer.from([operator]),
    ]),
  );
}

/** @param {Buffer} operand a whole number */
function number(operand) {
  const first = operand.readUInt8(0);
  if (first === 28) return operand.readInt16BE(1);
  if (first === INTEGER_32) return operand.readInt32BE(1);
  if (first >= 251) return -(first - 251) * 256 - operand.readUInt8(1) - 108;
  if (first >= 247) return (first - 247) * 256 + operand.readUInt8(1) + 108;
  return first - 139;
}

/** @param {number} value */
function integer(value) {
  const operand = Buffer.alloc(5);
  operand.writeUInt8(INTEGER_32, 0);
  operand.writeInt32BE(value, 1);
  return operand;
}
