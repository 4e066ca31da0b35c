/** The recent requests of accounts. */
import { inBatches } from '../accounts/keys/batches.ts';
import type { RedisClient } from '../redis/connect.ts';
import type { Log } from '../system/log.ts';
import { operatorKeys } from './redis-keys.ts';
import { parseRequest, type RequestListName, type RequestRecord, requestLists } from './request-record.ts';
import { KEPT_MS, KEPT_OF_ALL, KEPT_REQUESTS, RequestWriter } from './request-writer.ts';
import { isStreamCursor, readStreamPage, type StreamEntry } from './stream-pages.ts';

interface RequestPage {
  /** Newest first. */
  readonly requests: RequestRecord[];
  /** Where the next page begins; null: this is the last. */
  readonly next: string | null;
}

export interface RequestWish {
  /** The `next` of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
  /** Which list; all by default. */
  readonly list?: RequestListName | undefined;
  /** A filter; all by default. */
  readonly fits?: ((request: RequestRecord) => boolean) | undefined;
}

export class RecentRequests {
  readonly #redis: RedisClient;
  readonly #writer: RequestWriter;

  constructor(redis: RedisClient, log: Log) {
    this.#redis = redis;
    this.#writer = new RequestWriter(redis, log);
  }

  /** Keeps a request, within a second. */
  record(request: RequestRecord, list: RequestListName): void {
    this.#writer.add(request, list);
  }

  /** Whether a text can be a cursor. */
  static isCursor(text: string): boolean {
    return isStreamCursor(text);
  }

  /**
   * The recent requests, newest first.
   *
   * @param account undefined: of all accounts.
   * @throws Error when Redis is not available.
   */
  async list(account: string | undefined, { after, limit, list, fits }: RequestWish): Promise<RequestPage> {
    const since = Date.now() - KEPT_MS;
    const parts = requestLists
      .map((name, index) => ({ name, index, key: listKey(account, name), since }))
      .filter(({ name }) => list === undefined || name === list);
    const page = await readStreamPage(this.#redis, parts, {
      after,
      limit,
      most: account === undefined ? KEPT_OF_ALL : KEPT_REQUESTS,
      fits: fits && ((entry) => fits(read(account, entry))),
    });
    // Ids are those of batches; within a batch, only the requests' times tell their order.
    const requests = page.entries.map((entry) => read(account, entry)).sort(newestFirst);
    return { requests, next: page.next };
  }

  /** The request with an id; undefined if it is not kept. @throws Error as above. */
  async find(requestId: string): Promise<RequestRecord | undefined> {
    const place = await this.#redis.get(operatorKeys.requestPlace(requestId));
    const [account, list, entry] = place?.split(' ') ?? [];
    const name = requestLists.find((each) => each === list);
    if (account === undefined || name === undefined || entry === undefined) return undefined;
    const [found] = await this.#redis.xrange(operatorKeys.requests(account, name), entry, entry);
    return found && parseRequest(account, requestId, found[1][3] ?? '');
  }

  /**
   * Removes the index that finds requests of an account by id, and its requests among those of all accounts.
   *
   * @returns how many there were.
   */
  async removePlaces(account: string): Promise<number> {
    let removed = 0;
    for (const list of requestLists) {
      const key = operatorKeys.requestsOfAll(list);
      const entries = await this.#redis.xrange(key, '-', '+');
      const own = entries.filter(([, fields]) => fields[1]?.startsWith(`${account} `)).map(([id]) => id);
      if (own.length > 0) removed += await this.#redis.xdel(key, ...own);
    }
    for (const list of requestLists) {
      const entries = await this.#redis.xrange(operatorKeys.requests(account, list), '-', '+');
      const places = entries.map(([, fields]) => operatorKeys.requestPlace(fields[1] ?? ''));
      await inBatches(places, (place) => this.#redis.del(place));
      removed += places.length;
    }
    return removed;
  }

  /** Writes pending requests now. */
  flush(): Promise<void> {
    return this.#writer.flush();
  }

  /** Stops after a last write. */
  close(): Promise<void> {
    return this.#writer.close();
  }
}

/** Times in ISO 8601 sort as texts. */
function newestFirst(a: RequestRecord, b: RequestRecord): number {
  return a.at === b.at ? 0 : a.at < b.at ? 1 : -1;
}

function listKey(account: string | undefined, list: RequestListName): string {
  return account === undefined ? operatorKeys.requestsOfAll(list) : operatorKeys.requests(account, list);
}

/** In the lists of all accounts, the account is before the id. */
function read(
  account: string | undefined,
  { fields: [, name = '', , what = ''] }: Pick<StreamEntry, 'fields'>,
) {
  if (account !== undefined) return parseRequest(account, name, what);
  const [owner = '', requestId = ''] = name.split(' ');
  return parseRequest(owner, requestId, what);
}
