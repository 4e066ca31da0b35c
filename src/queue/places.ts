/** A bounded number of places, and who gives way where all are taken. */
import { GUESTS, type Turn } from './sender.ts';
import { Turns } from './turns.ts';

/** Live senders and guests, each in their turns. The probe needs no place. */
export class Places<T extends { readonly turn: Turn }> {
  readonly live = new Turns<T>();
  readonly guests = new Turns<T>();
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

  /** @param size what it goes by among those of its sender, the smaller first. */
  add(item: T, size: number): void {
    this.#group(item.turn)?.add(item.turn.path, item, size);
  }

  delete(item: T): void {
    this.#group(item.turn)?.delete(item.turn.path, item);
  }

  /**
   * Of whom one gives way to a newcomer when every place is taken: live work takes places from guests who have more
   * than their share; else an account takes them from one that has more than it.
   *
   * @param coming how many more places the newcomer's account is about to have than it has.
   * @returns all of that sender's, in order of arrival; none when the newcomer itself is the one to give way.
   */
  rivals(turn: Turn, coming: number): T[] {
    const { group, path } = turn;
    if (group === 'live' && this.guests.size > this.limit * this.#guestShare) return this.guests.lineOfMost();
    return this.#group(turn)?.rivals(path, coming) ?? [];
  }

  /** All of the sender's, in order of arrival. */
  ofSender(turn: Turn): T[] {
    return this.#group(turn)?.lineAt(turn.path) ?? [];
  }

  #group({ group }: Turn): Turns<T> | undefined {
    if (group === 'probe') return undefined;
    return group === GUESTS ? this.guests : this.live;
  }
}
