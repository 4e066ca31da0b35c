/**
 * Places of uploads in progress. When all are taken, one of them gives way to a newcomer, or the newcomer is refused. The
 * first of these that exists gives way:
 *
 * 1. of a sender with more places than the newcomer's: the upload stalled longest, for at least {@link STALLED_MS};
 * 2. the same of the newcomer's own account, except a secret key's upload for a public key;
 * 3. of all uploads: the one stalled longest, for at least {@link GONE_MS};
 * 4. the newest upload of a sender with more places;
 * 5. the newest upload with a public key of an account whose public keys exceed their share: for a secret key of that
 *    account; and, if it is the account with the most uploads, for a guest while guests are below their share. So a key that
 *    anybody may know cannot keep out all guests. A secret key's upload gives way to guests only once its client is as good
 *    as gone.
 *
 * Active uploads end as fast as their clients send, so an account never loses one to its own next upload.
 */
import { Places } from './places.ts';
import { GUESTS, type Sender, type Turn } from './sender.ts';
import type { UploadProgress } from './upload-progress.ts';

/** An upload stalled for this long gives way to its own account, and to senders with fewer places. */
export const STALLED_MS = 2_000;
/** An upload stalled for this long gives way to anybody: its client is as good as gone. */
export const GONE_MS = 10_000;
/** The share of the places that guests keep against live work, and public keys against secret keys and guests. */
const MINOR_SHARE = 1 / 4;

/** An upload that holds a place. */
export interface UploadPlace {
  readonly sender: Sender;
  readonly turn: Turn;
  /** When it began, by `performance.now()`. */
  readonly since: number;
  readonly progress: UploadProgress;
}

type Newcomer = Pick<UploadPlace, 'sender' | 'turn'>;

export class UploadPlaces<T extends UploadPlace> {
  readonly #limit: number;
  readonly #timeoutMs: number;
  readonly #places: Places<T>;
  /** In order of start; includes the probe's, which needs no place. */
  readonly #all = new Set<T>();

  /**
   * @param limit number of places.
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

  /** The turns of uploads that began after the moment. */
  turnsSince(moment: number): Turn[] {
    return [...this.#all].filter(({ since }) => since > moment).map(({ turn }) => turn);
  }

  /** The upload that gives way to a newcomer when all places are taken; undefined if none does. */
  evictionCandidate(newcomer: Newcomer): T | undefined {
    const candidates = this.#places.evictionCandidates(newcomer.turn, 1);
    return (
      mostStalled(candidates, STALLED_MS) ??
      mostStalled(this.#own(newcomer), STALLED_MS) ??
      mostStalled(this.#all, GONE_MS) ??
      this.#excessPublic(candidates) ??
      candidates.at(-1) ??
      this.#excessPublic(this.#lenders(newcomer))
    );
  }

  /**
   * When a refused newcomer may expect a place, in milliseconds from now: when the first upload ends at its rate so far. An
   * upload without a rate is assumed to stall from now on until it gives way. None outlasts its time limit.
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

  /** Uploads of the newcomer's own account or network that may give way to it. */
  #own(newcomer: Newcomer): T[] {
    const own = this.#places.ofSender(newcomer.turn);
    return hasPublicKey(newcomer) ? own.filter(hasPublicKey) : own;
  }

  /** Uploads of the account whose public keys lend their excess to the newcomer. */
  #lenders(newcomer: Newcomer): readonly T[] {
    const { live, guests } = this.#places;
    if (newcomer.turn.group !== GUESTS) return hasPublicKey(newcomer) ? [] : this.#own(newcomer);
    return guests.size + 1 <= this.#limit * MINOR_SHARE ? live.lineOfMost() : [];
  }

  /** The newest upload with a public key, if those of this account exceed their share. */
  #excessPublic(uploads: readonly T[]): T | undefined {
    const some = uploads.filter(hasPublicKey);
    return some.length > this.#limit * MINOR_SHARE ? some.at(-1) : undefined;
  }
}

function hasPublicKey({ sender }: Newcomer): boolean {
  return sender.class === 'live' && sender.keyType === 'pk';
}

/** The upload stalled longest; of equal ones, the one that began first. */
function mostStalled<T extends UploadPlace>(uploads: Iterable<T>, leastMs: number): T | undefined {
  let found: T | undefined;
  for (const upload of uploads) {
    const { stalledMs } = upload.progress;
    if (stalledMs >= leastMs && stalledMs > (found?.progress.stalledMs ?? 0)) found = upload;
  }
  return found;
}
