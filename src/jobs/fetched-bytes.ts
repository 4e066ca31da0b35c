/**
 * Counts the bytes of documents that are fetched for a job, to bound their total. `platen egress` may use no other record of a
 * job.
 */
import { luaFiles } from '../paths.ts';
import type { RedisClient } from '../redis/connect.ts';
import { Script } from '../redis/script.ts';
import { type JobFileRef, RECORD_KEPT_MS } from './job.ts';

export class FetchedBytes {
  readonly #redis: RedisClient;
  readonly #take: Script;

  constructor(redis: RedisClient) {
    this.#redis = redis;
    this.#take = new Script(redis, luaFiles.takeBytes);
  }

  /**
   * Counts a fetched document, once however often it is called.
   *
   * @param maxBytes of all documents of the job.
   * @returns false if the total would exceed that: then it does not count.
   */
  async take({ id, n }: JobFileRef, bytes: number, maxBytes: number): Promise<boolean> {
    return (await this.#take.run([keyOf(id)], [n, bytes, maxBytes, RECORD_KEPT_MS])) === 1;
  }

  /** For a job that was deleted. */
  async forget({ id }: Pick<JobFileRef, 'id'>): Promise<void> {
    await this.#redis.del(keyOf(id));
  }
}

/** Has the hash tag of the queues, which the Redis user of egress may use. */
const keyOf = (id: string) => `platen:{jobs}:bytes:${id}`;
