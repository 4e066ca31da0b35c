/** Rotation: a successor for a key, which keeps working for an overlap. */
import { OperatorError, PlatenError } from '../../errors.ts';
import { luaFiles } from '../../paths.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { Script } from '../../redis/script.ts';
import { deriveKey, displayKey, generateKey, generateSalt, hashKey, parseKey } from './format.ts';
import { parseKeyHash } from './key-hash.ts';
import type { KeyLocation } from './locate.ts';
import { keyMaker, type Maker } from './maker.ts';
import { hasEnded, KEPT_MS, type KeyRecord, MAX_KEPT_KEYS, newKeyId, TOO_MANY_KEYS } from './records.ts';
import { redisKeys } from './redis-keys.ts';
import type { CreatedKey, KeyStore } from './store.ts';

/** Longest overlap: 7 days, in seconds. */
export const MAX_OVERLAP_SECONDS = 604_800;
export const DEFAULT_OVERLAP_SECONDS = 86_400;
/**
 * Rotations per day (UTC) by an account's own keys. Plans may have no rate windows, so nothing else would stop a loop.
 */
export const ROTATIONS_PER_DAY = 100;

export interface RotatedKey {
  readonly successor: CreatedKey;
  /** Whether an earlier call made the successor, and this one only returns it again. */
  readonly repeated: boolean;
  readonly previous: {
    readonly id: string;
    /** ISO 8601. */
    readonly expiresAt: string;
  };
}

interface RotationOptions {
  /** Records in the audit what is about to be made. Settles before the successor works. */
  readonly announce?: (key: KeyRecord, successor: Pick<KeyRecord, 'id' | 'display'>) => Promise<void>;
  /** Who makes the successor. */
  readonly madeBy?: Maker;
}

/** What the script answers. */
type Answer =
  | Created
  | {
      readonly outcome: 'rotated';
      readonly endsAt: number;
      readonly successor: string;
      readonly salt: string;
    }
  | { readonly outcome: 'limited'; readonly retryAfter: number }
  | { readonly outcome: 'unknown' | 'expired' | 'kept' };

interface Created {
  readonly outcome: 'created';
  /** When the key ends, in milliseconds since the epoch. */
  readonly endsAt: number;
  readonly successor: Readonly<Record<string, string>>;
}

export class Rotation {
  readonly #store: KeyStore;
  readonly #script: Script;

  constructor(redis: RedisClient, store: KeyStore) {
    this.#store = store;
    this.#script = new Script(redis, luaFiles.rotate);
  }

