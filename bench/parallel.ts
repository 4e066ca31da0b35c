/** Parallel conversions, and the share of a queue in their times. */
import { setTimeout as delay } from 'node:timers/promises';

/** Parallel conversions; times in milliseconds, in the order of their end. */
export interface Run {
  readonly times: readonly number[];
  readonly perSecond: number;
}

/** A way to convert one document. */
export type Convert = () => Promise<unknown>;

/**
 * Runs `clients` clients, each of which sends the next document after the previous one, until `count` are done.
 *
 * @param pauseMs of a client before each document; not a part of the times.
 */
export async function runClients(
  convert: Convert,
  clients: number,
  count: number,
  pauseMs = 0,
): Promise<Run> {
  const times: number[] = [];
  let left = count;
  const client = async () => {
    while (left-- > 0) {
      if (pauseMs > 0) await delay(pauseMs);
      const sent = performance.now();
      await convert();
      times.push(performance.now() - sent);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  return { times, perSecond: count / ((performance.now() - started) / 1000) };
}

/**
 * One way of conversion from several that take one document at a time each: callers queue, first come, first served.
 */
export function shared(ways: readonly Convert[]): Convert {
  const free = [...ways];
  const waiting: ((way: Convert) => void)[] = [];
  return async () => {
    const way = free.shift() ?? (await new Promise<Convert>((resolve) => waiting.push(resolve)));
    try {
      await way();
    } finally {
      const next = waiting.shift();
      if (next) next(way);
      else free.push(way);
    }
  };
}

/**
 * The times that {@link runClients} would measure if more clients than workers only caused a queue, first come, first
 * served.
 *
 * @param serviceTimes milliseconds that a document takes with a worker; used in turn, repeatedly.
 */
export function queueAlone(
  serviceTimes: readonly number[],
  { workers, clients, count }: { workers: number; clients: number; count: number },
): number[] {
  const workerFreeAt = new Array<number>(workers).fill(0);
  const clientSendsAt = new Array<number>(clients).fill(0);
  return Array.from({ length: count }, (_, n) => {
    const client = indexOfLeast(clientSendsAt);
    const worker = indexOfLeast(workerFreeAt);
    const sent = clientSendsAt[client] ?? 0;
    const began = Math.max(sent, workerFreeAt[worker] ?? 0);
    const ended = began + (serviceTimes[n % serviceTimes.length] ?? 0);
    workerFreeAt[worker] = ended;
    clientSendsAt[client] = ended;
    return ended - sent;
  });
}

function indexOfLeast(values: readonly number[]): number {
  return values.indexOf(Math.min(...values));
}
