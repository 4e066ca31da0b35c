/** The recent requests of accounts. */
import { inBatches } from '../keys/batches.ts';
import type { Log } from '../log.ts';
import type { RedisClient } from '../redis/connect.ts';
import { operatorKeys } from './redis-keys.ts';
import { parseRequest, type RequestListName, type RequestRecord, requestLists } from './request-record.ts';
import { KEPT_MS, KEPT_REQUESTS, RequestWriter } from './request-writer.ts';
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

  /** The recent requests of an account, newest first. @throws Error when Redis is not available. */
  async list(account: string, { after, limit, list, fits }: RequestWish): Promise<RequestPage> {
    const since = Date.now() - KEPT_MS;
    const parts = requestLists
      .map((name, index) => ({ name, index, key: operatorKeys.requests(account, name), since }))
      .filter(({ name }) => list === undefined || name === list);
    const page = await readStreamPage(this.#redis, parts, {
      ...{ after, limit, most: KEPT_REQUESTS },
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

  /** Removes the index that finds requests of an account by id. @returns how many there were. */
  async removePlaces(account: string): Promise<number> {
    let removed = 0;
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

function read(account: string, { fields: [, requestId = '', , what = ''] }: Pick<StreamEntry, 'fields'>) {
  return parseRequest(account, requestId, what);
}
