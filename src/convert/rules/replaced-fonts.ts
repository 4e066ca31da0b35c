/** Replaces names of fonts in a document: of fonts that exist nowhere, and of two for which the engine would choose badly. */
import { withValues } from '../document/attributes.ts';
import type { LastResorts } from '../document/last-resorts.ts';
import { attributeOf, qualified, withoutReferences, wordPrefixOf } from '../document/markup.ts';
import { slots } from '../document/run-fonts.ts';
import { localName, withTags } from '../document/tags.ts';
import { type Bytes, fromBytes } from '../text/bytes.ts';
import { writtenText } from '../text/xml-text.ts';

/** Elements of themes and drawings that name a font each: `typeface`. Drawings declare their namespace where they like. */
const drawn: ReadonlySet<string> = new Set(['latin', 'ea', 'cs', 'font']);
/** Elements, one of which is in every part that names fonts. */
export const fontElements: readonly string[] = ['rFonts', ...drawn];

/** Those for which Platen has stand-ins of its own in complex scripts. */
const standIns: ReadonlySet<string> = new Set(['Arial', 'Times New Roman']);
/** For complex scripts, in runs and drawings; in themes, for Hebrew. */
const complex: ReadonlySet<string> = new Set(['cs', 'Hebr']);
/** Only letters from U+05C0 to U+05FF have it in UTF-8, as their first byte. */
const HEBREW = 0xd7;

/** The part with other names for these fonts. */
export function withLastResorts(xml: Bytes, resorts: LastResorts): Bytes {
  return withFonts(xml, (_slot, font) => resorts.get(font.toLowerCase()));
}

/** Whether a piece of an XML part in UTF-8 has Hebrew letters. */
export function hasHebrew(piece: Buffer): boolean {
  return piece.includes(HEBREW);
}

/**
 * The part of a document with Hebrew text, with Platen's own stand-ins for Arial and Times New Roman in complex scripts
 * (docs/fonts.md). The engine takes Liberation for these two by itself, whose Hebrew letters are too wide.
 */
export function withHebrewFonts(xml: Bytes): Bytes {
  return withFonts(xml, (slot, font) =>
    complex.has(slot) && standIns.has(font) ? `Platen ${font}` : undefined,
  );
}

/** @param otherOf gives another font for the one that a slot, or a script of a theme, has; undefined where it stays. */
function withFonts(xml: Bytes, otherOf: (slot: string, font: string) => string | undefined): Bytes {
  const prefix = wordPrefixOf(xml);
  const rFonts = `${prefix}rFonts`;
  const ofRuns = qualified(prefix, slots);
  const replaced = (slot: string, value: string) => {
    const other = otherOf(slot, withoutReferences(fromBytes(value)));
    return other === undefined ? value : writtenText(other);
  };
  return withTags(
    xml,
    (name) => name === rFonts || drawn.has(localName(name)),
    (name, attributes) =>
      withValues(attributes, (attribute, value) => {
        const local = localName(name);
        const script = () => attributeOf(attributes, 'script') ?? '';
        if (attribute === 'typeface') return replaced(local === 'font' ? script() : local, value);
        const slot = name === rFonts ? ofRuns.get(attribute) : undefined;
        return slot === undefined ? value : replaced(slot, value);
      }),
  );
}
