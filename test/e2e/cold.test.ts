/** The cold engine behind the same contract. */
import t from 'tap';
import { docx, malformedDocx, slowDocx } from '../support/documents.ts';
import { form, Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly, isError, isPdf } from './support/assertions.ts';
import { pdfText } from './support/pdf.ts';
import { convert, get, send } from './support/requests.ts';
import { wordDocuments } from './support/word-documents.ts';

const server = await Server.start({
  env: { ENGINE: 'cold', ACCEPT: Object.keys(wordDocuments).join(), HEALTH_INTERVAL_MS: '600000' },
});
const { key } = await server.createKey();

const soffice = async () => (await server.processes()).filter(({ command }) => command.includes('soffice'));

t.test('it is ready, and says which engine it has', async (t) => {
  t.match(
    server.log.find(({ msg }) => msg === 'ready'),
    { engine: 'cold' },
  );
  t.match(
    server.log.filter(({ msg }) => msg === 'this system lacks layers of the sandbox'),
    [{ lacks: ['seccomp', 'landlock-files', 'landlock-network', 'landlock-scope'] }],
    'which layers it converts without, once',
  );
  t.equal((await get(server, '/health')).status, 200);
});

t.test('two documents at once, each with the text that the kit gives', async (t) => {
  const document = docx({ paragraphs: ['Grüße aus Zürich & <Bern>'], pages: 3 });
  const answers = [convert(server, key, document), convert(server, key, wordDocuments.docm)] as const;
  const expected = /^Grüße aus Zürich & <Bern>\s+Page 1\s+Page 2\s+Page 3$/;
  await isPdf(t, await answers[0], expected, 3);
  await isPdf(t, await answers[1], /^Hello from Platen\.$/);
});

t.test('other kinds of Word documents', async (t) => {
  for (const document of [wordDocuments.dotx, wordDocuments.dotm]) {
    await isPdf(t, await convert(server, key, document), 'Hello from Platen.');
  }
});

t.test('options', async (t) => {
  const document = docx({ paragraphs: ['Hello'], pages: 2 });
  const convertWith = (query: string) => send(server, `/v1/convert?${query}`, { key, body: form(document) });
  const mark = `TOP "SECRET" {1} a\\b, c'd`;
  const watermark = new URLSearchParams({ watermark: mark, watermarkSize: '20', watermarkAngle: '0' });
  const marked = await convertWith(`pages=2&title=x&${watermark}`);
  await isPdf(t, marked, /^Page 2\s/, 1);
  t.match(await pdfText(marked.body), mark);
  const { message } = isError(t, await convertWith('pages=9'), 'INVALID_PARAMETER');
  t.equal(message, 'The document has 2 pages, and the parameter pages asks for none of them.');
});

t.test('a document that cannot be loaded', async (t) => {
  isError(t, await convert(server, key, malformedDocx()), 'CORRUPTED_FILE');
});

t.test('a client that leaves ends its soffice', async (t) => {
  const client = new AbortController();
  const answer = convert(server, key, slowDocx(), { signal: client.signal });
  await until('soffice runs', async () => (await soffice()).length > 0);
  client.abort();
  await t.rejects(answer, { name: 'AbortError' });
  await until('soffice is gone', async () => (await soffice()).length === 0);
  await until('its folder is gone', async () => (await server.jobs()).length === 0);
});

t.test('the server ends cleanly', (t) => endsCleanly(t, server));
