/** A bounded number of places, and who gives way where all are taken. */
import { GUESTS, type Turn } from './sender.ts';
import { Turns } from './turns.ts';

/** Live senders and guests, each in their turns. The probe needs no place. */
export class Places<T extends { readonly turn: Turn }> {
  readonly live = new Turns<T>();
  readonly guests = new Turns<T>();
  readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
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
   * Who gives way to a newcomer when every place is taken: live work takes places from guests who have more than
   * half of them; else an account takes them from one that has more than it, the newest first.
   *
   * @param coming how many more places the newcomer's account is about to have than it has.
   * @returns undefined when the newcomer itself is the one to give way.
   */
  rival({ group, path }: Turn, coming: number): T | undefined {
    if (group === 'live' && this.guests.size > this.limit / 2) return this.guests.newestOfMost();
    return group === GUESTS ? this.guests.rival(path, coming) : this.live.rival(path, coming);
  }

  #group({ group }: Turn): Turns<T> | undefined {
    if (group === 'probe') return undefined;
    return group === GUESTS ? this.guests : this.live;
  }
}
