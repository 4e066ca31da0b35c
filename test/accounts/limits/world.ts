/** A history on the service's own code and real Redis, and on the model at once. */
import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import { limitKeys } from '../../../src/accounts/billing/redis-keys.ts';
import type { Reservation } from '../../../src/accounts/billing/reservation.ts';
import type { Settlement } from '../../../src/accounts/billing/settlement.ts';
import type { Usage } from '../../../src/accounts/billing/usage.ts';
import type { KeyLocation } from '../../../src/accounts/keys/locate.ts';
import type { KeyStore } from '../../../src/accounts/keys/store.ts';
import type { Admission, Verdict } from '../../../src/accounts/limits/admission.ts';
import { readCounts, windowStates } from '../../../src/accounts/limits/windows.ts';
import { type PlanLimits, testLimits } from '../../../src/accounts/plans/plans.ts';
import type { ClockedRedis } from '../../support/clocked-redis.ts';
import { type MonthStanding, Witness } from '../billing/witness.ts';
import { Model, type ModelReservation, monthOf, nameOf, type Pool, windowOwner } from './model.ts';
import { accounts, type KeyName, keyNames, type Operation, plans, stepClock } from './operations.ts';

/** No conversion is settled later than this after its admission; see IDS_KEPT_SECONDS in settlement.ts, which relies on it. */
const LAST_SETTLEMENT_MS = 30 * 86_400_000;

/** A server's part in it. */
interface Server {
  /** How long its reservations last, in milliseconds. */
  readonly reservationMs: number;
  readonly admission: Admission;
  readonly settlement: Settlement;
}

/** What a history happens to. */
interface Service {
  readonly redis: ClockedRedis;
  readonly servers: readonly Server[];
  /** Looks at what Redis keeps. */
  readonly observer: Redis;
  readonly usage: Usage;
  readonly store: KeyStore;
}

export class World {
  readonly #service: Service;
  readonly #start: number;
  readonly #model: Model;
  readonly #keys = new Map<KeyName, KeyLocation>();
  /** Conversions by what has become of them, each with the server that admitted it. */
  readonly #inFlight: { readonly reservation: ModelReservation; readonly server: Server }[] = [];
  readonly #lost: ModelReservation[] = [];
  readonly #settled: ModelReservation[] = [];
  readonly #released: ModelReservation[] = [];
  readonly #witness = new Witness();
  #requests = 0;

