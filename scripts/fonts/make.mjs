/**
 * Builds the stand-ins for Word's fonts and fontconfig's rules for them, and copies the free fonts that documents name.
 */
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, SetupError, say } from '../run.mjs';
import { adjust, postScriptName } from './adjust.mjs';
import { installedFonts, letterWidths } from './advances.mjs';
import { withIdentities } from './cff.mjs';
import { rules } from './rules.mjs';
import { advances, familyName, readFaces, unitsPerEm, writeCollection } from './sfnt.mjs';
import { fontFolder, readFontTable, readWidths } from './table.mjs';
import { charactersIn, everyWidth, signsIn } from './widths.mjs';

/** Not in `dist/`, which changes more often than fonts. */
const target = join(root, 'dist.fonts');
const draft = join(root, 'dist.fonts.draft');

/** Other styles are rarely named, and each slows LibreOffice's start. */
const FREE_STYLES = ['400Regular', '400Regular_Italic', '700Bold', '700Bold_Italic'];

/** @typedef {import('./sfnt.mjs').Face} Face */
/** @typedef {Omit<import('./table.mjs').MadeFont, 'from'> & { from: Record<string, string> }} MadeFont with one place a style */
/** @typedef {{ original: Face, face: Face, name: string }} Made a face, the free font's that it was made of, and its PostScript name */

/**
 * Builds them unless they are up to date.
 *
 * @throws {SetupError} when a free font is missing
 */
export function makeFonts() {
  const table = readFontTable();
  const made = table.made.map(withWhatIsThere);
  const free = table.free.map((name) => ({ name, files: filesOf(name) }));
  const sources = [
    ...new Set(made.flatMap(({ from }) => Object.values(from).map((source) => place(source).path))),
    ...free.flatMap(({ files }) => files),
    ...installedFonts(table),
  ];
  const stamp = fingerprint(sources);
  const known = join(target, 'stamp');
  if (existsSync(known) && readFileSync(known, 'utf8') === stamp) return;
  say('making fonts');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(join(draft, 'made'), { recursive: true });
  for (const [path, faces] of madeFaces(made)) {
    writeFileSync(join(draft, 'made', basename(path).replace(/\.\w+$/, '.ttc')), writeCollection(faces));
  }
  for (const { name, files } of free) {
    const folder = join(draft, 'made', name);
    mkdirSync(folder);
    for (const file of files) copyFileSync(file, join(folder, basename(file)));
  }
  const built = filesIn(join(draft, 'made')).filter((file) => file.endsWith('.ttc'));
  const widths = letterWidths(table, [...built, ...installedFonts(table)]);
  writeFileSync(join(draft, 'widths.json'), JSON.stringify(widths));
  writeFileSync(join(draft, 'rules.conf'), rules(table));
  writeFileSync(join(draft, 'stamp'), stamp);
  rmSync(target, { recursive: true, force: true });
  renameSync(draft, target);
}

/**
 * @param {string} name of a package
 * @returns {string[]} its fonts, and their licence
 * @throws {SetupError} when it has no regular one, or none
 */
function filesOf(name) {
  const folder = join(root, 'scripts/fonts/node_modules/@expo-google-fonts', name);
  const styles = FREE_STYLES.map((style) => join(folder, style)).filter((style) => existsSync(style));
  const fonts = styles.flatMap((style) => filesIn(style).filter((file) => file.endsWith('.ttf')));
  const licences = existsSync(folder)
    ? filesIn(folder).filter((file) => basename(file) === 'LICENSE_FONT')
    : [];
  if (fonts.length === 0 || licences.length === 0) throw new SetupError(`Missing font: ${folder}.`);
  return [...fonts, ...licences];
}

/**
 * @param {string} folder
 * @returns {string[]} paths
 */
function filesIn(folder) {
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
}

/**
 * Selects, of several places of a source, the first that this Debian release has. A missing style is left out: LibreOffice
 * synthesises bold and italic.
 *
 * @param {import('./table.mjs').MadeFont} made
 * @returns {MadeFont}
 * @throws {SetupError} when there is no regular one
 */
