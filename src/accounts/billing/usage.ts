/** Usage: an account's figures of a month, and the entries of its bill. */
import { PlatenError } from '../../errors.ts';
import type { RedisClient } from '../../redis/connect.ts';
import type { Environment } from '../keys/format.ts';
import { redisKeys } from '../keys/redis-keys.ts';
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

/** What a key made in a month. */
export interface KeyUsage {
  /** Its id; null: keys beyond the first 1,000 of the month, together. */
  readonly key: string | null;
  /** Null: its record is gone. */
  readonly name: string | null;
  /** Its short form; null as its name. */
  readonly display: string | null;
  /** PDFs made. */
  readonly conversions: number;
  readonly pages: number;
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
  /** The keys that made PDFs, the one with the most first. */
  readonly keys: KeyUsage[];
}

/** One billed conversion, in the form of the export. */
export interface LedgerEntry {
  /** With `.1` and so on if it is one of several documents of a PDF, or a file of a job. */
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
      limitKeys.byKey(account, environment, month),
    ] as const;
    // In one step, so that the month is the sum of its days.
    const step = this.#redis.multi().hget(names[0], `used:${month}`).hgetall(names[1]).hgetall(names[2]);
    const [used, figures, byKey] = repliesOf(await step.exec()) as [
      string | null,
      Record<string, string>,
      Record<string, string>,
    ];
    const renewsAt = new Date(monthEnd(month)).toISOString();
    const days = readDays(
      month,
      (field) => readFigure(names[1], field, figures[field]),
      Object.keys(figures),
    );
    const made = readKeys((field) => readFigure(names[2], field, byKey[field]), Object.keys(byKey));
    const keys = await this.#withNames(account, made);
    return { month, used: readFigure(names[0], `used:${month}`, used), renewsAt, days, keys };
  }

  async #withNames(
    account: string,
    keys: readonly Omit<KeyUsage, 'name' | 'display'>[],
  ): Promise<KeyUsage[]> {
    if (keys.length === 0) return [];
    const records = this.#redis.pipeline();
    for (const { key } of keys) records.hmget(redisKeys.key(account, key ?? ''), 'name', 'display');
    const found = repliesOf(await records.exec()) as [string | null, string | null][];
    return keys.map((each, index) => {
      const [name = null, display = null] = found[index] ?? [];
      return { key: each.key, name, display, conversions: each.conversions, pages: each.pages };
    });
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

/** @param read returns the figure of a field, 0 if missing. */
function readKeys(read: (field: string) => number, fields: readonly string[]) {
  const ids = new Set(fields.map((field) => field.slice(0, field.lastIndexOf(':'))));
  const keys = [...ids].map((id) => ({
    key: id || null,
    conversions: read(`${id}:conversions`),
    pages: read(`${id}:pages`),
  }));
  return keys.sort((a, b) => b.conversions - a.conversions || (a.key ?? '').localeCompare(b.key ?? ''));
}

/** The replies of a transaction or a pipeline. @throws the error of the first command that failed. */
function repliesOf(replies: readonly [Error | null, unknown][] | null): unknown[] {
  return (replies ?? []).map(([error, reply]) => {
    if (error) throw error;
    return reply;
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
