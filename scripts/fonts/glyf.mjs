/** Stretches, thins and raises TrueType outlines (tables `glyf` and `loca`). */

const X_SHORT = 0x02;
const REPEATED = 0x08;
const X_SAME = 0x10;
const Y_SHORT = 0x04;
const Y_SAME = 0x20;

const WRITING = X_SHORT | Y_SHORT | REPEATED | X_SAME | Y_SAME;

const WORDS = 0x1;
const ARE_OFFSETS = 0x2;
const ONE_SCALE = 0x8;
const MORE = 0x20;
const TWO_SCALES = 0x40;
const FOUR_SCALES = 0x80;
const INSTRUCTIONS = 0x100;
const METRICS_OF_COMPONENT = 0x200;
/** Scales have 14 fractional bits. */
const ONE = 1 << 14;
const HEADER_BYTES = 10;

/** @typedef {{ x: number, y: number, flags: number }} Point its flags say nothing of how its place is written */

/**
 * Removes their hints, which would undo the change.
 *
 * @param {import('./sfnt.mjs').Face} face
 * @param {ReadonlyMap<number, number>} factors by glyph; the others look as they did, also those that have these as parts
 * @returns {{ glyf: Buffer, loca: Buffer, head: Buffer }} new tables; the last says how places are written in `loca`
 * @throws Error when the font has no such outlines
 */
export function stretchGlyphs(face, factors) {
  return withOutlines(face, (outline, glyph) => {
    const factor = factors.get(glyph) ?? 1;
    if (isComposite(outline)) return composite(outline, factor, factors);
    const across = (/** @type {Point} */ { x, ...point }) => ({ ...point, x: Math.round(x * factor) });
    return factor === 1 ? outline : simple(outline, header(outline, factor), (points) => points.map(across));
  });
}

/**
 * Makes all strokes thinner and letters lower by as much, so that they stay on the baseline, and raises them. The boxes around
 * glyphs, by which they are placed, stay as they are, and hints are removed.
 *
 * @param {import('./sfnt.mjs').Face} face
 * @param {number} by how much thinner, in units
 * @param {number} up how far, in units
 * @returns {{ glyf: Buffer, loca: Buffer, head: Buffer }} as from {@link stretchGlyphs}
 */
export function thinGlyphs(face, by, up) {
  return withOutlines(face, (outline) =>
    isComposite(outline)
      ? outline
      : simple(outline, outline.subarray(0, HEADER_BYTES), (points) => thinner(points, by, up)),
  );
}

/** @param {Buffer} outline not empty */
const isComposite = (outline) => outline.readInt16BE(0) < 0;

/**
 * @param {import('./sfnt.mjs').Face} face
 * @param {(outline: Buffer, glyph: number) => Buffer} change of those that are not empty
 */
function withOutlines({ tables }, change) {
  const table = (/** @type {string} */ tag) => {
    const found = tables.get(tag);
    if (!found) throw new Error(`only outlines of TrueType can be changed, and there is no ${tag}`);
    return found;
  };
  const [glyf, loca, head] = [table('glyf'), table('loca'), table('head')];
  const isLong = head.readInt16BE(50) === 1;
  const count = loca.length / (isLong ? 4 : 2) - 1;
  const place = (/** @type {number} */ glyph) =>
    isLong ? loca.readUInt32BE(4 * glyph) : 2 * loca.readUInt16BE(2 * glyph);
  const outlines = Array.from({ length: count }, (_, glyph) => {
    const outline = glyf.subarray(place(glyph), place(glyph + 1));
    const changed = outline.length === 0 ? outline : change(outline, glyph);
    return Buffer.concat([changed, Buffer.alloc((4 - (changed.length % 4)) % 4)]);
  });
  const places = Buffer.alloc(4 * (count + 1));
  let end = 0;
  outlines.forEach((outline, glyph) => {
    end += outline.length;
    places.writeUInt32BE(end, 4 * (glyph + 1));
  });
  const about = Buffer.from(head);
  about.writeInt16BE(1, 50);
  return { glyf: Buffer.concat(outlines), loca: places, head: about };
}

/**
 * @param {Buffer} outline
 * @param {number} factor
 * @returns {Buffer} the box around it, wider
 */
function header(outline, factor) {
  const box = Buffer.from(outline.subarray(0, HEADER_BYTES));
  for (const at of [2, 6]) box.writeInt16BE(Math.round(box.readInt16BE(at) * factor), at);
  return box;
}

/**
 * @param {Buffer} outline of points
 * @returns {Point[][]} by contour
 */
export function contoursOf(outline) {
  const instructionsAt = HEADER_BYTES + 2 * outline.readInt16BE(0);
  /** @type {number[]} */
  const ends = [];
  for (let at = HEADER_BYTES; at < instructionsAt; at += 2) ends.push(outline.readUInt16BE(at) + 1);
  const count = ends.at(-1) ?? 0;
  let at = instructionsAt + 2 + outline.readUInt16BE(instructionsAt);
  /** @type {number[]} */
  const flags = [];
  while (flags.length < count) {
    const flag = outline.readUInt8(at++);
    const times = (flag & REPEATED) === 0 ? 1 : 1 + outline.readUInt8(at++);
    for (let time = 0; time < times; time++) flags.push(flag);
  }
  const coordinates = (/** @type {number} */ short, /** @type {number} */ same) => {
    let value = 0;
    return flags.map((flag) => {
      if (flag & short) value += outline.readUInt8(at++) * (flag & same ? 1 : -1);
      else if ((flag & same) === 0) {
        value += outline.readInt16BE(at);
        at += 2;
      }
      return value;
    });
  };
  const across = coordinates(X_SHORT, X_SAME);
  const up = coordinates(Y_SHORT, Y_SAME);
  const points = flags.map((flag, index) => ({
    x: across[index] ?? 0,
    y: up[index] ?? 0,
    flags: flag & ~WRITING,
  }));
  return ends.map((end, index) => points.slice(ends[index - 1] ?? 0, end));
}

