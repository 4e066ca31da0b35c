/** Usage: an account's figures of a month, and the entries of its bill. */

import { PlatenError } from '../errors.ts';
import type { Environment } from '../keys/format.ts';
import type { RedisClient } from '../redis/connect.ts';
import { monthEnd } from './months.ts';
import { limitKeys } from './redis-keys.ts';

/** The figures of a day. Sizes are bytes. */
export interface DayUsage {
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
  /** PDFs made. */
  readonly conversions: number;
  readonly pages: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Admitted conversions that failed, by code. */
  readonly failures: Readonly<Record<string, number>>;
}

export interface MonthUsage {
  /** `YYYY-MM`, UTC. */
  readonly month: string;
  /** PDFs made: the sum of the days, and the number of ledger entries. */
  readonly used: number;
  /** When the quota renews: ISO 8601. */
  readonly renewsAt: string;
  /** Days with any conversion, in order. */
  readonly days: DayUsage[];
}

/** One billed conversion, in the form of the export. */
export interface LedgerEntry {
  readonly requestId: string;
  readonly account: string;
  readonly key: string;
  readonly pages: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly durationMs: number;
  /** Time of admission, ISO 8601. */
  readonly at: string;
}

const LEDGER_PAGE = 1_000;

export class Usage {
  readonly #redis: RedisClient;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /**
   * @param month `YYYY-MM`.
   * @throws PlatenError `INTERNAL_ERROR` whose cause names the damaged figure.
   */
  async month(account: string, environment: Environment, month: string): Promise<MonthUsage> {
    const names = [
      limitKeys.months(account, environment),
      limitKeys.days(account, environment, month),
    ] as const;
    // In one step, so that the month is the sum of its days.
    const replies = await this.#redis.multi().hget(names[0], `used:${month}`).hgetall(names[1]).exec();
    const [used, figures] = (replies ?? []).map(([error, reply]) => {
      if (error) throw error;
      return reply;
    }) as [string | null, Record<string, string>];
    const renewsAt = new Date(monthEnd(month)).toISOString();
    const days = readDays(
      month,
      (field) => readFigure(names[1], field, figures[field]),
      Object.keys(figures),
    );
    return { month, used: readFigure(names[0], `used:${month}`, used), renewsAt, days };
  }

  /** The ledger of an account and month, oldest entry first, read in pages. */
  async *ledger(account: string, month: string): AsyncGenerator<LedgerEntry> {
    let after = '-';
    for (;;) {
      const page = await this.#redis.xrange(
        limitKeys.ledger(account, month),
        after,
        '+',
        'COUNT',
        LEDGER_PAGE,
      );
      for (const [, fields] of page) yield readEntry(fields);
      const last = page.at(-1);
      if (!last || page.length < LEDGER_PAGE) return;
      after = `(${last[0]}`;
    }
  }
}

/**
 * A figure of a record; 0 if missing.
 *
 * @throws PlatenError `INTERNAL_ERROR` if it is not a natural number: the record is damaged, and any answer would be
 * wrong.
 */
function readFigure(record: string, field: string, value: string | null | undefined): number {
  if (value === null || value === undefined) return 0;
  if (/^\d{1,15}$/.test(value)) return Number(value);
  const cause = `the record ${record} is damaged: ${field} is not a natural number`;
  throw new PlatenError('INTERNAL_ERROR', { cause });
}

/** @param read returns the figure of a field, 0 if missing. */
function readDays(month: string, read: (field: string) => number, fields: readonly string[]): DayUsage[] {
  const dates = new Set(fields.map((field) => field.slice(0, 2)));
  return [...dates].sort().map((day) => {
    const figure = (name: string): number => read(`${day}:${name}`);
    const prefix = `${day}:failures:`;
    const failures = fields
      .filter((field) => field.startsWith(prefix))
      .map((field) => [field.slice(prefix.length), read(field)]);
    return {
      date: `${month}-${day}`,
      conversions: figure('conversions'),
      pages: figure('pages'),
      bytesIn: figure('bytesIn'),
      bytesOut: figure('bytesOut'),
      failures: Object.fromEntries(failures) as Record<string, number>,
    };
  });
}

function readEntry(fields: readonly string[]): LedgerEntry {
  const pairs = new Map<string, string>();
  for (let index = 0; index < fields.length; index += 2)
    pairs.set(fields[index] ?? '', fields[index + 1] ?? '');
  const text = (name: keyof LedgerEntry): string => pairs.get(name) ?? '';
  return {
    requestId: text('requestId'),
    account: text('account'),
    key: text('key'),
    pages: Number(text('pages')),
    bytesIn: Number(text('bytesIn')),
    bytesOut: Number(text('bytesOut')),
    durationMs: Number(text('durationMs')),
    at: text('at'),
  };
}
