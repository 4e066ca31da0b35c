/**
 * Changes name, units per em and glyph widths in the table `CFF ` (Adobe Technical Note 5176). LibreOffice lays text out by the
 * other tables, but embeds this one in PDFs. If they differ, letters have another size or width than the PDF says, and it is no
 * valid PDF/A.
 *
 * Faces keep sharing outlines: each gets its own header in front of the same data, and its table extends from its header to the
 * end of the outlines, across the other headers. So outlines cannot change. Widths can: an outline stores its width as the
 * difference from a number in one of the fonts (FDArray) of a CID font, which are in the header. A glyph with another width moves
 * to a copy of its font with another number. A font that is no CID font becomes one for that.
 */
import { fraction, integer, number, readDict, readIndex, writeDict, writeIndex } from './cff-data.mjs';

/** Operators of a DICT; those with two bytes as 12 in the high byte. */
const FULL_NAME = 2;
const FAMILY_NAME = 3;
const CHARSET = 15;
const ENCODING = 16;
const CHAR_STRINGS = 17;
const PRIVATE = 18;
const SUBROUTINES = 19;
const DEFAULT_WIDTH = 20;
const NOMINAL_WIDTH = 21;
const FONT_MATRIX = 0x0c07;
const FONT_NAME = 0x0c26;
const FONT_ARRAY = 0x0c24;
const FONT_SELECT = 0x0c25;
const ORDER = 0x0c1e;
const COUNT = 0x0c22;
/** Whose numbers the glyphs of a CID font have. */
const ORDERING = ['Adobe', 'Identity'];

/** Strings below this number are not in the font. */
const STANDARD_STRINGS = 391;
/** Charsets and encodings below it are predefined, and not places in the table. */
const PREDEFINED = 3;
/** LibreOffice supports one font less than the format. */
const MAX_FONTS = 255;

const NOTHING = Buffer.alloc(0);

/**
 * @typedef {import('./cff-data.mjs').Entry} Entry
 *
 * @typedef {object} Identity what a face says of itself, beside the outlines that it shares
 * @property {string} name its PostScript name
 * @property {number} [unitsPerEm] where they are not those of the outlines
 * @property {ReadonlyMap<number, number>} wider by glyph: how much wider it is than its outline says, in units
 *
 * @typedef {object} Member one of the fonts of a font with many
 * @property {Entry[]} entries
 * @property {number} wider how much wider its glyphs are than those of the font that it is a copy of; 0: it is no copy
 */

/**
 * @param {Buffer} cff outlines that faces share
 * @param {readonly Identity[]} identities of these faces
 * @returns {Buffer[]} a table for each, parts of one buffer that all end where it ends
 * @throws Error when the outlines cannot have such widths
 */
export function withIdentities(cff, identities) {
  const sizes = identities.map((identity) => head(cff, identity, 0).length);
  const all = Buffer.alloc(sizes.reduce((sum, size) => sum + size, cff.length));
  cff.copy(all, all.length - cff.length);
  let from = 0;
  return identities.map((identity, index) => {
    const table = all.subarray(from);
    head(cff, identity, table.length - cff.length).copy(table);
    from += sizes[index] ?? 0;
    return table;
  });
}

/**
 * All data before the outlines, and the member fonts of a CID font, which have names and widths, too.
 *
 * @param {Buffer} cff
 * @param {Identity} identity
 * @param {number} shift how far behind its start the outlines stand; it does not change the length
 * @returns {Buffer} of a length that can be divided by four
 */
