/** Slow, silent, endless and leaving clients: each is ended within its limits, and leaves nothing behind. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import t, { type Test } from 'tap';
import { type Code, endsCleanly, isError, isPdf } from '../e2e/support/assertions.ts';
import { type Answer, convert, get, openConnection, readAnswers } from '../e2e/support/requests.ts';
import { docx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import {
  BOUNDARY,
  closed,
  FORM_TYPE,
  form,
  part,
  request,
  residentBytes,
  withstands,
  writeEndlessly,
} from './support/raw-http.ts';

const DRIP_MS = 50;
const MAX_CONNECTIONS = 300;
/** The 64 MB of a body that are discarded after its answer, and as much for data in transit. */
const MOST_BYTES = 134_217_728;
/** Allowed growth of the server's memory: buffers that are not collected yet. */
const GROWTH_BYTES = 200_000_000;

const server = await Server.start({
  env: {
    MAX_FILE_MB: '1',
    UPLOAD_TIMEOUT_MS: '1500',
    HEADERS_TIMEOUT_MS: '1000',
    MAX_CONNECTIONS: String(MAX_CONNECTIONS),
    HEALTH_INTERVAL_MS: '600000',
  },
});
const { key } = await server.createKey();
const victim = { server, key };
const bearer = `Authorization: Bearer ${key}`;
const type = `Content-Type: ${FORM_TYPE}`;
const chunked = 'Transfer-Encoding: chunked';
const whole = form(part('form-data; name="file"; filename="a.docx"', docx()));
const residentAtStart = residentBytes(server.pid);

/** What the server says on a connection, until it is closed. */
async function heard(socket: Socket): Promise<Buffer> {
  const received: Buffer[] = [];
  socket.on('data', (data) => received.push(data));
  await closed(socket);
  return Buffer.concat(received);
}

async function oneAnswer(received: Promise<Buffer>): Promise<Answer> {
  const answer = await anyAnswer(received);
  if (!answer) throw new Error('the server closed without an answer');
  return answer;
}

/** Undefined if a reset discarded it. */
async function anyAnswer(received: Promise<Buffer>): Promise<Answer | undefined> {
  return readAnswers(await received)[0];
}

/** Sends the head at once, then single bytes now and then, for ever. @returns what the server answers. */
function drip(head: Buffer | string, bytes: Buffer | string): Promise<Buffer> {
  const socket = openConnection(server);
  socket.write(head);
  let sent = 0;
  const timer = setInterval(() => {
    const position = sent++ % bytes.length;
    if (socket.writable) socket.write(bytes.slice(position, position + 1));
  }, DRIP_MS);
  socket.once('close', () => clearInterval(timer));
  // After its answer a client may continue to send for a while; the test does not wait for that.
  socket.on('data', (data) => {
    if (data.includes('"requestId"')) socket.end();
  });
  return heard(socket);
}

t.test('slow clients', async (t) => {
  const head = (line: string, ...headers: string[]) => request(line, headers, '', { keepAlive: true });
  const many = <T>(build: () => T) => Array.from({ length: 20 }, build);
  await withstands(t, victim, async () => {
    const headers = many(() => drip('GET /v1 HTTP/1.1\r\nHost: localhost\r\n', 'X-A: b\r\n'));
    const silent = many(() => heard(openConnection(server)));
    const uploads = many(() =>
      drip(head('POST /v1/convert HTTP/1.1', bearer, type, 'Content-Length: 100000'), whole),
    );
    const preambles = many(() =>
      drip(head('POST /v1/convert HTTP/1.1', bearer, type, chunked), '1\r\nx\r\n'),
    );
    const json = 'Content-Type: application/json';
    const rotation = drip(head('POST /v1/keys/rotate HTTP/1.1', bearer, json, 'Content-Length: 60000'), ' ');
    const second = drip(head('GET /v1 HTTP/1.1'), 'GET /v1 HTTP/1.1\r\nX-A: ');
    for (const received of [...headers, ...silent])
      isError(t, await oneAnswer(received), 'INVALID_REQUEST', 408);
    const [first, late] = readAnswers(await second);
    t.equal(first?.status, 200);
    if (late) isError(t, late, 'INVALID_REQUEST', 408, 'the second request of a connection');
    for (const received of [...uploads, ...preambles]) {
      t.match(
        isError(t, await oneAnswer(received), 'INVALID_REQUEST').message,
        'took longer than 1.5 seconds',
      );
    }
    const slow = await oneAnswer(rotation);
    isError(t, slow, 'INVALID_REQUEST', 408, 'a small body');
    t.ok(slow.headers.has('x-ratelimit-limit'), 'which is answered as the request that it belongs to');
  });
});

