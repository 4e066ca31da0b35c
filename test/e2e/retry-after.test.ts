/** If stalled uploads hold all places, Retry-After says when a newcomer gets one. */
import type { ClientRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { docx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly, isError, isPdf } from './support/assertions.ts';
import { answerTo, convert, filePartHead, openUpload } from './support/requests.ts';

const PLACES = 8;
/** Time between two bytes of a trickle. */
const TRICKLE_MS = 400;
const MOST_REFUSALS = 2;

const server = await Server.start({
  env: { UPLOAD_LIMIT: String(PLACES), PUBLIC_PER_SECOND: '50', HEALTH_INTERVAL_MS: '600000' },
});
const { key } = await server.createKey();
const other = await server.createAccount({ name: 'Other', plan: 'free' });
const { key: testKey } = await server.createKey({ account: other.id, environment: 'test' });

/** An upload that begins and then stalls: it sends nothing, or a byte now and then. */
function openStalled(trickles: boolean): ClientRequest {
  const upload = openUpload(server, '/v1/convert', { key, contentLength: 100_000 });
  // Those that lose their place get an error; the others are destroyed.
  answerTo(upload).catch(() => {});
  upload.write(filePartHead);
  if (trickles) {
    const timer = setInterval(() => upload.write('x'), TRICKLE_MS);
    upload.once('close', () => clearInterval(timer));
  }
  return upload;
}

/**
 * Sends a document again and again, exactly when Retry-After says, until it is converted.
 *
 * @returns what it was told each time, in seconds.
 */
async function insist(t: Test, who: string, ownKey: string | undefined): Promise<number[]> {
  const told: number[] = [];
  for (;;) {
    const answer = await convert(server, ownKey, docx());
    if (answer.status === 200 || told.length > MOST_REFUSALS) {
      await isPdf(t, answer, 'Hello from Platen.');
      return told;
    }
    isError(t, answer, 'OVERLOADED', 503, who);
    const seconds = Number(answer.headers.get('retry-after'));
    told.push(seconds);
    await delay(seconds * 1_000);
  }
}

for (const [how, trickles] of [
  ['stand still', false],
  ['trickle', true],
] as const) {
  t.test(`uploads that ${how}`, async (t) => {
    const uploads = Array.from({ length: PLACES }, () => openStalled(trickles));
    await until('all have begun', async () => (await server.jobs()).length === PLACES);
    const newcomers = [
      // It took the place of a stalled upload: another one takes it, so that the others cannot.
      ['the same account', key, 2, () => uploads.push(openStalled(trickles))],
      ['a test key of another account', testKey, 10, () => {}],
      ['the public endpoint', undefined, 10, () => {}],
    ] as const;
    await Promise.all(
      newcomers.map(async ([who, ownKey, seconds, then]) => {
        const told = await insist(t, who, ownKey);
        then();
        const sum = told.reduce((all, next) => all + next, 0);
        t.ok(told.length <= MOST_REFUSALS, `${who} was told ${told.join(', ')} s`);
        t.ok(
          sum >= seconds / 2 && sum <= 2 * seconds,
          `${who} got in after ${sum} s, ${seconds} by the rules`,
        );
      }),
    );
    for (const upload of uploads) upload.destroy();
    await until('their folders are gone', async () => (await server.jobs()).length === 0);
  });
}

t.test('the server ends cleanly', (t) => endsCleanly(t, server));
