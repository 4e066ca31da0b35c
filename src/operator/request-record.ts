/** What is stored of a request: request and answer, nothing of the document. */
import type { Environment } from '../accounts/keys/format.ts';

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
  /** Null if the client left before it had the whole answer. */
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
  /** Codes of the warnings about its PDF; null without a PDF, and in what an earlier version kept. */
  readonly warnings: readonly string[] | null;
  /** Version of LibreOffice that made its PDF; null without a PDF, if unknown, and in what an earlier version kept. */
  readonly libreOffice: string | null;
  /** What its error said to the client; null for other outcomes, and in what an earlier version kept. */
  readonly message: string | null;
}

/**
 * The lists of an account. Anybody with an old or public key can cause refusals without end, so they must not push out
 * admitted requests.
 */
export const requestLists = ['admitted', 'refused'] as const;

export type RequestListName = (typeof requestLists)[number];

/** The fields in the order in which they are stored. */
const fields = [
  ...['at', 'key', 'environment', 'method', 'route', 'status', 'outcome', 'reason', 'pages', 'bytesIn'],
  ...['bytesOut', 'durationMs', 'uploadMs', 'queueMs', 'convertMs', 'warnings', 'libreOffice'],
  'message',
] as readonly (keyof RequestRecord)[];

/** All but the account and the id. */
export function serializeRequest(request: RequestRecord): string {
  return JSON.stringify(fields.map((name) => request[name]));
}

/** Reads the output of {@link serializeRequest}. */
export function parseRequest(account: string, requestId: string, text: string): RequestRecord {
  const values = JSON.parse(text) as unknown[];
  const record = Object.fromEntries(fields.map((name, index) => [name, values[index] ?? null]));
  return { ...record, requestId, account } as unknown as RequestRecord;
}
