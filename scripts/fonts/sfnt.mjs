/** Reads and writes OpenType containers: the tables of a file, or of a member of a collection. */

const COLLECTION = 0x74746366; // ttcf

/**
 * @typedef {object} Face
 * @property {number} version of the container: 0x00010000 for TrueType outlines, OTTO for CFF
 * @property {Map<string, Buffer>} tables by tag
 */

/**
 * @param {Buffer} file
 * @returns {Face[]} one, or as many as a collection has
 */
export function readFaces(file) {
  /** Faces that share a table get the same buffer: {@link writeCollection} writes it once. @type {Map<string, Buffer>} */
  const known = new Map();
  if (file.readUInt32BE(0) !== COLLECTION) return [readFace(file, 0, known)];
  const count = file.readUInt32BE(8);
  return Array.from({ length: count }, (_, index) =>
    readFace(file, file.readUInt32BE(12 + 4 * index), known),
  );
}

/**
 * @param {Buffer} file
 * @param {number} start
 * @param {Map<string, Buffer>} known
 * @returns {Face}
 */
function readFace(file, start, known) {
  const tables = new Map();
  const count = file.readUInt16BE(start + 4);
  for (let index = 0; index < count; index++) {
    const record = start + 12 + 16 * index;
    const from = file.readUInt32BE(record + 8);
    const size = file.readUInt32BE(record + 12);
    const table = known.get(`${from} ${size}`) ?? file.subarray(from, from + size);
    known.set(`${from} ${size}`, table);
    tables.set(file.toString('latin1', record, record + 4), table);
  }
  return { version: file.readUInt32BE(start), tables };
}

/**
 * Writes a collection in which faces share identical tables, or their ends.
 *
 * @param {Face[]} faces
 * @returns {Buffer}
 */
export function writeCollection(faces) {
  const header = Buffer.alloc(12 + 4 * faces.length);
  header.writeUInt32BE(COLLECTION, 0);
  header.writeUInt32BE(0x00010000, 4);
  header.writeUInt32BE(faces.length, 8);
  const directories = faces.map(({ tables }) => Buffer.alloc(12 + 16 * tables.size));
  let end = header.length;
  directories.forEach((directory, index) => {
    header.writeUInt32BE(end, 12 + 4 * index);
    end += directory.length;
  });

  /** @type {Buffer[]} */
  const parts = [header, ...directories];
  /** @type {{ table: Buffer, from: number }[]} */
  const placed = [];
  const place = (/** @type {Buffer} */ table) => {
    const known = placed.find((other) => isEndOf(table, other.table));
    if (known) return known.from + known.table.length - table.length;
    const from = end;
    const padding = Buffer.alloc((4 - (table.length % 4)) % 4);
    parts.push(table, padding);
    placed.push({ table, from });
    end += table.length + padding.length;
    return from;
  };
  for (const [index, face] of faces.entries()) fillDirectory(directories[index] ?? header, face, place);
  return Buffer.concat(parts);
}

/**
 * @param {Buffer} table
 * @param {Buffer} whole
 */
function isEndOf(table, whole) {
  return (
    table.buffer === whole.buffer &&
    table.byteOffset >= whole.byteOffset &&
    table.byteOffset + table.length === whole.byteOffset + whole.length
  );
}

/**
 * @param {Buffer} directory
 * @param {Face} face
 * @param {(table: Buffer) => number} place
 */
function fillDirectory(directory, { version, tables }, place) {
  const size = 2 ** Math.floor(Math.log2(tables.size));
  directory.writeUInt32BE(version, 0);
  directory.writeUInt16BE(tables.size, 4);
  directory.writeUInt16BE(16 * size, 6);
  directory.writeUInt16BE(Math.log2(size), 8);
  directory.writeUInt16BE(16 * (tables.size - size), 10);
  const sorted = [...tables].sort(([a], [b]) => (a < b ? -1 : 1));
  sorted.forEach(([tag, table], index) => {
    const record = 12 + 16 * index;
    directory.write(tag, record, 4, 'latin1');
    directory.writeUInt32BE(checksum(table), record + 4);
    directory.writeUInt32BE(place(table), record + 8);
    directory.writeUInt32BE(table.length, record + 12);
  });
}

/**
 * @param {Buffer} table
 * @returns {number}
 */
function checksum(table) {
  const whole = table.length - (table.length % 4);
  let sum = 0;
  for (let at = 0; at < whole; at += 4) sum = (sum + table.readUInt32BE(at)) >>> 0;
  if (whole === table.length) return sum;
  const rest = Buffer.alloc(4);
  table.copy(rest, 0, whole);
  return (sum + rest.readUInt32BE(0)) >>> 0;
}

/**
 * @param {Face} face
 * @returns {string | undefined} its English family name
 */
export function familyName(face) {
  return nameOf(face, 1);
}

/**
 * @param {Face} face
 * @returns {string | undefined} Regular, Bold, Italic or Bold Italic
 */
export function styleName(face) {
  return nameOf(face, 2);
}

/**
 * @param {Face} face
 * @param {number} wanted
 * @returns {string | undefined} in English
 */
function nameOf({ tables }, wanted) {
  const table = tables.get('name');
  if (!table) return undefined;
  const strings = table.readUInt16BE(4);
  for (let index = 0; index < table.readUInt16BE(2); index++) {
    const record = 6 + 12 * index;
    const [platform, , language, id, length = 0, from = 0] = Array.from({ length: 6 }, (_, field) =>
      table.readUInt16BE(record + 2 * field),
    );
    if (platform !== 3 || language !== 0x409 || id !== wanted) continue;
    const start = strings + from;
    return Buffer.from(table.subarray(start, start + length))
      .swap16()
      .toString('utf16le');
  }
  return undefined;
}

/**
 * @param {Face} face
 * @returns {number}
 */
export function unitsPerEm({ tables }) {
  return tables.get('head')?.readUInt16BE(18) ?? 0;
}

/**
 * @param {Face} face
 * @returns {number[]} advance widths by glyph, in units; glyphs behind the last all have its width
 */
export function advances({ tables }) {
  const count = tables.get('hhea')?.readUInt16BE(34) ?? 0;
  const hmtx = tables.get('hmtx') ?? Buffer.alloc(0);
  return Array.from({ length: count }, (_, glyph) => hmtx.readUInt16BE(4 * glyph));
}
