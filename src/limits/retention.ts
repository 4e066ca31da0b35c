/**
 * Lets go of ended keys that nothing else lets go of: those that versions made which kept them for ever, and those whose end
 * broke off half way.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Cluster } from 'ioredis';
import { limitKeys } from '../billing/redis-keys.ts';
import { BATCH, inBatches } from '../keys/batches.ts';
import { KEPT_MS } from '../keys/records.ts';
import { redisKeys } from '../keys/redis-keys.ts';
import type { Log } from '../log.ts';
import { luaFiles } from '../paths.ts';
import type { RedisClient } from '../redis/connect.ts';
import { Script } from '../redis/script.ts';

/** Between two passes: short against the time for which keys are kept. */
const INTERVAL_MS = 30 * 86_400_000;
/** After this time, a pass that has not told its end has broken off. */
const LEASE_MS = 3_600_000;

/**
 * A pass over what leads from the text of a key to its record. That has a name which cannot be made of the record, so Redis is
 * asked for all such names. One that expires is seen to already.
 *
 * One server in {@link INTERVAL_MS} makes a pass, when it starts; two at a time would do the same.
 */
export class Retention {
  readonly #redis: RedisClient;
  readonly #completion: Script;
  readonly #log: Log;
  #isStopped = false;
  #pass: Promise<void> | undefined;

  constructor(redis: RedisClient, log: Log) {
    this.#redis = redis;
    this.#completion = new Script(redis, luaFiles.completeKey);
    this.#log = log;
  }

  /** Makes a pass where it is time for one. Never rejects: one that fails is left to the next start of a server. */
  start(): Promise<void> {
    this.#pass ??= this.#attempt();
    return this.#pass;
  }

  /** Breaks the pass off after what it does now. */
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
        this.#log.info({ keys: ended }, 'ended keys of earlier versions go when their time has come');
    } catch (error) {
      const { message } = error as Error;
      this.#log.warn({ cause: message }, 'ended keys of earlier versions are not let go of yet');
      await this.#redis.del(mark).catch(() => {});
    }
  }

  /** @returns how many keys go from now on when their time has come. */
  async #passOver(): Promise<number> {
    const nodes = this.#redis instanceof Cluster ? this.#redis.nodes('master') : [this.#redis];
    let ended = 0;
    for (const node of nodes) {
      for await (const names of node.scanStream({ match: redisKeys.locator('*'), count: BATCH })) {
        if (this.#isStopped) return ended;
        const done = await inBatches(names as string[], (name) => this.#complete(name));
        ended += done.filter(Boolean).length;
        // Requests go first.
        await nextTurn();
      }
    }
    return ended;
  }

  /**
   * @param name of a locator.
   * @returns whether it expires from now on.
   */
  async #complete(name: string): Promise<boolean> {
    const [place, lifetime] = await Promise.all([this.#redis.get(name), this.#redis.pttl(name)]);
    if (place === null || lifetime !== -1) return false;
    const [account = '', id = ''] = place.split(' ');
    const sha256 = name.slice(redisKeys.locator('').length);
    const gone = (await this.#completion.run(
      [redisKeys.key(account, id), limitKeys.familyWindows(account, id)],
      [sha256, KEPT_MS],
    )) as string | null;
    // A key that is being made has no record yet, and one that works may have no end.
    if (gone === null || gone === '') return false;
    await Promise.all([
      this.#redis.pexpireat(redisKeys.keyOwner(id), gone),
      this.#redis.pexpireat(name, gone),
    ]);
    return true;
  }
}
