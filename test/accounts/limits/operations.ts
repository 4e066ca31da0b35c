/** What may happen to accounts, keys and the clock, at random. */
import fc from 'fast-check';
import type { PdfFigures } from '../../../src/accounts/billing/reservation.ts';
import type { PlanLimits } from '../../../src/accounts/plans/plans.ts';
import type { ErrorCode } from '../../../src/errors.ts';
import { plansOf } from './support.ts';

/** Small limits, so that they are often met. No plan is called "free", so test keys have 50 a second. */
export const plans = plansOf({
  small: { perSecond: 2, perHour: 4, perDay: 6, perMonth: 3 },
  daily: { perDay: 3, perMonth: 2 },
  hourly: { perSecond: 3, perHour: 3 },
  monthly: { perMonth: 1 },
  endless: {},
});

export const keyNames = ['acme live 1', 'acme live 2', 'acme test', 'beta live', 'beta test'] as const;
export type KeyName = (typeof keyNames)[number];
export const accounts = ['acme', 'beta'] as const;

const units = ['second', 'hour', 'day', 'month'] as const;

export type Operation =
  /** Requests that arrive at once, by turns at both servers. */
  | {
      op: 'admit';
      key: KeyName;
      conversion: boolean;
      requests: number;
      server: number;
      idempotencyKey: string | undefined;
    }
  /** Lost ones are those of a server that died: it may have told a Redis that hung, which does it once it recovers. */
  | {
      op: 'settle';
      of: 'in flight' | 'lost' | 'settled';
      pick: number;
      server: number;
      twice: boolean;
      as: PdfFigures;
    }
  | {
      op: 'release';
      of: 'in flight' | 'released' | 'settled';
      pick: number;
      server: number;
      failure: ErrorCode | '';
    }
  | { op: 'crash'; server: number }
  | { op: 'plan'; account: (typeof accounts)[number]; plan: string }
  /** Undefined: the limit of the plan holds again. */
  | {
      op: 'limit';
      account: (typeof accounts)[number];
      limit: keyof PlanLimits;
      value: number | null | undefined;
    }
  | { op: 'suspend'; account: (typeof accounts)[number]; isSuspended: boolean }
  /** To the end or (back) to the beginning of a unit, and some milliseconds on. */
  | { op: 'clock'; to: 'end' | 'start'; unit: (typeof units)[number]; ms: number }
  | { op: 'clock'; by: number };

/** A record that prints as a plain object. */
function record<T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(fields, { noNullPrototype: true });
}

const server = fc.constantFrom(0, 1);
const pick = fc.nat({ max: 9 });
const HOUR_MS = 3_600_000;

const figures = record({
  pages: fc.integer({ min: 1, max: 9 }),
  bytesIn: fc.integer({ min: 1, max: 99 }),
  bytesOut: fc.integer({ min: 1, max: 99 }),
  durationMs: fc.integer({ min: 1, max: 99 }),
  document: fc.constantFrom('letter', 'letter', 'report'),
});

const operation = fc.oneof(
  {
    weight: 12,
    arbitrary: record({
      op: fc.constant('admit' as const),
      key: fc.constantFrom(...keyNames),
      conversion: fc.boolean(),
      requests: fc.oneof(
        { weight: 9, arbitrary: fc.integer({ min: 1, max: 3 }) },
        { weight: 1, arbitrary: fc.integer({ min: 4, max: 60 }) },
      ),
      server,
      idempotencyKey: fc.constantFrom(undefined, undefined, 'one', 'other'),
    }),
  },
  {
    weight: 5,
    arbitrary: record({
      op: fc.constant('settle' as const),
      of: fc.constantFrom('in flight' as const, 'in flight' as const, 'lost' as const, 'settled' as const),
      pick,
      server,
      twice: fc.boolean(),
      as: figures,
    }),
  },
  {
    weight: 3,
    arbitrary: record({
      op: fc.constant('release' as const),
      of: fc.constantFrom(
        'in flight' as const,
        'in flight' as const,
        'released' as const,
        'settled' as const,
      ),
      pick,
      server,
      failure: fc.constantFrom('' as const, 'CONVERSION_FAILED' as const, 'CORRUPTED_FILE' as const),
    }),
  },
  { weight: 1, arbitrary: record({ op: fc.constant('crash' as const), server }) },
  {
    weight: 1,
    arbitrary: record({
      op: fc.constant('plan' as const),
      account: fc.constantFrom(...accounts),
      plan: fc.constantFrom(...plans.keys()),
    }),
  },
  {
    weight: 1,
    arbitrary: record({
      op: fc.constant('limit' as const),
      account: fc.constantFrom(...accounts),
      limit: fc.constantFrom(
        'perSecond' as const,
        'perHour' as const,
        'perDay' as const,
        'perMonth' as const,
      ),
      value: fc.constantFrom(undefined, null, 1, 4),
    }),
  },
  {
    weight: 1,
    arbitrary: record({
      op: fc.constant('suspend' as const),
      account: fc.constantFrom(...accounts),
      isSuspended: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: record({
      op: fc.constant('clock' as const),
      to: fc.constantFrom('end' as const, 'end' as const, 'start' as const),
      unit: fc.constantFrom(...units),
      ms: fc.constantFrom(-1, 0, 1, 500),
    }),
  },
  {
    weight: 3,
    arbitrary: record({
      op: fc.constant('clock' as const),
      by: fc.oneof(
        fc.integer({ min: -3_000, max: 3_000 }),
        fc.integer({ min: -100, max: 100 }).map((hours) => hours * HOUR_MS),
      ),
    }),
  },
) satisfies fc.Arbitrary<Operation>;

export const histories = record({
  start: fc.constantFrom(
    '2026-06-15T12:00:00.000Z',
    '2025-12-31T23:59:59.500Z',
    '2028-02-28T23:59:58.000Z',
    '2100-02-28T22:30:00.000Z',
  ),
  plan: fc.constantFrom(...plans.keys()),
  operations: fc.array(operation, { minLength: 1, maxLength: 60, size: 'max' }),
});

/** Where the clock is after a step. It stays within half a year of where it started: figures are kept for 400 days. */
export function stepClock(now: number, start: number, step: Extract<Operation, { op: 'clock' }>): number {
  const target = 'by' in step ? now + step.by : boundary(now, step) + step.ms;
  const halfYear = 182 * 24 * HOUR_MS;
  return Math.min(Math.max(target, start - halfYear), start + halfYear);
}

function boundary(now: number, { unit, to }: { unit: (typeof units)[number]; to: 'end' | 'start' }): number {
  const on = to === 'end' ? 1 : 0;
  const date = new Date(now);
  if (unit === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + on);
  const length = { second: 1_000, hour: HOUR_MS, day: 24 * HOUR_MS }[unit];
  return (Math.floor(now / length) + on) * length;
}
