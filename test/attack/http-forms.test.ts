/** Invalid, oversized and misleading forms get an error object or the PDF, and leave nothing behind. */
import t, { type Test } from 'tap';
import { type Code, endsCleanly, isError, isPdf } from '../e2e/support/assertions.ts';
import { convert, get } from '../e2e/support/requests.ts';
import { docx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import {
  BOUNDARY,
  exchangeOne,
  FORM_TYPE,
  form,
  part,
  request,
  residentBytes,
  withstands,
} from './support/raw-http.ts';

/** Allowed growth of the server's memory: buffers that are not collected yet. */
const GROWTH_BYTES = 200_000_000;

const server = await Server.start({ env: { HEALTH_INTERVAL_MS: '600000' } });
const { key } = await server.createKey();
const victim = { server, key };
const document = docx();
const FILE = 'form-data; name="file"; filename="a.docx"';
const file = part(FILE, document);
const whole = form(file);
const residentAtStart = residentBytes(server.pid);

/** The answer to a body of this type. */
async function upload(t: Test, body: Buffer | string, contentType = FORM_TYPE, ...headers: string[]) {
  const bearer = `Authorization: Bearer ${key}`;
  const types = contentType === '' ? [] : [`Content-Type: ${contentType}`];
  return exchangeOne(t, server, request('POST /v1/convert HTTP/1.1', [bearer, ...types, ...headers], body));
}

type Expected = Code | 'PDF';

async function answers(t: Test, what: string, expected: Expected, ...args: [Buffer | string, ...string[]]) {
  const answer = await upload(t, ...args);
  if (expected !== 'PDF') return void isError(t, answer, expected, undefined, what);
  t.equal(answer.status, 200, `${what}: ${answer.status === 200 ? 'status' : answer.body}`);
  t.equal(answer.headers.get('content-type'), 'application/pdf', what);
}

/** The bytes, `count` times. */
const times = (count: number, bytes: Buffer | string) =>
  Buffer.concat(Array.from({ length: count }, () => Buffer.from(bytes as string)));

t.test('content types', async (t) => {
  const forged = JSON.stringify({
    file: { type: 'file', filename: 'a', _buf: { type: 'Buffer', data: [80] } },
  });
  const boundary = `boundary=${BOUNDARY}`;
  const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  const types: readonly (readonly [type: string, body: Buffer | string, Expected])[] = [
    ['', whole, 'INVALID_REQUEST'],
    [';;;', whole, 'INVALID_REQUEST'],
    ['text/plain', 'a document', 'INVALID_REQUEST'],
    ['application/x-www-form-urlencoded', 'file=a', 'INVALID_REQUEST'],
    ['application/json', '{{{', 'INVALID_REQUEST'],
    ['application/json', forged, 'INVALID_REQUEST'],
    [word, document, 'INVALID_REQUEST'],
    [`multipart/mixed; ${boundary}`, whole, 'INVALID_REQUEST'],
    [`multipart/form-dataX; ${boundary}`, whole, 'INVALID_REQUEST'],
    [`multipart/form-data, text/plain; ${boundary}`, whole, 'INVALID_REQUEST'],
    ['multipart/form-data', whole, 'INVALID_REQUEST'],
    ['multipart/form-data; boundary', whole, 'INVALID_REQUEST'],
    ['multipart/form-data; boundary=', whole, 'INVALID_REQUEST'],
    ['multipart/form-data; boundary=other', whole, 'INVALID_REQUEST'],
    [`multipart/form-data; boundary=other; ${boundary}`, whole, 'INVALID_REQUEST'],
    [`multipart/form-data; charset=utf-16; ${boundary}`, whole, 'PDF'],
    [
      `MULTIPART/FORM-DATA; ${boundary.toUpperCase().replace(BOUNDARY.toUpperCase(), BOUNDARY)}`,
      whole,
      'PDF',
    ],
    [`multipart/form-data; ${boundary}; charset=${'x'.repeat(5_000)}`, whole, 'PDF'],
  ];
  await withstands(t, victim, async () => {
    for (const [type, body, expected] of types)
      await answers(t, `"${type}"`.slice(0, 70), expected, body, type);
    for (const coding of ['gzip', 'br', 'identity, gzip']) {
      const answer = await upload(t, whole, FORM_TYPE, `Content-Encoding: ${coding}`);
      t.match(isError(t, answer, 'INVALID_REQUEST', 400, coding).message, 'not compressed');
    }
    await answers(t, 'identity', 'PDF', whole, FORM_TYPE, 'Content-Encoding: identity');
  });
});

t.test('boundaries', async (t) => {
  await withstands(t, victim, async () => {
    for (const boundary of ['y'.repeat(70), 'y'.repeat(200), "'()+_,-./:=?", '--', ' x', 'é']) {
      const head = `--${boundary}\r\nContent-Disposition: ${FILE}\r\n\r\n`;
      const body = Buffer.concat([Buffer.from(head), document, Buffer.from(`\r\n--${boundary}--\r\n`)]);
      await answers(t, boundary, 'PDF', body, `multipart/form-data; boundary="${boundary}"`);
    }
    const endless = 'y'.repeat(8_000);
    await answers(t, 'a long one', 'INVALID_REQUEST', whole, `multipart/form-data; boundary=${endless}`);
  });
});

t.test('forms that are not complete', async (t) => {
  const bodies: readonly (readonly [what: string, body: Buffer | string, Expected])[] = [
    ['empty', '', 'MISSING_FILE'],
    ['its end alone', form(), 'MISSING_FILE'],
    ['its start alone', `--${BOUNDARY}`, 'INVALID_REQUEST'],
    ['no end', file, 'INVALID_REQUEST'],
    ['half of its end', Buffer.concat([file, Buffer.from(`--${BOUNDARY}-`)]), 'INVALID_REQUEST'],
    ['no blank line', `--${BOUNDARY}\r\nContent-Disposition: ${FILE}\r\n`, 'INVALID_REQUEST'],
    ['lines that end with LF', whole.toString('latin1').replaceAll('\r\n', '\n'), 'INVALID_REQUEST'],
    ['text before it', Buffer.concat([times(500, 'preamble'), Buffer.from('\r\n'), whole]), 'PDF'],
    ['text behind it', Buffer.concat([whole, times(500, 'epilogue')]), 'PDF'],
  ];
  await withstands(t, victim, async () => {
    for (const [what, body, expected] of bodies) await answers(t, what, expected, body);
  });
});

t.test('parts that are odd', async (t) => {
  const inner = Buffer.concat([
    Buffer.from('--inner\r\nContent-Disposition: file; filename="b.docx"\r\n\r\n'),
    document,
    Buffer.from('\r\n--inner--'),
  ]);
  const named = (name: string, ...headers: string[]) => part(`form-data; name="${name}"`, 'x', ...headers);
  const format = (header: string) => part('form-data; name="format"', 'pdf', header);
  const json = (data: string, name = 'x') =>
    part(`form-data; name="${name}"`, data, 'Content-Type: application/json');
  const bodies: readonly (readonly [what: string, body: Buffer, Expected])[] = [
    ['no disposition', form(part('', document)), 'MISSING_FILE'],
    ['no disposition, then the file', form(part('', 'x'), file), 'PDF'],
    ['another disposition', form(part(FILE.replace('form-data', 'attachment'), document)), 'MISSING_FILE'],
    ['no name', form(part('form-data; filename="a.docx"', document)), 'MISSING_FILE'],
    ['a field without a name', form(part('form-data', 'x'), file), 'INVALID_REQUEST'],
    ['an empty name', form(named(''), file), 'INVALID_PARAMETER'],
    ['an unknown field', form(named('userPasword'), file), 'INVALID_PARAMETER'],
    ['two names, the last "file"', form(part(`form-data; name="x"; ${FILE.slice(11)}`, document)), 'PDF'],
    ['two dispositions', form(part(FILE, document, 'Content-Disposition: form-data; name="x"')), 'PDF'],
    ['"file" as text', form(named('file')), 'MISSING_FILE'],
    ['"file" as text, then the file', form(named('file'), file), 'MISSING_FILE'],
    ['"file" as JSON', form(json('{"type":"file","file":{}}', 'file')), 'MISSING_FILE'],
    ['two files', form(file, file), 'INVALID_REQUEST'],
    ['another file', form(part('form-data; name="other"; filename="a"', document)), 'MISSING_FILE'],
    [
      'a file without a file name',
      form(part('form-data; name="file"', document, 'Content-Type: application/octet-stream')),
      'PDF',
    ],
    [
      'base64',
      form(part(FILE, document.toString('base64'), 'Content-Transfer-Encoding: base64')),
      'INVALID_FILE_TYPE',
    ],
    [
      'a form within',
      form(part(FILE, inner, 'Content-Type: multipart/mixed; boundary=inner')),
      'INVALID_FILE_TYPE',
    ],
    [
      'the same form within',
      form(part('form-data; name="files"', whole, `Content-Type: ${FORM_TYPE}`)),
      'PDF',
    ],
    ['another charset', form(format('Content-Type: text/plain; charset=utf-7'), file), 'PDF'],
    ['no such charset', form(format(`Content-Type: text/plain; charset=${'x'.repeat(5_000)}`), file), 'PDF'],
    ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'].flatMap((name) => [
      [`the field "${name}"`, form(named(name), file), 'INVALID_REQUEST'] as const,
      [`the field "${name}", last`, form(file, named(name)), 'INVALID_REQUEST'] as const,
      [
        `the file "${name}"`,
        form(part(`form-data; name="${name}"; filename="a"`, document)),
        'INVALID_REQUEST',
      ] as const,
    ]),
    ['a prototype in JSON', form(json('{"__proto__":{"format":"png"}}'), file), 'INVALID_REQUEST'],
    ['a method in JSON', form(json('{"toString":"pdf"}', 'format'), file), 'INVALID_REQUEST'],
    [
      'two formats',
      form(part('form-data; name="format"', 'pdf'), part('form-data; name="format"', 'png'), file),
      'INVALID_PARAMETER',
    ],
  ];
  await withstands(t, victim, async () => {
    for (const [what, body, expected] of bodies) await answers(t, what, expected, body);
  });
});

