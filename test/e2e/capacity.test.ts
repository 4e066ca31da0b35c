/** What a server does with more than it can take: one worker, one place to wait, short budgets. */
import type { ClientRequest } from 'node:http';
import t, { type Test } from 'tap';
import { docx, slowDocx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly, isError, isPdf } from './support/assertions.ts';
import { isAlive, runningJob } from './support/processes.ts';
import { type Answer, answerTo, convert, filePartHead, openUpload, send } from './support/requests.ts';

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

/** Uploads that take all the places and send no more than the head of a form, and the first answer that one gets. */
async function standStill(): Promise<{ uploads: ClientRequest[]; first: Promise<Answer> }> {
  const uploads = Array.from({ length: 2 }, () => openUpload(server, '/v1/convert', { key }));
  // Those that get none are destroyed.
  const first = Promise.any(uploads.map(answerTo));
  first.catch(() => {});
  for (const upload of uploads) upload.write(filePartHead);
  await until('both have begun', async () => (await server.jobs()).length === uploads.length);
  return { uploads, first };
}

async function end(uploads: readonly ClientRequest[]): Promise<void> {
  for (const upload of uploads) upload.destroy();
  await until('their folders are gone', async () => (await server.jobs()).length === 0);
}

/** Asserts that the upload lost its place, and that the server does not wait for the rest of it. */
function isOut(t: Test, answer: Answer): void {
  isError(t, answer, 'OVERLOADED');
  t.equal(answer.headers.get('connection'), 'close');
}

t.test('OVERLOADED: too many uploads arrive at a time', async (t) => {
  const { uploads, first } = await standStill();
  const { key: testKey } = await server.createKey({ environment: 'test' });
  const refused = await convert(server, testKey, docx());
  isError(t, refused, 'OVERLOADED');
  const seconds = Number(refused.headers.get('retry-after'));
  t.ok(seconds >= 1 && seconds <= 10, `in ${seconds} s one may be taken from who stands still`);
  await end(uploads);
  await t.rejects(first, 'nobody lost a place');
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
});

/** Converts a document once there is room for it: uploads that have just begun count as documents that will wait. */
async function convertOnceThereIsRoom(key: string): Promise<Answer> {
  let answer: Answer | undefined;
  await until('it gets in', async () => {
    answer = await convert(server, key, docx());
    return answer.status !== 503;
  });
  return answer as Answer;
}

t.test('an upload that stands still gives its place to the next of its account', async (t) => {
  const { uploads, first } = await standStill();
  await isPdf(t, await convertOnceThereIsRoom(key), 'Hello from Platen.');
  isOut(t, await first);
  await end(uploads);
});

t.test('an upload that loses its place to another account ends at once', async (t) => {
  const { id } = await server.createAccount({ name: 'O', plan: 'free' });
  const other = await server.createKey({ account: id });
  t.equal(other.account, id);
  const { uploads, first } = await standStill();
  await isPdf(t, await convertOnceThereIsRoom(other.key), 'Hello from Platen.');
  isOut(t, await first);
  await end(uploads);
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
