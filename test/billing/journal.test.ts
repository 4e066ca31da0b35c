import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { type Delivered, Journal } from '../../src/billing/journal.ts';
import { log, recordingLog, temporaryFolder } from '../redis/support.ts';
import { dieWith, startDeliverer } from './dead-server.ts';
import { delivered } from './deliveries.ts';

const SEGMENT_BYTES = 1_048_576;

/** All segments under a folder, by path. */
async function segmentsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
}

const serversIn = async (folder: string) => (await readdir(folder)).filter((name) => name !== 'owner.lock');

const ids = (deliveries: readonly Delivered[]) =>
  deliveries.map(({ reservation }) => reservation.requestId).sort();

/** Appends deliveries until a second segment begins; the ids of those in the first one. */
async function fillSegment(journal: Journal, folder: string): Promise<string[]> {
  const noted: string[] = [];
  for (;;) {
    const id = `req_${noted.length}`;
    journal.append(delivered(id));
    if ((await segmentsIn(folder)).length === 2) return noted;
    noted.push(id);
  }
}

t.test('a journal without deliveries leaves nothing', async (t) => {
  const folder = join(await temporaryFolder(t), 'journal');
  const { journal, inherited } = await Journal.open(folder, log);
  t.same(inherited, []);
  t.equal((await stat(folder)).mode & 0o777, 0o700);
  await journal.close();
  t.same(await serversIn(folder), []);
});

t.test('what is settled or withdrawn goes with the journal, the rest is inherited as it was', async (t) => {
  const folder = await temporaryFolder(t);
  const { journal } = await Journal.open(folder, log);
  for (const id of ['req_1', 'req_2', 'req_3']) journal.append(delivered(id));
  journal.settled('req_1');
  journal.withdraw('req_2');
  journal.settled('req_unknown');
  journal.withdraw('req_unknown');
  await journal.close();
  t.throws(() => journal.append(delivered('req_4')), /closed/);

  const next = await Journal.open(folder, log);
  // What Redis knows already is told again, and changes nothing there; what was withdrawn must never be told.
  t.same(next.inherited, [delivered('req_1'), delivered('req_3')]);
  for (const id of ['req_1', 'req_3']) next.journal.settled(id);
  t.same(await segmentsIn(folder), [], 'a segment of another server goes when all of it is settled');
  await next.journal.close();
  t.same(await serversIn(folder), []);
});

t.test('a journal whose deliveries are settled is gone when it is closed', async (t) => {
  const folder = await temporaryFolder(t);
  const { journal } = await Journal.open(folder, log);
  for (const id of ['req_1', 'req_2']) journal.append(delivered(id));
  journal.settled('req_2');
  journal.withdraw('req_1');
  await journal.close();
  t.same(await serversIn(folder), []);
});

t.test('a server that was killed is inherited from, a living one is not', async (t) => {
  const folder = await temporaryFolder(t);
  await dieWith(t, folder, ['req_1', 'req_2']);
  const living = await startDeliverer(t, folder, ['req_3']);
  // The living one came after the dead one, and has what that left.
  const first = await Journal.open(folder, log);
  t.same(first.inherited, []);
  await living.kill();
  const second = await Journal.open(folder, log);
  t.same(ids(second.inherited), ['req_1', 'req_2', 'req_3']);
  t.equal((await serversIn(folder)).length, 2, 'the folder of the dead one is gone');
  await Promise.all([first, second].map(({ journal }) => journal.close()));
});

t.test('deliveries survive any number of servers that die before they are settled', async (t) => {
  const folder = await temporaryFolder(t);
  for (let server = 0; server < 10; server += 1) {
    const { journal, inherited } = await Journal.open(folder, log);
    t.equal(inherited.length, server);
    journal.append(delivered(`req_${server}`));
    await journal.close();
  }
});

t.test('a line that was cut off is told of, and costs no other', async (t) => {
  const folder = await temporaryFolder(t);
  await dieWith(t, folder, ['req_1', 'req_2']);
  const [path = ''] = await segmentsIn(folder);
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.slice(0, -20));
  const torn = recordingLog();
  const second = await Journal.open(folder, torn.log);
  t.same(ids(second.inherited), ['req_1']);
  t.same(torn.messages, ['a line of the journal cannot be read']);
  await second.journal.close();
});

t.test('a line after half of one is read', async (t) => {
  const folder = await temporaryFolder(t);
  const { journal } = await Journal.open(folder, log);
  journal.append(delivered('req_1'));
  journal.append(delivered('req_2'));
  const [path = ''] = await segmentsIn(folder);
  await appendFile(path, '{"reservation":{"requestId":"req_3');
  journal.withdraw('req_1');
  journal.append(delivered('req_4'));
  await journal.close();
  const next = await Journal.open(folder, log);
  t.same(ids(next.inherited), ['req_2', 'req_4']);
  await next.journal.close();
});

t.test('lines that are no deliveries are left out', async (t) => {
  const folder = await temporaryFolder(t);
  await dieWith(t, folder, ['req_1']);
  const [path = ''] = await segmentsIn(folder);
  await appendFile(path, 'null\n12\n{}\n[]\n\0\0\0\n');
  const { log, messages } = recordingLog();
  const { journal, inherited } = await Journal.open(folder, log);
  t.same(ids(inherited), ['req_1']);
  t.equal(messages.length, 5);
  await journal.close();
});

t.test('a new segment begins at 1 MB, and a full one goes when its last delivery is settled', async (t) => {
  const folder = await temporaryFolder(t);
  const { journal } = await Journal.open(folder, log);
  const noted = await fillSegment(journal, folder);
  const paths = await segmentsIn(folder);
  t.equal(paths.length, 2);
  const sizes = (await Promise.all(paths.map((path) => stat(path)))).map(({ size }) => size);
  const full = Math.max(...sizes);
  t.ok(full >= SEGMENT_BYTES && full < SEGMENT_BYTES + 1_000, `${full} bytes`);

  const [last = '', ...others] = noted.reverse();
  for (const id of others) journal.settled(id);
  t.equal((await segmentsIn(folder)).length, 2, 'one is still to be settled');
  journal.withdraw(last);
  t.equal((await segmentsIn(folder)).length, 1);
  await journal.close();
});

t.test('a segment that is settled before it is full goes with the first line of the next', async (t) => {
  const folder = await temporaryFolder(t);
  const { journal } = await Journal.open(folder, log);
  const seen = new Set<string>();
  for (let n = 0; seen.size < 2; n += 1) {
    journal.append(delivered(`req_${n}`));
    journal.settled(`req_${n}`);
    if (n % 100 === 0) for (const path of await segmentsIn(folder)) seen.add(path);
  }
  t.equal((await segmentsIn(folder)).length, 1);
  await journal.close();
  t.same(await serversIn(folder), []);
});

t.test('a folder that cannot be made', async (t) => {
  const file = join(await temporaryFolder(t), 'file');
  await writeFile(file, '');
  await t.rejects(Journal.open(join(file, 'journal'), log), { name: 'OperatorError', message: /journal/ });
});
