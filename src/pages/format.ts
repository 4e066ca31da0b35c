/** Formats figures for people. */

/**
 * A size in bytes, such as `4.2 MB`; a MB is 1,048,576 bytes, as in the limits. Rounded up, so that a size above a limit does
 * not read as the limit.
 */
export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const kilobytes = Math.ceil(bytes / 1_024);
  if (kilobytes < 1_024) return `${kilobytes} kB`;
  return `${(Math.ceil((bytes / 1_048_576) * 10) / 10).toFixed(1)} MB`;
}

/** A time in milliseconds, such as `48 ms` or `1.2 s`. */
export function formatMilliseconds(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** A time to wait, in whole seconds: `1 second`, `2 minutes`, `3 hours`, `4 days`, rounded up. */
export function formatWait(seconds: number): string {
  if (seconds < 100) return count(seconds, 'second');
  if (seconds <= 6_000) return count(Math.ceil(seconds / 60), 'minute');
  if (seconds <= 172_800) return count(Math.ceil(seconds / 3_600), 'hour');
  return count(Math.ceil(seconds / 86_400), 'day');
}

/** `1 page`, `2 pages`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
