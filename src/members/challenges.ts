/**
 * Challenges, for WebAuthn and for signing in at the issuer. A challenge holds its own expiration and purpose, sealed with a
 * secret of the service, so unanswered ones take no memory.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { RedisClient } from '../redis/connect.ts';
import { challengeKey } from './redis-keys.ts';

/** How long a WebAuthn challenge can be answered: five minutes. */
export const CHALLENGE_MS = 5 * 60_000;

const RANDOM_BYTES = 16;
const TIME_BYTES = 6;
const SEAL_BYTES = 32;
const BYTES = RANDOM_BYTES + TIME_BYTES + SEAL_BYTES;

export class Challenges {
  readonly #redis: RedisClient;
  readonly #secret: string;
  readonly #lifetimeMs: number;

  /** @param secret the same on all servers. */
  constructor(redis: RedisClient, secret: string, lifetimeMs = CHALLENGE_MS) {
    this.#redis = redis;
    this.#secret = secret;
    this.#lifetimeMs = lifetimeMs;
  }

  /** @param purpose of the answer. @param now milliseconds since the epoch. */
  issue(purpose: string, now = Date.now()): Buffer<ArrayBuffer> {
    const until = Buffer.alloc(TIME_BYTES);
    until.writeUIntBE(now + this.#lifetimeMs, 0, TIME_BYTES);
    const open = Buffer.concat([randomBytes(RANDOM_BYTES), until]);
    return Buffer.concat([open, this.#seal(open, purpose)]);
  }

  /** Whether a challenge, in base64url, is ours and can be answered for this purpose. */
  isValid(text: string, purpose: string, now = Date.now()): boolean {
    const challenge = Buffer.from(text, 'base64url');
    if (challenge.length !== BYTES) return false;
    const open = challenge.subarray(0, RANDOM_BYTES + TIME_BYTES);
    const seal = challenge.subarray(RANDOM_BYTES + TIME_BYTES);
    return (
      timingSafeEqual(seal, this.#seal(open, purpose)) && open.readUIntBE(RANDOM_BYTES, TIME_BYTES) > now
    );
  }

  /** Marks a valid challenge as used. @returns false if it was used before. @throws Error when Redis is not available. */
  async spend(text: string): Promise<boolean> {
    const bytes = Buffer.from(text, 'base64url');
    const key = challengeKey(createHash('sha256').update(bytes).digest('hex'));
    return (await this.#redis.set(key, '1', 'PX', this.#lifetimeMs, 'NX')) === 'OK';
  }

  /** A secret derived from a challenge, the same on every server: 32 bytes in base64url. @param name of the secret. */
  secretOf(text: string, name: string): string {
    return this.#seal(Buffer.from(text, 'base64url'), name).toString('base64url');
  }

  #seal(open: Buffer, purpose: string): Buffer {
    return createHmac('sha256', this.#secret).update(`${purpose}\0`).update(open).digest();
  }
}
