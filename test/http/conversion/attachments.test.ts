/** Attachments over HTTP, in front of a stub engine: what is refused, with which words, and what an upload leaves. */
import t from 'tap';
import { isDelivered, isError } from '../../e2e/support/assertions.ts';
import { multipart, type Part, send } from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import { invoice } from '../../support/invoices.ts';
import { Service } from '../../support/service.ts';

const MB = 1_048_576;
const service = await Service.start(t, { env: { MAX_FILE_MB: '1', PUBLIC_PER_SECOND: '1000' } });
const { key } = await service.createKey();
await service.createAccount('free', 'free');
const { key: free } = await service.createKey({ account: 'free' });
const hello = docx();

function part(name: string, data: Buffer | string, fileName?: string, type?: string): Part {
  const suffix = fileName === undefined ? '' : `; filename="${fileName}"`;
  return {
    headers: [
      `Content-Disposition: form-data; name="${name}"${suffix}`,
      ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    ],
    data,
  };
}

const file = part('file', hello, 'document.docx');
const attachment = (name?: string, data: Buffer | string = 'content', type?: string) =>
  part('attachment', data, name, type);
const numbered = (count: number) => Array.from({ length: count }, (_, i) => attachment(`${i}.txt`));

const convert = (parts: readonly Part[], query = '', options: Parameters<typeof send>[2] = {}) =>
  send(service, `/v1/convert?${query}`, { key, ...options, ...withHeaders(parts, options.headers) });

function withHeaders(parts: readonly Part[], headers: Readonly<Record<string, string>> = {}) {
  const form = multipart(parts);
  return { ...form, headers: { ...form.headers, ...headers } };
}

/** What the PDF says of its attachments, in their order. */
function filesOf(pdf: Buffer) {
  const text = pdf.toString('latin1');
  const names = [...text.matchAll(/\/UF<FEFF([0-9A-F]*)>/g)].map(([, hexadecimal = '']) =>
    Buffer.from(hexadecimal, 'hex').swap16().toString('utf16le'),
  );
  const types = [...text.matchAll(/\/Subtype\/(\S+?)\/Params/g)].map(([, type]) => type);
  return names.map((name, i) => [name, types[i]]);
}

t.test('before and behind the document', async (t) => {
  for (const parts of [
    [attachment('b.txt', 'b', 'text/plain'), file, attachment('a.csv', 'a', 'text/csv')],
    [file, attachment('a.csv', 'a', 'text/csv; charset=utf-8'), attachment('b.txt', 'b', 'Text/Plain')],
  ]) {
    const answer = await convert(parts);
    isDelivered(t, answer);
    t.strictSame(filesOf(answer.body), [
      ['a.csv', 'text#2Fcsv'],
      ['b.txt', 'text#2Fplain'],
    ]);
  }
  const many = await convert([...numbered(5), file, ...numbered(10).slice(5)]);
  isDelivered(t, many);
  t.equal(filesOf(many.body).length, 10);
  t.strictSame(await service.jobs(), [], 'nothing is left');
});

t.test('names and types', async (t) => {
  for (const [name, type, expected] of [
    ['C:\\\\temp\\\\a.txt', 'no/type/at all', ['a.txt', 'application#2Foctet-stream']],
    ['../../etc/passwd', 'a/b#c', ['passwd', 'a#2Fb#23c']],
    ['a\u202etxt.exe', `a/${'b'.repeat(128)}`, ['atxt.exe', 'application#2Foctet-stream']],
    ['e\u0301.txt', 'application/xml', ['é.txt', 'application#2Fxml']],
    ['%0A<b>.txt', undefined, ['b.txt', undefined]],
    ['x'.repeat(255), 'application/json', ['x'.repeat(255), 'application#2Fjson']],
  ] as const) {
    const answer = await convert([file, attachment(name, 'content', type)]);
    isDelivered(t, answer);
    t.match(filesOf(answer.body), [expected.filter((each) => each !== undefined)], name);
  }
});

