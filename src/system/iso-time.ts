/** Times of answers: ISO 8601, UTC. */

/** @param at in milliseconds since the epoch. */
export const iso = (at: number): string => new Date(at).toISOString();

/** As {@link iso}, of a time that may be missing. */
export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));
