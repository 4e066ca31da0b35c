/**
 * The places of uploads that are on their way. Where all are taken, one of them gives way to a newcomer, or the newcomer is
 * refused. The first of these that there is gives way:
 *
 * 1. of the sender that has more places than the newcomer's, the upload that has been silent the longest, if it has
 *    been silent for {@link STALLED_MS};
 * 2. likewise of the newcomer's own account, but not one of a secret key to a public one;
 * 3. of all, the upload that has been silent the longest, if it has been silent for {@link GONE_MS};
 * 4. the newest upload of the sender that has more;
 * 5. to a secret key, the newest upload with a public key of its account, if those have more than their share.
 *
 * Active uploads end as quickly as their clients send, so an account never loses them to its own next one.
 */
import { Places } from './places.ts';
import type { Sender, Turn } from './sender.ts';

/** After such a silence an upload gives way to its own account, and to one that has fewer places. */
export const STALLED_MS = 2_000;
/** After such a silence its client is as good as gone: it gives way to anybody. */
export const GONE_MS = 10_000;
/** The share of the places that guests keep against live work, and public keys against the secret keys of their account. */
const MINOR_SHARE = 1 / 4;

/** An upload that holds a place. */
export interface UploadPlace {
  readonly sender: Sender;
  readonly turn: Turn;
  /** When it began, as `performance.now()` counts. */
  readonly since: number;
  /** For how long its client has sent nothing, in milliseconds; 0 once all has arrived. */
  readonly silentMs: number;
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
      mostSilent(rivals, STALLED_MS) ??
      mostSilent(this.#own(newcomer), STALLED_MS) ??
      mostSilent(this.#all, GONE_MS) ??
      this.#excessPublic(rivals) ??
      rivals.at(-1) ??
      (hasPublicKey(newcomer) ? undefined : this.#excessPublic(this.#own(newcomer)))
    );
  }

  /**
   * When a newcomer to whom nobody gives way now may expect a place, in milliseconds from now. A silent upload gives way
   * when it has been silent for long enough. One that goes on is expected to take as long again as it has so far. None
   * outlasts its time limit.
   */
  expectedMs(newcomer: Newcomer): number {
    const now = performance.now();
    const own = new Set(this.#own(newcomer));
    let expected = Number.POSITIVE_INFINITY;
    for (const upload of this.#all) {
      const ageMs = now - upload.since;
      const limitMs = own.has(upload) ? STALLED_MS : GONE_MS;
      const leftMs = upload.silentMs > 0 ? limitMs - upload.silentMs : ageMs;
      expected = Math.min(expected, Math.max(0, leftMs), Math.max(0, this.#timeoutMs - ageMs));
    }
    return expected;
  }

  /** The uploads of the newcomer's own account, or network, that may give way to it. */
  #own(newcomer: Newcomer): T[] {
    const own = this.#places.ofSender(newcomer.turn);
    return hasPublicKey(newcomer) ? own.filter(hasPublicKey) : own;
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

/** Of several that have been silent for as long, the one that began first. */
function mostSilent<T extends UploadPlace>(uploads: Iterable<T>, leastMs: number): T | undefined {
  let found: T | undefined;
  for (const upload of uploads) {
    if (upload.silentMs >= leastMs && upload.silentMs > (found?.silentMs ?? 0)) found = upload;
  }
  return found;
}
