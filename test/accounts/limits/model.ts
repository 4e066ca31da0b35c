/**
 * What admission and settlement promise, as a plain model: it keeps everything that ever happened and counts. It knows
 * nothing of how Redis keeps it.
 */
import { KEY_KEPT_MS, LEASE_MS } from '../../../src/accounts/billing/idempotency.ts';
import type { PdfFigures, Reservation } from '../../../src/accounts/billing/reservation.ts';
import type { DayUsage, LedgerEntry, MonthUsage } from '../../../src/accounts/billing/usage.ts';
import type { KeyLocation } from '../../../src/accounts/keys/locate.ts';
import type { Standing, Verdict } from '../../../src/accounts/limits/admission.ts';
import type { WindowState } from '../../../src/accounts/limits/windows.ts';
import { type LimitName, limitNames, type OwnLimit } from '../../../src/accounts/plans/own-limits.ts';
import type { PlanLimits } from '../../../src/accounts/plans/plans.ts';
import type { ErrorCode } from '../../../src/errors.ts';

type WindowName = WindowState['name'];

/** In seconds. */
const windowLengths = { second: 1, hour: 3_600, day: 86_400 } as const;
const windowNames = ['second', 'hour', 'day'] as const;

/** An account's live conversions, or its test ones: what has one quota. */
export type Pool = Pick<KeyLocation, 'account' | 'environment'>;

export interface ModelReservation extends Reservation {
  /** When it expires, in milliseconds since the epoch. */
  readonly deadline: number;
  /**
   * A repetition of what was settled under its idempotency key has none; a duplicate was settled uncounted; one
   * that was replaced went to the next request under the key.
   */
  state: 'open' | 'expired' | 'replaced' | 'released' | 'settled' | 'repetition' | 'duplicate';
  figures?: PdfFigures;
  failure?: ErrorCode;
}

/** What is known of an idempotency key, until a moment in milliseconds since the epoch and not after it. */
interface Known {
  readonly value: string;
  readonly until: number;
}

/** A request that was admitted. */
interface AdmittedRequest {
  /** Whose windows it counts in. */
  readonly owner: string;
  /** The windows that it counts in, by the Unix seconds at which they began. */
  readonly starts: Readonly<Record<WindowName, number>>;
}

export class Model {
  /** The clock, in milliseconds since the epoch. */
  now: number;
  readonly plans = new Map<string, string>();
  readonly suspended = new Map<string, boolean>();
  readonly #own = new Map<string, readonly OwnLimit[]>();
  readonly reservations: ModelReservation[] = [];
  /** The requests that run under idempotency keys, the documents that were settled under them, and who reserved. */
  readonly running = new Map<string, Known>();
  readonly done = new Map<string, Known>();
  readonly reserved = new Map<string, Known>();
  readonly #admitted: AdmittedRequest[] = [];
  /** In the order in which they were settled. */
  readonly #settled: ModelReservation[] = [];
  readonly #limits: (plan: string, environment: KeyLocation['environment']) => PlanLimits;

  constructor(now: number, limits: (plan: string, environment: KeyLocation['environment']) => PlanLimits) {
    this.now = now;
    this.#limits = limits;
  }