/**
 * @param {Buffer} outline of points
 * @param {Buffer} box of the new one
 * @param {(contour: Point[]) => Point[]} move to other places
 */
function simple(outline, box, move) {
  const points = contoursOf(outline).flatMap(move);
  const steps = (/** @type {'x' | 'y'} */ axis, /** @type {number} */ short, /** @type {number} */ same) =>
    points.map((point, index) => {
      const step = point[axis] - (points[index - 1]?.[axis] ?? 0);
      if (step === 0) return { flag: same, bytes: [] };
      if (Math.abs(step) < 256) return { flag: step > 0 ? short | same : short, bytes: [Math.abs(step)] };
      return { flag: 0, bytes: [(step >> 8) & 255, step & 255] };
    });
  const across = steps('x', X_SHORT, X_SAME);
  const up = steps('y', Y_SHORT, Y_SAME);
  const flags = points.map(
    (point, index) => point.flags | (across[index]?.flag ?? 0) | (up[index]?.flag ?? 0),
  );
  return Buffer.concat([
    box,
    outline.subarray(HEADER_BYTES, HEADER_BYTES + 2 * outline.readInt16BE(0)),
    Buffer.alloc(2),
    Buffer.from([...flags, ...across.flatMap(({ bytes }) => bytes), ...up.flatMap(({ bytes }) => bytes)]),
  ]);
}

/** The cosine of a turn beyond which a point stays: a cusp. */
const CUSP = -0.9375;

/**
 * As FreeType's FT_Outline_Embolden: each point moves to where its two sides would meet if both moved, at most by the length of the
 * shorter one.
 *
 * @param {Point[]} contour with the inside on its right
 * @param {number} by
 * @param {number} up
 * @returns {Point[]}
 */
function thinner(contour, by, up) {
  const half = by / 2;
  return contour.map((point, index) => {
    const [into, out] = [side(contour, index, -1), side(contour, index, 1)];
    const cosine = -(into.x * out.x + into.y * out.y);
    const turn = into.x * out.y - into.y * out.x;
    const room = Math.min(into.length, out.length) / Math.max(turn, 0);
    const far = cosine < CUSP ? 0 : Math.min(half / (1 + cosine), room);
    const [x, y] = [point.x + far * (out.y - into.y), point.y + far * (into.x - out.x) - half + up];
    return { ...point, x: Math.round(x), y: Math.round(y) };
  });
}

/**
 * @param {Point[]} contour
 * @param {number} index of a point
 * @param {1 | -1} step
 * @returns {{ x: number, y: number, length: number }} the direction from there to the next point that stands elsewhere
 */
function side(contour, index, step) {
  const from = contour[index];
  for (let n = 1; from && n < contour.length; n++) {
    const to = contour.at((index + step * n) % contour.length);
    const length = to ? Math.hypot(to.x - from.x, to.y - from.y) : 0;
    if (to && length > 0) return { x: (to.x - from.x) / length, y: (to.y - from.y) / length, length };
  }
  return { x: 0, y: 0, length: 1 };
}

/**
 * @param {Buffer} outline of other glyphs, which may be stretched themselves
 * @param {number} factor
 * @param {ReadonlyMap<number, number>} factors
 */
function composite(outline, factor, factors) {
  /** @type {Buffer[]} */
  const parts = [header(outline, factor)];
  let flags = MORE;
  for (let at = HEADER_BYTES; flags & MORE; ) {
    flags = outline.readUInt16BE(at);
    if ((flags & ARE_OFFSETS) === 0)
      throw new Error('a glyph whose parts hang on points cannot be stretched');
    const glyph = outline.readUInt16BE(at + 2);
    const isWide = (flags & WORDS) !== 0;
    const [x, y] = isWide
      ? [outline.readInt16BE(at + 4), outline.readInt16BE(at + 6)]
      : [outline.readInt8(at + 4), outline.readInt8(at + 5)];
    at += isWide ? 8 : 6;
    const count = flags & ONE_SCALE ? 1 : flags & TWO_SCALES ? 2 : flags & FOUR_SCALES ? 4 : 0;
    const scales = Array.from({ length: count }, (_, index) => outline.readInt16BE(at + 2 * index));
    at += 2 * count;
    const [xx = ONE, xy = 0, yx = 0, yy = ONE] =
      count === 4 ? scales : [scales[0], 0, 0, scales[1] ?? scales[0]];
    const own = factors.get(glyph) ?? 1;
    const part = Buffer.alloc(16);
    const kept = flags & ~(ONE_SCALE | TWO_SCALES | INSTRUCTIONS | METRICS_OF_COMPONENT);
    part.writeUInt16BE(kept | WORDS | FOUR_SCALES, 0);
    part.writeUInt16BE(glyph, 2);
    [x * factor, y, (xx * factor) / own, xy / own, yx * factor, yy].forEach((value, index) => {
      part.writeInt16BE(Math.round(value), 4 + 2 * index);
    });
    parts.push(part);
  }
  return Buffer.concat(parts);
}
