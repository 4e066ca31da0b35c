/**
 * Figures of all servers for the last hour and day: by minute and by quarter of an hour in Redis, each a hash that expires,
 * with a field per outcome and bucket.
 */
import { randomUUID } from 'node:crypto';
import { luaFiles } from '../paths.ts';
import type { RedisClient } from '../redis/connect.ts';
import { Script } from '../redis/script.ts';
import type { Log } from '../system/log.ts';
import { tenths } from '../system/tenths.ts';
import { Flusher } from './flusher.ts';
import { bucketOf, quantile } from './histogram.ts';
import { operatorKeys } from './redis-keys.ts';

/** A finished request for a conversion. */
interface Conversion {
  /** `success`, the code of the error, or `client_left`. */
  readonly outcome: string;
  /** Milliseconds; undefined if it did not get that far. */
  readonly queueMs: number | undefined;
  readonly convertMs: number | undefined;
}

interface Quantiles {
  readonly p50: number;
  readonly p95: number;
}

interface Figures {
  /** PDFs delivered. */
  readonly conversions: number;
  readonly queueMs: Quantiles | null;
  readonly convertMs: Quantiles | null;
  readonly outcomes: Record<string, number>;
}

interface Period {
  readonly stepSeconds: number;
  readonly total: Figures;
  /** Every interval, oldest first; the last is the current one. */
  readonly steps: ({ readonly at: string } & Figures)[];
}

const HOUR = { stepSeconds: 60, steps: 60 };
const DAY = { stepSeconds: 900, steps: 96 };
const PERIODS = [HOUR, DAY];
const WRITE_EVERY_MS = 1_000;
/** Figures that cannot be written for this long are dropped. */
const MAX_PENDING_STEPS = 200;
/** How long Redis remembers a server's last batch. Figures of a later repetition are hardly shown any more. */
const REMEMBERED_MS = 86_400_000;

/** Counts by field: `outcome:CODE`, `queue:BUCKET`, `convert:BUCKET`. */
type Counts = Map<string, number>;

interface Batch {
  readonly number: number;
  readonly steps: ReadonlyMap<string, Counts>;
}

export class Statistics {
  readonly #redis: RedisClient;
  readonly #script: Script;
  readonly #flusher: Flusher;
  /** Figures to write, by interval: `LENGTH:START`. */
  #pending = new Map<string, Counts>();
  /** The batch that Redis has not confirmed. */
  #sent: Batch | undefined;
  #batches = 0;
  /** Identifies this server. */
  readonly #id = randomUUID();

  constructor(redis: RedisClient, log: Log) {
    this.#redis = redis;
    this.#script = new Script(redis, luaFiles.recordStatistics);
    this.#flusher = new Flusher('statistics', () => this.#write(), WRITE_EVERY_MS, log);
  }

  /** Counts a conversion, within a second. @param at milliseconds since the epoch. */
  record({ outcome, queueMs, convertMs }: Conversion, at = Date.now()): void {
    for (const { stepSeconds } of PERIODS) {
      const step = `${stepSeconds}:${startOf(at / 1000, stepSeconds)}`;
      const counts = this.#pending.get(step) ?? new Map();
      if (!this.#pending.has(step) && this.#pending.size >= MAX_PENDING_STEPS) continue;
      this.#pending.set(step, counts);
      add(counts, `outcome:${outcome}`, 1);
      if (queueMs !== undefined) add(counts, `queue:${bucketOf(queueMs)}`, 1);
      if (convertMs !== undefined) add(counts, `convert:${bucketOf(convertMs)}`, 1);
    }
    this.#flusher.wake();
  }

  /** The last hour and the last day. @param at milliseconds since the epoch. @throws Error when Redis is away. */
  async read(at = Date.now()): Promise<{ readonly lastHour: Period; readonly lastDay: Period }> {
    const [lastHour, lastDay] = await Promise.all([this.#period(HOUR, at), this.#period(DAY, at)]);
    return { lastHour, lastDay };
  }

  /** Writes pending figures now. */
  flush(): Promise<void> {
    return this.#flusher.flush();
  }

  /** Stops after a last write. */
  close(): Promise<void> {
    return this.#flusher.close();
  }

  async #period({ stepSeconds, steps }: typeof HOUR, at: number): Promise<Period> {
    const newest = startOf(at / 1000, stepSeconds);
    const starts = Array.from({ length: steps }, (_, i) => newest - (steps - 1 - i) * stepSeconds);
    const pipeline = this.#redis.pipeline();
    for (const start of starts) pipeline.hgetall(operatorKeys.statistics(stepSeconds, start));
    const replies = (await pipeline.exec()) ?? [];
    const total: Counts = new Map();
    const read = starts.map((start, index) => {
      const [error, fields] = replies[index] ?? [new Error('Redis did not answer')];
      if (error) throw error;
      const counts: Counts = new Map(
        Object.entries(fields as Record<string, string>).map(([name, count]) => [name, Number(count)]),
      );
      for (const [name, count] of counts) add(total, name, count);
      return { at: new Date(start * 1000).toISOString(), ...figuresOf(counts) };
    });
    return { stepSeconds, total: figuresOf(total), steps: read };
  }

  /** An unconfirmed batch goes first, unchanged: Redis may have it, and counts no batch twice. */
  async #write(): Promise<void> {
    if (this.#sent) await this.#add(this.#sent);
    this.#sent = undefined;
    if (this.#pending.size === 0) return;
    this.#sent = { number: ++this.#batches, steps: this.#pending };
    this.#pending = new Map();
    await this.#add(this.#sent);
    this.#sent = undefined;
  }

  /** All or nothing. */
  async #add({ number, steps }: Batch): Promise<void> {
    const keys = [operatorKeys.statisticsWriter(this.#id)];
    const args: (string | number)[] = [number, REMEMBERED_MS];
    for (const [step, counts] of steps) {
      const [stepSeconds = 0, start = 0] = step.split(':').map(Number);
      const length = PERIODS.find((period) => period.stepSeconds === stepSeconds)?.steps ?? 0;
      keys.push(operatorKeys.statistics(stepSeconds, start));
      args.push(start + stepSeconds * (length + 1), counts.size, ...[...counts].flat());
    }
    await this.#script.run(keys, args);
  }
}

function startOf(seconds: number, stepSeconds: number): number {
  return Math.floor(seconds / stepSeconds) * stepSeconds;
}

function add(counts: Counts, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

function figuresOf(counts: Counts): Figures {
  const outcomes: Record<string, number> = {};
  for (const [name, count] of counts) {
    if (name.startsWith('outcome:')) outcomes[name.slice('outcome:'.length)] = count;
  }
  return {
    conversions: outcomes.success ?? 0,
    queueMs: quantilesOf(counts, 'queue:'),
    convertMs: quantilesOf(counts, 'convert:'),
    outcomes,
  };
}

function quantilesOf(counts: Counts, prefix: string): Quantiles | null {
  const buckets = new Map<number, number>();
  for (const [name, count] of counts) {
    if (name.startsWith(prefix)) buckets.set(Number(name.slice(prefix.length)), count);
  }
  const p50 = quantile(buckets, 0.5);
  const p95 = quantile(buckets, 0.95);
  return p50 === undefined || p95 === undefined ? null : { p50: tenths(p50), p95: tenths(p95) };
}
