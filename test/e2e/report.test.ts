/** What a client learns besides its PDF, with two servers on one Redis: warnings, and the report on a conversion. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseList } from 'structured-headers';
import t, { type Test } from 'tap';
import { docx, malformedDocx, slowDocx } from '../support/documents.ts';
import { kawiFont } from '../support/own-font.ts';
import {
  inFont,
  type ReportedParts,
  reportedDocx,
  reviewed,
  run,
  savedByWord,
  wordPart,
} from '../support/report-documents.ts';
import { form, type NewKey, Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly, hasRateLimit, isError } from './support/assertions.ts';
import { scrape } from './support/operator.ts';
import { pdfFonts, pdfText } from './support/pdf.ts';
import { atRest, runningJob } from './support/processes.ts';
import { startRedis } from './support/redis.ts';
import {
  type Answer,
  answerTo,
  convert,
  filePartHead,
  formEnd,
  openUpload,
  send,
} from './support/requests.ts';

const DAY_MS = 86_400_000;
/** More than it takes to look. */
const A_MINUTE_MS = 60_000;

const redis = await startRedis(t);
const env = { REDIS_URL: redis.socket, PUBLIC_PER_SECOND: '100', PUBLIC_PER_HOUR: '1000' };
const first = await Server.start({ env });
const fonts = await mkdtemp(join(tmpdir(), 'platen-fonts-'));
t.teardown(() => rm(fonts, { recursive: true }));
await writeFile(join(fonts, 'own.ttc'), await kawiFont('Own Kawi'));
const second = await Server.start({ env: { ...env, FONTS_DIR: fonts } });

async function createKey(account: string, options: NewKey = {}): Promise<string> {
  return (await first.createKey({ account, ...options })).key;
}
for (const account of ['acme', 'other']) {
  await first.createAccount({ id: account, name: account, plan: 'pro' });
}
const key = await createKey('acme');

interface Conversion {
  readonly requestId: string;
  readonly outcome: string;
  readonly code: string | null;
  readonly pages: number | null;
  readonly wordPages: number | null;
  readonly pagination: { readonly by: string; readonly reason: string } | null;
  readonly bytesIn: number | null;
  readonly bytesOut: number | null;
  readonly convertMs: number | null;
  readonly fonts: readonly Readonly<Record<string, unknown>>[];
  readonly warnings: readonly Readonly<Record<string, unknown>>[];
}

const idOf = ({ headers }: Answer): string => String(headers.get('x-request-id'));
const warningsOf = ({ headers }: Answer): string | null => headers.get('x-conversion-warnings');

function ask(server: Server, id: string, as = key): Promise<Answer> {
  return send(server, `/v1/conversions/${id}`, { method: 'GET', key: as });
}

/** What the other server says of a conversion, at once. */
async function conversion(answer: Answer, as = key): Promise<Conversion> {
  const { status, body } = await ask(second, idOf(answer), as);
  if (status !== 200) throw new Error(`${status} ${body}`);
  return JSON.parse(body.toString('utf8')) as Conversion;
}

/** Converts it and asserts the warnings, in the header and in full. */
async function isReported(t: Test, document: ReportedParts, header: string | null): Promise<Answer> {
  const answer = await convert(first, key, reportedDocx(document));
  t.equal(answer.status, 200);
  t.equal(warningsOf(answer), header);
  const list = header === null ? [] : parseList(header);
  const { warnings } = await conversion(answer);
  t.strictSame(
    warnings.filter(({ metricsCompatible }) => metricsCompatible !== true).map(({ code }) => code),
    list.map(([code]) => String(code)),
  );
  for (const { message } of warnings) t.match(message, /^[A-Z].*\.$/);
  return answer;
}

const liberation = inFont('Liberation Sans');
const plain = run('Text', liberation);

t.test('a plain document has no warnings', async (t) => {
  const answer = await isReported(t, { body: plain, properties: savedByWord(1) }, null);
  t.match(await conversion(answer), {
    requestId: idOf(answer),
    outcome: 'success',
    code: null,
    pages: 1,
    wordPages: 1,
    bytesOut: answer.body.length,
    fonts: [{ name: 'Liberation Sans', used: 'Liberation Sans', metricsCompatible: true }],
  });
});

