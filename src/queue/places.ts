/** A bounded number of places, and who gives way when all are taken. */
import { RoundRobin } from './round-robin.ts';
import { GUESTS, JOBS, PROBE, type Turn } from './sender.ts';

/** Live senders and guests, in separate rotations. The probe and files of jobs need no place. */
export class Places<T extends { readonly turn: Turn }> {
  readonly live = new RoundRobin<T>();
  readonly guests = new RoundRobin<T>();
  readonly limit: number;
  readonly #guestShare: number;

  /** @param guestShare the share of the places that guests keep when live work wants them. */
  constructor(limit: number, guestShare: number) {
    this.limit = limit;
    this.#guestShare = guestShare;
  }

  get size(): number {
    return this.live.size + this.guests.size;
  }

  /** @param size the order among items of one sender: the smaller first. */
  add(item: T, size: number): void {
    this.#group(item.turn)?.add(item.turn.path, item, size);
  }

  delete(item: T): void {
    this.#group(item.turn)?.delete(item.turn.path, item);
  }

  /**
   * The items from which one is evicted for a newcomer when every place is taken: live work takes places from guests above
   * their share; otherwise an account takes them from one that has more than itself.
   *
   * @param coming how many places the newcomer's account is about to take.
   * @returns all items of one sender, in order of arrival; none if the newcomer itself is to be refused.
   */
  evictionCandidates(turn: Turn, coming: number): T[] {
    const { group, path } = turn;
    if (group === 'live' && this.guests.size > this.limit * this.#guestShare) return this.guests.lineOfMost();
    return this.#group(turn)?.evictionCandidates(path, coming) ?? [];
  }

  /** All items of the sender, in order of arrival. */
  ofSender(turn: Turn): T[] {
    return this.#group(turn)?.lineAt(turn.path) ?? [];
  }

  #group({ group }: Turn): RoundRobin<T> | undefined {
    if (group === PROBE || group === JOBS) return undefined;
    return group === GUESTS ? this.guests : this.live;
  }
}
