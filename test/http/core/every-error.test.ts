/** Every error that a client can bring about: its status, its headers and its whole body. */
import { crc32 } from 'node:zlib';
import t from 'tap';
import { type Code, isDelivered, isError } from '../../e2e/support/assertions.ts';
import {
  convert,
  exchange,
  filePartHead,
  get,
  multipart,
  type Part,
  send,
} from '../../e2e/support/requests.ts';
import * as documents from '../../support/documents.ts';
import { noise } from '../../support/noise.ts';
import { form } from '../../support/server.ts';
import { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const hello = documents.docx();
const service = await Service.start(t, { env: { PUBLIC_PER_HOUR: '1000', PUBLIC_PER_SECOND: '1000' } });
const { key } = await service.createKey();
const expires = new Date(Date.now() + 5_000);
const shortLived = await service.createKey({ expiresAt: expires });

/** A field of a form, or a file when it has a file name. */
function part(name: string, data: Buffer | string, fileName?: string): Part {
  const suffix = fileName === undefined ? '' : `; filename="${fileName}"`;
  return { headers: [`Content-Disposition: form-data; name="${name}"${suffix}`], data };
}

/** The text with its CRC-32 in six characters of base 62 behind it, as every key has it. */
function withChecksum(text: string): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let checksum = '';
  for (let rest = crc32(text); checksum.length < 6; rest = Math.floor(rest / 62)) {
    checksum = digits.charAt(rest % 62) + checksum;
  }
  return text + checksum;
}

const filePart = part('file', hello, 'document.docx');

t.test('MISSING_AUTH', async (t) => {
  isError(t, await send(service, '/v1/convert', { body: form(hello) }), 'MISSING_AUTH');
  const empty = await send(service, '/v1/convert', { headers: { authorization: '' } });
  isError(t, empty, 'MISSING_AUTH');
});

t.test('INVALID_API_KEY is the same answer whatever is wrong with the key, or with the header', async (t) => {
  const revoked = await service.createKey();
  isDelivered(t, await convert(service, revoked.key, hello));
  await service.revokeKey(revoked.id);
  const last = key.endsWith('a') ? 'b' : 'a';
  const headers = {
    'another scheme': `Basic ${Buffer.from(`user:${key}`).toString('base64')}`,
    'no scheme': key,
    'no key': 'Bearer',
    'followed by more': `Bearer ${key} ${key}`,
    'very long': `Bearer ${'a'.repeat(8_000)}`,
  };
  const keys = {
    malformed: 'Bearer svc_live_sk_short',
    'of another service': `Bearer ${key.replace('svc_', 'api_')}`,
    'wrong checksum': `Bearer ${key.slice(0, -1)}${last}`,
    'of another environment': `Bearer ${key.replace('_live_', '_test_')}`,
    unknown: `Bearer ${withChecksum(`svc_live_sk_${'0'.repeat(43)}`)}`,
    revoked: `Bearer ${revoked.key}`,
  };
  t.equal(withChecksum(key.slice(0, -6)), key, 'the unknown key differs in being unknown alone');
  for (const [kind, message] of [
    [headers, /Send it as "Authorization: Bearer svc_…"/],
    [keys, /^This API key is not valid\./],
  ] as const) {
    const answers = new Set<string>();
    for (const [what, authorization] of Object.entries(kind)) {
      const answer = await send(service, '/v1/convert', { headers: { authorization }, body: form(hello) });
      const { requestId, timestamp, ...rest } = isError(t, answer, 'INVALID_API_KEY', 401, what);
      t.match(rest, { message }, what);
      answers.add(JSON.stringify(rest));
    }
    t.equal(answers.size, 1, 'nothing tells them apart');
  }
});