  private constructor(service: Service, start: number) {
    this.#service = service;
    this.#start = start;
    this.#witness.clock(start);
    this.#model = new Model(start, (plan, environment) =>
      environment === 'test' ? testLimits(plans) : (plans.get(plan) as PlanLimits),
    );
  }

  /** Forgets everything, and begins anew at a moment, with all accounts on one plan. */
  static async create(service: Service, start: number, plan: string): Promise<World> {
    const world = new World(service, start);
    const { redis, observer, store } = service;
    redis.setClock(start);
    await observer.flushall();
    for (const id of accounts) {
      await store.createAccount({ id, name: id, plan });
      world.#model.plans.set(id, plan);
    }
    for (const name of keyNames) {
      const [account = '', environment] = name.split(' ') as [string, KeyLocation['environment']];
      const { id } = await store.createKey({ account, name, environment, type: 'sk' });
      world.#keys.set(name, { account, id, environment });
    }
    return world;
  }

  async perform(operation: Operation): Promise<void> {
    switch (operation.op) {
      case 'admit':
        return this.#admit(operation);
      case 'settle':
        return this.#settle(operation);
      case 'release':
        return this.#release(operation);
      case 'crash':
        return this.#crash(this.#serverOf(operation));
      case 'plan':
        await this.#service.store.setPlan(operation.account, operation.plan);
        this.#model.plans.set(operation.account, operation.plan);
        return;
      case 'limit': {
        const { account, limit, value } = operation;
        const { changes } = this.#service.store;
        if (value === undefined) await changes.removeLimit(account, limit);
        else await changes.setLimit(account, { limit, value, from: null, until: null });
        this.#model.setLimit(account, limit, value);
        return;
      }
      case 'suspend':
        await this.#service.store.changes.setSuspended(operation.account, operation.isSuspended);
        this.#model.suspended.set(operation.account, operation.isSuspended);
        return;
      case 'clock':
        this.#model.setClock(this.#model.after(stepClock(this.#model.now, this.#start, operation)));
        this.#witness.clock(this.#model.now);
        this.#service.redis.setClock(this.#model.now);
        // Redis lets go of what has expired when it is asked for it, or some time later.
        await this.#service.observer.exists(...pools.flatMap((pool) => idempotencyNames(pool)));
        return;
    }
  }

  /** All that Redis keeps is what the model says. */
  async check(): Promise<void> {
    await Promise.all([
      ...pools.map((pool) => this.#checkPool(pool)),
      ...[...this.#keys.values()].map((key) => this.#checkWindows(key)),
    ]);
  }

  async #admit({
    key: name,
    conversion,
    requests,
    idempotencyKey,
    ...rest
  }: Extract<Operation, { op: 'admit' }>): Promise<void> {
    const key = this.#keys.get(name) as KeyLocation;
    const answers = await Promise.all(
      Array.from({ length: requests }, async (_, n) => {
        const id = `req_${this.#requests++}`;
        const server = this.#serverOf({ server: rest.server + n });
        const request = { key, address: '192.0.2.1', permission: 'convert' as const };
        const verdict = await server.admission.admit({
          ...request,
          ...(conversion && { idempotencyKey }),
          conversion: conversion ? id : undefined,
        });
        return { id, server, verdict };
      }),
    );
    // Equal requests at one moment: only their order is open, and what they were told says it.
    for (const { id, server, verdict } of answers.sort((a, b) => order(a.verdict) - order(b.verdict))) {
      const expected = this.#model.admit(
        key,
        conversion ? id : undefined,
        server.reservationMs,
        idempotencyKey,
      );
      assert.deepEqual(verdict, expected);
      this.#witness.hear(windowOwner(key), verdict);
      const repeats = 'settled' in verdict;
      if (conversion && !repeats) this.#witness.hearConversion(verdict, this.#standing(key));
      const reservation = this.#model.reservations.at(-1);
      if (reservation?.requestId === id) this.#inFlight.push({ reservation, server });
    }
    await this.#checkPool(key);
    await this.#checkWindows(key);
  }

  async #settle({ of, pick, twice, as, ...rest }: Extract<Operation, { op: 'settle' }>): Promise<void> {
    const list = {
      'in flight': this.#inFlight.map((one) => one.reservation),
      lost: this.#lost,
      settled: this.#settled,
    };
    const reservation = pickOf(list[of], pick);
    if (!reservation) return;
    // Its bill knows that it is one.
    if (reservation.state === 'repetition') return;
    if (this.#model.now > reservation.at + LAST_SETTLEMENT_MS) return;
    const settle = ({ settlement }: Server) => settlement.settle(asReservation(reservation), as);
    await Promise.all((twice ? this.#service.servers : [this.#serverOf(rest)]).map(settle));
    this.#model.settle(reservation, as);
    this.#forget(reservation);
    if (!this.#settled.includes(reservation)) this.#settled.push(reservation);
    await this.#checkPool(reservation.key);
  }

  async #release({ of, pick, failure, ...rest }: Extract<Operation, { op: 'release' }>): Promise<void> {
    const list = {
      'in flight': this.#inFlight.map((one) => one.reservation),
      released: this.#released,
      settled: this.#settled,
    };
    const reservation = pickOf(list[of], pick);
    if (!reservation) return;
    const code = failure === '' ? undefined : failure;
    await this.#serverOf(rest).settlement.release(asReservation(reservation), code);
    this.#model.release(reservation, code);
    this.#forget(reservation);
    if (of === 'in flight') this.#released.push(reservation);
    await this.#checkPool(reservation.key);
  }

  /** Nobody hears how its conversions ended, unless it had told Redis already, which did it later. */
  #crash(dead: Server): void {
    for (const { reservation, server } of [...this.#inFlight]) {
      if (server !== dead) continue;
      this.#forget(reservation);
      this.#lost.push(reservation);
    }
  }

  #serverOf({ server }: { readonly server: number }): Server {
    const { servers } = this.#service;
    return servers[server % servers.length] as Server;
  }

  #standing(key: KeyLocation): MonthStanding {
    const month = monthOf(this.#model.now);
    return {
      used: this.#model.usage(key, month).used,
      deadlines: this.#model.open(key, month).map(({ deadline }) => deadline),
      quota: this.#model.limitsOf(key).perMonth,
    };
  }

  #forget(reservation: ModelReservation): void {
    const flying = this.#inFlight.findIndex((one) => one.reservation === reservation);
    if (flying >= 0) this.#inFlight.splice(flying, 1);
    const lost = this.#lost.indexOf(reservation);
    if (lost >= 0) this.#lost.splice(lost, 1);
  }

  async #checkPool(pool: Pool): Promise<void> {
    const { observer, usage } = this.#service;
    const { account, environment } = pool;
    const reservations = await observer.zrange(
      limitKeys.reservations(account, environment),
      0,
      '-1',
      'WITHSCORES',
    );
    const open = this.#model
      .open(pool)
      .map(({ requestId, at, deadline }) => [`${monthOf(at)} ${requestId}`, deadline]);
    assert.deepEqual(pairs(reservations), Object.fromEntries(open), 'reservations');
    const known = ['one', 'other'].flatMap((key) => {
      const name = nameOf(pool, key) ?? '';
      const { running, done, reserved } = this.#model;
      return [running, done, reserved].map((map) => map.get(name)?.value ?? null);
    });
    // Of a reservation the id of its request: its month is in the list of the reservations.
    const values = (await observer.mget(idempotencyNames(pool))).map(
      (value) => value?.split(' ').at(-1) ?? null,
    );
    assert.deepEqual(values, known, 'idempotency keys');
    await Promise.all(
      this.#model.months(pool).map(async (month) => {
        const reserved = await observer.hget(limitKeys.months(account, environment), `reserved:${month}`);
        assert.equal(Number(reserved ?? 0), this.#model.open(pool, month).length, `reserved in ${month}`);
        const figures = await usage.month(account, environment, month);
        const keys = figures.keys.map((each) => ({ ...each, name: null, display: null }));
        assert.deepEqual({ ...figures, keys }, this.#model.usage(pool, month));
        const sum = figures.days.reduce((total, { conversions }) => total + conversions, 0);
        assert.equal(sum, figures.used, 'use is the sum of the days');
        if (environment === 'test') return;
        const entries = [];
        for await (const entry of usage.ledger(account, month)) entries.push(entry);
        assert.deepEqual(entries, this.#model.ledger(account, month), 'the ledger');
        assert.equal(entries.length, figures.used, 'the ledger is the use');
      }),
    );
  }

  async #checkWindows(key: KeyLocation): Promise<void> {
    const { observer } = this.#service;
    const { account, id, environment } = key;
    const name =
      environment === 'live' ? limitKeys.accountWindows(account) : limitKeys.familyWindows(account, id);
    const counts = readCounts(await observer.hgetall(name), Math.floor(this.#model.now / 1000));
    assert.deepEqual(windowStates(this.#model.limitsOf(key), counts), this.#model.windows(key));
  }
}

function pickOf<T>(list: readonly T[], pick: number): T | undefined {
  return list[pick % list.length];
}

/** What a server knows of it. */
function asReservation({ requestId, key, at, idempotencyKey }: ModelReservation): Reservation {
  return { requestId, key, at, idempotencyKey };
}

const pools = accounts.flatMap((account) =>
  (['live', 'test'] as const).map((environment) => ({ account, environment })),
);

/** The names in Redis of all that may be known of a pool's idempotency keys. */
function idempotencyNames({ account, environment }: Pool): string[] {
  return ['one', 'other'].flatMap((key) => [
    limitKeys.running(account, environment, key),
    limitKeys.done(account, environment, key),
    limitKeys.reserved(account, environment, key),
  ]);
}

/**
 * Of equal requests at one moment, the ones that were admitted come first, then those that found one of them running,
 * and each leaves less than the one before.
 */
function order(verdict: Verdict): number {
  if (verdict.outcome !== 'admitted' && verdict.outcome !== 'running') return 1;
  return (
    (verdict.outcome === 'admitted' ? -1_000 : -1) -
    verdict.windows.reduce((sum, { remaining }) => sum + remaining, 0)
  );
}

function pairs(flat: readonly string[]): Record<string, number> {
  const result: Record<string, number> = {};
  for (let index = 0; index < flat.length; index += 2) result[flat[index] ?? ''] = Number(flat[index + 1]);
  return result;
}
