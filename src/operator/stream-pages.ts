/** Reads several Redis streams as one, newest first, page by page. */
import type { RedisClient } from '../redis/connect.ts';

/** One of the streams. */
interface StreamPart {
  /** Its number in cursors, 0 to 9; of entries with the same id, the lower comes first. */
  readonly index: number;
  readonly key: string;
  /** Milliseconds since the epoch; older entries are ignored. */
  readonly since: number;
}

export interface StreamEntry {
  readonly id: string;
  /** Alternating names and values. */
  readonly fields: readonly string[];
  /** The index of its stream. */
  readonly stream: number;
}

interface StreamPage {
  readonly entries: StreamEntry[];
  /** Where the next page begins; null: this is the last. */
  readonly next: string | null;
}

interface PageWish {
  /** The `next` of the page before. */
  readonly after: string | undefined;
  readonly limit: number;
  /** A filter; all by default. */
  readonly fits?: ((entry: StreamEntry) => boolean) | undefined;
  /** Most entries that a stream has; all are read if a filter is given. */
  readonly most: number;
}

/** The id of the last entry, and the index of its stream. */
const CURSOR = /^(\d{1,20})-(\d{1,20})-(\d)$/;
/** Both halves of an id are numbers of 64 bits. */
const MAX_HALF = 2n ** 64n - 1n;

/** Whether a text can be a cursor. */
export function isStreamCursor(text: string): boolean {
  const [, time, number] = CURSOR.exec(text) ?? [];
  if (time === undefined || number === undefined) return false;
  const halves = [BigInt(time), BigInt(number)];
  // No entry has the id 0-0, and Redis knows nothing before it.
  return halves.every((half) => half <= MAX_HALF) && halves.some((half) => half > 0n);
}

/** A page of what the streams have. @throws Error when Redis cannot be asked. */
export async function readStreamPage(
  redis: RedisClient,
  parts: readonly StreamPart[],
  { after, limit, fits, most }: PageWish,
): Promise<StreamPage> {
  // One more tells whether there is a next page.
  const count = fits ? most : limit + 1;
  const read = await Promise.all(
    parts.map(async ({ index, key, since }) => {
      const entries = await redis.xrevrange(key, endOf(after, index), `${since}`, 'COUNT', count);
      return entries.map(([id, fields]) => ({ id, fields, stream: index }));
    }),
  );
  const fitting = read.flat().filter((entry) => fits?.(entry) ?? true);
  const entries = fitting.sort(newestFirst).slice(0, limit);
  const last = entries.at(-1);
  return { entries, next: last && fitting.length > limit ? `${last.id}-${last.stream}` : null };
}

/** Where what comes after the cursor begins in a stream: those of a higher index may have an entry of the same id. */
function endOf(after: string | undefined, index: number): string {
  const [, time, number, last] = CURSOR.exec(after ?? '') ?? [];
  if (last === undefined) return '+';
  return index > Number(last) ? `${time}-${number}` : `(${time}-${number}`;
}

function newestFirst(a: StreamEntry, b: StreamEntry): number {
  const [aTime = 0, aNumber = 0] = a.id.split('-').map(Number);
  const [bTime = 0, bNumber = 0] = b.id.split('-').map(Number);
  return bTime - aTime || bNumber - aNumber || a.stream - b.stream;
}
