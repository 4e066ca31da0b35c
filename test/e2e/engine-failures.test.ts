/** What a client gets of a document that LibreOffice crashes on, cannot load, or whose process something outside kills. */
import t from 'tap';
import { docx, malformedDocx, slowDocx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { untaggableDocx } from '../support/untaggable.ts';
import { until } from '../support/until.ts';
import { endsCleanly, isError, isPdf } from './support/assertions.ts';
import { scrape } from './support/operator.ts';
import { runningJob } from './support/processes.ts';
import { startRedis } from './support/redis.ts';
import { convert, send } from './support/requests.ts';

const redis = await startRedis(t);
const server = await Server.start({
  env: { REDIS_URL: redis.socket, HEALTH_INTERVAL_MS: '600000' },
});
const { key } = await server.createKey();

/** The line of a request in the log. */
const lineOf = ({ headers }: { headers: Headers }) =>
  server.logged('request', ({ reqId }) => reqId === headers.get('x-request-id'));

t.test('UNTAGGED: a PDF without tags, where LibreOffice crashes when it makes them', async (t) => {
  const answer = await convert(server, key, untaggableDocx());
  await isPdf(t, answer, /line/, 2);
  const line = await lineOf(answer);
  const isTagged = answer.body.includes('/StructTreeRoot');
  t.match(line, { conversion: { attempts: isTagged ? 1 : 2, tagged: isTagged } });
  const warned = answer.headers.get('x-conversion-warnings')?.includes('UNTAGGED') ?? false;
  t.equal(warned, !isTagged, `LibreOffice made ${isTagged ? '' : 'no '}tags`);
});

t.test('UNTAGGED: the same, after a crash of any document', async (t) => {
  const conversion = convert(server, key, docx({ pages: 600 }));
  process.kill((await runningJob(server)).child, 'SIGSEGV');
  const answer = await conversion;
  await isPdf(t, answer, /Page 600/, 600);
  t.match(answer.headers.get('x-conversion-warnings'), /^UNTAGGED\b/);
  const path = `/v1/conversions/${answer.headers.get('x-request-id')}`;
  const { body } = await send(server, path, { method: 'GET', key });
  t.match(JSON.parse(body.toString()), { warnings: [{ code: 'UNTAGGED', message: /without tags/ }] });
  t.same(await redis.client.keys('platen:*poison*'), [], 'nothing is remembered of it');
});

t.test('CORRUPTED_FILE: a sound package that LibreOffice cannot load', async (t) => {
  const answer = await convert(server, key, malformedDocx());
  const { message } = isError(t, answer, 'CORRUPTED_FILE');
  t.match(message, /a sound Word package, but the conversion engine could not read/);
  t.match(await lineOf(answer), { reason: 'unloadable' });
});

t.test('SERVICE_UNAVAILABLE: something outside kills the process, again and again', async (t) => {
  const victim = slowDocx();
  for (const time of ['the first time', 'the second', 'the third']) {
    const conversion = convert(server, key, victim);
    const { child } = await runningJob(server);
    process.kill(child, 'SIGKILL');
    await until('it is tried again', async () => (await runningJob(server)).child !== child);
    process.kill((await runningJob(server)).child, 'SIGKILL');
    const answer = await conversion;
    isError(t, answer, 'SERVICE_UNAVAILABLE');
    t.equal(answer.headers.get('retry-after'), '5', time);
    t.match(await lineOf(answer), { reason: 'killed' });
  }
  const { series } = await scrape(server);
  t.equal(series.get('platen_refusals_total{code="SERVICE_UNAVAILABLE",reason="killed"}'), 3);
  t.same(await redis.client.keys('platen:*poison*'), [], 'nothing is remembered of it');
  const usage = await send(server, '/v1/usage', { method: 'GET', key });
  t.match(JSON.parse(usage.body.toString()), { conversions: { used: 2 } }, 'none of it is billed');
});

t.test('the server ends cleanly', (t) => endsCleanly(t, server));
