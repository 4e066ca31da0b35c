/**
 * Replacements for fonts that are not installed, or that Word did not have: what the document's font table (ISO/IEC
 * 29500-1, 17.8) says, as in Word. The engine ignores the table and would take a font like Arial.
 */
import type { KeptParts } from './kept-parts.ts';
import { linksOf } from './links.ts';
import { attributeOf, qualified, visitMarkup, wordPrefixOf } from './markup.ts';
import { readSavedBy } from './saved-by.ts';

/** Names of replacements by the font's name in lower case. */
export type LastResorts = ReadonlyMap<string, string>;

const elements = ['font', 'altName', 'panose1', 'charset', 'family', 'pitch', 'sig'];
const MONOSPACED = 'Courier New';
const WITH_SERIFS = 'Times New Roman';
/** Symbol fonts, and East Asian ones, which are chosen by language. */
const OTHER_CHARSETS = /^(?:02|80|81|82|86|88)$/;
/** Weights that exist as fonts of their own, as in `Roboto Light`. */
const WEIGHT =
  /^(?:thin|(?:extra|ultra|semi)?light|regular|book|medium|(?:semi|demi|extra|ultra)?bold|demi|black|heavy)$/i;
/** PANOSE 1.0 of a font for Latin text: kind, style of serifs, weight, proportion. */
const PANOSE = /^02(..)..(..)/;
const FIXED_PROPORTION = 0x09;
const FIRST_SERIF = 0x02;
const FIRST_SANS = 0x0b;
const LAST_SANS = 0x0f;
const MAX_FONTS = 1_000;

/** The table's entries for a font, by element. */
type Font = Map<string, string>;

/**
 * Reads a font table.
 *
 * @param table the part; empty if there is none.
 * @param known names of fonts that are installed or have stand-ins, in lower case.
 * @param isWord whether Word saved the document. If it did, a font without a recorded character range (`sig`) was
 * missing there, and Word used its alternative name.
 * @returns replacements for the other fonts, except those that are like Arial.
 */
export function readLastResorts(table: string, known: ReadonlySet<string>, isWord: boolean): LastResorts {
  const found = new Map<string, string>();
  const prefix = wordPrefixOf(table);
  const names = qualified(prefix, elements);
  let font: Font | undefined;
  let count = 0;
  visitMarkup(table, {
    open(tag, attributes) {
      const name = names.get(tag);
      if (name === 'font') {
        font =
          ++count > MAX_FONTS
            ? undefined
            : new Map([['name', attributeOf(attributes, `${prefix}name`) ?? '']]);
      } else if (name !== undefined) {
        font?.set(name, attributeOf(attributes, `${prefix}val`) ?? '');
      } else if (tag.startsWith(`${prefix}embed`)) {
        font = undefined;
      }
    },
    close(tag) {
      if (names.get(tag) !== 'font') return;
      const name = font?.get('name')?.toLowerCase() ?? '';
      const resort = font && name !== '' ? resortOf(font, known, isWord) : undefined;
      if (resort !== undefined) found.set(name, resort);
      font = undefined;
    },
  });
  return found;
}

/** The replacements for a document; none if the installed fonts are unknown. */
export function lastResortsOf(parts: KeptParts, known: ReadonlySet<string> | undefined): LastResorts {
  if (!known) return new Map();
  const link = linksOf(parts, parts.mainPart).find(({ type }) => type === 'fontTable');
  return readLastResorts(parts.text(link?.target), known, readSavedBy(parts).isWord);
}

function resortOf(font: Font, known: ReadonlySet<string>, isWord: boolean): string | undefined {
  const name = font.get('name') ?? '';
  const isKnown = known.has(name.toLowerCase());
  if (isKnown && (!isWord || font.has('sig'))) return undefined;
  const others = (font.get('altName') ?? '').split(/[,;]/).map((other) => other.trim());
  const other = others.find((each) => known.has(each.toLowerCase()));
  if (other !== undefined || isKnown) return other;
  const family = familyOf(name);
  if (known.has(family.toLowerCase())) return family;
  if (OTHER_CHARSETS.test(font.get('charset') ?? '')) return undefined;
  const [, serifs = 0, proportion = 0] = (PANOSE.exec(font.get('panose1') ?? '') ?? []).map((byte) =>
    Number.parseInt(byte, 16),
  );
  if (proportion === FIXED_PROPORTION || font.get('pitch') === 'fixed') return MONOSPACED;
  if (serifs >= FIRST_SERIF && serifs < FIRST_SANS) return WITH_SERIFS;
  if (serifs >= FIRST_SANS && serifs <= LAST_SANS) return undefined;
  return font.get('family') === 'roman' ? WITH_SERIFS : undefined;
}

/** The name without weights at its end. Takes linear time. */
function familyOf(name: string): string {
  const words = [...name.matchAll(/[^\s-]+/g)];
  // What is behind the last word is part of no weight.
  if (/[\s-]$/.test(name)) return name;
  let last = words.length - 1;
  while (last > 0 && WEIGHT.test(words[last]?.[0] ?? '')) last -= 1;
  const word = words[last];
  return word ? name.slice(0, word.index + word[0].length) : name;
}
