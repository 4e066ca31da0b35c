/** PDFs for archives: what an account gets whose plan has them, and what everybody else is told. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { documentWithEverything } from '../../support/archive-documents.ts';
import { violations } from '../../support/conformance.ts';
import { docx, imageDocx } from '../../support/documents.ts';
import { pdfPictureDocx } from '../../support/pdf-picture.ts';
import { form } from '../../support/server.ts';
import { hasRateLimit, isError, isPdf } from '../support/assertions.ts';
import { pdfFonts } from '../support/pdf.ts';
import { type Answer, multipart, type SendOptions, send } from '../support/requests.ts';
import { server } from './server.ts';

const hello = docx();

async function createKey(plan: string, environment: 'live' | 'test' = 'live'): Promise<string> {
  const { id } = await server.createAccount({ name: 'Test', plan });
  return (await server.createKey({ account: id, environment })).key;
}

const [pro, free, tester] = await Promise.all([
  createKey('pro'),
  createKey('free'),
  createKey('free', 'test'),
]);

const ask = (query: string, key?: string, options: SendOptions = {}) =>
  send(server, `/v1/convert?${query}`, { body: form(hello), ...(key !== undefined && { key }), ...options });

async function isPdfa(t: Test, answer: Answer, part: number, name: string): Promise<void> {
  await isPdf(t, answer, 'Hello from Platen.');
  const text = answer.body.toString('latin1');
  t.match(text, `<pdfaid:part>${part}</pdfaid:part>`, `${name}: its part`);
  t.match(text, '<pdfaid:conformance>B<', `${name}: its level`);
  t.match(text, /\/OutputIntents\[\d+ 0 R\]/, `${name}: what its colours mean`);
  t.notMatch(text, /\/Encrypt\b/, `${name}: not encrypted`);
  const fonts = await pdfFonts(answer.body);
  t.ok(fonts.length > 0 && fonts.every(({ embedded }) => embedded), `${name}: its fonts are in it`);
}

t.test('a plan that has it', async (t) => {
  for (const level of ['1b', '2b', '3b']) {
    await isPdfa(t, await ask(`pdfa=${level}`, pro), Number.parseInt(level, 10), level);
  }
  await isPdfa(t, await ask('format=pdf&pdfa=2b', pro), 2, 'beside a format');
  const plain = await ask('', pro);
  await isPdf(t, plain, 'Hello from Platen.');
  t.notMatch(plain.body.toString('latin1'), /pdfaid/, 'only when it is asked for');
  const body = form(imageDocx(2, 64));
  t.match((await ask('pdfa=2b', pro, { body })).body.toString('latin1'), '<pdfaid:part>2<', 'with pictures');
});

t.test('PDF/A-1b keeps its rules', async (t) => {
  // test/engine/pdfa.test.ts has every font and level, and a validator.
  const { body } = await ask('pdfa=1b', pro, { body: form(documentWithEverything()) });
  const path = join(t.testdir(), 'document.pdf');
  await writeFile(path, body);
  const { libreOffice } = await server.logged('ready');
  // Of fonts from Noto CJK: docs/engines.md.
  const hasWrongWidths = Number.parseFloat(String(libreOffice)) >= 26.8;
  const found = await violations(path, '1b');
  t.strictSame(
    found.filter(({ demand }) => !hasWrongWidths || !demand.startsWith('Widths in the PDF')),
    [],
  );
});

t.test('CONVERSION_FAILED: a PDF as a picture', async (t) => {
  const body = form(pdfPictureDocx());
  for (const level of ['1b', '2b', '3b']) {
    const answer = await ask(`pdfa=${level}`, pro, { body });
    const { message, requestId } = isError(t, answer, 'CONVERSION_FAILED', 500, level);
    t.match(message, /a PDF as a picture/);
    t.match(await server.logged('request', ({ reqId }) => reqId === requestId), { reason: 'pdf-picture' });
  }
  await isPdf(t, await ask('', pro, { body }), 'Hello');
});

t.test('a test key may try it, whatever the plan of its account', async (t) => {
  await isPdfa(t, await ask('pdfa=2b', tester), 2, 'test');
});

t.test('FEATURE_NOT_IN_PLAN: a plan that lacks it', async (t) => {
  await isPdf(t, await ask('', free), 'Hello from Platen.');
  for (const query of ['pdfa=2b', 'pdfa=9', 'pdfa=', 'pdfa=2b&format=png']) {
    const answer = await ask(query, free);
    const { message } = isError(t, answer, 'FEATURE_NOT_IN_PLAN', 403, query);
    t.equal(
      message,
      'The option pdfa is not in your plan "free". It is in: "pro", "enterprise". Leave it out, or ask your operator ' +
        'for such a plan.',
    );
    hasRateLimit(t, answer, query);
  }
  const { body } = await send(server, '/v1/usage', { method: 'GET', key: free });
  const { conversions, windows, days } = JSON.parse(body.toString('utf8')) as {
    conversions: { used: number };
    windows: { name: string; remaining: number }[];
    days: { failures: object }[];
  };
  t.equal(conversions.used, 1);
  t.strictSame(days[0]?.failures, {}, 'nothing was admitted that could fail');
  // Unless a new day has just begun.
  t.ok((windows.find(({ name }) => name === 'day')?.remaining ?? 0) >= 998, 'and nothing counted');
});

t.test('FEATURE_NOT_IN_PLAN: the public endpoint', async (t) => {
  const answer = await send(server, '/v1/public/convert?pdfa=2b', { body: form(hello) });
  const { message } = isError(t, answer, 'FEATURE_NOT_IN_PLAN');
  t.match(message, /needs an API key/);
});

t.test('INVALID_PARAMETER: an unknown level, and the wrong place', async (t) => {
  for (const query of ['pdfa=', 'pdfa=2', 'pdfa=2B', 'pdfa=2u', 'pdfa=pdfa-2b']) {
    const { message } = isError(t, await ask(query, pro), 'INVALID_PARAMETER', 400, query);
    t.equal(message, 'pdfa must be "1b" or "2b" or "3b" or "4", or left out.');
  }
  isError(t, await ask('pdfa=2b&pdfa=2b', pro), 'INVALID_PARAMETER');
  const disposition = (name: string) => `Content-Disposition: form-data; name="${name}"`;
  const parts = [
    { headers: [disposition('pdfa')], data: '2b' },
    { headers: [`${disposition('file')}; filename="document.docx"`], data: hello },
  ];
  const inForm = await send(server, '/v1/convert', { key: pro, ...multipart(parts) });
  t.match(isError(t, inForm, 'INVALID_PARAMETER').message, /in the query/);
});

t.test('another PDF/A level under the same idempotency key is another document', async (t) => {
  const headers = { 'idempotency-key': 'archive' };
  await isPdfa(t, await ask('pdfa=2b', pro, { headers }), 2, 'first');
  await isPdfa(t, await ask('pdfa=2b', pro, { headers }), 2, 'again');
  for (const query of ['', 'pdfa=3b']) {
    isError(t, await ask(query, pro, { headers }), 'IDEMPOTENCY_KEY_REUSED', 422, query);
  }
});
