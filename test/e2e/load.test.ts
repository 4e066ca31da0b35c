/** Many documents at once, and processes that die under them. */
import t, { type Test } from 'tap';
import { docx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly, isAnyError, isPdf } from './support/assertions.ts';
import { patiently } from './support/patience.ts';
import { isAlive, kitOf, nextKit, parentOf, runningJob } from './support/processes.ts';
import { type Answer, convert, get } from './support/requests.ts';

// On a busy machine the last of them may wait longer than the usual limit.
const server = await Server.start({ env: { HEALTH_INTERVAL_MS: '600000', QUEUE_TIMEOUT_MS: '300000' } });
const { key } = await server.createKey();

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

t.test('40 uploads at once', async (t) => {
  const count = 40;
  const uploads = Array.from({ length: count }, (_, i) =>
    patiently(() => convert(server, key, document(i + 1))),
  );
  t.equal(await areAnswers(t, await Promise.all(uploads)), count);
  // Redis may be late on a busy machine; there is always a place.
  t.notOk(server.log.some(({ code }) => code === 'OVERLOADED'));
});

t.test('the kit is killed under load', async (t) => {
  const kit = kitOf(server);
  const answers = sendMany(30);
  await runningJob(server);
  process.kill(kit, 'SIGKILL');
  const converted = await areAnswers(t, await answers);
  t.ok(converted > 0, `${converted} of 30 were converted`);
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
    const answer = convert(server, key, docx({ pages: 1_000 }));
    const { child } = await runningJob(server);
    const kit = kitOf(server);
    if (parentOf(child) === kit) return { answer, child, kit };
    await answer;
  }
}

t.test('a child crashes', async (t) => {
  const { answer, child, kit } = await crashable();
  const before = server.log.length - 1;
  const others = sendMany(4);
  process.kill(child, 'SIGSEGV');
  const converted = await answer;
  t.equal(converted.status, 200, 'another attempt leaves out the tags');
  t.match(converted.headers.get('x-conversion-warnings'), /\bUNTAGGED\b/);
  t.equal(await areAnswers(t, await others), 4, 'the others notice nothing');
  // The time of its start depends on the machine.
  await server.logged('kit ready', (line) => server.log.indexOf(line) > before);
  t.not(kitOf(server), kit, 'a fresh kit takes over');
  await until('the former one is gone', () => !isAlive(kit));
  t.equal(await areAnswers(t, await sendMany(4)), 4);
  t.strictSame(await server.jobs(), [], 'nothing is left of the documents');
});

t.test('the server ends cleanly', (t) => endsCleanly(t, server));