t.test('a font that stands in for another', async (t) => {
  const body =
    run('Text', inFont('Garamond')) +
    run('Text', inFont('Courier New')) +
    run('Bold', `${liberation}<w:b/>`) +
    run('x', inFont('No Such Font'));
  const header =
    'FONT_SUBSTITUTED;font="Garamond";by="Platen Garamond", FONT_SUBSTITUTED;font="No Such Font"';
  const answer = await isReported(t, { body }, header);
  t.match(
    (await pdfFonts(answer.body)).map(({ name }) => name.replace(/^.*\+/, '')),
    ['PlatenGaramond', 'PlatenCourierNew', 'LiberationSans-Bold'],
  );
  t.strictSame((await conversion(answer)).fonts, [
    { name: 'Garamond', used: 'Platen Garamond', metricsCompatible: false },
    { name: 'Courier New', used: 'Platen Courier New', metricsCompatible: true },
    { name: 'Liberation Sans', used: 'Liberation Sans', metricsCompatible: true },
    { name: 'No Such Font', used: null, metricsCompatible: false },
  ]);
  t.match(
    (await conversion(answer)).warnings.filter(({ metricsCompatible }) => metricsCompatible),
    [{ code: 'FONT_SUBSTITUTED', font: 'Courier New', by: 'Platen Courier New' }],
    'the report has those as well whose stand-in has the same metrics',
  );
  for (const level of ['1b', '2b', '3b']) {
    const upload = form(reportedDocx({ body }));
    const archived = await send(first, `/v1/convert?pdfa=${level}`, { key, body: upload });
    t.equal(warningsOf(archived), header, `PDF/A-${level}`);
  }
});

t.test('some pages have no warnings of fonts that are on others', async (t) => {
  const breaks = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
  const body = `${run('Title', inFont('Cambria'))}${breaks}${run('Text', inFont('Garamond'))}${breaks}${plain}`;
  const ofPages = async (pages: string) => {
    const answer = await send(first, `/v1/convert?pages=${pages}`, {
      key,
      body: form(reportedDocx({ body })),
    });
    return warningsOf(answer);
  };
  const garamond = 'FONT_SUBSTITUTED;font="Garamond";by="Platen Garamond"';
  t.equal(await ofPages('1-3'), garamond);
  t.equal(await ofPages('2-3'), garamond);
  t.equal(await ofPages('3'), null);
});

t.test('characters that no font has', async (t) => {
  // Debian has no font with these scripts.
  const body = run('a \u{11f04}\u{11f05}\u{11f04} \u{1e4d0} \u{f0000}\u{ad}\u{fe0f}', liberation);
  const answer = await isReported(t, { body }, 'GLYPHS_MISSING;count=4;scripts="Kawi Nagm Zzzz"');
  t.strictSame((await conversion(answer)).warnings, [
    {
      code: 'GLYPHS_MISSING',
      level: 'loss',
      count: 4,
      scripts: ['Kawi', 'Nagm', 'Zzzz'],
      message:
        'No font on the server has 4 characters of the document (Kawi, Nag Mundari, Unknown Script). The PDF shows boxes in ' +
        'their place.',
    },
  ]);
  const embedded = wordPart('fonts', '<w:font w:name="Own"><w:embedRegular r:id="rId9"/></w:font>');
  await isReported(t, { body, parts: { 'fontTable.xml': embedded } }, null);
});

t.test("characters that only a font of the operator's own has", async (t) => {
  const answer = await convert(second, key, reportedDocx({ body: run('\u{11f04}\u{11f05}', liberation) }));
  t.equal(warningsOf(answer), null);
  t.match(
    (await pdfFonts(answer.body)).map(({ name }) => name),
    [/OwnKawi/],
  );
});

t.test('a font whose name is not ASCII', async (t) => {
  await isReported(
    t,
    { body: plain + run('日本', `<w:rFonts w:eastAsia="細明體"/>`) },
    'FONT_SUBSTITUTED;font=%"%e7%b4%b0%e6%98%8e%e9%ab%94";by="Platen MingLiU"',
  );
});

t.test('tracked changes are applied, comments are left out', async (t) => {
  const answer = await isReported(t, reviewed, 'TRACKED_CHANGES_APPLIED;count=2, COMMENTS_OMITTED;count=1');
  const text = await pdfText(answer.body);
  t.match(text, /^kept *inserted$/);
  t.notMatch(answer.body.toString('latin1'), /\/Subtype\s*\/(Text|Popup)/, 'no notes either');
});

t.test('content outside the document', async (t) => {
  const external = { image: 'http://127.0.0.1:1/a.png', hyperlink: 'http://127.0.0.1:1/' };
  await isReported(t, { body: plain, external }, 'EXTERNAL_CONTENT_OMITTED;count=1');
});

