/** Ends sessions of all realms when the issuer asks for it (OpenID Connect Back-Channel Logout 1.0). */
import { createHash } from 'node:crypto';
import type { RedisClient } from '../redis/connect.ts';
import { LOGOUT_TOKEN_S } from './issuer.ts';
import type { OidcSignIn } from './oidc.ts';
import { logoutTokenKey } from './redis-keys.ts';

type AnyRealm = Pick<OidcSignIn, 'readLogout' | 'end'>;

export class OidcLogout {
  readonly #redis: RedisClient;
  readonly #first: AnyRealm;
  readonly #realms: readonly AnyRealm[];

  /** @param first and others: the realms, which share one client at the issuer. */
  constructor(redis: RedisClient, first: AnyRealm, ...others: readonly AnyRealm[]) {
    this.#redis = redis;
    this.#first = first;
    this.#realms = [first, ...others];
  }

  /**
   * Ends the sessions that a logout token names. If that fails, the issuer may send the token again.
   *
   * @returns false if the token is not valid, or was used before.
   * @throws IssuerAway; Error when Redis is not available.
   */
  async logout(token: string): Promise<boolean> {
    const logout = await this.#first.readLogout(token);
    if (!logout) return false;
    const once = logoutTokenKey(createHash('sha256').update(logout.id).digest('hex'));
    if ((await this.#redis.exists(once)) === 1) return false;
    await Promise.all(this.#realms.map((realm) => realm.end(logout)));
    await this.#redis.set(once, '1', 'EX', 2 * LOGOUT_TOKEN_S);
    return true;
  }
}
