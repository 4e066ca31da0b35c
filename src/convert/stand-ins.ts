/** The table of the fonts that stand in for others. */
import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { OperatorError } from '../errors.ts';

/** By the name of a font in lower case, the names of those that stand in for it, the best first. */
export type StandIns = ReadonlyMap<string, readonly string[]>;

/** Fonts as documents name them, and the family that is used for them. */
const Table = Type.Object({
  standIns: Type.Array(Type.Object({ word: Type.Array(Type.String()), use: Type.String() })),
});

/**
 * Reads the table, in JSON.
 *
 * @throws OperatorError when the file is not there, or is something else.
 */
export function readStandIns(file: string): StandIns {
  const standIns = new Map<string, string[]>();
  for (const { word, use } of readTable(file).standIns) {
    for (const name of word) {
      const font = name.toLowerCase();
      standIns.set(font, [...(standIns.get(font) ?? []), use]);
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
