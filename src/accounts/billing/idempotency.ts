/**
 * Idempotency keys (draft-ietf-httpapi-idempotency-key-header-07): a conversion that is repeated under the same key
 * is billed once. A running request holds its key by a lease in Redis, which its server renews. If the server dies,
 * the lease runs out, and the next request takes over the reservation. Redis remembers a settled conversion's
 * document for a day. Of the key it stores the SHA-256.
 */
import { luaFiles } from '../../paths.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { Script } from '../../redis/script.ts';
import type { Log } from '../../system/log.ts';
import type { KeyLocation } from '../keys/locate.ts';
import { limitKeys } from './redis-keys.ts';
import type { Reservation } from './reservation.ts';

/** Retention of a settled document under its key: 24 hours. */
export const KEY_KEPT_MS = 86_400_000;
/** Lease: how long a dead server's requests hold their keys. */
export const LEASE_MS = 10_000;
const RENEWAL_MS = 3_000;

/** The Redis keys that scripts take for an idempotency key; none without one. */
export function idempotencyKeys({ account, environment }: KeyLocation, key: string | undefined): string[] {
  if (key === undefined) return [];
  return [limitKeys.running, limitKeys.done, limitKeys.reserved].map((name) =>
    name(account, environment, key),
  );
}

export class Claims {
  readonly #script: Script;
  readonly #log: Log;

  constructor(redis: RedisClient, log: Log) {
    this.#script = new Script(redis, luaFiles.renew);
    this.#log = log;
  }

  /**
   * Renews the lease of an admitted request; does nothing without a key.
   *
   * @returns stops the renewal; must be called.
   */
  hold({ requestId, key, idempotencyKey }: Reservation): () => void {
    const [running] = idempotencyKeys(key, idempotencyKey);
    if (running === undefined) return () => {};
    const timer = setInterval(() => {
      this.#script.run([running], [requestId, LEASE_MS]).catch((error: Error) => {
        this.#log.debug({ reqId: requestId, cause: error.message }, 'a claim could not be renewed');
      });
    }, RENEWAL_MS).unref();
    return () => clearInterval(timer);
  }
}
