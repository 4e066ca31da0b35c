/** The fonts that stand in for others. */
import type { FontTable } from './font-table.ts';

interface StandIn {
  readonly name: string;
  /** Whether it has the same metrics as the font that it replaces. */
  readonly metricsCompatible: boolean;
}

/** Stand-ins by font name in lower case, the best first. */
export type StandIns = ReadonlyMap<string, readonly StandIn[]>;

/** What the table says of stand-ins. */
export function standInsOf(table: FontTable): StandIns {
  const standIns = new Map<string, StandIn[]>();
  for (const row of table.standIns) {
    const { word, use, blanks = {}, bullets = [], otherLetters = [], metricsCompatible = [] } = row;
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
