/** Requests as bytes, and assertions that a server under attack keeps nothing of them. */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Test } from 'tap';
import { filesAndConnections } from '../../e2e/support/processes.ts';
import {
  type Answer,
  answerTo,
  filePartHead,
  formEnd,
  openConnection,
  openUpload,
  readAnswers,
} from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import type { Server } from '../../support/server.ts';
import { until } from '../../support/until.ts';

export const BOUNDARY = 'test-boundary';
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

const hello = docx();

/** A request: its lines, and its body behind them. The server closes after the answer unless told otherwise. */
export function request(
  line: string,
  headers: readonly string[],
  body: Buffer | string = '',
  { framed = true, keepAlive = false } = {},
): Buffer {
  const bytes = Buffer.from(body as string);
  const all = [
    line,
    'Host: localhost',
    ...headers,
    ...(framed && bytes.length > 0 ? [`Content-Length: ${bytes.length}`] : []),
    ...(keepAlive ? [] : ['Connection: close']),
  ];
  return Buffer.concat([Buffer.from(`${all.join('\r\n')}\r\n\r\n`), bytes]);
}

/** One part of a form, as it is written. */
export function part(disposition: string, data: Buffer | string, ...headers: readonly string[]): Buffer {
  const lines = [...(disposition === '' ? [] : [`Content-Disposition: ${disposition}`]), ...headers];
  const head = `--${BOUNDARY}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(data as string), Buffer.from('\r\n')]);
}

/** A form of these parts, ended as it should be. */
export function form(...parts: readonly (Buffer | string)[]): Buffer {
  return Buffer.concat([
    ...parts.map((bytes) => Buffer.from(bytes as string)),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
}

/** Sends bytes on a connection of their own; everything that comes back until the server closes it. */
export async function exchangeAll(server: Server, bytes: Buffer | string): Promise<Buffer> {
  const socket = openConnection(server);
  socket.write(bytes);
  return buffer(socket);
}

/** The same, where it is one answer. */
export async function exchangeOne(t: Test, server: Server, bytes: Buffer | string): Promise<Answer> {
  const answers = readAnswers(await exchangeAll(server, bytes));
  t.equal(answers.length, 1, 'one answer and no more');
  const [answer] = answers;
  if (!answer) throw new Error('the server closed without an answer');
  return answer;
}

/** Writes the same bytes repeatedly, as long as the server reads. */
export function writeEndlessly(socket: Socket, bytes: Buffer): void {
  const write = () => {
    // In the next turn of the event loop: a client that only writes never reads the answer.
    if (!socket.destroyed) socket.write(bytes, () => setImmediate(write));
  };
  socket.on('error', () => {});
  write();
}

/** Resolves when the server has ended the connection, in whatever way. */
export async function closed(socket: Socket): Promise<void> {
  // Not the `once` of node:events, which rejects with the error that a reset is.
  socket.on('error', () => {}).resume();
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

/** Resident size of a process, in bytes. */
export function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;
}

/** Asserts that a conversion by somebody else succeeds. */
async function servesOthers(t: Test, server: Server, key: string): Promise<void> {
  const contentLength = filePartHead.length + hello.length + formEnd.length;
  const upload = openUpload(server, '/v1/convert', { key, contentLength });
  const answer = answerTo(upload);
  upload.end(Buffer.concat([filePartHead, hello, formEnd]));
  const { status, body } = await answer;
  t.equal(status, 200, 'an honest request succeeds meanwhile');
  t.equal(body.subarray(0, 5).toString(), '%PDF-');
}

/** Runs an attack beside an honest conversion, and asserts that no job, file or connection of it stays. */
export async function withstands(
  t: Test,
  { server, key }: { server: Server; key: string },
  attack: () => Promise<unknown>,
): Promise<void> {
  await servesOthers(t, server, key);
  await until('the server is at rest', async () => (await server.jobs()).length === 0);
  const before = filesAndConnections(server.pid).length;
  await Promise.all([attack(), servesOthers(t, server, key)]);
  await until('no job is left', async () => (await server.jobs()).length === 0);
  await until('no file or connection is left', () => filesAndConnections(server.pid).length <= before);
}
