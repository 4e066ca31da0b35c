/** What proves which PDF was made of what: the digest of each answer, and the receipt in the report. */
import { createHash } from 'node:crypto';
import t from 'tap';
import { setIsolation } from '../../../src/operations/accounts.ts';
import { get, send } from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import { form } from '../../support/server.ts';
import { Service } from '../../support/service.ts';

const service = await Service.start(t, { env: { PUBLIC_PER_SECOND: '1000' } });
const { key, account } = await service.createKey();
const document = docx();
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes);

async function convert(query = '', fields: Readonly<Record<string, string>> = {}) {
  const body = form(document);
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return send(service, `/v1/convert?${query}`, { key, body });
}

async function reportOf(answer: Awaited<ReturnType<typeof convert>>) {
  const id = answer.headers.get('x-request-id');
  const { body } = await send(service, `/v1/conversions/${id}`, { method: 'GET', key });
  return JSON.parse(body.toString());
}

t.test('every PDF has the digest of its bytes', async (t) => {
  const texts = [[''], Array.from({ length: 300 }, (_, i) => `${i} `.repeat(400))];
  for (service.engine.texts of texts) {
    const { headers, body } = await convert();
    t.equal(headers.get('repr-digest'), `sha-256=:${sha256(body).digest('base64')}:`, `${body.length} bytes`);
  }
  service.engine.texts = [''];
  const answer = await send(service, '/v1/public/convert', { body: form(document) });
  t.equal(answer.headers.get('repr-digest'), `sha-256=:${sha256(answer.body).digest('base64')}:`, 'public');
  t.equal((await get(service, '/v1/live')).headers.get('repr-digest'), null, 'no other answer has one');
});

t.test('the receipt', async (t) => {
  const answer = await convert(
    'linearize=true&title=Secret%20title&watermark=Draft&pages=1-3,7&layout=auto',
    {
      userPassword: 'secret',
    },
  );
  t.equal(answer.status, 200, answer.body.toString('latin1', 0, 300));
  const { receipt } = await reportOf(answer);
  t.strictSame(receipt, {
    documentSha256: sha256(document).digest('hex'),
    pdfSha256: sha256(answer.body).digest('hex'),
    libreOffice: '25.2',
    fontSet: 'stub',
    isolation: 'account',
    options: {
      linearize: 'true',
      title: 'given',
      watermark: 'given',
      pages: '1-3,7',
      userPassword: 'given',
    },
  });
  t.strictSame((await reportOf(await convert())).receipt.options, {}, 'without options');
});

t.test('says whether the process could convert other documents of the account', async (t) => {
  const isolation = async (query = '') => (await reportOf(await convert(query))).receipt.isolation;
  t.equal(await isolation(), 'account');
  t.equal(await isolation('isolation=document'), 'document', 'asked for');
  const set = (isolation: 'account' | 'document') =>
    service.perform(setIsolation, { account, body: { isolation } });
  await set('document');
  t.equal(await isolation(), 'document', 'the account');
  t.equal(await isolation('isolation=account'), 'document', 'which decides');
  await set('account');
  t.equal(await isolation(), 'account');
});

t.test('without a PDF there is none', async (t) => {
  service.engine.failure = new Error('broken');
  const { receipt } = await reportOf(await convert());
  service.engine.failure = undefined;
  t.equal(receipt, null);
});

t.test('the log has nothing of it', async (t) => {
  const { headers, body } = await convert('title=Confidential');
  await service.logged('request', ({ reqId }) => reqId === headers.get('x-request-id'));
  const lines = JSON.stringify(service.log);
  for (const bytes of [document, body]) t.notMatch(lines, sha256(bytes).digest('hex'));
  t.notMatch(lines, 'Confidential');
});
