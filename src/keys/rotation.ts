/** Rotation: a successor for a key, which itself lives on for an overlap. */

import { OperatorError, PlatenError } from '../errors.ts';
import { luaFiles } from '../paths.ts';
import type { RedisClient } from '../redis/connect.ts';
import { Script } from '../redis/script.ts';
import { deriveKey, displayKey, generateKey, generateSalt, hashKey, parseKey } from './format.ts';
import type { KeyLocation } from './locate.ts';
import { newKeyId } from './records.ts';
import { redisKeys } from './redis-keys.ts';
import type { CreatedKey, KeyStore } from './store.ts';

/** The longest that a key lives on after its rotation: 7 days, in seconds. */
export const MAX_OVERLAP_SECONDS = 604_800;
export const DEFAULT_OVERLAP_SECONDS = 86_400;
/**
 * How often the keys of an account may rotate themselves in a day (UTC). Each successor has rate windows of its own, or
 * none, so nothing else would end it.
 */
export const ROTATIONS_PER_DAY = 100;

export interface RotatedKey {
  readonly successor: CreatedKey;
  /** Whether an earlier call made the successor, and this one only tells it again. */
  readonly repeated: boolean;
  readonly previous: {
    readonly id: string;
    /** ISO 8601. */
    readonly expiresAt: string;
  };
}

type Row =
  | ['created', endsAt: number]
  | ['rotated', endsAt: number, successor: string, salt: string]
  | ['unknown']
  | ['expired']
  | ['limited', now: number, resetsAt: number];

export class Rotation {
  readonly #redis: RedisClient;
  readonly #store: KeyStore;
  readonly #script: Script;

  constructor(redis: RedisClient, store: KeyStore) {
    this.#redis = redis;
    this.#store = store;
    this.#script = new Script(redis, luaFiles.rotate);
  }

  /**
   * Rotates the key that a client calls with.
   *
   * A client that lost the answer asks again with the same key, within the overlap, and gets the same successor: it
   * is derived from the old key's own text and a salt that Redis keeps. Once the successor has been used, somebody
   * has it, and nobody gets it again.
   *
   * @param text the old key's text.
   * @throws PlatenError `INVALID_API_KEY`, `EXPIRED_API_KEY`; `INSUFFICIENT_PERMISSIONS` when the successor is in
   * use, revoked, or was made by the operator; `RATE_LIMIT_EXCEEDED` when the account had its rotations of the day,
   * which those that are only told again are none of.
   */
  async rotateOwn(location: KeyLocation, text: string, overlapSeconds: number): Promise<RotatedKey> {
    const kind = parseKey(text);
    if (!kind) throw new PlatenError('INVALID_API_KEY');
    const salt = generateSalt();
    const fresh = { id: newKeyId(), key: deriveKey(kind, text, salt) };
    const row = await this.#rotate(location, fresh, [overlapSeconds, salt, ROTATIONS_PER_DAY]);
    if (row[0] === 'limited') {
      throw new PlatenError('RATE_LIMIT_EXCEEDED', {
        message:
          `The keys of this account were rotated ${ROTATIONS_PER_DAY} times today (UTC). Wait for retryAfter ` +
          'seconds, then retry, or ask your operator to rotate the key.',
        retryAfter: row[2] - row[1],
        reason: 'rotations',
      });
    }
    if (row[0] === 'unknown') throw new PlatenError('INVALID_API_KEY');
    if (row[0] === 'expired') throw new PlatenError('EXPIRED_API_KEY');
    if (row[0] === 'created') return this.#describe(location, fresh, row[1], false);
    const [, endsAt, id, formerSalt] = row;
    const record = await this.#store.getKey(location.account, id);
    if (formerSalt === '' || !record || record.lastUsedAt !== null || record.revokedAt !== null) {
      throw new PlatenError('INSUFFICIENT_PERMISSIONS', {
        message: `This API key was rotated already: use its successor ${record?.display ?? id}.`,
      });
    }
    return this.#describe(location, { id, key: deriveKey(kind, text, formerSalt) }, endsAt, true);
  }

  /**
   * Rotates any key, for the operator, who sees the successor once. It is no rotation of the account's own, and is not
   * limited.
   *
   * @throws OperatorError when there is no such key, or it is revoked, expired or rotated already.
   */
  async rotate(keyId: string, overlapSeconds: number): Promise<RotatedKey> {
    const record = await this.#store.findKey(keyId);
    const { account, id, environment, type } = record;
    const location = { account, id, environment };
    const fresh = { id: newKeyId(), key: generateKey({ environment, type }) };
    const row = await this.#rotate(location, fresh, [overlapSeconds, '', '']);
    switch (row[0]) {
      case 'created':
        return this.#describe(location, fresh, row[1], false);
      case 'rotated':
        throw new OperatorError(
          `the key "${keyId}" was rotated already: rotate or revoke its successor "${row[2]}"`,
        );
      default:
        throw new OperatorError(`the key "${keyId}" is revoked or expired; create a new one`);
    }
  }

  /** Changes nothing where the key has a successor already. */
  async #rotate(
    { account, id }: KeyLocation,
    fresh: { readonly id: string; readonly key: string },
    [overlapSeconds, salt, limit]: [overlapSeconds: number, salt: string, limit: number | ''],
  ): Promise<Row> {
    // The owner first, so that every key that is listed can be revoked.
    await this.#redis.set(redisKeys.keyOwner(fresh.id), account);
    const row = (await this.#script.run(
      [
        redisKeys.key(account, id),
        redisKeys.key(account, fresh.id),
        redisKeys.accountKeys(account),
        redisKeys.rotations(account),
      ],
      [overlapSeconds * 1000, fresh.id, displayKey(fresh.key), salt, limit],
    )) as Row;
    if (row[0] !== 'created') await this.#redis.del(redisKeys.keyOwner(fresh.id));
    return row;
  }

  /** Makes the successor findable, which an earlier attempt may not have come to, and describes it. */
  async #describe(
    { account, id: previousId }: KeyLocation,
    { id, key }: { readonly id: string; readonly key: string },
    endsAt: number,
    repeated: boolean,
  ): Promise<RotatedKey> {
    await this.#redis.set(redisKeys.locator(hashKey(key)), `${account} ${id}`);
    const record = await this.#store.getKey(account, id);
    if (!record) throw new Error(`the key "${id}" was just made and is gone`);
    const previous = { id: previousId, expiresAt: new Date(endsAt).toISOString() };
    await this.#store.expiring.add(record);
    await this.#store.expiring.remove({ account, id: previousId });
    return { successor: { ...record, key }, repeated, previous };
  }
}
