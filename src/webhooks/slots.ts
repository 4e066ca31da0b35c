/** Bounds how many deliveries run at a time, per lane, so that a slow endpoint does not take the place of others. */

/** Most entries that are known to wait for a lane; further ones come back by themselves. */
const MAX_PARKED = 1_000;

export class Slots {
  readonly #bounds: Readonly<Record<string, number>>;
  readonly #running = new Map<string, number>();
  readonly #parked = new Map<string, string[]>();

  /** @param bounds by the kind of a lane, the part of its name before the first space. */
  constructor(bounds: Readonly<Record<string, number>>) {
    this.#bounds = bounds;
  }

  /** Takes a slot in each of the lanes. @returns a lane that is full; then none is taken. */
  take(lanes: readonly string[]): string | undefined {
    const full = lanes.find((lane) => this.isFull(lane));
    if (full === undefined) for (const lane of lanes) this.#add(lane, 1);
    return full;
  }

  isFull(lane: string): boolean {
    const [kind = ''] = lane.split(' ', 1);
    return (this.#running.get(lane) ?? 0) >= (this.#bounds[kind] ?? 0);
  }

  /** Notes an entry that waits for the lane. */
  park(lane: string, entry: string): void {
    const parked = this.#parked.get(lane) ?? [];
    if (parked.length < MAX_PARKED) parked.push(entry);
    this.#parked.set(lane, parked);
  }

  /** Gives slots back. @returns entries that may run now. */
  leave(lanes: readonly string[]): string[] {
    for (const lane of lanes) this.#add(lane, -1);
    return lanes.map((lane) => this.next(lane)).filter((entry) => entry !== undefined);
  }

  /** The next entry that waits for the lane, if it has room. */
  next(lane: string): string | undefined {
    if (this.isFull(lane)) return undefined;
    const parked = this.#parked.get(lane);
    const entry = parked?.shift();
    if (parked?.length === 0) this.#parked.delete(lane);
    return entry;
  }

  #add(lane: string, change: number): void {
    const running = (this.#running.get(lane) ?? 0) + change;
    if (running > 0) this.#running.set(lane, running);
    else this.#running.delete(lane);
  }
}
