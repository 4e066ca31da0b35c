/** Input that is no request, or could be two, gets an error object or a clean close, and leaves nothing behind. */
import t from 'tap';
import { endsCleanly, hasRateLimit, isError, isPdf } from '../e2e/support/assertions.ts';
import { convert, get, openConnection, readAnswers, send } from '../e2e/support/requests.ts';
import { docx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import {
  closed,
  exchangeAll,
  exchangeOne,
  FORM_TYPE,
  form,
  part,
  request,
  withstands,
} from './support/raw-http.ts';

const server = await Server.start({ env: { HEALTH_INTERVAL_MS: '600000' } });
const { key, account } = await server.createKey();
const victim = { server, key };

const bearer = `Authorization: Bearer ${key}`;
const type = `Content-Type: ${FORM_TYPE}`;
const json = 'Content-Type: application/json';
const chunked = 'Transfer-Encoding: chunked';
const goodForm = form(part('form-data; name="file"; filename="a.docx"', docx()));
const unframed = { framed: false };

interface Usage {
  readonly days: readonly { readonly failures: Readonly<Record<string, number>> }[];
}

async function failures(): Promise<number> {
  const { days } = await server.cli<Usage>('usage', 'show', account);
  return days.reduce((sum, day) => sum + (day.failures.INVALID_REQUEST ?? 0), 0);
}

t.test('an error in the framing of a body is answered like an error of its request', async (t) => {
  const before = await failures();
  const broken = {
    'at its start': 'zz\r\n',
    'in the file': `5\r\n--${'test'.slice(0, 3)}\r\nno length\r\n`,
    'in a chunk extension': `1;${'x'.repeat(20_000)}\r\nx\r\n`,
  };
  await withstands(t, victim, async () => {
    for (const [where, body] of Object.entries(broken)) {
      const bytes = request('POST /v1/convert HTTP/1.1', [bearer, type, chunked], body, unframed);
      const answer = await exchangeOne(t, server, bytes);
      const { requestId } = isError(t, answer, 'INVALID_REQUEST', 400, where);
      hasRateLimit(t, answer, where);
      t.equal(answer.headers.get('connection'), 'close', where);
      const line = await server.logged('request', ({ reqId }) => reqId === requestId);
      t.match(line, { account, status: 400, code: 'INVALID_REQUEST', route: '/v1/convert' }, where);
    }
  });
  await until('each is a failure of its account', async () => (await failures()) === before + 3);
  t.equal(server.log.filter(({ msg }) => msg === 'unreadable request').length, 0, 'and has one line');
});

t.test('so is a request that ends early', async (t) => {
  const socket = openConnection(server);
  const received: Buffer[] = [];
  socket.on('data', (data) => received.push(data));
  const head = ['POST /v1/convert HTTP/1.1', 'Host: x', bearer, type, 'Content-Length: 5000'];
  socket.end(`${head.join('\r\n')}\r\n\r\n--test`);
  await closed(socket);
  const [answer] = readAnswers(Buffer.concat(received));
  if (!answer) throw new Error('no answer');
  isError(t, answer, 'INVALID_REQUEST');
  hasRateLimit(t, answer);
});

t.test('a refusal is sent before the body arrives', async (t) => {
  const expected = [
    ['POST /v1/convert HTTP/1.1', [type], 'MISSING_AUTH'],
    ['POST /nowhere HTTP/1.1', [json], 'NOT_FOUND'],
    ['POST /v1 HTTP/1.1', [json], 'METHOD_NOT_ALLOWED'],
    ['POST /v1/keys/rotate HTTP/1.1', [bearer, json], 'INVALID_REQUEST'],
  ] as const;
  for (const [line, headers, code] of expected) {
    const bytes = request(line, [...headers, chunked], '1\r\n{\r\nzz\r\n', unframed);
    isError(t, await exchangeOne(t, server, bytes), code, undefined, line);
  }
  for (const [line, headers, code] of expected.slice(0, 3)) {
    isError(t, await exchangeOne(t, server, request(line, headers, '{{{')), code, undefined, line);
  }
});

t.test('ambiguous framing is refused, and its connection closed', async (t) => {
  const smuggled = `0\r\n\r\n${request('GET /v1 HTTP/1.1', [])}`;
  const length = (value: string) => `Content-Length: ${value}`;
  const headers: Readonly<Record<string, readonly string[]>> = {
    'a length and chunks': [length('5'), chunked],
    'chunks and a length': [chunked, length('5')],
    'chunks twice': [chunked, chunked],
    'chunks and nothing': [`${chunked}, identity`],
    'compressed chunks': ['Transfer-Encoding: gzip, chunked'],
    'another coding': ['Transfer-Encoding: xchunked'],
    'two lengths': [length('5'), length('6')],
    'the same length twice': [length('5'), length('5')],
    ...Object.fromEntries(
      ['-1', '+5', '0x5', '5, 5', '5 5', '', '99999999999999999999'].map((value) => [
        `the length "${value}"`,
        [length(value)],
      ]),
    ),
    'a folded header': ['X-A: b\r\n c'],
    'a space before the colon': ['X-A : b'],
    'a line that ends with LF': ['X-A: b\nX-B: c'],
    'a CR in a line': ['X-A: b\rX-B: c'],
    'a NUL in a line': ['X-A: b\0c'],
    'two hosts': ['Host: elsewhere'],
  };
  await withstands(t, victim, async () => {
    for (const [what, lines] of Object.entries(headers)) {
      const bytes = request('POST /v1/public/convert HTTP/1.1', [type, ...lines], smuggled, unframed);
      const answer = await exchangeOne(t, server, bytes);
      isError(t, answer, 'INVALID_REQUEST', 400, what);
      t.equal(answer.headers.get('connection'), 'close', what);
    }
    const old = request('POST /v1/public/convert HTTP/1.0', [type, chunked], smuggled, unframed);
    isError(t, await exchangeOne(t, server, old), 'INVALID_REQUEST', 400, 'chunks in HTTP/1.0');
  });
});

t.test('other versions, protocols and methods', async (t) => {
  const host = 'Host: localhost\r\n';
  const refused: Readonly<Record<string, Buffer | string>> = {
    'HTTP/1.2': `GET /v1 HTTP/1.2\r\n${host}\r\n`,
    'HTTP/2.0': `GET /v1 HTTP/2.0\r\n${host}\r\n`,
    'HTTP/2 with prior knowledge': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'HTTP/0.9, named': `GET /v1 HTTP/0.9\r\n${host}\r\n`,
    TLS: Buffer.from('16030100c8010000c403030d0a0d0a', 'hex'),
    'a method in small letters': `get /v1 HTTP/1.1\r\n${host}\r\n`,
    'lines that end with LF': 'GET /v1 HTTP/1.1\nHost: localhost\n\n',
    'a target that is a host': `GET localhost:80 HTTP/1.1\r\n${host}\r\n`,
    'a target with bytes of another charset': Buffer.from(`GET /\xe9 HTTP/1.1\r\n${host}\r\n`, 'latin1'),
  };
  for (const [what, bytes] of Object.entries(refused)) {
    isError(t, await exchangeOne(t, server, bytes), 'INVALID_REQUEST', 400, what);
  }
  for (const method of ['TRACE', 'PROPFIND', 'QUERY', 'PURGE', 'M-SEARCH', 'DELETE']) {
    const answer = await exchangeOne(t, server, request(`${method} /v1 HTTP/1.1`, []));
    isError(t, answer, 'METHOD_NOT_ALLOWED', 405, method);
  }
  isError(t, await exchangeOne(t, server, request('OPTIONS * HTTP/1.1', [])), 'NOT_FOUND');
  t.equal((await exchangeAll(server, `CONNECT localhost:80 HTTP/1.1\r\n${host}\r\n`)).length, 0, 'no tunnel');
  for (const protocol of ['h2c', 'websocket']) {
    const headers = [
      'Connection: Upgrade, HTTP2-Settings, close',
      `Upgrade: ${protocol}`,
      'HTTP2-Settings: AAMAAABk',
    ];
    const answer = await exchangeOne(t, server, request('GET /v1 HTTP/1.1', headers));
    t.equal(answer.status, 200, `${protocol} is passed over`);
  }
  t.equal((await exchangeOne(t, server, 'GET /v1 HTTP/1.0\r\n\r\n')).status, 200, 'HTTP/1.0');
  t.equal((await exchangeOne(t, server, request('GET http://elsewhere/v1 HTTP/1.1', []))).status, 200);
  const absolute = await exchangeOne(t, server, request('GET http://elsewhere/v1/convert?a HTTP/1.1', []));
  isError(t, absolute, 'METHOD_NOT_ALLOWED', 405, 'a target with a host');
});

t.test('large headers and addresses', async (t) => {
  const large = 'x'.repeat(20_000);
  for (const bytes of [
    request(`GET /${large} HTTP/1.1`, []),
    request('GET /v1 HTTP/1.1', [`X-A: ${large}`]),
  ]) {
    isError(t, await exchangeOne(t, server, bytes), 'INVALID_REQUEST', 431);
  }
  // Node accepts 1,000 headers; of more, version 20 drops the rest, and version 24 answers 431.
  const many = Array.from({ length: 990 }, () => 'a:');
  t.equal((await exchangeOne(t, server, request('GET /v1 HTTP/1.1', many))).status, 200, 'many lines');
  await withstands(t, victim, async () => {
    const longest = `title=${'x'.repeat(500)}&author=${'%F0%9F%98%80'.repeat(200)}`;
    const fine = request(`POST /v1/convert?${longest} HTTP/1.1`, [bearer, type], goodForm);
    t.equal((await exchangeOne(t, server, fine)).status, 200, 'long options');
    for (const query of [
      'x'.repeat(8_000),
      'a&'.repeat(4_000),
      '__proto__=x&constructor=y&toString=z',
      'format[]=x',
    ]) {
      const bytes = request(`POST /v1/convert?${query} HTTP/1.1`, [bearer, type], goodForm);
      isError(t, await exchangeOne(t, server, bytes), 'INVALID_PARAMETER', 400, query.slice(0, 40));
    }
    for (const query of ['format=pdf&format=pdf', 'format=%zz', 'format=%ff', 'format=pdf%00', 'format=']) {
      const bytes = request(`POST /v1/convert?${query} HTTP/1.1`, [bearer, type], goodForm);
      isError(t, await exchangeOne(t, server, bytes), 'INVALID_PARAMETER', 400, query);
    }
  });
  for (const path of ['/%', '/%zz', '/v1/%c0%af']) {
    isError(
      t,
      await exchangeOne(t, server, request(`GET ${path} HTTP/1.1`, [])),
      'INVALID_REQUEST',
      400,
      path,
    );
  }
  for (const path of ['//v1', '/v1;x', '/V1', '/v1/../v1', '/v1%00', '/__proto__', '/constructor']) {
    isError(t, await exchangeOne(t, server, request(`GET ${path} HTTP/1.1`, [])), 'NOT_FOUND', 404, path);
  }
});

t.test('requests on one connection, the first of them refused before its body came', async (t) => {
  const bytes = Buffer.concat([
    request('POST /v1/convert HTTP/1.1', [type], Buffer.alloc(1_000_000), { keepAlive: true }),
    request('POST /nowhere HTTP/1.1', [json], '{{{', { keepAlive: true }),
    request('GET /health HTTP/1.1', [], 'a body', { keepAlive: true }),
    request('POST /v1/convert HTTP/1.1', [bearer, type], goodForm),
  ]);
  const [unknown, nowhere, health, pdf, ...rest] = readAnswers(await exchangeAll(server, bytes));
  if (!unknown || !nowhere || !health || !pdf) throw new Error('answers are missing');
  isError(t, unknown, 'MISSING_AUTH');
  isError(t, nowhere, 'NOT_FOUND');
  t.equal(health.status, 200);
  await isPdf(t, pdf, 'Hello from Platen.');
  t.equal(rest.length, 0);
});

t.test('a client that waits for 100 Continue', async (t) => {
  const expectation = 'Expect: 100-continue';
  const bytes = request('POST /v1/convert HTTP/1.1', [bearer, type, expectation], goodForm);
  const interim = 'HTTP/1.1 100 Continue\r\n\r\n';
  const received = await exchangeAll(server, bytes);
  t.ok(received.subarray(0, interim.length).equals(Buffer.from(interim)));
  const [pdf] = readAnswers(received.subarray(interim.length));
  t.equal(pdf?.status, 200);
});

t.test('the server is well and ends cleanly', async (t) => {
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
  t.equal((await get(server, '/health')).status, 200);
  t.equal((await send(server, '/v1/usage', { method: 'GET', key })).status, 200);
  t.strictSame(server.troubles, [], 'nothing of it is an error of the server');
  await endsCleanly(t, server);
});