t.test('bodies that never end', async (t) => {
  const size = 65_536;
  const filler = Buffer.concat([
    Buffer.from(`${size.toString(16)}\r\n`),
    Buffer.alloc(size, 'x'),
    Buffer.from('\r\n'),
  ]);
  const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
  const start = (line: string, headers: string[], text = '', keepAlive = true) =>
    Buffer.concat([
      request(line, [...headers, chunked], '', { keepAlive }),
      Buffer.from(text && chunk(text)),
    ]);
  const upload = (text: string) => start('POST /v1/convert HTTP/1.1', [bearer, type], text);
  const disposition = (more: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name=${more}\r\n\r\n`;
  const bodies: readonly (readonly [what: string, head: Buffer, Code | 200])[] = [
    ['a file', upload(disposition('"file"; filename="a"')), 'FILE_TOO_LARGE'],
    ['text before the form', upload('text'), 'FILE_TOO_LARGE'],
    ['a field', upload(disposition('"x"')), 'FILE_TOO_LARGE'],
    ['text behind the form', upload(whole.toString('latin1')), 'FILE_TOO_LARGE'],
    ['no key', start('POST /v1/convert HTTP/1.1', [type]), 'MISSING_AUTH'],
    ['no key, and no other request', start('POST /v1/convert HTTP/1.1', [type], '', false), 'MISSING_AUTH'],
    ['no form', start('POST /v1/convert HTTP/1.1', [bearer]), 'INVALID_REQUEST'],
    [
      'JSON',
      start('POST /v1/keys/rotate HTTP/1.1', [bearer, 'Content-Type: application/json']),
      'INVALID_REQUEST',
    ],
    ['no such route', start('POST /nowhere HTTP/1.1', []), 'NOT_FOUND'],
    ['a route that takes no body', start('GET /health HTTP/1.1', []), 200],
    ['a route that takes no body, once', start('GET /v1 HTTP/1.1', [], '', false), 200],
  ];
  // Connections that end with their answer, for the client or the body's limit. A client that still sends may lose the answer
  // to the reset (RFC 9112, section 9.6).
  const closing = new Set(['no key, and no other request', 'JSON', 'a route that takes no body, once']);
  await withstands(t, victim, async () => {
    for (const [what, head, expected] of bodies) {
      const socket = openConnection(server);
      const answered = anyAnswer(heard(socket));
      socket.write(head);
      writeEndlessly(socket, filler);
      const answer = await answered;
      if (!answer) t.ok(closing.has(what), `${what}: its answer is lost`);
      else if (expected === 200) t.equal(answer.status, 200, what);
      else isError(t, answer, expected, undefined, what);
      const sent = Math.round(socket.bytesWritten / 1e6);
      t.ok(socket.bytesWritten < MOST_BYTES, `${what}: ended after ${sent} MB`);
    }
  });
});

t.test('uploads that are cut off at every stage', async (t) => {
  const bytes = request('POST /v1/convert HTTP/1.1', [bearer, type], whole, { keepAlive: true });
  const head = bytes.length - whole.length;
  const stages = [0, 1, 30, head - 2, head - 1, head, head + 1, head + 20, head + 130, head + 200];
  const later = Array.from({ length: 20 }, (_, n) => head + Math.floor((whole.length * (n + 1)) / 21));
  const end = [bytes.length - 3, bytes.length - 2, bytes.length - 1, bytes.length];
  const leave: Readonly<Record<string, (socket: Socket) => void>> = {
    resets: (socket) => socket.resetAndDestroy(),
    closes: (socket) => socket.destroy(),
    'ends its side': (socket) => socket.end(),
  };
  await withstands(t, victim, async () => {
    for (const go of Object.values(leave)) {
      await Promise.all(
        [...stages, ...later, ...end].map(async (length) => {
          const socket = openConnection(server);
          const gone = closed(socket);
          await once(socket, 'connect');
          if (length > 0) await new Promise((resolve) => socket.write(bytes.subarray(0, length), resolve));
          go(socket);
          await gone;
        }),
      );
    }
  });
});

t.test('more connections than there may be', async (t) => {
  const open = (count: number) => Array.from({ length: count }, () => openConnection(server));
  await withstands(t, victim, async () => {
    const idle = open(MAX_CONNECTIONS - 50);
    await Promise.all(idle.map((socket) => closed(socket)));
  });
  const flood = open(MAX_CONNECTIONS + 50);
  const ends = flood.map((socket) => closed(socket));
  await until('it has refused some', () => server.log.some(({ msg }) => msg === 'too many connections'));
  await Promise.all(ends);
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
});

async function isWell(t: Test) {
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
  t.equal((await get(server, '/health')).status, 200);
  const growth = residentBytes(server.pid) - residentAtStart;
  t.ok(growth < GROWTH_BYTES, `grown by ${Math.round(growth / 1e6)} MB`);
}

t.test('the server is well, has not grown, and ends cleanly', async (t) => {
  await isWell(t);
  const errors = server.troubles.filter(({ msg }) => msg !== 'too many connections');
  t.strictSame(errors, []);
  await endsCleanly(t, server);
});
