/** Reads the substitution of glyphs: the table `GSUB`. */

const SINGLE = 1;
const EXTENSION = 7;

/**
 * @param {Buffer} gsub
 * @param {string} wanted a feature, as its first script and language have it
 * @returns {Map<number, number>} by glyph the one that the feature shows instead
 */
export function singleSubstitutes(gsub, wanted) {
  const features = gsub.readUInt16BE(6);
  const lookups = gsub.readUInt16BE(8);
  const records = Array.from({ length: gsub.readUInt16BE(features) }, (_, index) => features + 2 + 6 * index);
  const record = records.find((at) => gsub.toString('latin1', at, at + 4) === wanted);
  if (record === undefined) return new Map();
  const feature = features + gsub.readUInt16BE(record + 4);
  return new Map(
    numbers(gsub, feature + 2)
      .flatMap((index) => subtables(gsub, lookups + gsub.readUInt16BE(lookups + 2 + 2 * index)))
      .flatMap((at) => substitutes(gsub, at)),
  );
}

/**
 * @param {Buffer} gsub
 * @param {number} at a number, and behind it as many
 */
function numbers(gsub, at) {
  return Array.from({ length: gsub.readUInt16BE(at) }, (_, index) => gsub.readUInt16BE(at + 2 + 2 * index));
}

/**
 * @param {Buffer} gsub
 * @param {number} lookup
 * @returns {number[]} where its single substitutions are
 */
function subtables(gsub, lookup) {
  const type = gsub.readUInt16BE(lookup);
  return numbers(gsub, lookup + 4).flatMap((offset) => {
    const at = lookup + offset;
    const own = type === EXTENSION ? gsub.readUInt16BE(at + 2) : type;
    return own !== SINGLE ? [] : [type === EXTENSION ? at + gsub.readUInt32BE(at + 4) : at];
  });
}

/**
 * @param {Buffer} gsub
 * @param {number} at
 * @returns {[number, number][]}
 */
function substitutes(gsub, at) {
  const glyphs = covered(gsub, at + gsub.readUInt16BE(at + 2));
  if (gsub.readUInt16BE(at) === 1) {
    const distance = gsub.readInt16BE(at + 4);
    return glyphs.map((glyph) => [glyph, (glyph + distance) & 0xffff]);
  }
  return numbers(gsub, at + 4).map((substitute, index) => [glyphs[index] ?? 0, substitute]);
}

/**
 * @param {Buffer} gsub
 * @param {number} at
 * @returns {number[]}
 */
function covered(gsub, at) {
  if (gsub.readUInt16BE(at) === 1) return numbers(gsub, at + 2);
  return Array.from({ length: gsub.readUInt16BE(at + 2) }, (_, index) => at + 4 + 6 * index).flatMap(
    (range) => {
      const first = gsub.readUInt16BE(range);
      return Array.from({ length: gsub.readUInt16BE(range + 2) - first + 1 }, (_, index) => first + index);
    },
  );
}
