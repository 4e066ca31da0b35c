/** Nothing that a client sends stays anywhere: not in the log at any level, in Redis, or in the data folder. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encrypt } from 'officecrypto-tool';
import t from 'tap';
import * as documents from '../support/documents.ts';
import { form, Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly, isError, isPdf } from './support/assertions.ts';
import { withChecksum } from './support/keys.ts';
import { getAsOperator, scrape } from './support/operator.ts';
import { patiently } from './support/patience.ts';
import { bearer, exchange, multipart, openUpload, send } from './support/requests.ts';

/** In every name, text and value that is sent. */
const CANARY = 'Canary7Qx';
const name = (extension: string) => `${CANARY}-name.${extension}`;
const content = `${CANARY} content`;

const server = await Server.start({
  env: {
    LOG_LEVEL: 'trace',
    CONVERT_TIMEOUT_MS: '5000',
    MAX_FILE_MB: '1',
    PUBLIC_PER_SECOND: '1000',
    PUBLIC_PER_HOUR: '1000',
    // The document that is too slow must not be the probe's.
    HEALTH_INTERVAL_MS: '600000',
  },
});
const { key, account, id: keyId } = await server.createKey();
const { key: reader } = await server.createKey({ permissions: ['usage'], ipRestrictions: ['10.0.0.0/8'] });
const { key: usageOnly } = await server.createKey({ permissions: ['usage'] });
const unknownKey = withChecksum(`svc_live_sk_${CANARY}${'0'.repeat(34)}`);

const document = documents.docx({ paragraphs: [content] });
const password = `${CANARY}-password`;
const protectedDocument = encrypt(document, { password });
const upload = (data: Uint8Array = document, extension = 'docx') => form(data, name(extension));
/** With the password of the document and of the PDF, and with an attachment. */
function withPassword(data: Uint8Array, addition = ''): FormData {
  const body = upload(data);
  body.append('password', password + addition);
  body.append('userPassword', `${CANARY}-user`);
  body.append('ownerPassword', `${CANARY}-owner`);
  body.append('attachment', new Blob([content], { type: `text/${CANARY}` }), name('txt'));
  return body;
}
const tagged = {
  'user-agent': `${CANARY}-agent`,
  'x-forwarded-for': `${CANARY}-address`,
  'x-request-id': `${CANARY}-id`,
  cookie: `${CANARY}=1`,
};
const askOnce = (path: string, options: Parameters<typeof send>[2] = {}) =>
  send(server, path, { ...options, headers: { ...tagged, ...options.headers } });
const ask: typeof askOnce = (path, options) => patiently(() => askOnce(path, options));

const json = { 'content-type': 'application/json' };

/** The ids of the requests that were answered. */
const answered: string[] = [];

t.test('success', async (t) => {
  for (const options of [{ key, body: upload() }, { body: upload() }]) {
    const path = 'key' in options ? '/v1/convert' : '/v1/public/convert';
    const answer = await ask(path, options);
    await isPdf(t, answer, content);
    t.match(answer.headers.get('content-disposition'), CANARY, 'the client has the name');
    answered.push(String(answer.headers.get('x-request-id')));
  }
});

t.test('success with passwords and an attachment', async (t) => {
  const headers = { 'idempotency-key': 'passwords' };
  const answer = await ask('/v1/convert', { key, body: withPassword(protectedDocument), headers });
  t.equal(answer.status, 200);
  t.match(answer.body.toString('latin1'), /\/Encrypt\b/);
  answered.push(String(answer.headers.get('x-request-id')));
});

