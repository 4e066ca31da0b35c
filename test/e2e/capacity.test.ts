/** What a server does with more than it can take: one worker, one place to wait, short budgets. */
import t from 'tap';
import { docx, slowDocx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly, isError, isPdf } from './support/assertions.ts';
import { isAlive, runningJob } from './support/processes.ts';
import { answerTo, convert, filePartHead, openUpload, send } from './support/requests.ts';

const server = await Server.start({
  env: {
    WORKERS: '1',
    QUEUE_LIMIT: '1',
    UPLOAD_LIMIT: '2',
    QUEUE_TIMEOUT_MS: '2000',
    CONVERT_TIMEOUT_MS: '5000',
    PUBLIC_PER_HOUR: '5',
    PUBLIC_PER_SECOND: '2',
    HEALTH_INTERVAL_MS: '600000',
  },
});
const { key } = await server.createKey();

t.test(
  'OVERLOADED and CONVERSION_FAILED: a document that takes too long, and others behind it',
  async (t) => {
    const running = convert(server, key, slowDocx());
    const { folder, child } = await runningJob(server);
    const waiting = convert(server, key, docx());
    await until('a second document waits', async () => (await server.jobs()).length === 2);
    // Whichever of the two comes first has the last place.
    isError(t, await convert(server, key, docx()), 'OVERLOADED', 503, 'no place');
    isError(t, await waiting, 'OVERLOADED', 503, 'after its budget to wait');
    t.strictSame(await server.jobs(), [folder], 'the running document is not disturbed');
    isError(t, await running, 'CONVERSION_FAILED', 500, 'after its budget to run');
    t.notOk(isAlive(child), 'its child is gone');
    t.strictSame(await server.jobs(), [], 'so is its folder');
    await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
  },
);

t.test('OVERLOADED: too many uploads arrive at a time', async (t) => {
  const uploads = Array.from({ length: 2 }, () => openUpload(server, '/v1/convert', { key }));
  const answers = uploads.map((upload) => t.rejects(answerTo(upload)));
  for (const upload of uploads) upload.write(filePartHead);
  await until('both have begun', async () => (await server.jobs()).length === uploads.length);
  isError(t, await convert(server, key, docx()), 'OVERLOADED');
  for (const upload of uploads) upload.destroy();
  await Promise.all(answers);
  await until('their folders are gone', async () => (await server.jobs()).length === 0);
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
});

t.test('RATE_LIMIT_EXCEEDED on the public endpoint', async (t) => {
  const ask = () => send(server, '/v1/public/convert');
  const burst = await Promise.all(Array.from({ length: 10 }, ask));
  const refused = burst.filter(({ status }) => status === 429);
  const admitted = burst.filter(({ status }) => status !== 429);
  t.ok(refused.length > 0 && admitted.length > 0, 'some of a burst are refused');
  for (const answer of refused) {
    t.equal(isError(t, answer, 'RATE_LIMIT_EXCEEDED').retryAfter, 1, 'until the next second');
  }
  for (const answer of admitted) isError(t, answer, 'INVALID_REQUEST');
  let answer = await ask();
  await until('the hour is full', async () => {
    answer = await ask();
    return Number(answer.headers.get('retry-after')) > 1;
  });
  const { retryAfter = 0 } = isError(t, answer, 'RATE_LIMIT_EXCEEDED');
  t.ok(retryAfter <= 3_600, 'within the hour');
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
});

t.test('nothing is left of the documents', async () => {
  await until('their folders are gone', async () => (await server.jobs()).length === 0);
});

t.test('the server ends cleanly', (t) => endsCleanly(t, server));
