/** A day's traffic: documents that come by chance at a given rate, as conversions and as jobs. */
import { setTimeout as delay } from 'node:timers/promises';
import type { BadClients } from './bad-clients.ts';
import type { Books } from './books.ts';
import type { Clients, Customer } from './clients.ts';
import type { DayDocument, Deck } from './documents.ts';
import type { Chance } from './random.ts';

/** Documents under way, files of jobs included: beyond that, the next one waits. */
const MOST_UNDER_WAY = 12;
/** Of arrivals: jobs, and conversions with test keys or without a key. */
const JOBS = 0.08;
const UNBILLED = 0.004;
/** Bad clients for each arrival. */
const BAD = 0.03;
const MOST_FILES = 8;
/** Wait for what is under way at the end. */
const LAST_MS = 600_000;

interface Load {
  /** Documents in all, and the time for them. */
  readonly documents: number;
  readonly milliseconds: number;
}

interface TrafficParts {
  readonly books: Books;
  readonly clients: Clients;
  readonly bad: BadClients;
  readonly customers: readonly Customer[];
  readonly deck: Deck;
  readonly chance: Chance;
}

export class Traffic {
  readonly #books: Books;
  readonly #clients: Clients;
  readonly #bad: BadClients;
  readonly #customers: readonly Customer[];
  readonly #deck: Deck;
  readonly #chance: Chance;
  readonly #running = new Set<Promise<void>>();
  #underWay = 0;
  /** Documents that were sent so far. */
  sent = 0;

  constructor(parts: TrafficParts) {
    this.#books = parts.books;
    this.#clients = parts.clients;
    this.#bad = parts.bad;
    this.#customers = parts.customers;
    this.#deck = parts.deck;
    this.#chance = parts.chance;
  }

  /** Sends documents until there are enough or the time is over, and waits for the end of each. */
  async run({ documents, milliseconds }: Load, isOver: () => boolean): Promise<void> {
    const start = performance.now();
    const meanMs = milliseconds / documents;
    let next = start;
    while (this.sent < documents && performance.now() - start < milliseconds && !isOver()) {
      const files = this.#chance.is(JOBS) ? this.#chance.whole(1, MOST_FILES) : 0;
      const size = Math.max(1, files);
      while (this.#underWay > 0 && this.#underWay + size > MOST_UNDER_WAY) await delay(5);
      if (performance.now() < next) await delay(next - performance.now());
      next += this.#chance.interval(meanMs) * size;
      this.sent += size;
      this.#begin(size, () => this.#arrival(files));
      if (this.#chance.is(BAD)) this.#begin(0, () => this.#bad.misbehave(this.#deck.next()));
    }
    await Promise.race([Promise.all(this.#running), delay(LAST_MS, undefined, { ref: false })]);
    if (this.#running.size > 0) throw new Error(`${this.#running.size} clients do not come to an end`);
  }

  async #arrival(files: number): Promise<void> {
    const customer = this.#chance.one(this.#customers);
    const documents: DayDocument[] = Array.from({ length: Math.max(1, files) }, () => this.#deck.next());
    if (files > 0) return this.#clients.job(customer, documents);
    const [document] = documents as [DayDocument];
    if (this.#chance.is(UNBILLED)) return this.#clients.convertUnbilled(customer, document);
    return this.#clients.convert(customer, document);
  }

  #begin(size: number, act: () => Promise<void>): void {
    this.#underWay += size;
    const running = act()
      .catch((error: Error) => this.#books.fault(`a client failed: ${error.stack}`))
      .finally(() => {
        this.#underWay -= size;
        this.#running.delete(running);
      });
    this.#running.add(running);
  }
}
