/** Writes the recent requests of accounts, off the path of the requests. */
import { inBatches } from '../accounts/keys/batches.ts';
import { luaFiles } from '../paths.ts';
import type { RedisClient } from '../redis/connect.ts';
import { Script } from '../redis/script.ts';
import type { Log } from '../system/log.ts';
import { Flusher } from './flusher.ts';
import { operatorKeys } from './redis-keys.ts';
import { type RequestListName, type RequestRecord, serializeRequest } from './request-record.ts';

/** Requests that each list of an account keeps… */
export const KEPT_REQUESTS = 1_000;
/** …for seven days. */
export const KEPT_MS = 7 * 86_400_000;

/** Requests that each list of all accounts keeps, as long. */
export const KEPT_OF_ALL = 5_000;

const WRITE_EVERY_MS = 250;
/** Requests that a server buffers per list while Redis is away; the oldest are dropped. */
const MAX_PENDING = 10_000;
/** Batch size, which keeps Redis busy for a millisecond. */
const BATCH = 200;

interface Pending {
  readonly request: RequestRecord;
  /** Unconfirmed: Redis may have it. */
  readonly isRepeated: boolean;
}

export class RequestWriter {
  readonly #redis: RedisClient;
  readonly #script: Script;
  readonly #flusher: Flusher;
  readonly #pending: Record<RequestListName, Pending[]> = { admitted: [], refused: [] };

  constructor(redis: RedisClient, log: Log) {
    this.#redis = redis;
    this.#script = new Script(redis, luaFiles.recordRequests);
    this.#flusher = new Flusher('recent requests', () => this.#write(), WRITE_EVERY_MS, log);
  }

  add(request: RequestRecord, list: RequestListName): void {
    const pending = this.#pending[list];
    if (pending.length >= MAX_PENDING) pending.shift();
    pending.push({ request, isRepeated: false });
    this.#flusher.wake();
  }

  flush(): Promise<void> {
    return this.#flusher.flush();
  }

  close(): Promise<void> {
    return this.#flusher.close();
  }

  async #write(): Promise<void> {
    const results = await Promise.allSettled([this.#writeList('admitted'), this.#writeList('refused')]);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  /** Each account separately, so that one failing node of a cluster does not delay other accounts. */
  async #writeList(list: RequestListName): Promise<void> {
    const byAccount = new Map<string, Pending[]>();
    for (const each of this.#pending[list].splice(0)) {
      const others = byAccount.get(each.request.account) ?? [];
      others.push(each);
      byAccount.set(each.request.account, others);
    }
    const errors: unknown[] = [];
    const left = await inBatches([...byAccount], async ([account, requests]) => {
      const rest = requests.slice();
      try {
        while (rest.length > 0) {
          await this.#writeBatch(account, list, rest.slice(0, BATCH));
          rest.splice(0, BATCH);
        }
      } catch (error) {
        errors.push(error);
      }
      return rest.map(({ request }, index) => ({ request, isRepeated: index < BATCH }));
    });
    // They come first the next time.
    this.#pending[list] = [...left.flat(), ...this.#pending[list]].slice(-MAX_PENDING);
    if (errors.length > 0) throw errors[0];
  }

  /** All or nothing, and idempotent. */
  async #writeBatch(account: string, list: RequestListName, batch: readonly Pending[]): Promise<void> {
    const entries = batch.flatMap(({ request }) => [request.requestId, serializeRequest(request)]);
    const isRepeated = batch.some((each) => each.isRepeated);
    const [added, dropped] = (await this.#script.run(
      [operatorKeys.requests(account, list)],
      [KEPT_REQUESTS, KEPT_MS, isRepeated ? 1 : 0, ...entries],
    )) as [string[], string[]];
    const ofAll = batch.flatMap(({ request }) => [nameOf(request), serializeRequest(request)]);
    // In any slot of a cluster: if this fails, the request is listed but cannot be found by id, or is in no list of all accounts.
    await Promise.allSettled([
      this.#script.run(
        [operatorKeys.requestsOfAll(list)],
        [KEPT_OF_ALL, KEPT_MS, isRepeated ? 1 : 0, ...ofAll],
      ),
      ...batch.map(({ request: { requestId } }, index) =>
        this.#redis.set(
          operatorKeys.requestPlace(requestId),
          `${account} ${list} ${added[index]}`,
          'PX',
          KEPT_MS,
        ),
      ),
      ...dropped.map((requestId) => this.#redis.del(operatorKeys.requestPlace(requestId))),
    ]);
  }
}

/** Its name in the lists of all accounts. */
const nameOf = ({ account, requestId }: RequestRecord): string => `${account} ${requestId}`;