  /** The limits that hold for a key now. */
  limitsOf({ account, environment }: Pool): PlanLimits {
    const own = this.#ownLimits({ account, environment });
    const values = Object.fromEntries(own.map(({ limit, value }) => [limit, value]));
    return { ...this.#limits(this.plans.get(account) ?? '', environment), ...values };
  }

  /** @param value undefined: that of the plan holds again. */
  setLimit(account: string, limit: LimitName, value: number | null | undefined): void {
    const others = (this.#own.get(account) ?? []).filter((each) => each.limit !== limit);
    const own = value === undefined ? [] : [{ limit, value, from: null, until: null }];
    const order = (each: OwnLimit) => limitNames.indexOf(each.limit);
    this.#own.set(
      account,
      [...others, ...own].sort((a, b) => order(a) - order(b)),
    );
  }

  /** Test keys have none. */
  #ownLimits({ account, environment }: Pool): readonly OwnLimit[] {
    return environment === 'live' ? (this.#own.get(account) ?? []) : [];
  }

  /**
   * The moment, or the first after it at which nothing expires: at that very millisecond Redis 8 still gives a key to who
   * asks for it, and lets go of it when it comes across it itself.
   */
  after(moment: number): number {
    const ends = new Set(
      [this.running, this.done, this.reserved].flatMap((map) => [...map.values()].map(({ until }) => until)),
    );
    while (ends.has(moment)) moment += 1;
    return moment;
  }

  /** The clock steps; what is known until then is forgotten for ever. */
  setClock(now: number): void {
    this.now = now;
    for (const map of [this.running, this.done, this.reserved]) {
      for (const [name, { until }] of map) if (until < now) map.delete(name);
    }
  }

  admit(
    key: KeyLocation,
    conversion: string | undefined,
    reservationMs: number,
    idempotencyKey: string | undefined,
  ): Verdict {
    const name = conversion === undefined ? undefined : nameOf(key, idempotencyKey);
    const outcome = this.#decide(key, conversion, name);
    const settled =
      outcome === 'admitted' || outcome === 'quota' ? this.done.get(name ?? '')?.value : undefined;
    if (outcome === 'admitted' || outcome === 'running') {
      const starts = {
        second: this.#window(key, 'second').start,
        hour: this.#window(key, 'hour').start,
        day: this.#window(key, 'day').start,
      };
      this.#admitted.push({ owner: windowOwner(key), starts });
      if (conversion !== undefined && outcome === 'admitted') {
        const deadline = this.now + reservationMs;
        const state = settled === undefined ? 'open' : 'repetition';
        this.reservations.push({ requestId: conversion, key, at: this.now, deadline, state, idempotencyKey });
        if (name) this.running.set(name, { value: conversion, until: this.now + LEASE_MS });
        if (name && state === 'open') this.reserved.set(name, { value: conversion, until: deadline });
      }
    }
    return { outcome, ...this.#standing(key), ...(settled !== undefined && { settled }) };
  }

  settle(reservation: ModelReservation, figures: PdfFigures): void {
    if (reservation.state === 'settled' || reservation.state === 'duplicate') return;
    this.#endClaim(reservation);
    const name = nameOf(reservation.key, reservation.idempotencyKey);
    const { document = '' } = figures;
    if (name && this.done.get(name)?.value === document) {
      reservation.state = 'duplicate';
      return;
    }
    if (name && !this.done.has(name)) this.done.set(name, { value: document, until: this.now + KEY_KEPT_MS });
    reservation.state = 'settled';
    reservation.figures = figures;
    this.#settled.push(reservation);
  }

  release(reservation: ModelReservation, failure: ErrorCode | undefined): void {
    const hadClaim = this.#endClaim(reservation);
    if (reservation.state !== 'open' && !hadClaim) return;
    if (reservation.state === 'open') reservation.state = 'released';
    if (failure) reservation.failure = failure;
  }

  #endClaim({ key, idempotencyKey, requestId }: ModelReservation): boolean {
    const name = nameOf(key, idempotencyKey);
    if (name === undefined) return false;
    if (this.reserved.get(name)?.value === requestId) this.reserved.delete(name);
    return this.running.get(name)?.value === requestId && this.running.delete(name);
  }

  /** Reservations that count against the quota of a month. */
  open(pool: Pool, month?: string): ModelReservation[] {
    return this.#inMonth(pool, month).filter(({ state }) => state === 'open');
  }

  /** The months that the pool has had reservations in. */
  months(pool: Pool): string[] {
    return [...new Set(this.#inMonth(pool).map(({ at }) => monthOf(at)))];
  }

  usage(pool: Pool, month: string): MonthUsage {
    const all = this.#inMonth(pool, month);
    const [year = 0, number = 0] = month.split('-').map(Number);
    return {
      month,
      used: all.filter(({ state }) => state === 'settled').length,
      renewsAt: new Date(Date.UTC(year, number)).toISOString(),
      days: readDays(all),
      keys: readKeys(all.filter(({ state }) => state === 'settled')),
    };
  }

  /** The live conversions of a month that were settled, in the order of their settlement. */
  ledger(account: string, month: string): LedgerEntry[] {
    return this.#settled
      .filter(({ key, at }) => isIn({ account, environment: 'live' }, key) && monthOf(at) === month)
      .map(({ requestId, key, at, figures = nothing }) => ({
        requestId,
        account,
        key: key.id,
        pages: figures.pages,
        bytesIn: figures.bytesIn,
        bytesOut: figures.bytesOut,
        durationMs: figures.durationMs,
        at: new Date(at).toISOString(),
      }));
  }

  windows(key: KeyLocation): WindowState[] {
    const { perSecond, perHour, perDay } = this.limitsOf(key);
    const limits = { second: perSecond, hour: perHour, day: perDay };
    return windowNames.flatMap((name) => {
      const limit = limits[name];
      if (limit === null) return [];
      const { start, count } = this.#window(key, name);
      const length = windowLengths[name];
      return [{ name, limit, remaining: Math.max(0, limit - count), resetsAt: start + length, length }];
    });
  }

  #decide(
    key: KeyLocation,
    conversion: string | undefined,
    name: string | undefined,
  ): 'admitted' | 'suspended' | 'rate' | 'running' | 'quota' {
    if (this.suspended.get(key.account)) return 'suspended';
    if (this.windows(key).some(({ remaining }) => remaining === 0)) return 'rate';
    if (name && this.running.has(name)) return 'running';
    if (conversion === undefined || (name && this.done.has(name))) return 'admitted';
    for (const reservation of this.open(key)) {
      if (reservation.deadline <= this.now) reservation.state = 'expired';
    }
    const former = this.reserved.get(name ?? '')?.value;
    for (const reservation of this.open(key)) {
      if (reservation.requestId === former) reservation.state = 'replaced';
    }
    this.reserved.delete(name ?? '');
    const { perMonth } = this.limitsOf(key);
    const month = monthOf(this.now);
    const taken = this.usage(key, month).used + this.open(key, month).length;
    return perMonth !== null && taken >= perMonth ? 'quota' : 'admitted';
  }

  /** The window that counts now: after a step back of the clock the last one that counted goes on. */
  #window(key: KeyLocation, name: WindowName): { start: number; count: number } {
    const length = windowLengths[name];
    const starts = this.#admitted
      .filter(({ owner }) => owner === windowOwner(key))
      .map((one) => one.starts[name]);
    const start = Math.max(Math.floor(this.now / 1000 / length) * length, ...starts);
    return { start, count: starts.filter((one) => one === start).length };
  }

  #standing(key: KeyLocation): Standing {
    const month = monthOf(this.now);
    const ownLimits = this.#ownLimits(key);
    return {
      at: this.now,
      plan: this.plans.get(key.account) ?? '',
      isolation: 'account',
      ...(ownLimits.length > 0 && { ownLimits }),
      windows: this.windows(key),
      month,
      used: this.usage(key, month).used,
      quota: this.limitsOf(key).perMonth,
    };
  }

