/** Candidates for stand-ins: advance widths and line heights from their files. */
import { readFile } from 'node:fs/promises';
import { glyphsByCharacter } from '../../scripts/fonts/cmap.mjs';
import { type Face, familyName, readFaces } from '../../scripts/fonts/sfnt.mjs';

export interface Candidate {
  /** Family, and its style if not regular. */
  readonly name: string;
  readonly family: string;
  /** Advance width in em; undefined without the character. */
  readonly advance: (character: string) => number | undefined;
  /** Ascent, descent and gap of `hhea` in em, which LibreOffice prefers. */
  readonly line: number;
}

/** The faces of a file; none if it is not an OpenType font. */
export async function candidatesOf(file: string): Promise<Candidate[]> {
  const bytes = await readFile(file);
  const type = bytes.toString('latin1', 0, 4);
  if (!['ttcf', 'OTTO', 'true', '\0\u0001\0\0'].includes(type)) return [];
  return readFaces(bytes).flatMap((face) => candidate(face) ?? []);
}

function candidate(face: Face): Candidate | undefined {
  const table = (tag: string) => face.tables.get(tag);
  const [head, hhea, hmtx, cmap] = ['head', 'hhea', 'hmtx', 'cmap'].map(table);
  const family = familyName(face);
  if (!head || !hhea || !hmtx || !cmap || family === undefined) return undefined;
  const em = head.readUInt16BE(18);
  const full = hhea.readUInt16BE(34);
  const style = head.readUInt16BE(44);
  return {
    name: `${family}${style & 1 ? ' Bold' : ''}${style & 2 ? ' Italic' : ''}`,
    family,
    advance: (character) => {
      const glyph = glyphsByCharacter(cmap, [character]).get(character);
      return glyph === undefined ? undefined : hmtx.readUInt16BE(4 * Math.min(glyph, full - 1)) / em;
    },
    line: (hhea.readInt16BE(4) - hhea.readInt16BE(6) + hhea.readInt16BE(8)) / em,
  };
}
