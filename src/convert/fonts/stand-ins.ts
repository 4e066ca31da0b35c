/** The table of the fonts that stand in for others. */
import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { OperatorError } from '../../errors.ts';

export interface StandIn {
  readonly name: string;
  /** Whether its letters and lines take the same room as those of the font that it stands in for. */
  readonly metricsCompatible: boolean;
}

/** By the name of a font in lower case, those that stand in for it, the best first. */
export type StandIns = ReadonlyMap<string, readonly StandIn[]>;

/**
 * Fonts as documents name them, the family that is used for them, those with another blank, those for its bullets, those for the letters that the first
 * lacks, and the names whose metrics the first has.
 */
const Table = Type.Object({
  standIns: Type.Array(
    Type.Object({
      word: Type.Array(Type.String()),
      use: Type.String(),
      blanks: Type.Optional(Type.Record(Type.String(), Type.String())),
      bullets: Type.Optional(Type.Array(Type.String())),
      otherLetters: Type.Optional(Type.Array(Type.String())),
      metricsCompatible: Type.Optional(Type.Array(Type.String())),
    }),
  ),
});

/**
 * Reads the table, in JSON.
 *
 * @throws OperatorError when the file is not there, or is something else.
 */
export function readStandIns(file: string): StandIns {
  const standIns = new Map<string, StandIn[]>();
  for (const { word, use, blanks = {}, bullets = [], otherLetters = [], metricsCompatible = [] } of readTable(
    file,
  ).standIns) {
    const others = otherLetters.map((other) => ({ name: other, metricsCompatible: false }));
    for (const name of word) {
      const font = name.toLowerCase();
      const own = [use, ...Object.values(blanks), ...bullets].map((family) => ({
        name: family,
        metricsCompatible: metricsCompatible.includes(name),
      }));
      standIns.set(font, [...(standIns.get(font) ?? []), ...own, ...others]);
    }
  }
  return standIns;
}

function readTable(file: string) {
  try {
    return Value.Parse(Table, JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new OperatorError(`the table of fonts cannot be read: ${(cause as Error).message}`, { cause });
  }
}