  /**
   * Rotates the calling key.
   *
   * A client that lost the answer can repeat the call with the same key within the overlap and gets the same successor, which
   * is derived from the old key's text and a stored salt. Once the successor has been used, it is not returned again.
   *
   * @param text the old key's text.
   * @throws PlatenError `INVALID_API_KEY`, `EXPIRED_API_KEY`; `INSUFFICIENT_PERMISSIONS` when the successor is in
   * use, revoked, or was made by the operator; `RATE_LIMIT_EXCEEDED` when the account's rotations of the day are used up.
   * Repetitions do not count.
   */
  async rotateOwn(location: KeyLocation, text: string, overlapSeconds: number): Promise<RotatedKey> {
    const kind = parseKey(text);
    const { account } = location;
    const key = kind && (await this.#store.getKey(account, location.id));
    if (!key) throw new PlatenError('INVALID_API_KEY');
    const salt = generateSalt();
    const fresh = { id: newKeyId(), key: deriveKey(kind, text, salt) };
    const answer = await this.#rotate(key, fresh, [overlapSeconds, salt, ROTATIONS_PER_DAY], {
      madeBy: keyMaker(key.id),
    });
    switch (answer.outcome) {
      case 'created':
        // The client need not wait for it.
        void this.#tidy(key, answer);
        return describe(key.id, fresh.key, answer);
      case 'unknown':
        throw new PlatenError('INVALID_API_KEY');
      case 'expired':
        throw new PlatenError('EXPIRED_API_KEY');
      case 'kept':
        throw new Error('keys that rotate themselves are limited by the day, not by their number');
      case 'limited':
        throw new PlatenError('RATE_LIMIT_EXCEEDED', {
          message:
            `The keys of this account were rotated ${ROTATIONS_PER_DAY} times today (UTC). Wait for retryAfter ` +
            'seconds, then retry, or ask your operator to rotate the key.',
          retryAfter: answer.retryAfter,
          reason: 'rotations',
        });
    }
    const { endsAt, successor: id, salt: formerSalt } = answer;
    const record = await this.#store.getKey(account, id);
    if (formerSalt === '' || !record || record.lastUsedAt !== null || record.revokedAt !== null) {
      throw new PlatenError('INSUFFICIENT_PERMISSIONS', {
        message: `This API key was rotated already: use its successor ${record?.display ?? id}.`,
      });
    }
    const previous = { id: key.id, expiresAt: new Date(endsAt).toISOString() };
    return { successor: { ...record, key: deriveKey(kind, text, formerSalt) }, repeated: true, previous };
  }

  /**
   * Rotates any key for the operator, who sees the successor once. It does not count against the account's rotations.
   *
   * @throws OperatorError when there is no such key, or it is revoked, expired or rotated already; Error when Redis does
   * not answer. It may still rotate the key once it recovers; the successor can then be rotated or revoked.
   */
  async rotate(keyId: string, overlapSeconds: number, options: RotationOptions = {}): Promise<RotatedKey> {
    const key = await this.#store.findKey(keyId);
    const { environment, type, successor } = key;
    const rotated = (id: string) =>
      new OperatorError(`the key "${keyId}" was rotated already: rotate or revoke its successor "${id}"`);
    const ended = new OperatorError(`the key "${keyId}" is revoked or expired; create a new one`);
    // The script decides; this check keeps impossible rotations out of the audit.
    if (hasEnded(key)) throw ended;
    if (successor !== null) throw rotated(successor);
    const fresh = { id: newKeyId(), key: generateKey({ environment, type }) };
    const answer = await this.#rotate(key, fresh, [overlapSeconds, '', ''], options);
    if (answer.outcome === 'created') {
      // A command closes its connection next.
      await this.#tidy(key, answer);
      return describe(key.id, fresh.key, answer);
    }
    if (answer.outcome === 'kept') throw new OperatorError(TOO_MANY_KEYS.kept);
    throw answer.outcome === 'rotated' ? rotated(answer.successor) : ended;
  }

  /** Cleans up after a rotation. Never rejects: the successor must not get lost. */
  async #tidy(key: KeyRecord, { endsAt }: Created): Promise<void> {
    // Leftovers are harmless: keys with a successor are skipped, and so are entries without a key.
    const ended = { ...key, expiresAt: new Date(endsAt).toISOString() };
    await Promise.allSettled([this.#store.expiring.remove(key), this.#store.letGo(ended)]);
  }

  /** Changes nothing if the key already has a successor. */
  async #rotate(
    key: KeyRecord,
    fresh: { readonly id: string; readonly key: string },
    [overlapSeconds, salt, limit]: [overlapSeconds: number, salt: string, limit: number | ''],
    { announce, madeBy }: RotationOptions = {},
  ): Promise<Answer> {
    const { account } = key;
    const successor = {
      account,
      id: fresh.id,
      display: displayKey(fresh.key),
      expiresAt: key.expiresAt,
      family: key.family ?? key.id,
    };
    const sha256 = hashKey(fresh.key);
    await this.#store.prepareKey(successor, sha256, () => announce?.(key, successor) ?? Promise.resolve());
    const answer = await this.#script.answer<Answer>(
      [
        redisKeys.key(account, key.id),
        redisKeys.key(account, fresh.id),
        redisKeys.accountKeys(account),
        redisKeys.rotations(account),
      ],
      [
        overlapSeconds * 1000,
        fresh.id,
        successor.display,
        salt,
        limit,
        sha256,
        KEPT_MS,
        limit === '' ? MAX_KEPT_KEYS : '',
        madeBy ? JSON.stringify(madeBy) : '',
      ],
    );
    if (answer.outcome !== 'created') await this.#store.unplaceKey(successor, sha256);
    return answer;
  }
}

function describe(previousId: string, key: string, { endsAt, successor }: Created): RotatedKey {
  const record = parseKeyHash(successor);
  if (!record) throw new Error('the successor that was just made has no id');
  const previous = { id: previousId, expiresAt: new Date(endsAt).toISOString() };
  return { successor: { ...record, key }, repeated: false, previous };
}
