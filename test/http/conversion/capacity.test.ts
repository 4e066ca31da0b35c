/** A server over its capacity: one worker, one place to wait, short budgets. */
import type { ClientRequest } from 'node:http';
import t, { type Test } from 'tap';
import { isDelivered, isError } from '../../e2e/support/assertions.ts';
import {
  type Answer,
  answerTo,
  convert,
  filePartHead,
  openUpload,
  send,
} from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await Service.start(t, {
  env: {
    WORKERS: '1',
    QUEUE_LIMIT: '1',
    UPLOAD_LIMIT: '2',
    QUEUE_TIMEOUT_MS: '2000',
    CONVERT_TIMEOUT_MS: '4000',
    PUBLIC_PER_HOUR: '5',
    PUBLIC_PER_SECOND: '2',
  },
});
const { key } = await service.createKey();

t.test(
  'OVERLOADED and CONVERSION_FAILED: a document that takes too long, and others behind it',
  async (t) => {
    const release = service.engine.hold();
    const running = convert(service, key, docx({ pages: 2 }));
    await until('it is converted', () => service.engine.status().children.running === 1);
    const [folder] = await service.jobs();
    const waiting = convert(service, key, docx());
    await until('a second document waits', async () => (await service.jobs()).length === 2);
    // Whichever of the two comes first has the last place.
    isError(t, await convert(service, key, docx()), 'OVERLOADED', 503, 'no place');
    isError(t, await waiting, 'OVERLOADED', 503, 'after its budget to wait');
    t.strictSame(await service.jobs(), [folder], 'the running document is not disturbed');
    isError(t, await running, 'CONVERSION_FAILED', 500, 'after its budget to run');
    t.strictSame(await service.jobs(), [], 'its folder is gone');
    release();
    isDelivered(t, await convert(service, key, docx()));
  },
);

/** Uploads that take all places and send only the head of a form, and the first answer to one of them. */
async function standStill(): Promise<{ uploads: ClientRequest[]; first: Promise<Answer> }> {
  const uploads = Array.from({ length: 2 }, () => openUpload(service, '/v1/convert', { key }));
  // Those that get none are destroyed.
  const first = Promise.any(uploads.map(answerTo));
  first.catch(() => {});
  for (const upload of uploads) upload.write(filePartHead);
  await until('both have begun', async () => (await service.jobs()).length === uploads.length);
  return { uploads, first };
}

async function end(uploads: readonly ClientRequest[]): Promise<void> {
  for (const upload of uploads) upload.destroy();
  await until('their folders are gone', async () => (await service.jobs()).length === 0);
}

/** Asserts that the upload lost its place, and that the server does not wait for the rest of it. */
function isOut(t: Test, answer: Answer): void {
  isError(t, answer, 'OVERLOADED');
  t.equal(answer.headers.get('connection'), 'close');
}

t.test('OVERLOADED: too many uploads arrive at a time', async (t) => {
  const { uploads, first } = await standStill();
  const { key: testKey } = await service.createKey({ environment: 'test' });
  const refused = await convert(service, testKey, docx());
  isError(t, refused, 'OVERLOADED');
  const seconds = Number(refused.headers.get('retry-after'));
  t.ok(seconds >= 1 && seconds <= 10, `in ${seconds} s one may be taken from who stands still`);
  await end(uploads);
  await t.rejects(first, 'nobody lost a place');
  isDelivered(t, await convert(service, key, docx()));
});

/** Converts a document once there is room for it: uploads that have just begun count as documents that will wait. */
async function convertOnceThereIsRoom(key: string): Promise<Answer> {
  let answer: Answer | undefined;
  await until('it gets in', async () => {
    answer = await convert(service, key, docx());
    return answer.status !== 503;
  });
  return answer as Answer;
}

t.test('an upload that stands still gives its place to the next of its account', async (t) => {
  const { uploads, first } = await standStill();
  isDelivered(t, await convertOnceThereIsRoom(key));
  isOut(t, await first);
  await end(uploads);
});

t.test('an upload that loses its place to another account ends at once', async (t) => {
  const { id } = await service.createAccount('other', 'free');
  const other = await service.createKey({ account: id });
  t.equal(other.account, id);
  const { uploads, first } = await standStill();
  isDelivered(t, await convertOnceThereIsRoom(other.key));
  isOut(t, await first);
  await end(uploads);
});

t.test('RATE_LIMIT_EXCEEDED on the public endpoint', async (t) => {
  const ask = () => send(service, '/v1/public/convert');
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
  isDelivered(t, await convert(service, key, docx()));
});

t.test('nothing is left of the documents', async () => {
  await until('their folders are gone', async () => (await service.jobs()).length === 0);
});