function withWhatIsThere(made) {
  const styles = Object.entries(made.from).flatMap(([style, sources]) => {
    const found = [sources].flat().find((source) => existsSync(place(source).path));
    return found === undefined ? [] : [[style, found]];
  });
  if (styles[0]?.[0] !== 'Regular') throw new SetupError(`Missing font: ${made.from.Regular}.`);
  return { ...made, from: Object.fromEntries(styles) };
}

/**
 * @param {MadeFont[]} made
 * @returns {Map<string, Face[]>} by the path of the free font that they are made of and share tables with
 */
function madeFaces(made) {
  /** @type {Map<string, Face[]>} */
  const originals = new Map();
  /** @type {Map<string, Made[]>} */
  const faces = new Map();
  for (const {
    family,
    line,
    boldLine = line,
    scale,
    widths,
    characters,
    signs,
    digits,
    lighter,
    raised,
    halfWidth,
    from,
  } of made) {
    const files = [widths ?? []].flat().map(readWidths);
    for (const [style, source] of Object.entries(from)) {
      const { path, member } = place(source);
      const original = originals.get(path) ?? readFaces(readFileSync(path));
      originals.set(path, original);
      const face = original.find((candidate) => member === undefined || familyName(candidate) === member);
      if (!face) throw new SetupError(`${path} has no ${member}.`);
      const adjusted = adjust(face, {
        family,
        style,
        scale: typeof scale === 'object' ? scale[style] : scale,
        lighter: typeof lighter === 'object' ? lighter[style] : lighter,
        line: style.includes('Bold') ? boldLine : line,
        widths: everyWidth(Object.assign({}, ...files.map((file) => file[style]))),
        ...(characters && { outlines: charactersIn(characters).map((each) => [each, each]) }),
        ...(signs && { outlines: signsIn(signs) }),
        ...(digits !== undefined && { digits }),
        ...(raised !== undefined && { raised }),
        ...(halfWidth && { halfWidth }),
      });
      const one = { original: face, face: adjusted, name: postScriptName(family, style) };
      faces.set(path, [...(faces.get(path) ?? []), one]);
    }
  }
  return new Map([...faces].map(([path, members]) => [path, withOwnOutlines(members)]));
}

/**
 * @param {Made[]} members of a collection
 * @returns {Face[]} faces whose outlines agree with the other tables, if they are CFF outlines
 */
function withOwnOutlines(members) {
  const outlines = members[0]?.face.tables.get('CFF ');
  if (!outlines) return members.map(({ face }) => face);
  const tables = withIdentities(outlines, members.map(identity));
  return members.map(({ face: { version, tables: others } }, index) => {
    if (others.get('CFF ') !== outlines)
      throw new SetupError('The faces of a collection have different outlines.');
    return { version, tables: new Map([...others, ['CFF ', tables[index] ?? outlines]]) };
  });
}

/**
 * @param {Made} made
 * @returns {import('./cff.mjs').Identity}
 */
function identity({ original, face, name }) {
  const before = advances(original);
  const wider = advances(face).map((advance, glyph) => advance - (before[glyph] ?? 0));
  const changed = wider.flatMap((by, glyph) => (by === 0 ? [] : [/** @type {const} */ ([glyph, by])]));
  const units = unitsPerEm(face);
  return {
    name,
    ...(units !== unitsPerEm(original) && { unitsPerEm: units }),
    wider: new Map(changed),
  };
}

/**
 * @param {string} source as the table has it
 * @returns {{ path: string, member: string | undefined }}
 */
function place(source) {
  const [path = '', member] = source.split('#');
  return { path: resolve(root, path), member };
}

/**
 * @param {string[]} sources
 * @returns {string} another when a font, the table or this program is another
 */
function fingerprint(sources) {
  const hash = createHash('sha256');
  const program = dirname(fileURLToPath(import.meta.url));
  for (const folder of [fontFolder, join(fontFolder, 'widths'), program]) {
    for (const name of readdirSync(folder).sort()) {
      const path = join(folder, name);
      if (statSync(path).isFile()) hash.update(readFileSync(path));
    }
  }
  for (const path of sources) hash.update(`${path} ${statSync(path).size} ${statSync(path).mtimeMs}\n`);
  return hash.digest('hex');
}
