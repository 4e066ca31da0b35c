/**
 * Bounds how many entries of a queue run at a time, per lane, so that slow lanes do not starve others. A lane gets its bound while
 * all others are idle, otherwise the same share of the places that they leave: so the next lane finds a place.
 */
import type { Job as Entry } from 'bullmq';

/** Most entries that are parked for the same lanes; further ones return by themselves. */
const MAX_PARKED = 1_000;
/** Shortest time until a parked entry returns by itself, and the number of parked entries that doubles it. */
export const PARKED_MS = 15_000;
const PARKED_SLOWER = 25;
/** How often parked entries are checked: those that this process promoted may have run in another process. */
const WAKE_MS = 250;

interface SlotsOptions {
  /** Entries that run at a time. */
  readonly places: number;
  /** Entries of one lane that run at a time, by its kind: the part of its name before the first space. */
  readonly bounds: Readonly<Record<string, number>>;
  /** Shortest time that an entry is parked, in milliseconds, unless an entry of this process ends; see {@link PARKED_MS}. */
  readonly parkedMs?: number;
  readonly wakeMs?: number;
  /** Priority of entries that waited, if theirs was higher. */
  readonly parkedPriority?: number;
  /** Starts a parked entry. Returns false if it is no longer parked. */
  readonly promote: (id: string) => Promise<boolean>;
}

type Parkable = Pick<Entry, 'id' | 'priority' | 'changePriority' | 'moveToDelayed'>;

/** Entries that wait for the same lanes, in the order in which they came. */
interface Parked {
  readonly lanes: readonly string[];
  readonly ids: Set<string>;
}

export class Slots {
  readonly #options: SlotsOptions;
  readonly #running = new Map<string, number>();
  /** By the first of their lanes, then by all: one account may have entries for thousands of hosts. */
  readonly #parked = new Map<string, Map<string, Parked>>();
  readonly #timer: NodeJS.Timeout;
  #taken = 0;

  constructor(options: SlotsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#wake(), options.wakeMs ?? WAKE_MS).unref();
  }

  /** Starts no more parked entries. */
  close(): void {
    clearInterval(this.#timer);
    this.#parked.clear();
  }

  /**
   * Does the work of an entry if its lanes have room.
   *
   * @param lanes the widest first.
   * @throws DelayedError if they have none: it is put off until they have.
   */
  async run<R>(
    entry: Parkable,
    token: string | undefined,
    lanes: readonly string[],
    work: () => Promise<R>,
  ): Promise<R> {
    // It may have come back by itself. Without room it keeps its turn.
    if (!this.#hasRoom(lanes)) await this.#park(entry, token, lanes);
    const former = this.#parkedFor(lanes);
    if (former?.ids.delete(String(entry.id))) this.#keep(former);
    this.#take(lanes, 1);
    try {
      return await work();
    } finally {
      this.#take(lanes, -1);
      void this.#wake();
    }
  }

  /** @throws DelayedError */
  async #park(entry: Parkable, token: string | undefined, lanes: readonly string[]): Promise<never> {
    const { parkedMs = PARKED_MS, parkedPriority = 0 } = this.#options;
    if (entry.priority < parkedPriority) await entry.changePriority({ priority: parkedPriority });
    const waiting = this.#parkedFor(lanes)?.ids.size ?? 0;
    const waitMs = parkedMs * (1 + Math.random()) * (1 + waiting / PARKED_SLOWER);
    await entry.moveToDelayed(Date.now() + waitMs, token);
    const parked = this.#parkedFor(lanes) ?? { lanes, ids: new Set() };
    if (parked.ids.size < MAX_PARKED) parked.ids.add(String(entry.id));
    this.#keep(parked);
    // There may be room by now.
    if (this.#hasRoom(lanes)) void this.#wake();
    const { DelayedError } = await import('./bullmq.ts');
    throw new DelayedError();
  }

  #parkedFor(lanes: readonly string[]): Parked | undefined {
    return this.#parked.get(lanes[0] ?? '')?.get(lanes.join());
  }

  /** Keeps the list while it has entries; a new list goes after the others. */
  #keep(parked: Parked): void {
    const { lanes, ids } = parked;
    const [widest = ''] = lanes;
    const all = this.#parked.get(widest) ?? new Map<string, Parked>();
    if (ids.size > 0) all.set(lanes.join(), parked);
    else all.delete(lanes.join());
    if (all.size > 0) this.#parked.set(widest, all);
    else this.#parked.delete(widest);
  }

  /** Starts the next parked entry: one whose lanes have room and the lowest load. Never rejects. */
  async #wake(): Promise<void> {
    for (;;) {
      const next = this.#next();
      const [id] = next?.ids ?? [];
      if (!next || id === undefined) return;
      next.ids.delete(id);
      // Round robin: these lanes are last next time.
      this.#parked.get(next.lanes[0] ?? '')?.delete(next.lanes.join());
      this.#keep(next);
      // After a failure it comes back by itself.
      if (await this.#options.promote(id).catch(() => true)) return;
    }
  }

  #next(): Parked | undefined {
    let next: Parked | undefined;
    for (const [widest, all] of this.#parked) {
      if (!this.#hasRoom([widest])) continue;
      for (const parked of all.values()) {
        const isLess = !next || this.#load(parked.lanes) < this.#load(next.lanes);
        if (isLess && this.#hasRoom(parked.lanes)) next = parked;
      }
    }
    return next;
  }

  #hasRoom(lanes: readonly string[]): boolean {
    const { places, bounds } = this.#options;
    return lanes.every((lane) => {
      const bound = Math.min(bounds[lane.slice(0, lane.indexOf(' '))] ?? places, places);
      return this.#load([lane]) * (places - bound) < bound * (places - this.#taken);
    });
  }

  #load(lanes: readonly string[]): number {
    return lanes.reduce((sum, lane) => sum + (this.#running.get(lane) ?? 0), 0);
  }

  #take(lanes: readonly string[], change: number): void {
    this.#taken += change;
    for (const lane of lanes) {
      const running = this.#load([lane]) + change;
      if (running > 0) this.#running.set(lane, running);
      else this.#running.delete(lane);
    }
  }
}
