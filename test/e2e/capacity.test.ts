/** What a server does with more than it can take: one worker, one place to wait, short budgets. */
import t from 'tap';
import { docx, slowDocx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { endsCleanly, isError, isPdf } from './support/assertions.ts';
import { isAlive, runningJob } from './support/processes.ts';
import { convert, send } from './support/requests.ts';
import { until } from './support/until.ts';

const server = await Server.start({
  env: {
    WORKERS: '1',
    QUEUE_LIMIT: '1',
    QUEUE_TIMEOUT_MS: '500',
    CONVERT_TIMEOUT_MS: '1500',
    PUBLIC_PER_HOUR: '5',
    PUBLIC_PER_SECOND: '2',
    HEALTH_INTERVAL_MS: '600000',
  },
});
const { key } = await server.createKey();

t.test('CONVERSION_FAILED: a document that takes too long is ended', async (t) => {
  const answer = convert(server, key, slowDocx());
  const { folder, child } = await runningJob(server);
  isError(t, await answer, 'CONVERSION_FAILED');
  t.notOk(isAlive(child), 'its child is gone');
  t.notOk((await server.jobs()).includes(folder), 'so is its folder');
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
});

t.test('OVERLOADED: no place is free, or the wait lasts too long', async (t) => {
  const running = convert(server, key, slowDocx());
  const { folder } = await runningJob(server);
  const waiting = convert(server, key, docx());
  await until('a second document waits', async () => (await server.jobs()).length === 2);
  const ask = () => convert(server, key, docx());
  // The upload's last byte comes a moment before its place in the queue.
  const refused = [await ask(), await ask()];
  isError(t, refused[1] ?? refused[0], 'OVERLOADED');
  isError(t, await waiting, 'OVERLOADED', 503, 'after its budget to wait');
  t.strictSame(await server.jobs(), [folder], 'the running document is not disturbed');
  isError(t, await running, 'CONVERSION_FAILED');
  await until('a document gets its turn', async () => (await ask()).status === 200);
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
  let retryAfter = 1;
  await until('the hour is full', async () => {
    const answer = await ask();
    if (answer.status === 429) retryAfter = isError(t, answer, 'RATE_LIMIT_EXCEEDED').retryAfter ?? 0;
    return retryAfter > 1;
  });
  t.ok(retryAfter <= 3_600, 'within the hour');
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
});

t.test('nothing is left of the documents', async (t) => {
  t.strictSame(await server.jobs(), []);
});

t.test('the server ends cleanly', (t) => endsCleanly(t, server));