t.test('more than a form may have', async (t) => {
  const field = (size: number) => part('form-data; name="x"', Buffer.alloc(size, 'x'));
  const filler = `X-A: ${'x'.repeat(100_000)}`;
  const bodies: readonly (readonly [what: string, body: Buffer, Expected])[] = [
    [
      '1,000 fields',
      form(...Array.from({ length: 1_000 }, (_, i) => part(`form-data; name="field${i}"`, 'x')), file),
      'INVALID_REQUEST',
    ],
    ['1,000 times the same field', form(times(1_000, field(1)), file), 'INVALID_PARAMETER'],
    ['5,000 parts', form(times(5_000, part('', 'x')), file), 'INVALID_REQUEST'],
    ['1,000 files', form(times(1_000, file)), 'INVALID_REQUEST'],
    ['10,000 empty parts', form(times(10_000, `--${BOUNDARY}\r\n\r\n\r\n`), file), 'INVALID_REQUEST'],
    ['10,000 boundaries', form(times(10_000, `--${BOUNDARY}\r\n`), file), 'INVALID_REQUEST'],
    ['a field of 20 MB', form(field(20_000_000), file), 'INVALID_REQUEST'],
    ['a name of 10 kB', form(part(`form-data; name="${'x'.repeat(10_000)}"`, 'x'), file), 'INVALID_REQUEST'],
    [
      'a name of 100 kB',
      form(part(`form-data; name="${'x'.repeat(100_000)}"`, 'x'), file),
      'INVALID_REQUEST',
    ],
    ['a long line behind the disposition', form(part(FILE, document, filler)), 'INVALID_REQUEST'],
    [
      'a header that does not end',
      Buffer.from(`--${BOUNDARY}\r\nX-A: ${'x'.repeat(20_000_000)}`),
      'INVALID_REQUEST',
    ],
    ['1,000 lines of header', form(part(FILE, document, ...Array<string>(1_000).fill('X-A: b'))), 'PDF'],
    ['parameters without number', form(part(FILE + '; a=b'.repeat(2_500), document)), 'PDF'],
    ['semicolons without number', form(part(FILE + ';'.repeat(15_000), document)), 'PDF'],
  ];
  await withstands(t, victim, async () => {
    for (const [what, body, expected] of bodies) await answers(t, what, expected, body);
  });
});