t.test('ACCOUNT_SUSPENDED', async (t) => {
  const { id } = await service.createAccount('suspended', 'free');
  const { key: own } = await service.createKey({ account: id });
  await service.suspend(id);
  const requests = [
    ['POST', '/v1/convert'],
    ['POST', '/v1/jobs'],
    ['GET', '/v1/jobs'],
    ['GET', '/v1/usage'],
    ['GET', '/v1/webhooks'],
    ['POST', '/v1/keys/rotate'],
    ['GET', `/v1/conversions/req_${'0'.repeat(32)}`],
  ] as const;
  for (const [method, path] of requests) {
    isError(t, await send(service, path, { method, key: own }), 'ACCOUNT_SUSPENDED', 403, path);
  }
  await service.resume(id);
  isDelivered(t, await convert(service, own, hello));
});

t.test('IP_NOT_ALLOWED', async (t) => {
  const { key: elsewhere } = await service.createKey({ ipRestrictions: ['10.0.0.0/8', '2001:db8::/32'] });
  isError(t, await convert(service, elsewhere, hello), 'IP_NOT_ALLOWED');
  // Nobody said that a proxy is to be believed.
  const headers = { 'x-forwarded-for': '10.0.0.1', forwarded: 'for=10.0.0.1' };
  isError(t, await convert(service, elsewhere, hello, { headers }), 'IP_NOT_ALLOWED');
});

t.test('ORIGIN_NOT_ALLOWED', async (t) => {
  const { key: shop } = await service.createKey({ type: 'pk', origins: ['https://shop.example'] });
  const headers = { origin: 'https://other.example' };
  const { message } = isError(t, await convert(service, shop, hello, { headers }), 'ORIGIN_NOT_ALLOWED');
  t.match(message, 'pages of https://other.example. Add this origin to the key');
  const secret = isError(t, await convert(service, key, hello, { headers }), 'ORIGIN_NOT_ALLOWED');
  t.match(secret.message, 'It is secret');
});

t.test('INSUFFICIENT_PERMISSIONS', async (t) => {
  const { key: reader } = await service.createKey({ permissions: ['usage'] });
  isError(t, await convert(service, reader, hello), 'INSUFFICIENT_PERMISSIONS');
});

t.test('MISSING_FILE', async (t) => {
  const forms: Record<string, readonly Part[]> = {
    'only another field': [part('format', 'pdf')],
    'a file of another name': [part('document', hello, 'document.docx')],
    'a field instead of a file': [part('file', 'report.docx')],
  };
  for (const [what, parts] of Object.entries(forms)) {
    isError(t, await send(service, '/v1/convert', { key, ...multipart(parts) }), 'MISSING_FILE', 400, what);
  }
  const { headers } = multipart([]);
  isError(t, await send(service, '/v1/convert', { key, headers }), 'MISSING_FILE', 400, 'an empty body');
});

t.test('INVALID_PARAMETER', async (t) => {
  for (const query of ['format=jpeg', 'format=', 'format=PDF', 'format=pdf&format=pdf']) {
    const answer = await send(service, `/v1/convert?${query}`, { key, body: form(hello) });
    isError(t, answer, 'INVALID_PARAMETER', 400, query);
  }
  const data = form(hello);
  data.set('format', 'png');
  isError(t, await send(service, '/v1/convert', { key, body: data }), 'INVALID_PARAMETER', 400, 'a field');
});

