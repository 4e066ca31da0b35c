/** Limits of an account's own: each replaces one limit of its plan, if need be for a time only. */
import { OperatorError } from '../../errors.ts';
import { type JobLimits, MAX_JOB_FILES, MAX_LIMIT, type PlanLimits } from './plans.ts';

export const limitNames = [
  'perSecond',
  'perHour',
  'perDay',
  'perMonth',
  'maxFilesPerJob',
  'maxJobs',
] as const satisfies readonly (keyof PlanLimits | keyof JobLimits)[];

export type LimitName = (typeof limitNames)[number];

export interface OwnLimit {
  readonly limit: LimitName;
  /** Null: unlimited. */
  readonly value: number | null;
  /** When it begins and ends, ISO 8601; null: it holds already, or for ever. */
  readonly from: string | null;
  readonly until: string | null;
}

/** @throws OperatorError naming the first mistake. */
export function assertOwnLimit({ limit, value, from, until }: OwnLimit, now: Date): void {
  const max = limit === 'maxFilesPerJob' ? MAX_JOB_FILES : MAX_LIMIT;
  const isUnlimited = value === null && limit !== 'maxFilesPerJob';
  if (!isUnlimited && !(Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max)) {
    const orUnlimited = limit === 'maxFilesPerJob' ? '' : ', or unlimited';
    throw new OperatorError(`${limit} must be a whole number from 1 to ${max}${orUnlimited}`);
  }
  // Also refuses what is no time, as comparisons with it are false.
  if (until !== null && !(Date.parse(until) > now.getTime())) {
    throw new OperatorError('the end of a limit must be in the future');
  }
  if (
    from !== null &&
    !(Date.parse(from) < (until === null ? Number.POSITIVE_INFINITY : Date.parse(until)))
  ) {
    throw new OperatorError('a limit must begin before it ends');
  }
}

/** The limits with those of the account's own that hold at a time, in milliseconds since the epoch. */
export function withOwnLimits<Limits extends object>(
  limits: Limits,
  own: readonly OwnLimit[],
  at: number,
): Limits {
  const holding = own.filter((each) => holds(each, at));
  return { ...limits, ...Object.fromEntries(holding.map(({ limit, value }) => [limit, value])) };
}

function holds({ from, until }: OwnLimit, at: number): boolean {
  return (from === null || Date.parse(from) <= at) && (until === null || at < Date.parse(until));
}

const NONE = '-';

/** The name of its field in an account's hash. */
export function ownLimitField(limit: LimitName): string {
  return `limit:${limit}`;
}

/** "VALUE FROM UNTIL", times in ms since the epoch; "-" for null. The script of the admission reads it, too. */
export function serialiseOwnLimit({ value, from, until }: OwnLimit): string {
  const time = (text: string | null) => (text === null ? NONE : Date.parse(text));
  return `${value ?? NONE} ${time(from)} ${time(until)}`;
}

/** Those of an account, from the fields of its hash, in the order of {@link limitNames}. */
export function parseOwnLimits(fields: Readonly<Record<string, string>>): OwnLimit[] {
  return limitNames.flatMap((limit) => {
    const [value = NONE, from = NONE, until = NONE] = fields[ownLimitField(limit)]?.split(' ') ?? [];
    if (fields[ownLimitField(limit)] === undefined) return [];
    const time = (text: string) => (text === NONE ? null : new Date(Number(text)).toISOString());
    return [{ limit, value: value === NONE ? null : Number(value), from: time(from), until: time(until) }];
  });
}
