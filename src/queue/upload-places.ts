/**
 * The places of uploads that are on their way. Where all are taken, one of them gives way to a newcomer, or the newcomer is
 * refused. The first of these that there is gives way:
 *
 * 1. of the sender that has more places than the newcomer's, the upload that has been stalled the longest, if it has
 *    been for {@link STALLED_MS};
 * 2. likewise of the newcomer's own account, but not one of a secret key to a public one;
 * 3. of all, the upload that has been stalled the longest, if it has been for {@link GONE_MS};
 * 4. the newest upload of the sender that has more;
 * 5. the newest upload with a public key of one account, if those have more than their share: to a secret key of that
 *    account; and, where it is the account with the most uploads, to a guest, until guests have their own share. So nobody
 *    keeps out all guests of the service with a key that anybody may know. A secret key's uploads never give way to guests
 *    before they are as good as gone.
 *
 * Active uploads end as quickly as their clients send, so an account never loses them to its own next one.
 */
import { Places } from './places.ts';
import { GUESTS, type Sender, type Turn } from './sender.ts';
import type { UploadProgress } from './upload-progress.ts';

/** When it has been stalled for so long, an upload gives way to its own account, and to one that has fewer places. */
export const STALLED_MS = 2_000;
/** When it has been stalled for so long, its client is as good as gone: it gives way to anybody. */
export const GONE_MS = 10_000;
/** The share of the places that guests keep against live work, and public keys against secret keys and guests. */
const MINOR_SHARE = 1 / 4;

/** An upload that holds a place. */
export interface UploadPlace {
  readonly sender: Sender;
  readonly turn: Turn;
  /** When it began, as `performance.now()` counts. */
  readonly since: number;
  readonly progress: UploadProgress;
}

type Newcomer = Pick<UploadPlace, 'sender' | 'turn'>;

export class UploadPlaces<T extends UploadPlace> {
  readonly #limit: number;
  readonly #timeoutMs: number;
  readonly #places: Places<T>;
  /** Those of the probe as well, which needs no place; in the order of their beginning. */
  readonly #all = new Set<T>();

  /**
   * @param limit how many there are.
   * @param timeoutMs how long an upload may take, in milliseconds.
   */
  constructor(limit: number, timeoutMs: number) {
    this.#limit = limit;
    this.#timeoutMs = timeoutMs;
    this.#places = new Places(limit, MINOR_SHARE);
  }

  get size(): number {
    return this.#all.size;
  }

  get isFull(): boolean {
    return this.#places.size >= this.#limit;
  }

  add(upload: T): void {
    this.#all.add(upload);
    this.#places.add(upload, 0);
  }

  delete(upload: T): void {
    this.#all.delete(upload);
    this.#places.delete(upload);
  }

  /** The turns of those that began after the moment. */
  turnsSince(moment: number): Turn[] {
    return [...this.#all].filter(({ since }) => since > moment).map(({ turn }) => turn);
  }

  /** Who gives way to a newcomer where all places are taken; undefined: nobody does. */
  loser(newcomer: Newcomer): T | undefined {
    const rivals = this.#places.rivals(newcomer.turn, 1);
    return (
      mostStalled(rivals, STALLED_MS) ??
      mostStalled(this.#own(newcomer), STALLED_MS) ??
      mostStalled(this.#all, GONE_MS) ??
      this.#excessPublic(rivals) ??
      rivals.at(-1) ??
      this.#excessPublic(this.#lenders(newcomer))
    );
  }

  /**
   * When a newcomer to whom nobody gives way now may expect a place, in milliseconds from now: when the first upload ends at
   * its rate so far. One without a rate gives way when it has been stalled for long enough, as if it were from now on. None
   * outlasts its time limit.
   */
  expectedMs(newcomer: Newcomer): number {
    const now = performance.now();
    const own = new Set(this.#own(newcomer));
    let expected = Number.POSITIVE_INFINITY;
    for (const upload of this.#all) {
      const { progress, since } = upload;
      const ageMs = now - since;
      const limitMs = own.has(upload) ? STALLED_MS : GONE_MS;
      const leftMs = progress.restMs(ageMs) ?? limitMs - progress.stalledMs;
      expected = Math.min(expected, Math.max(0, leftMs), Math.max(0, this.#timeoutMs - ageMs));
    }
    return expected;
  }

  /** The uploads of the newcomer's own account, or network, that may give way to it. */
  #own(newcomer: Newcomer): T[] {
    const own = this.#places.ofSender(newcomer.turn);
    return hasPublicKey(newcomer) ? own.filter(hasPublicKey) : own;
  }

  /** The account, by its uploads, whose public keys' excess is lent to the newcomer's kind. */
  #lenders(newcomer: Newcomer): readonly T[] {
    const { live, guests } = this.#places;
    if (newcomer.turn.group !== GUESTS) return hasPublicKey(newcomer) ? [] : this.#own(newcomer);
    return guests.size + 1 <= this.#limit * MINOR_SHARE ? live.lineOfMost() : [];
  }

  /** Of one account's uploads the newest with a public key, where those are more than their share. */
  #excessPublic(uploads: readonly T[]): T | undefined {
    const some = uploads.filter(hasPublicKey);
    return some.length > this.#limit * MINOR_SHARE ? some.at(-1) : undefined;
  }
}

function hasPublicKey({ sender }: Newcomer): boolean {
  return sender.class === 'live' && sender.keyType === 'pk';
}

/** Of several that have been stalled for as long, the one that began first. */
function mostStalled<T extends UploadPlace>(uploads: Iterable<T>, leastMs: number): T | undefined {
  let found: T | undefined;
  for (const upload of uploads) {
    const { stalledMs } = upload.progress;
    if (stalledMs >= leastMs && stalledMs > (found?.progress.stalledMs ?? 0)) found = upload;
  }
  return found;
}