function head(cff, { name, unitsPerEm, wider }, shift) {
  const header = Buffer.from(cff.subarray(0, cff.readUInt8(2)));
  const names = readIndex(cff, header.length);
  const top = readIndex(cff, names.end);
  const strings = readIndex(cff, top.end);
  const subroutines = readIndex(cff, strings.end);
  const named = STANDARD_STRINGS + strings.items.length;
  const [first] = top.items;
  if (!first || top.items.length > 1) throw new Error('a table of outlines has one font');
  const written = withUnits(readDict(first), unitsPerEm);
  const isOne = wider.size > 0 && place(written, FONT_ARRAY) === undefined;
  const glyphs = cff.readUInt16BE(place(written, CHAR_STRINGS) ?? 0);
  const entries = isOne ? asMany(written, named + 1, glyphs) : written;
  const { members, select } = withWidths(cff, entries, wider, isOne ? { font: written, glyphs } : undefined);

  return inRow([
    ([, fonts = 0, selectAt = 0, charset = 0]) =>
      Buffer.concat([
        header,
        writeIndex([Buffer.from(name, 'latin1')]),
        writeIndex([
          writeDict(
            moved(entries, named, shift, {
              fonts,
              ...(select && { select: selectAt }),
              ...(isOne && { charset }),
            }),
          ),
        ]),
        writeIndex([
          ...strings.items,
          ...[name, ...(isOne ? ORDERING : [])].map((each) => Buffer.from(each, 'latin1')),
        ]),
        cff.subarray(strings.end, subroutines.end),
      ]),
    ([, , , , ...privates]) =>
      members.length === 0
        ? NOTHING
        : writeIndex(
            members.map((member, index) => {
              const { length } = privateOf(cff, member, shift, 0);
              const at = privates[index] ?? 0;
              return writeDict(
                moved(member.entries, named, shift, length > 0 ? { own: { length, at } } : {}),
              );
            }),
          ),
    () => select ?? NOTHING,
    () => (isOne ? numbersOf(glyphs) : NOTHING),
    ...members.map(
      (member, index) => (/** @type {number[]} */ places) =>
        privateOf(cff, member, shift, places[index + 4] ?? 0),
    ),
  ]);
}

/**
 * @param {((places: number[]) => Buffer)[]} parts each with a length that does not depend on the places
 * @returns {Buffer} all parts, each made with the places of all; the length is a multiple of four
 */
function inRow(parts) {
  const lengths = parts.map((part) => part([]).length);
  const places = lengths.map((_, index) => lengths.slice(0, index).reduce((sum, length) => sum + length, 0));
  const row = Buffer.concat(parts.map((part) => part(places)));
  return Buffer.concat([row, Buffer.alloc((4 - (row.length % 4)) % 4)]);
}

/**
 * @param {Entry[]} entries
 * @param {number | undefined} unitsPerEm
 * @returns {Entry[]} that say so
 */
function withUnits(entries, unitsPerEm) {
  if (unitsPerEm === undefined) return entries;
  const unit = fraction(1 / unitsPerEm);
  const none = integer(0);
  const matrix = { operator: FONT_MATRIX, operands: [unit, none, none, unit, none, none] };
  return [...entries.filter(({ operator }) => operator !== FONT_MATRIX), matrix];
}

/**
 * The font as one of the kind that has many (a CID font), with itself alone: each of its glyphs has a number in place of a name.
 *
 * @param {Entry[]} entries
 * @param {number} ordering number of the string with the first half of {@link ORDERING}
 * @param {number} glyphs
 * @returns {Entry[]}
 */
function asMany(entries, ordering, glyphs) {
  const operands = [ordering, ordering + 1, 0].map(integer);
  return [
    { operator: ORDER, operands },
    ...entries.filter(({ operator }) => ![ENCODING, CHARSET, PRIVATE].includes(operator)),
    { operator: COUNT, operands: [integer(glyphs)] },
    ...[CHARSET, FONT_ARRAY, FONT_SELECT].map((operator) => ({ operator, operands: [integer(PREDEFINED)] })),
  ];
}

/**
 * @param {number} glyphs
 * @returns {Buffer} a range (format 2): the glyphs behind the first one, which has none, are numbered from 1
 */
function numbersOf(glyphs) {
  const left = Math.max(0, glyphs - 2);
  return Buffer.of(2, 0, 1, left >> 8, left & 0xff);
}

/**
 * @param {Buffer} cff
 * @param {Entry[]} entries
 * @param {ReadonlyMap<number, number>} wider
 * @param {{ font: Entry[], glyphs: number }} [one] the font, where it had no others beside it
 * @returns {{ members: Member[], select?: Buffer }} the fonts, and which of them each glyph is of where that is another
 *   one than before
 * @throws Error when the font is not of the kind that has many, or would have too many
 */
function withWidths(cff, entries, wider, one) {
  const fontsAt = one ? undefined : place(entries, FONT_ARRAY);
  /** @type {Member[]} */
  const members = one
    ? [{ entries: one.font.filter(({ operator }) => operator === PRIVATE), wider: 0 }]
    : fontsAt === undefined
      ? []
      : readIndex(cff, fontsAt).items.map((item) => ({ entries: readDict(item), wider: 0 }));
  if (wider.size === 0) return { members };
  const select = one ? Buffer.alloc(one.glyphs) : readSelect(cff, entries);
  /** @type {Map<string, number>} */
  const copies = new Map();
  for (const [glyph, by] of wider) {
    const original = select[glyph] ?? 0;
    const copy = copies.get(`${original} ${by}`) ?? members.length;
    if (copy === members.length) members.push({ entries: members[original]?.entries ?? [], wider: by });
    copies.set(`${original} ${by}`, copy);
    select[glyph] = copy;
  }
  if (members.length > MAX_FONTS) throw new Error('the outlines cannot have so many other widths');
  return { members, select: Buffer.concat([Buffer.of(0), select]) };
}