  #inMonth(pool: Pool, month?: string): ModelReservation[] {
    return this.reservations.filter(
      ({ key, at }) => isIn(pool, key) && (month === undefined || monthOf(at) === month),
    );
  }
}

/** The live keys of an account share their windows; a test key has its own. */
export function windowOwner({ account, id, environment }: KeyLocation): string {
  return environment === 'live' ? account : id;
}

/** An idempotency key of a pool. */
export function nameOf(
  { account, environment }: Pool,
  idempotencyKey: string | undefined,
): string | undefined {
  return idempotencyKey && `${account} ${environment} ${idempotencyKey}`;
}

export function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}

function isIn({ account, environment }: Pool, key: KeyLocation): boolean {
  return key.account === account && key.environment === environment;
}

const nothing: PdfFigures = { pages: 0, bytesIn: 0, bytesOut: 0, durationMs: 0 };

/** The days with a conversion or a failure. */
function readDays(reservations: readonly ModelReservation[]): DayUsage[] {
  const days = new Map<string, DayUsage>();
  for (const { at, state, figures, failure } of reservations) {
    if (state !== 'settled' && failure === undefined) continue;
    const date = new Date(at).toISOString().slice(0, 10);
    const day = days.get(date) ?? { date, conversions: 0, pages: 0, bytesIn: 0, bytesOut: 0, failures: {} };
    const { pages, bytesIn, bytesOut } = figures ?? nothing;
    const failed = failure === undefined ? {} : { [failure]: (day.failures[failure] ?? 0) + 1 };
    days.set(date, {
      date,
      conversions: day.conversions + (state === 'settled' ? 1 : 0),
      pages: day.pages + pages,
      bytesIn: day.bytesIn + bytesIn,
      bytesOut: day.bytesOut + bytesOut,
      failures: { ...day.failures, ...failed },
    });
  }
  return [...days.values()].sort((a, b) => a.date.localeCompare(b.date));
}

/** What each key made; the model knows no names of keys. */
function readKeys(settled: readonly ModelReservation[]): MonthUsage['keys'] {
  const ids = [...new Set(settled.map(({ key }) => key.id))];
  const keys = ids.map((id) => {
    const own = settled.filter(({ key }) => key.id === id);
    const pages = own.reduce((sum, { figures = nothing }) => sum + figures.pages, 0);
    return { key: id, name: null, display: null, conversions: own.length, pages };
  });
  return keys.sort((a, b) => b.conversions - a.conversions || a.key.localeCompare(b.key));
}
