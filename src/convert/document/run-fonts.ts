/** Fonts in properties: one per kind of characters (ISO/IEC 29500-1, 17.3.2.26). */
import { attributeOf } from './markup.ts';
import type { Theme } from './theme.ts';

/** ASCII; other alphabets; East Asian; complex scripts. */
export const slots = ['ascii', 'hAnsi', 'eastAsia', 'cs'] as const;
export type Slot = (typeof slots)[number];

export type RunFonts = Readonly<Partial<Record<Slot, string>>>;

const themed: Readonly<Record<Slot, string>> = {
  ascii: 'asciiTheme',
  hAnsi: 'hAnsiTheme',
  eastAsia: 'eastAsiaTheme',
  cs: 'cstheme',
};

/**
 * The fonts of an `rFonts` element. Theme fonts take precedence.
 *
 * @param prefix of the attributes, with its colon.
 */
export function readRunFonts(attributes: string, prefix: string, theme: Theme): RunFonts {
  const fonts: Partial<Record<Slot, string>> = {};
  for (const slot of slots) {
    const reference = attributeOf(attributes, prefix + themed[slot]);
    const font =
      (reference === undefined ? undefined : theme.font(reference)) ?? attributeOf(attributes, prefix + slot);
    if (font !== undefined && font !== '') fonts[slot] = font;
  }
  return fonts;
}

/** Longer than an `rFonts` that a program writes. */
const MAX_ATTRIBUTES = 2_048;

/**
 * The attributes of an `rFonts` element, without those that say nothing here where they are long. Readers keep them for
 * each run, and compare them.
 *
 * @param prefix of the attributes, with its colon.
 */
export function fontAttributes(attributes: string, prefix: string): string {
  if (attributes.length <= MAX_ATTRIBUTES) return attributes;
  const names = slots.flatMap((slot) => [slot, themed[slot]]).map((name) => prefix + name);
  return names
    .map((name) => [name, attributeOf(attributes, name)] as const)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escaped(value)}"`))
    .join('');
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/** A font's name as an attribute of a part has it whose characters are its bytes. */
export function writtenFont(name: string): string {
  return Buffer.from(escaped(name).replaceAll('<', '&lt;')).toString('latin1');
}
