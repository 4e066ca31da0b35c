/** Numbers of parallel documents that the benchmark tries on a machine. */

/** Number of parallel documents at which competitors are compared. */
export const COMPETITORS_AT = 4;

/** Levels of the plot. */
const PLOTTED = [1, 2, 4, 8, 16];

export interface Levels {
  /** One per core. */
  readonly full: number;
  /** Four times as many: most of them wait. */
  readonly crowded: number;
  /** All levels for a small document, in order. */
  readonly small: readonly number[];
  /** Levels for a slow document. */
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
    heavy: inOrder([1, COMPETITORS_AT, full, crowded]),
  };
}