t.test('a large unwanted part does not block its form', async (t) => {
  await withstands(t, victim, async () => {
    for (const size of [20_000, 100_000, 5_000_000]) {
      const answer = await upload(t, form(part('attachment', Buffer.alloc(size)), file));
      // Depending on where chunks end, the parser skips the part or fails after it.
      if (answer.status !== 200) isError(t, answer, 'INVALID_REQUEST', 400, `${size} bytes`);
    }
  });
});

t.test('whatever the file is called, Content-Disposition is one valid header', async (t) => {
  const names: Readonly<Record<string, string>> = {
    'a\r\nX-Evil: 1.docx': 'a.pdf',
    'a%0d%0aX-Evil:1.docx': 'aX-Evil1.pdf',
    'a\0b.docx': 'ab.pdf',
    'a\\"b.docx': 'ab.pdf',
    'a"; filename="b.docx': 'a.pdf',
    'a; filename=b.docx': 'a; filename=b.pdf',
    '../../etc/passwd': 'passwd.pdf',
    '..\\..\\x.docx': 'x.pdf',
    '/': 'document.pdf',
    '..': 'document.pdf',
    '': 'document.pdf',
    '\u202excod.exe': 'xcod.pdf',
    '\u2028\u2029\x85\ufeff.docx': 'document.pdf',
    [`${'n'.repeat(10_000)}.docx`]: `${'n'.repeat(150)}.pdf`,
    [`${'💥'.repeat(3_000)}.docx`]: `${'💥'.repeat(150)}.pdf`,
    'naïve €.docx': 'naïve €.pdf',
  };
  const raw: readonly (readonly [what: string, disposition: string, name: string])[] = [
    ...Object.entries(names).map(
      ([name, expected]) =>
        [
          encodeURIComponent(name.slice(0, 30)),
          `form-data; name="file"; filename="${name}"`,
          expected,
        ] as const,
    ),
    ['filename*', 'form-data; name="file"; filename*=utf-8\'\'na%C3%AFve%00%22.docx', 'naïve.pdf'],
    ['filename* of another charset', 'form-data; name="file"; filename*=utf-16\'\'%zz%ff.docx', '%zz.pdf'],
    ['filename* that is none', 'form-data; name="file"; filename*=x', '=x.pdf'],
  ];
  await withstands(t, victim, async () => {
    for (const [what, disposition, name] of raw) {
      const { status, headers, body } = await upload(t, form(part(disposition, document)));
      t.equal(status, 200, `${what}: ${status === 200 ? 'status' : body}`);
      t.equal(headers.has('x-evil'), false, what);
      const [, plain = '', encoded] =
        /^attachment; filename="([\x20-\x21\x23-\x5b\x5d-\x7e]+)"(?:; filename\*=UTF-8''([\w%.~!#$&+^`|-]+))?$/.exec(
          headers.get('content-disposition') ?? '',
        ) ?? [];
      t.equal(encoded === undefined ? plain : decodeURIComponent(encoded), name, what);
    }
    // Half of a surrogate pair, in the bytes that UTF-8 would have for it.
    const lone = form(part('form-data; name="file"; filename="@.docx"', document)).toString('latin1');
    const body = Buffer.from(lone.replace('@', '\xed\xa0\x80'), 'latin1');
    t.equal(
      (await upload(t, body)).headers.get('content-disposition'),
      'attachment; filename="document.pdf"',
    );
    for (const end of ['\r', '\n']) {
      await answers(
        t,
        'half a line break',
        'MISSING_FILE',
        form(part(`form-data; name="file"; filename="a${end}b"`, document)),
      );
    }
  });
});

t.test('the server is well, has not grown, and ends cleanly', async (t) => {
  await isPdf(t, await convert(server, key, document), 'Hello from Platen.');
  t.equal((await get(server, '/health')).status, 200);
  const growth = residentBytes(server.pid) - residentAtStart;
  t.ok(growth < GROWTH_BYTES, `grown by ${Math.round(growth / 1e6)} MB`);
  t.strictSame(server.troubles, []);
  await endsCleanly(t, server);
});
