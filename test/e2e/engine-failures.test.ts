/** Many documents at once; and what a client gets when LibreOffice crashes, cannot load a document, or is killed. */
import t, { type Test } from 'tap';
import { docx, malformedDocx, slowDocx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly, isAnyError, isError, isPdf } from './support/assertions.ts';
import { scrape } from './support/operator.ts';
import { patiently } from './support/patience.ts';
import { atRest, isAlive, kitOf, nextKit, parentOf, runningJob } from './support/processes.ts';
import { startRedis } from './support/redis.ts';
import { type Answer, convert, get, send } from './support/requests.ts';

const redis = await startRedis(t);
const server = await Server.start({
  env: {
    REDIS_URL: redis.socket,
    HEALTH_INTERVAL_MS: '600000',
    // On a busy machine the last of many may wait longer than the usual limit.
    QUEUE_TIMEOUT_MS: '300000',
  },
});
const { key } = await server.createKey();

/** Of a document that runs long enough to be killed in time. */
const PAGES = 1_000;

/** The line of a request in the log. */
const lineOf = ({ headers }: { headers: Headers }) =>
  server.logged('request', ({ reqId }) => reqId === headers.get('x-request-id'));

const text = (i: number) => `This is document ${i}.`;
const document = (i: number) => docx({ paragraphs: [text(i)] });
/** Sends documents 1 to `count`, all at once. */
const sendMany = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, i) => convert(server, key, document(i + 1))));
const healthy = async () => (await get(server, '/health')).status === 200;

/** Every answer is the PDF of its own document, or an error of the catalogue. Returns how many are PDFs. */
async function areAnswers(t: Test, answers: readonly Answer[]): Promise<number> {
  let converted = 0;
  for (const [i, answer] of answers.entries()) {
    if (answer.status === 200) {
      converted += 1;
      await isPdf(t, answer, text(i + 1));
    } else isAnyError(t, answer);
  }
  return converted;
}

t.test('24 uploads at once', async (t) => {
  const count = 24;
  const uploads = Array.from({ length: count }, (_, i) =>
    patiently(() => convert(server, key, document(i + 1))),
  );
  t.equal(await areAnswers(t, await Promise.all(uploads)), count);
  // Redis may be late on a busy machine; there is always a place.
  t.notOk(server.log.some(({ code }) => code === 'OVERLOADED'));
});

t.test('the kit is killed under load', async (t) => {
  const kit = kitOf(server);
  const answers = sendMany(16);
  await runningJob(server);
  process.kill(kit, 'SIGKILL');
  const converted = await areAnswers(t, await answers);
  t.ok(converted > 0, `${converted} of 16 were converted`);
  await until('the service is healthy again', healthy);
  t.ok(isAlive(await nextKit(server, kit)), 'with another kit');
  t.equal(await areAnswers(t, await sendMany(4)), 4);
});

/**
 * A running document in the newest kit: the crash of a child needs no fresh kit if its own kit was replaced, as a kit is that
 * answers late.
 */
async function crashable(): Promise<{ answer: Promise<Answer>; child: number; kit: number }> {
  for (;;) {
    await atRest(server);
    const answer = convert(server, key, docx({ pages: PAGES }));
    const { child } = await runningJob(server);
    const kit = kitOf(server);
    if (parentOf(child) === kit) return { answer, child, kit };
    await answer;
  }
}

t.test('UNTAGGED: a PDF without tags, after a crash, and the others notice nothing', async (t) => {
  const { answer, child, kit } = await crashable();
  const before = server.log.length - 1;
  const others = sendMany(4);
  process.kill(child, 'SIGSEGV');
  const converted = await answer;
  await isPdf(t, converted, new RegExp(`Page ${PAGES}$`), PAGES);
  t.match(converted.headers.get('x-conversion-warnings'), /^UNTAGGED\b/);
  t.equal(await areAnswers(t, await others), 4);
  const path = `/v1/conversions/${converted.headers.get('x-request-id')}`;
  const { body } = await send(server, path, { method: 'GET', key });
  t.match(JSON.parse(body.toString()), { warnings: [{ code: 'UNTAGGED', message: /without tags/ }] });
  t.same(await redis.client.keys('platen:*poison*'), [], 'nothing is remembered of it');
  // The time of its start depends on the machine.
  await server.logged('kit ready', (line) => server.log.indexOf(line) > before);
  t.not(kitOf(server), kit, 'a fresh kit takes over');
  await until('the former one is gone', () => !isAlive(kit));
  t.equal(await areAnswers(t, await sendMany(4)), 4);
  await atRest(server);
});

t.test('CORRUPTED_FILE: a sound package that LibreOffice cannot load', async (t) => {
  const answer = await convert(server, key, malformedDocx());
  const { message } = isError(t, answer, 'CORRUPTED_FILE');
  t.match(message, /a sound Word package, but the conversion engine could not read/);
  t.match(await lineOf(answer), { reason: 'unloadable' });
});

t.test('SERVICE_UNAVAILABLE: something outside kills the process, again and again', async (t) => {
  const victim = slowDocx();
  const { id: account } = await server.createAccount({ name: 'Unlucky', plan: 'enterprise' });
  const { key } = await server.createKey({ account });
  for (const time of ['the first time', 'the second', 'the third']) {
    await atRest(server);
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
  t.match(JSON.parse(usage.body.toString()), { conversions: { used: 0 } }, 'none of it is billed');
});

t.test('the server ends cleanly', (t) => endsCleanly(t, server));
