/** Durations as logs and answers show them. */

/** Rounds to tenths of a millisecond. */
export const tenths = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;

/** As {@link tenths}, of a duration that may be missing. */
export const tenthsOrNull = (milliseconds: number | undefined): number | null =>
  milliseconds === undefined ? null : tenths(milliseconds);
