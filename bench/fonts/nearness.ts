/** How near the metrics of a font come to those of another. */
import type { Candidate } from './candidates.ts';
import type { ShownFont } from './shown-fonts.ts';

export interface Nearness {
  /** Number of the other's characters that it has. */
  readonly characters: number;
  /** Mean difference of advance widths, relative to the mean width of the other. */
  readonly offBy: number;
  /** The size at which their mean widths are equal, relative to the candidate's own. */
  readonly scale: number;
  /** As `offBy`, at that size. */
  readonly scaledOffBy: number;
}

/** A font that lacks more than this share of the characters is no candidate. */
const MAX_LACKING = 0.1;

/** @returns undefined if it lacks too many of the characters */
export function nearness({ advances }: ShownFont, candidate: Candidate): Nearness | undefined {
  const both = [...advances].flatMap(([character, wanted]) => {
    const has = candidate.advance(character);
    return has === undefined ? [] : [{ wanted, has }];
  });
  if (both.length === 0 || both.length < advances.size * (1 - MAX_LACKING)) return undefined;
  const total = sum(both.map(({ wanted }) => wanted));
  const scale = total / sum(both.map(({ has }) => has));
  const offBy = (size: number) => sum(both.map(({ wanted, has }) => Math.abs(wanted - size * has))) / total;
  return { characters: both.length, offBy: offBy(1), scale, scaledOffBy: offBy(scale) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
