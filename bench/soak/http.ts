/** Requests with little overhead: the clients share the machine with the service. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

const agent = new Agent({ keepAlive: true, keepAliveMsecs: 5_000 });
const BOUNDARY = 'platen-soak';
/** Time limit for creating accounts, keys and members on a busy machine. */
const SET_UP_MS = 120_000;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | object;
  /** Time limit, in milliseconds. */
  readonly withinMs?: number;
}

/** Sends a request and reads the whole answer. @throws Error if the connection breaks, or the time is over. */
export async function ask(url: string, asked: Asked = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, withinMs = 120_000 } = asked;
  const isJson = asked.body !== undefined && !Buffer.isBuffer(asked.body);
  const body = isJson ? Buffer.from(JSON.stringify(asked.body)) : (asked.body as Buffer | undefined);
  return new Promise((resolve, reject) => {
    const call = request(url, {
      method,
      agent,
      headers: {
        ...(isJson && { 'content-type': 'application/json' }),
        ...(body && { 'content-length': body.length }),
        ...headers,
      },
    });
    const timer = setTimeout(() => call.destroy(new Error(`no answer within ${withinMs} ms`)), withinMs);
    call.once('close', () => clearTimeout(timer));
    call.on('error', reject);
    call.once('response', (response) => {
      buffer(response).then(
        (received) =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: received }),
        reject,
      );
    });
    call.end(body);
  });
}

/** As above, but retries while the service is busy, up to {@link SET_UP_MS}. */
export async function askPatiently(url: string, asked: Asked = {}): Promise<Answer> {
  const start = performance.now();
  for (;;) {
    const answer = await ask(url, asked);
    if (answer.status !== 503 || performance.now() - start > SET_UP_MS) return answer;
    await delay(Number(answer.headers['retry-after'] ?? 1) * 1_000);
  }
}

export function bearer(key: string): { authorization: string } {
  return { authorization: `Bearer ${key}` };
}

export const formHeaders = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

/** A form with these documents as parts `file`, after its fields. */
export function formOf(documents: readonly Buffer[], fields: Readonly<Record<string, string>> = {}): Buffer {
  const part = (disposition: string, data: Buffer) => [
    Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n`),
    data,
    Buffer.from('\r\n'),
  ];
  return Buffer.concat([
    ...Object.entries(fields).flatMap(([name, value]) => part(`name="${name}"`, Buffer.from(value))),
    ...documents.flatMap((document) => part('name="file"; filename="document.docx"', document)),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
}