t.test('what is refused', async (t) => {
  for (const [parts, code, message] of [
    [[file, ...numbered(11)], 'INVALID_REQUEST', /more than 10 attachments/],
    [[...numbered(11), file], 'INVALID_REQUEST', /more than 10 attachments/],
    [[...numbered(12), file], 'INVALID_REQUEST', /more than 10 attachments/],
    [[file, attachment('a'), attachment('b/a')], 'INVALID_REQUEST', /the same file name/],
    [[file, attachment('é'), attachment('e\u0301')], 'INVALID_REQUEST', /the same file name/],
    [[file, attachment('')], 'INVALID_REQUEST', /has no file name/],
    [[file, attachment('..')], 'INVALID_REQUEST', /has no file name/],
    [[file, attachment('é'.repeat(128))], 'INVALID_REQUEST', /longer than 255 bytes/],
    [[file, attachment()], 'MISSING_FILE', /"attachment" is text/],
    [[file, file], 'INVALID_REQUEST', /more than one file/],
    [[attachment('a')], 'MISSING_FILE', /has no file/],
    [[part('atachment', 'a', 'a'), file], 'MISSING_FILE', /or to "attachment"/],
    [[file, attachment('a', Buffer.alloc(MB + 1))], 'FILE_TOO_LARGE', /together larger than 1 MB/],
    [[file, attachment('a', Buffer.alloc(MB))], 'FILE_TOO_LARGE', /together larger than 1 MB/],
    [[attachment('a', Buffer.alloc(MB)), file], 'FILE_TOO_LARGE', /together larger than 1 MB/],
  ] as const) {
    t.match(isError(t, await convert(parts), code).message, message);
  }
  isDelivered(t, await convert([attachment('a', Buffer.alloc(MB - hello.length)), file]));
  t.strictSame(await service.jobs(), [], 'nothing is left');
});

t.test('with other options', async (t) => {
  for (const [query, parts, message] of [
    ['pdfa=1b', [attachment('a')], /Use pdfa=3b/],
    ['pdfa=2b', [attachment('a')], /Use pdfa=3b/],
    ['attachmentRelationship=Data', [], /needs attachments/],
    ['facturx=basic&pdfa=2b', [], /facturx needs pdfa=3b/],
    ['facturx=basic&pdfa=3b', [attachment('b.xml')], /needs an attachment named factur-x\.xml/],
    ['facturx=basic&pdfa=3b', [attachment('factur-x.xml', invoice('minimum'))], /Send facturx=minimum/],
  ] as const) {
    t.match(isError(t, await convert([...parts, file], query), 'INVALID_PARAMETER').message, message, query);
  }
});

t.test('for the plans that have it', async (t) => {
  const parts = [attachment('a'), file];
  const refused = isError(t, await convert(parts, '', { key: free }), 'FEATURE_NOT_IN_PLAN');
  t.match(refused.message, /^The option attachments is not in your plan "free"\. It is in: "/);
  for (const each of [attachment('a'), part('password', 'a')]) {
    const answer = await send(service, '/v1/public/convert', multipart([file, each]));
    t.match(isError(t, answer, 'FEATURE_NOT_IN_PLAN').message, /needs an API key/);
  }
  isDelivered(t, await convert([file, part('password', 'a')], '', { key: free }));
});

t.test('under an idempotency key they are part of the document', async (t) => {
  const headers = { 'idempotency-key': 'attachments' };
  const parts = [attachment('a', 'a'), attachment('b', 'b'), file];
  isDelivered(t, await convert(parts, '', { headers }));
  isDelivered(t, await convert(parts.toReversed(), '', { headers }));
  for (const [others, query] of [
    [[file], ''],
    [[attachment('a', 'a'), file], ''],
    [[attachment('a', 'other'), attachment('b', 'b'), file], ''],
    [[attachment('a', 'b'), attachment('b', 'a'), file], ''],
    [[attachment('a', 'a', 'text/csv'), attachment('b', 'b'), file], ''],
    [parts, 'attachmentRelationship=Data'],
    [[...parts, part('password', 'a')], ''],
  ] as const) {
    isError(t, await convert(others, query, { headers }), 'IDEMPOTENCY_KEY_REUSED');
  }
});