/**
 * @param {Buffer} cff
 * @param {Entry[]} entries
 * @returns {Buffer} for each glyph the font that it is of
 * @throws Error when the font is not of the kind that has many
 */
function readSelect(cff, entries) {
  const at = place(entries, FONT_SELECT);
  if (at === undefined) throw new Error('only outlines of a font with many can have other widths');
  const glyphs = cff.readUInt16BE(place(entries, CHAR_STRINGS) ?? 0);
  if (cff.readUInt8(at) === 0) return Buffer.from(cff.subarray(at + 1, at + 1 + glyphs));
  // The other format, 3: ranges, each with its first glyph and its font, and the end of the last.
  const select = Buffer.alloc(glyphs);
  const ranges = cff.readUInt16BE(at + 1);
  for (let range = at + 3; range < at + 3 + 3 * ranges; range += 3) {
    select.fill(cff.readUInt8(range + 2), cff.readUInt16BE(range), cff.readUInt16BE(range + 3));
  }
  return select;
}

/**
 * @param {Buffer} cff
 * @param {Member} member
 * @param {number} shift
 * @param {number} at where it will stand
 * @returns {Buffer} its private data, in which the widths count from other numbers; nothing where these are the old ones
 */
function privateOf(cff, { entries, wider }, shift, at) {
  if (wider === 0) return NOTHING;
  const [size = 0, from = 0] = find(entries, PRIVATE)?.operands.map(number) ?? [];
  const old = readDict(cff.subarray(from, from + size));
  const changed = [DEFAULT_WIDTH, NOMINAL_WIDTH].map((operator) => ({
    operator,
    operands: [integer((place(old, operator) ?? 0) + wider)],
  }));
  // Subroutines are found from here.
  const subroutines = place(old, SUBROUTINES);
  const kept = old.filter(({ operator }) => ![DEFAULT_WIDTH, NOMINAL_WIDTH, SUBROUTINES].includes(operator));
  if (subroutines !== undefined) {
    changed.push({ operator: SUBROUTINES, operands: [integer(from + subroutines + shift - at)] });
  }
  return writeDict([...kept, ...changed]);
}

/**
 * @param {Entry[]} entries
 * @param {number} name number of the string that is the font's name
 * @param {number} shift
 * @param {{ fonts?: number, select?: number, charset?: number, own?: { length: number, at: number } }} places of what is not moved but
 *   written anew: the fonts, the choice among them, the numbers of glyphs, private data
 * @returns {Entry[]} with that name, and with the places of all that was moved
 */
function moved(entries, name, shift, { fonts = 0, select, charset, own }) {
  return entries.map(({ operator, operands }) => {
    const [first = NOTHING, second = NOTHING] = operands;
    switch (operator) {
      case FULL_NAME:
      case FAMILY_NAME:
      case FONT_NAME:
        return { operator, operands: [integer(name)] };
      case CHARSET:
      case ENCODING:
        if (charset !== undefined) return { operator, operands: [integer(charset)] };
        return number(first) < PREDEFINED
          ? { operator, operands }
          : { operator, operands: [integer(number(first) + shift)] };
      case CHAR_STRINGS:
        return { operator, operands: [integer(number(first) + shift)] };
      case FONT_SELECT:
        return { operator, operands: [integer(select ?? number(first) + shift)] };
      case PRIVATE:
        return own
          ? { operator, operands: [integer(own.length), integer(own.at)] }
          : { operator, operands: [first, integer(number(second) + shift)] };
      case FONT_ARRAY:
        return { operator, operands: [integer(fonts)] };
      default:
        return { operator, operands };
    }
  });
}

/**
 * @param {Entry[]} entries
 * @param {number} operator
 */
function find(entries, operator) {
  return entries.find((entry) => entry.operator === operator);
}

/**
 * @param {Entry[]} entries
 * @param {number} operator
 * @returns {number | undefined} its whole number
 */
function place(entries, operator) {
  const [operand] = find(entries, operator)?.operands ?? [];
  return operand && number(operand);
}
