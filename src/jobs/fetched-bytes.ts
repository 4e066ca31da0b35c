/** Sizes of documents that are fetched for a job, to bound them together. `platen egress` may use no other record of a job. */
import { luaFiles } from '../paths.ts';
import type { RedisClient } from '../redis/connect.ts';
import { Script } from '../redis/script.ts';
import { type FileName, RECORD_KEPT_MS } from './job.ts';

export class FetchedBytes {
  readonly #redis: RedisClient;
  readonly #take: Script;

  constructor(redis: RedisClient) {
    this.#redis = redis;
    this.#take = new Script(redis, luaFiles.takeBytes);
  }

  /**
   * Counts a document that was fetched; again, it counts once.
   *
   * @param maxBytes of all documents of the job.
   * @returns false if it would be more: then it does not count.
   */
  async take({ id, n }: FileName, bytes: number, maxBytes: number): Promise<boolean> {
    return (await this.#take.run([nameOf(id)], [n, bytes, maxBytes, RECORD_KEPT_MS])) === 1;
  }

  /** Of a job that was deleted. */
  async forget({ id }: Pick<FileName, 'id'>): Promise<void> {
    await this.#redis.del(nameOf(id));
  }
}

/** With the hash tag of the queues, which the user of the way out may use. */
const nameOf = (id: string) => `platen:{jobs}:bytes:${id}`;
