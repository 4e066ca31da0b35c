/**
 * Requests to a server, and their answers as raw bytes. An answer that the published OpenAPI document does not allow
 * is an error, see contract.ts.
 */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { form, type Server } from '../../support/server.ts';
import { assertDocumented } from './contract.ts';

/** What answers: a server, or the service in the process of the test (test/support/service.ts). */
export type Target = Pick<Server, 'url'>;

/** A longer wait means that the server hangs. */
const PATIENCE_MS = 60_000;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

export interface SendOptions {
  readonly method?: string;
  /** API key. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: FormData | Buffer | string;
  /** Ends the request: the client leaves. */
  readonly signal?: AbortSignal;
}

/** @throws Error if an answer is not documented, or lacks a header of every answer. */
function assertExpected(answer: Answer, method?: string, target?: string): void {
  assertDocumented(answer, method, target);
  const options = answer.headers.get('x-content-type-options');
  if (options !== 'nosniff') throw new Error(`an answer with X-Content-Type-Options: ${options}`);
}

/** Sends a request, POST unless told, and reads the whole answer. */
export async function send(server: Target, path: string, options: SendOptions = {}): Promise<Answer> {
  const { method = 'POST', key, headers = {}, body, signal = AbortSignal.timeout(PATIENCE_MS) } = options;
  const response = await fetch(server.url + path, {
    method,
    headers: { ...(key && bearer(key)), ...headers },
    ...(body !== undefined && { body: body as NonNullable<RequestInit['body']> }),
    signal,
  });
  const answer = {
    status: response.status,
    headers: response.headers,
    body: Buffer.from(await response.arrayBuffer()),
  };
  assertExpected(answer, method, path);
  return answer;
}

export async function get(server: Target, path: string): Promise<Answer> {
  return send(server, path, { method: 'GET' });
}

/** Converts a document with a key, or on the public endpoint without one. */
export async function convert(
  server: Target,
  key: string | undefined,
  document: Uint8Array,
  options: SendOptions = {},
): Promise<Answer> {
  const path = key === undefined ? '/v1/public/convert' : '/v1/convert';
  return send(server, path, { ...(key !== undefined && { key }), body: form(document), ...options });
}

export function bearer(key: string): { authorization: string } {
  return { authorization: `Bearer ${key}` };
}

export interface Part {
  /** Header lines of the part. */
  readonly headers: readonly string[];
  readonly data: Buffer | string;
}

const BOUNDARY = 'test-boundary';

/** Headers and body of a form with exactly these parts, for forms that FormData cannot send. */
export function multipart(parts: readonly Part[]): { headers: Record<string, string>; body: Buffer } {
  const chunks = parts.flatMap(({ headers, data }) => [
    Buffer.from(`--${BOUNDARY}\r\n${headers.join('\r\n')}\r\n\r\n`),
    Buffer.from(data as string),
    Buffer.from('\r\n'),
  ]);
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: Buffer.concat([...chunks, Buffer.from(`--${BOUNDARY}--\r\n`)]),
  };
}

/** The part `file` as the head of a form: all that comes before the document's bytes. */
export const filePartHead = Buffer.from(
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="document.docx"\r\n\r\n`,
);
export const formEnd = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);

/**
 * An upload whose body the caller writes.
 *
 * @param contentLength undefined: the body is chunked.
 */
export function openUpload(
  server: Target,
  path: string,
  { key, contentLength }: { key?: string; contentLength?: number },
): ClientRequest {
  const request = httpRequest(server.url + path, {
    method: 'POST',
    agent: false,
    headers: {
      ...(key !== undefined && bearer(key)),
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      ...(contentLength !== undefined && { 'content-length': contentLength }),
    },
  });
  request.flushHeaders();
  return request;
}

/** A whole conversion as bytes, for a connection on which several are sent at once. */
export function rawUpload(key: string, document: Uint8Array): Buffer {
  const body = Buffer.concat([filePartHead, document, formEnd]);
  const head = [
    'POST /v1/convert HTTP/1.1',
    'host: test',
    `authorization: Bearer ${key}`,
    `content-type: multipart/form-data; boundary=${BOUNDARY}`,
    `content-length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

/** The answer to a request of node:http, once its head is there and its body read. */
export async function answerTo(request: ClientRequest): Promise<Answer> {
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    request.setTimeout(PATIENCE_MS, () => request.destroy(new Error('the server does not answer')));
    request.once('response', resolve).once('error', reject);
  });
  const headers = new Headers(Object.entries(message.headersDistinct).map(([k, v]) => [k, String(v)]));
  const answer = { status: message.statusCode ?? 0, headers, body: await buffer(message) };
  assertExpected(answer, request.method, request.path);
  return answer;
}

/** A bare connection to the server. */
export function openConnection(server: Target): Socket {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('the server is silent')));
  return socket;
}

/** Sends bytes on a connection of their own and reads the first answer, once the server has closed it. */
export async function exchange(server: Target, bytes: string | Buffer): Promise<Answer> {
  const socket = openConnection(server);
  socket.write(bytes);
  const [answer] = readAnswers(await buffer(socket));
  if (!answer) throw new Error('the server closed without an answer');
  return answer;
}

/** The answers in what a connection received, each as long as its Content-Length says. */
export function readAnswers(received: Buffer): Answer[] {
  const text = received.toString('latin1');
  const answers: Answer[] = [];
  for (let position = 0; position < text.length; ) {
    const headEnd = text.indexOf('\r\n\r\n', position);
    if (headEnd < 0) throw new Error(`no answer: ${text.slice(position)}`);
    const [statusLine = '', ...lines] = text.slice(position, headEnd).split('\r\n');
    const headers = new Headers(lines.map(readHeader));
    const bodyStart = headEnd + 4;
    position = bodyStart + Number(headers.get('content-length'));
    const body = received.subarray(bodyStart, position);
    const answer = { status: Number(statusLine.split(' ')[1]), headers, body };
    assertExpected(answer);
    answers.push(answer);
  }
  return answers;
}

function readHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}