t.test('every error', async (t) => {
  const entry = documents.docxWithEntry(`../${CANARY}/entry.xml`);
  const slow = documents.docxWithParts({ 'word/document.xml': slowText() });
  const field = { headers: ['Content-Disposition: form-data; name="format"'], data: CANARY };
  const otherName = `Content-Disposition: form-data; name="${CANARY}"; filename="${name('docx')}"`;
  const requests = [
    ['MISSING_AUTH', ask('/v1/convert', { body: upload() })],
    ['INVALID_API_KEY', ask('/v1/convert', { key: unknownKey, body: upload() })],
    ['INVALID_API_KEY', ask('/v1/convert', { key: CANARY, body: upload() })],
    ['INVALID_API_KEY', ask('/metrics', { method: 'GET', headers: bearer(`${CANARY}-token`) })],
    ['INVALID_API_KEY', ask('/operator/v1/session', { body: `{"token":"${CANARY}-token"}`, headers: json })],
    ['MISSING_AUTH', ask(`/operator/v1/accounts?search=${CANARY}`, { method: 'GET' })],
    ['IP_NOT_ALLOWED', ask('/v1/usage', { method: 'GET', key: reader })],
    ['INSUFFICIENT_PERMISSIONS', ask('/v1/convert', { key: usageOnly, body: upload() })],
    ['INVALID_PARAMETER', ask(`/v1/convert?format=${CANARY}`, { key, body: upload() })],
    ['INVALID_PARAMETER', ask('/v1/convert', { key, ...multipart([field, filePart()]) })],
    ['INVALID_PARAMETER', ask(`/v1/usage?month=${CANARY}`, { method: 'GET', key })],
    ['MISSING_FILE', ask('/v1/convert', { key, ...multipart([{ headers: [otherName], data: document }]) })],
    ['INVALID_REQUEST', ask('/v1/convert', { key, body: content })],
    ['INVALID_REQUEST', ask('/v1/keys/rotate', { key, body: `{"${CANARY}`, headers: json })],
    ['INVALID_PARAMETER', ask('/v1/keys/rotate', { key, body: `{"${CANARY}":1}`, headers: json })],
    ['INVALID_FILE_TYPE', ask('/v1/convert', { key, body: upload(Buffer.from(content), 'txt') })],
    ['FILE_TOO_LARGE', ask('/v1/convert', { key, body: upload(Buffer.alloc(1_048_577, content)) })],
    ['CORRUPTED_FILE', ask('/v1/convert', { key, body: upload(entry) })],
    ['CORRUPTED_FILE', ask('/v1/convert', { key, body: upload(malformed()) })],
    ['PASSWORD_PROTECTED', ask('/v1/convert', { key, body: upload(documents.encryptedDocx()) })],
    ['PASSWORD_PROTECTED', ask('/v1/convert', { key, body: withPassword(protectedDocument, 'wrong') })],
    ['FEATURE_NOT_IN_PLAN', ask('/v1/public/convert', { body: withPassword(protectedDocument) })],
    ['CONVERSION_FAILED', ask('/v1/convert', { key, body: withPassword(encrypt(slow, { password })) })],
    ['NOT_FOUND', ask(`/${CANARY}/${CANARY}?${CANARY}=${CANARY}`, { method: 'GET' })],
    ['METHOD_NOT_ALLOWED', ask(`/v1/convert?${CANARY}`, { method: 'PUT', body: content })],
    ['INVALID_REQUEST', exchange(server, `${CANARY}\r\n\r\n`)],
    [
      'INVALID_REQUEST',
      exchange(server, `GET /%zz${CANARY} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    ],
    ['INVALID_REQUEST', exchange(server, `GET / HTTP/1.1\r\n${CANARY}\r\n\r\n`)],
  ] as const;
  for (const [code, request] of requests) {
    const { requestId } = isError(t, await request, code);
    answered.push(requestId);
  }
  await server.cliText('maintenance', 'on');
  isError(t, await askOnce('/v1/convert', { key, body: upload() }), 'SERVICE_UNAVAILABLE');
  await server.cliText('maintenance', 'off');
});

t.test('an upload that breaks off', async () => {
  const request = openUpload(server, '/v1/convert', { key, contentLength: 100_000 });
  request.on('error', () => {});
  const { headers, body } = multipart([filePart()]);
  t.ok(headers);
  request.write(body.subarray(0, -20));
  await until('it arrives', async () => (await server.jobs()).length === 1);
  request.destroy();
  // A client that shuts its side down might still read; one whose connection is reset has left.
  await server.logged('request', ({ clientLeft, code }) => clientLeft === true || code === 'INVALID_REQUEST');
});

t.test('a failure of the service is logged with its cause and stack', async (t) => {
  const line = await server.logged(
    'The document takes longer than a conversion may last. Split or simplify it.',
  );
  t.equal(line.level, 50);
  t.match(line, { code: 'CONVERSION_FAILED', cause: /5000 ms/, err: { stack: /\bat .+\.[jt]s:\d+/ } });
});

t.test('every request is logged with its outcome', async (t) => {
  const lines = ['request', 'unreadable request'];
  for (const id of answered) {
    await until(`the line of ${id}`, () =>
      server.log.some(({ msg, reqId }) => reqId === id && lines.includes(String(msg))),
    );
  }
  t.match(
    server.log.find(({ msg, status }) => msg === 'request' && status === 200),
    {
      reqId: /^req_/,
      method: 'POST',
      route: '/v1/convert',
      account,
      key: keyId,
      conversion: {
        pages: 1,
        bytesIn: document.length,
        bytesOut: Number,
        rewrites: [],
        phases: { upload: Number, preflight: Number, queue: Number, convert: Number, delivery: Number },
      },
      ms: Number,
    },
  );
  t.match(
    server.log.find(({ msg, code }) => msg === 'request' && code === 'CONVERSION_FAILED'),
    { status: 500, account, conversion: { bytesIn: Number, phases: { upload: Number, convert: Number } } },
  );
});

t.test('the log has nothing of it', async (t) => {
  const log = JSON.stringify([server.log, server.printed]);
  t.ok(log.includes(account), 'it is the log');
  for (const secret of [CANARY, ...[key, reader, usageOnly, unknownKey].map((text) => text.slice(12))]) {
    t.notOk(log.includes(secret), secret);
  }
  const rest = server.log.filter(({ msg }) => !/listening/.test(String(msg)));
  t.notOk(JSON.stringify(rest).includes('127.0.0.1'), 'no address of a client');
});

t.test('the metrics have nothing of it', async (t) => {
  t.notMatch((await scrape(server)).text, CANARY);
});

t.test('what the operator sees of the requests has nothing of it', async (t) => {
  const requests = String((await getAsOperator(server, `/operator/v1/accounts/${account}/requests`)).body);
  const audit = String((await getAsOperator(server, '/operator/v1/audit')).body);
  t.match(requests, '"outcome":"CORRUPTED_FILE"', 'it has been looked at');
  t.match(audit, '"action":"session.refused"', 'it has been looked at');
  for (const text of [requests, audit]) {
    for (const secret of [
      CANARY,
      ...[key, reader, usageOnly, unknownKey].map((text) => text.slice(12, -4)),
    ]) {
      t.notOk(text.includes(secret), secret);
    }
  }
  t.notMatch(requests, '127.0.0.1', 'no address of a client');
});

t.test('Redis and the data folder have nothing of it', async (t) => {
  await until('the jobs are gone', async () => (await server.jobs()).length === 0);
  let seen = '';
  for (const entry of await readdir(server.dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // Some of LibreOffice's come and go.
    const bytes = await readFile(path, 'latin1').catch(() => '');
    for (const secret of [CANARY, key.slice(12), unknownKey.slice(12)]) {
      t.notOk(bytes.includes(secret) || path.includes(secret), `${entry.name} is clean`);
    }
    if (bytes.includes(account)) seen += ` ${entry.name}`;
  }
  // The append-only file has every command that Redis was sent.
  t.match(seen, /\.aof/, 'it has been looked at');
});

t.test('the server ends cleanly', (t) => endsCleanly(t, server));

function filePart() {
  return {
    headers: [`Content-Disposition: form-data; name="file"; filename="${name('docx')}"`],
    data: document,
  };
}

/** The parser of LibreOffice stumbles in the middle of the text. */
function malformed(): Buffer {
  return documents.docxWithParts({ 'word/document.xml': `<w:document><w:p>${content}</w:document>` });
}

/** Takes LibreOffice about ten seconds, as `slowDocx` does, and has a text. */
function slowText(): string {
  const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  const pages = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'.repeat(8_000);
  const text = `<w:p><w:r><w:t>${content}</w:t></w:r></w:p>`;
  return `<w:document xmlns:w="${main}"><w:body>${text}${pages}</w:body></w:document>`;
}
