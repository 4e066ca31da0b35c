/**
 * Blanks of Korean text. In Word they have the font of Latin text, or half the width of an East Asian letter beside such a
 * letter, where the settings of the document say so. LibreOffice takes the font of East Asian text for a blank behind an East
 * Asian letter. So that font gets the name of a stand-in whose blank has Word's width (docker/fonts/README.md).
 */
import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { fontTable } from '../../paths.ts';
import { readRunFonts } from '../document/run-fonts.ts';
import type { EastAsianSettings } from './east-asian-settings.ts';

const Table = Type.Object({
  standIns: Type.Array(
    Type.Object({
      word: Type.Array(Type.String()),
      blanks: Type.Optional(Type.Record(Type.String(), Type.String())),
    }),
  ),
});

/** Fonts of runs. No match looks beyond a `<`. */
const FONTS = /<((?:[\w.-]{1,32}:)?)rFonts(\s[^<>]*?)(\/?)>/g;
const EAST_ASIAN = /\s(?:[\w.-]{1,32}:)?eastAsia(?:Theme)?\s*=\s*(?:"[^"]*"|'[^']*')/g;

/** By the names of fonts in lower case, what may stand behind the name. */
let blanks: ReadonlyMap<string, readonly string[]> | undefined;

/** Whether a piece of an XML part may name fonts of runs. */
export function mayHaveBlanks(piece: Buffer): boolean {
  return piece.includes('rFonts');
}

/**
 * The part, with fonts for its Korean text whose blank has Word's width.
 *
 * @param part in an encoding in which ASCII is ASCII, without comments and sections.
 * @returns undefined where it names none that have such a stand-in.
 */
export function withWordsBlanks(
  part: Buffer,
  { halvesBlanks, theme }: EastAsianSettings,
): Buffer | undefined {
  blanks ??= readBlanks();
  const known = blanks;
  let isChanged = false;
  const text = part.toString('latin1').replace(FONTS, (tag, prefix: string, written: string, end: string) => {
    const { ascii, eastAsia } = readRunFonts(Buffer.from(written, 'latin1').toString(), prefix, theme);
    const mayFollow = known.get(eastAsia?.toLowerCase() ?? '') ?? [];
    const isOther = ascii !== undefined && ascii.toLowerCase() !== eastAsia?.toLowerCase();
    const blank = halvesBlanks ? 'Half' : isOther ? 'Quarter' : undefined;
    if (eastAsia === undefined || blank === undefined || !mayFollow.includes(blank)) return tag;
    isChanged = true;
    const name = Buffer.from(`${eastAsia} ${blank}`).toString('latin1');
    return `<${prefix}rFonts${written.replace(EAST_ASIAN, '')} ${prefix}eastAsia="${name}"${end}>`;
  });
  return isChanged ? Buffer.from(text, 'latin1') : undefined;
}

/** fontconfig's rules (scripts/fonts/rules.mjs) take the real font for such a name, where it is installed. */
function readBlanks(): Map<string, string[]> {
  const { standIns } = Value.Parse(Table, JSON.parse(readFileSync(fontTable, 'utf8')));
  const found = standIns.flatMap(({ word, blanks: others = {} }) =>
    word.map((name) => [name.toLowerCase(), Object.keys(others)] as const),
  );
  return new Map(found.filter(([, others]) => others.length > 0));
}