t.test('text and content that the PDF lacks', async (t) => {
  const row = `<w:tbl><w:tr><w:trPr><w:trHeight w:val="600" w:hRule="exact"/></w:trPr><w:tc>${plain.repeat(90)}</w:tc></w:tr></w:tbl>`;
  const body = `${row}<w:p><w:subDoc r:id="none"/></w:p>${plain}`;
  const header = /^TEXT_MISSING;percent=9\d, CONTENT_OMITTED;kind=subdocument;count=1$/;
  const answer = await convert(first, key, reportedDocx({ body }));
  t.match(warningsOf(answer), header);
  t.match((await conversion(answer)).warnings, [
    {
      code: 'TEXT_MISSING',
      percent: /^9\d$/,
      message: /^The PDF lacks about 9\d % of the document's letters\./,
    },
    {
      code: 'CONTENT_OMITTED',
      kind: 'subdocument',
      count: 1,
      message: 'The PDF lacks 1 subdocument of the document. Insert its text.',
    },
  ]);
});

t.test('another number of pages than Word counted', async (t) => {
  const answer = await isReported(
    t,
    { body: plain, properties: savedByWord(3) },
    'PAGE_COUNT_DIFFERS;pages=1;word-pages=3',
  );
  t.match(await conversion(answer), { pages: 1, wordPages: 3 });
  const properties = `${savedByWord(3)}<Characters>999</Characters>`;
  const changed = await isReported(t, { body: plain, properties, isChanged: true }, null);
  const pagination = { by: 'engine', reason: 'not-saved-by-word' };
  t.match(await conversion(changed), { pages: 1, wordPages: null, pagination }, 'another program changed it');
});

t.test('more than a header holds', async (t) => {
  const fonts = Array.from({ length: 50 }, (_, i) => `${i} ${'x'.repeat(60)}`);
  const answer = await convert(
    first,
    key,
    reportedDocx({ body: fonts.map((font) => run('a', inFont(font))).join('') }),
  );
  const header = warningsOf(answer) ?? '';
  t.ok(header.length <= 2_048);
  t.match(header, /, MORE_WARNINGS;count=\d+$/);
  t.equal((await conversion(answer)).warnings.length, 50, 'all of them are there in full');
});

t.test('a heavy document', async (t) => {
  const styles = wordPart('styles', '<w:latentStyles/>'.repeat(30_000));
  const answer = await convert(
    first,
    key,
    reportedDocx({ body: run('Text', inFont('Garamond')), parts: { 'styles.xml': styles } }),
  );
  t.equal(warningsOf(answer), 'FONT_SUBSTITUTED;font="Garamond";by="Platen Garamond"');
});

t.test('the public endpoint has the header, and keeps nothing', async (t) => {
  const answer = await convert(first, undefined, reportedDocx(reviewed));
  t.equal(warningsOf(answer), 'TRACKED_CHANGES_APPLIED;count=2, COMMENTS_OMITTED;count=1');
  isError(t, await ask(first, idOf(answer)), 'NOT_FOUND');
  t.strictSame(await redis.client.keys(`*${idOf(answer)}*`), []);
});

t.test('conversions that failed', async (t) => {
  const malformed = await convert(first, key, malformedDocx());
  isError(t, malformed, 'CORRUPTED_FILE');
  t.match(await conversion(malformed), {
    outcome: 'failure',
    code: 'CORRUPTED_FILE',
    pages: null,
    bytesIn: malformedDocx().length,
    bytesOut: null,
    convertMs: Number,
    fonts: [],
    warnings: [],
  });
  const empty = await send(first, '/v1/convert', { key, body: new FormData() });
  isError(t, empty, 'MISSING_FILE');
  t.match(await conversion(empty), {
    outcome: 'failure',
    code: 'MISSING_FILE',
    bytesIn: null,
    convertMs: null,
  });
});

t.test('a connection that ends with the answer does not count as a client that left', async (t) => {
  for (const [document, outcome] of [
    [docx(), 'success'],
    [Buffer.from('no document'), 'failure'],
  ] as const) {
    const upload = openUpload(first, '/v1/convert', { key });
    upload.end(Buffer.concat([filePartHead, document, formEnd]));
    t.match(await conversion(await answerTo(upload)), { outcome });
  }
});

