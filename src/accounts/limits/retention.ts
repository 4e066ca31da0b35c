/**
 * Removes ended keys that would otherwise stay for ever: those by older versions, and those whose end was
 * interrupted. Notes the last characters of keys that older versions made.
 */
import { luaFiles } from '../../paths.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { scanNames } from '../../redis/scan.ts';
import { Script } from '../../redis/script.ts';
import type { Log } from '../../system/log.ts';
import { limitKeys } from '../billing/redis-keys.ts';
import { BATCH, inBatches } from '../keys/batches.ts';
import { KeyEndings } from '../keys/key-endings.ts';
import { parseKeyHash } from '../keys/key-hash.ts';
import { KEPT_MS } from '../keys/records.ts';
import { redisKeys } from '../keys/redis-keys.ts';

/** Interval of passes; short compared with the retention of keys. */
const INTERVAL_MS = 30 * 86_400_000;
/** Time after which a pass that has not reported its end counts as interrupted. */
const LEASE_MS = 3_600_000;

/**
 * A pass over the locators that map a key's text to its record. A locator's name cannot be derived from the record,
 * so Redis is scanned for them. One server in {@link INTERVAL_MS} makes a
 * pass at its start; two at a time do no harm.
 */
export class Retention {
  readonly #redis: RedisClient;
  readonly #completion: Script;
  readonly #endings: KeyEndings;
  readonly #log: Log;
  #isStopped = false;
  #pass: Promise<void> | undefined;

  constructor(redis: RedisClient, log: Log) {
    this.#redis = redis;
    this.#endings = new KeyEndings(redis);
    this.#completion = new Script(redis, luaFiles.completeKey);
    this.#log = log;
  }

  /** Makes a pass if one is due. Never rejects: a failed pass is repeated at the next start of a server. */
  start(): Promise<void> {
    this.#pass ??= this.#attempt();
    return this.#pass;
  }

  /** Stops the pass after its current step. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#pass;
  }

  async #attempt(): Promise<void> {
    const mark = redisKeys.retentionPass;
    try {
      if ((await this.#redis.set(mark, '1', 'PX', LEASE_MS, 'NX')) === null) return;
      const ended = await this.#passOver();
      if (this.#isStopped) await this.#redis.del(mark);
      else await this.#redis.set(mark, '1', 'PX', INTERVAL_MS);
      if (ended > 0)
        this.#log.info({ keys: ended }, 'ended keys of earlier versions were given an expiration');
    } catch (error) {
      const { message } = error as Error;
      this.#log.warn(
        { cause: message },
        'ended keys of earlier versions could not be given an expiration yet',
      );
      await this.#redis.del(mark).catch(() => {});
    }
  }

  /** @returns the number of keys that got an expiration. */
  async #passOver(): Promise<number> {
    let ended = 0;
    for await (const names of scanNames(this.#redis, redisKeys.locator('*'), BATCH)) {
      if (this.#isStopped) return ended;
      const done = await inBatches(names, (name) => this.#complete(name));
      ended += done.filter(Boolean).length;
    }
    return ended;
  }

  /**
   * @param name of a locator.
   * @returns whether it got an expiration.
   */
  async #complete(name: string): Promise<boolean> {
    const [place, lifetime] = await Promise.all([this.#redis.get(name), this.#redis.pttl(name)]);
    if (place === null) return false;
    const [account = '', id = ''] = place.split(' ');
    const key = parseKeyHash(await this.#redis.hgetall(redisKeys.key(account, id)));
    if (key) await this.#endings.add(key);
    if (lifetime !== -1) return false;
    const sha256 = name.slice(redisKeys.locator('').length);
    const gone = (await this.#completion.run(
      [redisKeys.key(account, id), limitKeys.familyWindows(account, id)],
      [sha256, KEPT_MS],
    )) as string | null;
    // A key that is being created has no record yet, and a working key may have no end.
    if (gone === null || gone === '') return false;
    await Promise.all([
      this.#redis.pexpireat(redisKeys.keyOwner(id), gone),
      this.#redis.pexpireat(name, gone),
    ]);
    return true;
  }
}
