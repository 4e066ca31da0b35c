/** The table of fonts (docker/fonts/fonts.json). */
import { readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { OperatorError } from '../../errors.ts';
import { fontTable } from '../../paths.ts';

/**
 * `standIns`: names in documents, the family used for them, the families with another blank, with bullets, and with letters
 * that the first lacks, and the names with the same metrics. `made`: families that are made, with ascent, descent and gap of
 * a line in sizes of the font.
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
  made: Type.Array(
    Type.Object({
      family: Type.String(),
      line: Type.Tuple([Type.Number(), Type.Number(), Type.Number()]),
    }),
  ),
});

/** Which fonts stand in for others, and how high the lines of those that are made are. */
export type FontTable = Static<typeof Table>;

let own: FontTable | undefined;

/** The table of this installation, read once. @throws OperatorError if it is missing or malformed. */
export function fontRows(): FontTable {
  own ??= readFontTable(fontTable);
  return own;
}

/** Reads a table from JSON. @throws OperatorError if the file is missing or malformed. */
export function readFontTable(file: string): FontTable {
  try {
    return Value.Parse(Table, JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new OperatorError(`the table of fonts cannot be read: ${(cause as Error).message}`, { cause });
  }
}
