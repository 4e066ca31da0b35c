/**
 * Turns a free font into a stand-in for one of Word's fonts, with its size, line height and advance widths. Outlines stay as they
 * are, centred in a changed width; joining letters are stretched, as they would overlap or come apart otherwise.
 */
import { glyphsByCharacter, writeCmap } from './cmap.mjs';
import { stretchGlyphs, thinGlyphs } from './glyf.mjs';
import { singleSubstitutes } from './gsub.mjs';
import { advances } from './sfnt.mjs';
import { charactersIn } from './widths.mjs';

const EVERY_CHARACTER = charactersIn(['U+0020-3FFFF']);

/** Arabic letters, their forms, and the tatweel. */
const JOINING = /^(?:(?=\p{L})\p{Script=Arabic}|\u0640)/u;

/**
 * @typedef {import('./sfnt.mjs').Face} Face
 * @typedef {object} Adjustment
 * @property {string} family name of the stand-in
 * @property {string} style Regular, Bold, Italic or Bold Italic
 * @property {number | undefined} [scale] size of its letters, relative to the free font's
 * @property {readonly [number, number, number]} line ascent, descent and line gap, in em
 * @property {Readonly<Record<string, number>>} [widths] advance widths by character, in thousandths of an em
 * @property {readonly (readonly [string, string])[]} [outlines] the only characters that it is to have, each with the one of
 *   the free font whose outline it gets
 * @property {string} [digits] the first of the ten that it shows for 0 to 9
 * @property {number | undefined} [lighter] how much thinner its strokes are, in thousandths of an em
 * @property {number} [raised] how much higher its letters stand, in thousandths of an em
 * @property {boolean} [halfWidth] whether characters may get the free font's half-width outlines
 */

/** Of the code pages that a font says it serves (OS/2, ulCodePageRange1): Japanese, Chinese and Korean. */
const EAST_ASIAN = 0x1f << 17;

/**
 * @param {Face} face
 * @param {Adjustment} adjustment
 * @returns {Face} with copies of the tables that change, and the other tables themselves
 */
export function adjust(
  face,
  {
    family,
    style,
    scale = 1,
    line,
    widths = {},
    outlines,
    digits,
    lighter = 0,
    raised = 0,
    halfWidth = false,
  },
) {
  const tables = new Map(face.tables);
  // A signature would be invalid; device metrics and width hints would be outdated.
  for (const tag of ['DSIG', 'hdmx', 'LTSH', 'VDMX']) tables.delete(tag);
  const copy = (/** @type {string} */ tag) => {
    const table = Buffer.from(face.tables.get(tag) ?? Buffer.alloc(0));
    tables.set(tag, table);
    return table;
  };
  const head = copy('head');
  const unitsPerEm = Math.round(head.readUInt16BE(18) / scale);
  head.writeUInt16BE(unitsPerEm, 18);
  setStyle(head, copy('OS/2'), style);
  const os2 = tables.get('OS/2') ?? head;
  setLine(copy('hhea'), os2, line, unitsPerEm);
  serveNoEastAsia(os2);
  if ('가' in widths) ignoreSurroundings(copy('GSUB'));
  if (outlines) tables.set('cmap', writeCmap(withOutlines(copy('cmap'), outlines)));
  const setTables = (/** @type {Record<string, Buffer>} */ changed) => {
    for (const [tag, table] of Object.entries(changed)) tables.set(tag, table);
  };
  if (lighter !== 0 || raised !== 0) {
    const units = (/** @type {number} */ size) => (size * unitsPerEm) / 1000;
    setTables(thinGlyphs({ ...face, tables }, units(lighter), units(raised)));
  }
  const features = halfWidth ? ['pwid', 'hwid'] : ['pwid'];
  const alternates = nearestAlternates({ ...face, tables }, widths, unitsPerEm, features);
  if (alternates.size > 0) {
    const glyphs = glyphsByCharacter(cmapOf({ tables }), EVERY_CHARACTER);
    tables.set('cmap', writeCmap(new Map([...glyphs, ...alternates])));
  }
  const stretched = setWidths({ ...face, tables }, copy('hmtx'), widths, unitsPerEm);
  if (stretched.size > 0) setTables(stretchGlyphs({ ...face, tables }, stretched));
  // After the widths, which are set on the original digits' glyphs.
  if (digits !== undefined) {
    const glyphs = glyphsByCharacter(copy('cmap'), EVERY_CHARACTER);
    showDigits(glyphs, digits);
    tables.set('cmap', writeCmap(glyphs));
  }
  tables.set('name', names(family, style));
  return { version: face.version, tables };
}