t.test('INVALID_REQUEST', async (t) => {
  const { headers, body } = multipart([filePart]);
  const type = 'content-type';
  const bodies: Record<string, { headers?: Record<string, string>; body?: Buffer | string }> = {
    'no body': {},
    JSON: { headers: { [type]: 'application/json' }, body: '{"file":"…"}' },
    'malformed JSON': { headers: { [type]: 'application/json' }, body: '{' },
    'a plain form': { headers: { [type]: 'application/x-www-form-urlencoded' }, body: 'file=a' },
    'the document itself': { headers: { [type]: 'application/octet-stream' }, body: hello },
    'no boundary': { headers: { [type]: 'multipart/form-data' }, body },
    'another boundary': { headers: { [type]: 'multipart/form-data; boundary=other' }, body },
    'no final boundary': { headers, body: body.subarray(0, -20) },
    'cut off in the document': { headers, body: body.subarray(0, 500) },
    'cut off in the head of a part': { headers, body: body.subarray(0, 40) },
    'two files': multipart([filePart, filePart]),
    'a file and another one': multipart([filePart, part('other', hello, 'other.docx')]),
    'field __proto__': multipart([filePart, part('__proto__', 'x')]),
    'field constructor': multipart([filePart, part('constructor', 'x')]),
    'file __proto__': multipart([part('__proto__', hello, 'document.docx')]),
    'too many fields': multipart([filePart, ...Array.from({ length: 11 }, (_, i) => part(`f${i}`, 'x'))]),
    'a long field': multipart([part('note', 'x'.repeat(2_000)), filePart]),
    'a long field name': multipart([part('n'.repeat(2_000), 'x'), filePart]),
  };
  for (const [what, request] of Object.entries(bodies)) {
    isError(t, await send(service, '/v1/convert', { key, ...request }), 'INVALID_REQUEST', 400, what);
  }
});

t.test('INVALID_FILE_TYPE says what the file is', async (t) => {
  const files: readonly (readonly [() => Buffer, RegExp])[] = [
    [documents.odt, /\.odt/],
    [() => documents.odt('spreadsheet'), /\.ods/],
    [documents.xlsx, /\.xlsx/],
    [documents.pptx, /\.pptx/],
    [documents.docm, /\.docm/],
    [documents.dotx, /\.dotx/],
    [documents.legacyDoc, /\.doc\b/],
    [documents.legacyXls, /Excel/],
    [documents.rtf, /\.rtf/],
    [documents.html, /HTML/],
    [documents.plainText, /plain text/],
    [documents.plainZip, /ZIP/],
    [documents.png, /PNG/],
    [documents.pdf, /PDF/],
    [documents.binary, /DOCX/],
    [documents.empty, /empty/],
  ];
  for (const [build, message] of files) {
    const { name } = build;
    const body = isError(t, await convert(service, key, build()), 'INVALID_FILE_TYPE', 400, name);
    t.match(body.message, message, name);
  }
});

t.test('FILE_TOO_LARGE', async (t) => {
  const body = isError(t, await convert(service, undefined, noise(5_242_881)), 'FILE_TOO_LARGE');
  t.match(body.message, /\b5 MB\b/);
});

t.test('CORRUPTED_FILE', async (t) => {
  const builders = [
    documents.truncatedDocx,
    documents.docxWithoutMainPart,
    documents.docxWithEmptyMainPart,
    documents.docxWithDuplicateEntries,
  ];
  for (const build of builders) {
    isError(t, await convert(service, key, build()), 'CORRUPTED_FILE', 400, build.name);
  }
});

t.test('PASSWORD_PROTECTED', async (t) => {
  for (const build of [documents.encryptedDocx, documents.zipEncryptedDocx]) {
    isError(t, await convert(service, key, build()), 'PASSWORD_PROTECTED', 400, build.name);
  }
});

t.test('NOT_FOUND', async (t) => {
  const requests = [
    ['GET', '/nowhere'],
    ['GET', '/v1/nowhere'],
    ['POST', '/v1/convert/more'],
    ['GET', '/health/%2e%2e/secret'],
    ['PUT', '/v2/convert'],
  ] as const;
  for (const [method, path] of requests) {
    isError(t, await send(service, path, { method }), 'NOT_FOUND', 404, `${method} ${path}`);
  }
  isError(t, await send(service, '/nowhere', { body: form(hello) }), 'NOT_FOUND', 404, 'with a body');
});