t.test('a client that leaves', async (t) => {
  await atRest(first);
  const leaving = new AbortController();
  const answer = convert(first, key, slowDocx(), { signal: leaving.signal });
  const names = () => redis.client.keys('*:conversion:*');
  const before = new Set(await names());
  await runningJob(first);
  leaving.abort();
  await t.rejects(answer, { name: 'AbortError' });
  const fresh = async () => (await names()).find((name) => !before.has(name));
  await until('it is noted', async () => (await fresh()) !== undefined);
  const id = String(await fresh()).replace(/^.*:/, '');
  t.match(JSON.parse((await ask(second, id)).body.toString()), {
    outcome: 'client_left',
    code: null,
    pages: null,
  });
});

t.test('whose it is: the account and the environment of the key', async (t) => {
  const answer = await convert(first, key, docx());
  const [sibling, tester, foreign, reader] = await Promise.all([
    createKey('acme', { permissions: ['convert'] }),
    createKey('acme', { environment: 'test' }),
    createKey('other'),
    createKey('acme', { permissions: ['usage'] }),
  ]);
  const found = await ask(first, idOf(answer), sibling);
  t.equal(found.status, 200, 'any key of the account');
  hasRateLimit(t, found);
  isError(t, await ask(first, idOf(answer), foreign), 'NOT_FOUND');
  isError(t, await ask(first, idOf(answer), tester), 'NOT_FOUND');
  isError(t, await ask(first, idOf(answer), reader), 'INSUFFICIENT_PERMISSIONS');
  t.equal((await conversion(await convert(first, tester, docx()), tester)).outcome, 'success');
});

t.test('ids that do not exist', async (t) => {
  for (const id of [`req_${'0'.repeat(32)}`, 'req_short', 'x'.repeat(90), '%00', 'req_*']) {
    isError(t, await ask(first, id), 'NOT_FOUND');
  }
});

t.test('it is kept for 24 hours, and small', async (t) => {
  const answer = await convert(first, key, docx());
  t.equal((await ask(second, idOf(answer))).status, 200);
  const name = `platen:{acme}:live:conversion:${idOf(answer)}`;
  const left = await redis.client.pttl(name);
  t.ok(left <= DAY_MS && left > DAY_MS - A_MINUTE_MS, `${left} ms`);
  t.ok((await redis.client.strlen(name)) < 1_000);
  await redis.client.pexpire(name, 1);
  await until('it has expired', async () => (await ask(second, idOf(answer))).status === 404);
});

t.test(
  'simulated errors are no conversions; simulated slowness is one; repeats are conversions of their own',
  async (t) => {
    const tester = await createKey('acme', { environment: 'test' });
    const simulated = await convert(first, tester, docx(), {
      headers: { 'platen-simulate': 'CONVERSION_FAILED' },
    });
    isError(t, await ask(first, idOf(simulated), tester), 'NOT_FOUND');
    for (const attempt of ['first', 'repeated']) {
      const answer = await convert(first, key, docx(), { headers: { 'idempotency-key': '"a-letter"' } });
      t.equal((await conversion(answer)).outcome, 'success', attempt);
    }
  },
);

t.test('metrics count warnings; the log has no names of fonts', async (t) => {
  const { series } = await scrape(first);
  const counted = (code: string) => series.get(`platen_conversion_warnings_total{code="${code}"}`) ?? 0;
  t.ok(counted('FONT_SUBSTITUTED') > 1);
  t.equal(counted('PAGE_COUNT_DIFFERS'), 1);
  t.notMatch(JSON.stringify(first.log), /Courier New|Garamond|No Such Font/);
});

t.test('without Redis the PDF is delivered all the same', async (t) => {
  // The folder of an earlier document would be taken for that of this one.
  await atRest(first);
  const document = docx();
  const request = openUpload(first, '/v1/convert', {
    key,
    contentLength: filePartHead.length + document.length + formEnd.length,
  });
  const answer = new Promise<number | undefined>((resolve, reject) => {
    request.once('response', (message) => message.resume().once('end', () => resolve(message.statusCode)));
    request.once('error', reject);
  });
  request.write(filePartHead);
  await until('it is admitted', async () => (await first.jobs()).length > 0);
  redis.child.kill('SIGSTOP');
  request.end(Buffer.concat([document, formEnd]));
  t.equal(await answer, 200);
  redis.child.kill('SIGCONT');
});

t.test('both end cleanly', async (t) => {
  await endsCleanly(t, first);
  await endsCleanly(t, second);
});
