/** Rate windows: fixed, aligned to the clock of Redis. */
import type { Plan } from '../plans/plans.ts';

/** State of a window after the request. */
export interface WindowState {
  readonly name: 'second' | 'hour' | 'day';
  /** Requests that the window allows. */
  readonly limit: number;
  readonly remaining: number;
  /** When it ends: Unix seconds. */
  readonly resetsAt: number;
  /** Its length in seconds. */
  readonly length: number;
}

/** Start (Unix seconds) and count of a window. */
interface WindowCount {
  readonly start: number;
  readonly count: number;
}

export type WindowCounts = Readonly<Record<WindowState['name'], WindowCount>>;

const windowSeconds = { second: 1, hour: 3_600, day: 86_400 } as const;

/** The windows of these limits, shortest first, without unlimited ones. */
export function windowStates(limits: WindowLimits, counts: WindowCounts): WindowState[] {
  const limitOf = { second: limits.perSecond, hour: limits.perHour, day: limits.perDay };
  return (['second', 'hour', 'day'] as const).flatMap((name) => {
    const limit = limitOf[name];
    if (limit === null) return [];
    const { start, count } = counts[name];
    const length = windowSeconds[name];
    return [{ name, limit, remaining: Math.max(0, limit - count), resetsAt: start + length, length }];
  });
}

/** The windows in the form of answers. */
export function windowsForPeople(windows: readonly WindowState[]) {
  return windows.map(({ name, limit, remaining, resetsAt }) => ({
    name,
    limit,
    remaining,
    resetsAt: new Date(resetsAt * 1000).toISOString(),
  }));
}

type WindowLimits = Pick<Plan, 'perSecond' | 'perHour' | 'perDay'>;

/**
 * The current counts of the windows, from their fields in Redis.
 *
 * @param now Unix seconds.
 */
export function readCounts(fields: Readonly<Record<string, string>>, now: number): WindowCounts {
  const read = (name: WindowState['name']): WindowCount => {
    const start = now - (now % windowSeconds[name]);
    const known = Number(fields[`${name}:start`] ?? -1);
    return known >= start ? { start: known, count: Number(fields[`${name}:count`]) } : { start, count: 0 };
  };
  return { second: read('second'), hour: read('hour'), day: read('day') };
}