t.test('METHOD_NOT_ALLOWED', async (t) => {
  const requests = [
    ['GET', '/v1/convert', 'POST'],
    ['PUT', '/v1/convert?format=pdf', 'POST'],
    ['GET', '/v1/public/convert', 'POST'],
    ['POST', '/v1/health', 'GET, HEAD'],
    ['DELETE', '/health', 'GET, HEAD'],
    ['PATCH', '/v1', 'GET, HEAD'],
    ['OPTIONS', '/v1/convert', 'POST'],
  ] as const;
  for (const [method, path, allow] of requests) {
    const answer = await send(service, path, { method });
    isError(t, answer, 'METHOD_NOT_ALLOWED', 405, `${method} ${path}`);
    t.equal(answer.headers.get('allow'), allow, `${method} ${path}`);
  }
});

t.test('the first check that fails answers', async (t) => {
  const { key: reader } = await service.createKey({ permissions: ['usage'], ipRestrictions: ['10.0.0.0/8'] });
  const file = form(documents.encryptedDocx());
  const send2 = (path: string, who?: string, body: FormData | string = file) =>
    send(service, path, { ...(who !== undefined && { key: who }), body });
  const expected: readonly (readonly [Promise<Awaited<ReturnType<typeof send2>>>, Code])[] = [
    [send2('/nowhere'), 'NOT_FOUND'],
    [send2('/v1/convert?format=jpeg'), 'MISSING_AUTH'],
    [send(service, '/v1/convert', { key: reader, headers: { origin: 'null' } }), 'ORIGIN_NOT_ALLOWED'],
    [send2('/v1/convert?format=jpeg', reader), 'IP_NOT_ALLOWED'],
    [send2('/v1/convert?format=jpeg', key, ''), 'INVALID_PARAMETER'],
    [send2('/v1/convert', key), 'PASSWORD_PROTECTED'],
  ];
  for (const [answer, code] of expected) isError(t, await answer, code);
});

t.test('errors before routing', async (t) => {
  const host = 'Host: localhost\r\n';
  const requests: readonly (readonly [string, string, number])[] = [
    ['garbage', '\0\x01\x02 no HTTP\r\n\r\n', 400],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n\r\n', 400],
    ['an unknown method', `BREW /v1 HTTP/1.1\r\n${host}\r\n`, 400],
    ['a malformed header', `GET /v1 HTTP/1.1\r\n${host}no colon\r\n\r\n`, 400],
    ['a malformed length', `POST /v1 HTTP/1.1\r\n${host}Content-Length: ten\r\n\r\n`, 400],
    ['a large header', `GET /v1 HTTP/1.1\r\n${host}X-Large: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a malformed address', `GET /%zz HTTP/1.1\r\n${host}Connection: close\r\n\r\n`, 400],
    ['no host', 'GET /v1 HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    [
      'a malformed chunk in the upload',
      `POST /v1/convert HTTP/1.1\r\n${host}Authorization: Bearer ${key}\r\n` +
        'Content-Type: multipart/form-data; boundary=test-boundary\r\nTransfer-Encoding: chunked\r\n\r\n' +
        `${filePartHead.length.toString(16)}\r\n${filePartHead}\r\nno length\r\n`,
      400,
    ],
  ];
  for (const [what, bytes, status] of requests) {
    isError(t, await exchange(service, bytes), 'INVALID_REQUEST', status, what);
  }
  const expectation = `GET /v1 HTTP/1.1\r\n${host}Expect: tea\r\nConnection: close\r\n\r\n`;
  t.equal((await exchange(service, expectation)).status, 200, 'an unknown expectation is passed over');
});

t.test('EXPIRED_API_KEY', async (t) => {
  const ask = () => send(service, '/v1/convert', { key: shortLived.key });
  await until('the key expires', async () => (await ask()).status === 401);
  t.ok(Date.now() >= expires.getTime(), 'not before its time');
  isError(t, await ask(), 'EXPIRED_API_KEY');
});

t.test('nothing is left of the refused documents', async (t) => {
  // An error before routing is answered before the end of the upload that it breaks.
  await until('the jobs are gone', async () => (await service.jobs()).length === 0);
  t.equal((await get(service, '/health')).status, 200, 'and the service is well');
});
