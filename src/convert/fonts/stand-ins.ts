/** The table of stand-in fonts. */
import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { OperatorError } from '../../errors.ts';

export interface StandIn {
  readonly name: string;
  /** Whether it has the same metrics as the font that it replaces. */
  readonly metricsCompatible: boolean;
}

/** Stand-ins by font name in lower case, the best first. */
export type StandIns = ReadonlyMap<string, readonly StandIn[]>;

/**
 * A row of the table: names in documents, the family used for them, the families with another blank, with bullets,
 * and with letters that the first lacks, and the names with the same metrics.
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
 * Reads the table from JSON.
 *
 * @throws OperatorError if the file is missing or malformed.
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
