/** Maps characters to glyphs: the table `cmap`, in its two Unicode formats, 4 and 12. */

const GROUP_BYTES = 12;

/**
 * @param {ReadonlyMap<string, number>} glyphs by character
 * @returns {Buffer} a table that has these characters
 */
export function writeCmap(glyphs) {
  const groups = inRows(
    [...glyphs].map(([character, glyph]) => ({ point: character.codePointAt(0) ?? 0, glyph })),
  ).map((fields) => {
    const group = Buffer.alloc(GROUP_BYTES);
    fields.forEach((value, field) => {
      group.writeUInt32BE(value, 4 * field);
    });
    return group;
  });
  // One subtable, for all of Unicode on Windows, which stands behind its record.
  const header = Buffer.alloc(28);
  [0, 1, 3, 10, 0, 12, 12, 0].forEach((value, field) => {
    header.writeUInt16BE(value, 2 * field);
  });
  header.writeUInt32BE(16 + GROUP_BYTES * groups.length, 16);
  header.writeUInt32BE(groups.length, 24);
  return Buffer.concat([header, ...groups]);
}

/**
 * @param {{ point: number, glyph: number }[]} points
 * @returns {[number, number, number][]} by character: the first and the last of some that have glyphs in a row, and the first glyph
 */
function inRows(points) {
  /** @type {[number, number, number][]} */
  const groups = [];
  for (const { point, glyph } of points.sort((a, b) => a.point - b.point)) {
    const last = groups.at(-1);
    if (last && point === last[1] + 1 && glyph === last[2] + point - last[0]) last[1] = point;
    else groups.push([point, point, glyph]);
  }
  return groups;
}

/**
 * @param {Buffer} cmap
 * @param {readonly string[]} characters
 * @returns {Map<string, number>} without the characters that the font lacks
 */
export function glyphsByCharacter(cmap, characters) {
  const lookUp = unicodeSubtable(cmap);
  const glyphs = new Map();
  for (const character of characters) {
    const glyph = lookUp(character.codePointAt(0) ?? 0);
    if (glyph > 0) glyphs.set(character, glyph);
  }
  return glyphs;
}

/**
 * @param {Buffer} cmap
 * @returns {(codePoint: number) => number} 0: none
 */
function unicodeSubtable(cmap) {
  /** @type {Map<number, Buffer>} */
  const byFormat = new Map();
  const count = cmap.length < 4 ? 0 : cmap.readUInt16BE(2);
  for (let index = 0; index < count; index++) {
    const record = 4 + 8 * index;
    const platform = cmap.readUInt16BE(record);
    const encoding = cmap.readUInt16BE(record + 2);
    if (platform !== 0 && !(platform === 3 && (encoding === 1 || encoding === 10))) continue;
    const table = cmap.subarray(cmap.readUInt32BE(record + 4));
    byFormat.set(table.readUInt16BE(0), table);
  }
  const groups = byFormat.get(12);
  if (groups) return (codePoint) => inGroups(groups, codePoint);
  const segments = byFormat.get(4);
  return segments ? (codePoint) => inSegments(segments, codePoint) : () => 0;
}

/**
 * @param {Buffer} table of format 12
 * @param {number} codePoint
 */
function inGroups(table, codePoint) {
  let low = 0;
  let high = table.readUInt32BE(12);
  while (low < high) {
    const middle = (low + high) >> 1;
    const group = 16 + 12 * middle;
    if (codePoint > table.readUInt32BE(group + 4)) low = middle + 1;
    else if (codePoint < table.readUInt32BE(group)) high = middle;
    else return table.readUInt32BE(group + 8) + codePoint - table.readUInt32BE(group);
  }
  return 0;
}

/**
 * @param {Buffer} table of format 4
 * @param {number} codePoint
 */
function inSegments(table, codePoint) {
  const size = table.readUInt16BE(6); // twice the number of segments
  for (let at = 0; at < size; at += 2) {
    if (codePoint > table.readUInt16BE(14 + at)) continue;
    const first = table.readUInt16BE(16 + size + at);
    if (codePoint < first) return 0;
    const delta = table.readUInt16BE(16 + 2 * size + at);
    const offsetAt = 16 + 3 * size + at;
    const offset = table.readUInt16BE(offsetAt);
    if (offset === 0) return (codePoint + delta) & 0xffff;
    const glyph = table.readUInt16BE(offsetAt + offset + 2 * (codePoint - first));
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
  }
  return 0;
}