/**
 * @param {Buffer} head
 * @param {Buffer} os2
 * @param {string} style
 */
function setStyle(head, os2, style) {
  const bold = style.includes('Bold');
  const italic = style.includes('Italic');
  head.writeUInt16BE(Number(bold) | (Number(italic) << 1), 44);
  os2.writeUInt16BE(bold ? 700 : 400, 4);
  const kept = os2.readUInt16BE(62) & ~0b11100001;
  // Bit 7 would select the typographic line; here all three lines are the same.
  os2.writeUInt16BE(kept | Number(italic) | (Number(bold) << 5) | (Number(!bold && !italic) << 6), 62);
}

/**
 * @param {Buffer} hhea
 * @param {Buffer} os2
 * @param {readonly [number, number, number]} line
 * @param {number} unitsPerEm
 */
function setLine(hhea, os2, line, unitsPerEm) {
  const [ascent = 0, descent = 0, gap = 0] = line.map((part) => Math.round(part * unitsPerEm));
  for (const [table, at] of /** @type {const} */ ([
    [hhea, 4],
    [os2, 68],
  ])) {
    table.writeInt16BE(ascent, at);
    table.writeInt16BE(-descent, at + 2);
    table.writeInt16BE(gap, at + 4);
  }
  os2.writeUInt16BE(ascent, 74);
  os2.writeUInt16BE(descent, 76);
}

/**
 * From 26.8 on LibreOffice enlarges the line of a font that serves an East Asian code page, as Word does; stand-ins already have
 * the enlarged line.
 *
 * @param {Buffer} os2
 */
function serveNoEastAsia(os2) {
  os2.writeUInt32BE((os2.readUInt32BE(78) & ~EAST_ASIAN) >>> 0, 78);
}

/**
 * Noto CJK substitutes glyphs beside hangul (feature `calt`) and in some languages (`locl`), a blank among them, which would keep
 * their widths. So these features get an unused tag with the same place in the alphabet.
 *
 * @param {Buffer} gsub
 */
function ignoreSurroundings(gsub) {
  const list = gsub.readUInt16BE(6);
  for (let at = list + 2; at < list + 2 + 6 * gsub.readUInt16BE(list); at += 6) {
    if (/^(?:calt|locl)$/.test(gsub.toString('latin1', at, at + 4))) gsub.write('0', at + 3, 'latin1');
  }
}

/**
 * @param {Buffer} cmap
 * @param {readonly (readonly [string, string])[]} outlines
 * @returns {Map<string, number>} glyphs by character
 */
function withOutlines(cmap, outlines) {
  const glyphs = glyphsByCharacter(cmap, [...new Set(outlines.map(([, like]) => like))]);
  return new Map(
    outlines.flatMap(([character, like]) => {
      const glyph = glyphs.get(like);
      return glyph === undefined ? [] : [[character, glyph]];
    }),
  );
}

/**
 * @param {Face} face
 * @param {Readonly<Record<string, number>>} widths
 * @param {number} unitsPerEm
 * @param {readonly string[]} features that substitute glyphs by others with another width
 * @returns {Map<string, number>} by character the glyph with the nearest width, where that is not the font's own
 */
