/** The numbers of documents at a time that the benchmark tries on a machine. */

/** That at which the rivals are compared. */
export const RIVALS_AT = 4;

/** Those of the plot. */
const PLOTTED = [1, 2, 4, 8, 16];

export interface Levels {
  /** As many as there are cores. */
  readonly full: number;
  /** Four times as many: most of them wait. */
  readonly crowded: number;
  /** All that are tried for a small document, in order. */
  readonly small: readonly number[];
  /** Those for one that takes long. */
  readonly heavy: readonly number[];
}

export function levelsOf(cores: number): Levels {
  const full = cores;
  const crowded = 4 * cores;
  const inOrder = (numbers: readonly number[]) => [...new Set(numbers)].sort((a, b) => a - b);
  return {
    full,
    crowded,
    small: inOrder([...PLOTTED, full, crowded]),
    heavy: inOrder([1, RIVALS_AT, full, crowded]),
  };
}
