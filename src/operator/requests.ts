/** The recent requests of accounts: what was asked and answered, and nothing of the documents. */
import type { Environment } from '../keys/format.ts';
import type { Log } from '../log.ts';
import { luaFiles } from '../paths.ts';
import type { RedisClient } from '../redis/connect.ts';
import { Script } from '../redis/script.ts';
import { Flusher } from './flusher.ts';
import { operatorKeys } from './redis-keys.ts';

/** A request that came with a key. Sizes in bytes, times in milliseconds. */
export interface RequestRecord {
  readonly requestId: string;
  /** When its answer ended: ISO 8601. */
  readonly at: string;
  readonly account: string;
  /** Id of the key. */
  readonly key: string;
  readonly environment: Environment;
  readonly method: string;
  /** The pattern of the route. */
  readonly route: string;
  /** Null when the client left before it had the whole answer. */
  readonly status: number | null;
  /** `success`, the code of the error, `client_left` or `simulated`. */
  readonly outcome: string;
  readonly reason: string | null;
  readonly pages: number | null;
  readonly bytesIn: number | null;
  readonly bytesOut: number | null;
  readonly durationMs: number;
  readonly uploadMs: number | null;
  readonly queueMs: number | null;
  readonly convertMs: number | null;
}

export interface RequestPage {
  /** Newest first. */
  readonly requests: RequestRecord[];
  /** Where the next page begins; null: this is the last. */
  readonly next: string | null;
}

/** So many of an account… */
export const KEPT_REQUESTS = 1_000;
/** …for seven days. */
export const KEPT_MS = 7 * 86_400_000;

const WRITE_EVERY_MS = 250;
/** What a server keeps until Redis has it; the oldest go. */
const MAX_PENDING = 10_000;
/** At once, which keeps Redis busy for a millisecond. */
const BATCH = 200;
const CURSOR = /^\d{1,20}-\d{1,20}$/;

/** The fields in the order in which they are kept. */
const fields = [
  ...['at', 'key', 'environment', 'method', 'route', 'status', 'outcome', 'reason', 'pages', 'bytesIn'],
  ...['bytesOut', 'durationMs', 'uploadMs', 'queueMs', 'convertMs'],
] as readonly (keyof RequestRecord)[];

export class RecentRequests {
  readonly #redis: RedisClient;
  readonly #script: Script;
  readonly #flusher: Flusher;
  readonly #pending: RequestRecord[] = [];

  constructor(redis: RedisClient, log: Log) {
    this.#redis = redis;
    this.#script = new Script(redis, luaFiles.recordRequests);
    this.#flusher = new Flusher('recent requests', () => this.#write(), WRITE_EVERY_MS, log);
  }

  /** Keeps a request, within a second. */
  record(request: RequestRecord): void {
    if (this.#pending.length >= MAX_PENDING) this.#pending.shift();
    this.#pending.push(request);
    this.#flusher.wake();
  }

  /** Whether a text can be a cursor. */
  static isCursor(text: string): boolean {
    return CURSOR.test(text);
  }

  /**
   * The recent requests of an account, newest first.
   *
   * @param after the `next` of the page before.
   * @param fits which ones; all where it is left out.
   */
  async list(
    account: string,
    after: string | undefined,
    limit: number,
    fits?: (request: RequestRecord) => boolean,
  ): Promise<RequestPage> {
    const before = after === undefined ? '+' : `(${after}`;
    const oldest = `${Date.now() - KEPT_MS}`;
    const stream = operatorKeys.requests(account);
    // One more tells whether there is a next page.
    const most = fits ? KEPT_REQUESTS : limit + 1;
    const entries = await this.#redis.xrevrange(stream, before, oldest, 'COUNT', most);
    const fitting = entries.flatMap(([id, [, requestId = '', , what = '']]) => {
      const request = parse(account, requestId, what);
      return fits && !fits(request) ? [] : [{ id, request }];
    });
    const page = fitting.slice(0, limit);
    return {
      requests: page.map(({ request }) => request),
      next: fitting.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  }

  /** The request of an id; undefined where none is kept. */
  async find(requestId: string): Promise<RequestRecord | undefined> {
    const place = await this.#redis.get(operatorKeys.requestPlace(requestId));
    const [account, entry] = place?.split(' ') ?? [];
    if (account === undefined || entry === undefined) return undefined;
    const [found] = await this.#redis.xrange(operatorKeys.requests(account), entry, entry);
    return found && parse(account, requestId, found[1][3] ?? '');
  }

  /** Writes what has not been written now. */
  flush(): Promise<void> {
    return this.#flusher.flush();
  }

  /** Writes it for the last time. */
  close(): Promise<void> {
    return this.#flusher.close();
  }

  async #write(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#pending.splice(0, BATCH);
      const byAccount = new Map<string, RequestRecord[]>();
      for (const request of batch) {
        const others = byAccount.get(request.account) ?? [];
        others.push(request);
        byAccount.set(request.account, others);
      }
      const accounts = [...byAccount];
      const results = await Promise.allSettled(
        accounts.map(([account, requests]) => this.#add(account, requests)),
      );
      // Those that Redis did not take come first the next time.
      const failed = accounts.filter((_, index) => results[index]?.status === 'rejected');
      if (failed.length === 0) continue;
      this.#pending.unshift(...failed.flatMap(([, requests]) => requests));
      throw new Error('Redis did not take them all');
    }
  }

  async #add(account: string, requests: readonly RequestRecord[]): Promise<void> {
    const entries = requests.flatMap((request) => [
      request.requestId,
      JSON.stringify(fields.map((name) => request[name])),
    ]);
    const [added, dropped] = (await this.#script.run(
      [operatorKeys.requests(account)],
      [KEPT_REQUESTS, KEPT_MS, ...entries],
    )) as [string[], string[]];
    // Were it repeated, they would be in the list twice: without their place they are not found by id.
    await Promise.allSettled([
      ...requests.map(({ requestId }, index) =>
        this.#redis.set(operatorKeys.requestPlace(requestId), `${account} ${added[index]}`, 'PX', KEPT_MS),
      ),
      ...dropped.map((requestId) => this.#redis.del(operatorKeys.requestPlace(requestId))),
    ]);
  }
}

function parse(account: string, requestId: string, text: string): RequestRecord {
  const values = JSON.parse(text) as unknown[];
  const record = Object.fromEntries(fields.map((name, index) => [name, values[index] ?? null]));
  return { ...record, requestId, account } as unknown as RequestRecord;
}