function nearestAlternates(face, widths, unitsPerEm, features) {
  const gsub = face.tables.get('GSUB');
  const found = new Map();
  if (!gsub) return found;
  const all = advances(face);
  const alternates = features.map((feature) => singleSubstitutes(gsub, feature));
  for (const [character, glyph] of glyphsByCharacter(cmapOf(face), Object.keys(widths))) {
    const wanted = ((widths[character] ?? 0) * unitsPerEm) / 1000;
    const off = (/** @type {number} */ each) => Math.abs((all[each] ?? all.at(-1) ?? 0) - wanted);
    const [nearest = glyph] = [glyph, ...alternates.flatMap((each) => each.get(glyph) ?? [])].sort(
      (a, b) => off(a) - off(b),
    );
    if (nearest !== glyph) found.set(character, nearest);
  }
  return found;
}

/** @param {Pick<Face, 'tables'>} face */
function cmapOf({ tables }) {
  return tables.get('cmap') ?? Buffer.alloc(0);
}

/**
 * @param {Face} face
 * @param {Buffer} hmtx
 * @param {Readonly<Record<string, number>>} widths
 * @param {number} unitsPerEm
 * @returns {Map<number, number>} glyphs that are to be stretched, and how far
 */
function setWidths({ tables }, hmtx, widths, unitsPerEm) {
  const full = tables.get('hhea')?.readUInt16BE(34) ?? 0;
  const glyphs = glyphsByCharacter(cmapOf({ tables }), Object.keys(widths));
  /** @type {Map<number, number>} */
  const stretched = new Map();
  for (const [character, width] of Object.entries(widths)) {
    const glyph = glyphs.get(character);
    // Glyphs after the last full entry have its width.
    if (glyph === undefined || glyph >= full || stretched.has(glyph)) continue;
    const advance = Math.round((width * unitsPerEm) / 1000);
    const before = hmtx.readUInt16BE(4 * glyph);
    const bearing = hmtx.readInt16BE(4 * glyph + 2);
    const isStretched = JOINING.test(character) && before > 0;
    if (isStretched) stretched.set(glyph, advance / before);
    hmtx.writeUInt16BE(advance, 4 * glyph);
    const shifted = isStretched ? (bearing * advance) / before : bearing + (advance - before) / 2;
    hmtx.writeInt16BE(Math.round(shifted), 4 * glyph + 2);
  }
  return stretched;
}

/**
 * @param {Map<string, number>} glyphs by character
 * @param {string} zero the first of the digits that are shown for 0 to 9
 */
function showDigits(glyphs, zero) {
  for (let digit = 0; digit < 10; digit++) {
    const glyph = glyphs.get(String.fromCodePoint((zero.codePointAt(0) ?? 0) + digit));
    if (glyph !== undefined) glyphs.set(String(digit), glyph);
  }
}

/**
 * @param {string} family
 * @param {string} style
 */
export function postScriptName(family, style) {
  return `${family}-${style}`.replaceAll(' ', '');
}

/**
 * @param {string} family
 * @param {string} style
 * @returns {Buffer} a table of names: family, style, unique name, full name, version, PostScript name
 */
function names(family, style) {
  const full = style === 'Regular' ? family : `${family} ${style}`;
  const texts = [family, style, `Platen: ${full}`, full, 'Version 1.0', postScriptName(family, style)];
  const header = Buffer.alloc(6 + 12 * texts.length);
  header.writeUInt16BE(texts.length, 2);
  header.writeUInt16BE(header.length, 4);
  const strings = texts.map((text) => Buffer.from(text, 'utf16le').swap16());
  let from = 0;
  strings.forEach((string, index) => {
    const record = 6 + 12 * index;
    [3, 1, 0x409, index + 1, string.length, from].forEach((value, field) => {
      header.writeUInt16BE(value, record + 2 * field);
    });
    from += string.length;
  });
  return Buffer.concat([header, ...strings]);
}
