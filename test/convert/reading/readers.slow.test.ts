/** Documents that take a while to read: within a time, and nobody else waits for them. */
import { existsSync, linkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Readers } from '../../../src/convert/reading/readers.ts';
import type { Sender } from '../../../src/queue/sender.ts';
import { TimeBudget } from '../../../src/system/time-budget.ts';
import * as documents from '../../support/documents.ts';
import { noise } from '../../support/noise.ts';
import { until } from '../../support/until.ts';
import { type ZipEntry, zip } from '../../support/zip.ts';
import {
  docxOfManyCharacters,
  fileOf,
  inspectionOf,
  never,
  openDescriptors,
  openReaders,
  processTimeMs,
  readersFromNow,
  sender,
} from '../support/preflight.ts';

const MB = 1_048_576;
/** Of the work, the process that serves requests does less. The other's processor time is known to 20 ms, and the work takes 70. */
const SHARE = 0.5;

const readers = readersFromNow();
const reading = openReaders();

let checks = 0;

/** Reads the file at `path`, which stays. */
async function check(
  path: string,
  {
    by = sender,
    signal = never(),
    using = reading,
  }: { by?: Sender; signal?: AbortSignal; using?: Readers } = {},
): Promise<void> {
  const upload = `${path}-${checks++}`;
  linkSync(path, upload);
  const { rest } = await using.inspect(inspectionOf(upload), { sender: by, signal });
  await rest;
}

/** Processor time of all processes that read: any of them may get a document. */
function readersTimeMs(): number {
  return readers().reduce((sum, pid) => sum + processTimeMs(pid), 0);
}

/** XML of about so many bytes, in which every third is markup and elements are deep. */
function dense(bytes: number): Buffer {
  const unit = '<b>'.repeat(400) + '</b>'.repeat(400);
  return Buffer.from(`<a>${unit.repeat(Math.floor(bytes / unit.length))}</a>`);
}

/** 25 MB in the file, nearly 200 MB when it is unpacked, as much of it XML as fits. */
const worstCase = (() => {
  const xml = dense(49 * MB);
  const parts: ZipEntry[] = [1, 2, 3].map((i) => ({ name: `customXml/item${i}.xml`, data: xml }));
  parts.push({ name: 'word/media/a.bin', data: noise(24 * MB), stored: true });
  return zip([...documents.partsWith(), ...parts]);
})();

t.test('the worst case is not read in the process that serves requests', async (t) => {
  const path = fileOf(t, worstCase);
  // Another process starts first, as it does once in the life of a service.
  await check(fileOf(t, documents.docxWithEntries(200)));
  const start = process.cpuUsage();
  const before = readersTimeMs();
  await check(path);
  const { user, system } = process.cpuUsage(start);
  const own = (user + system) / 1_000;
  const all = own + readersTimeMs() - before;
  t.ok(own < all * SHARE, `${own} of ${all} ms of processor time`);
});

t.test('an abort ends the process, and the next package gets another', async (t) => {
  const path = fileOf(t, zip([...documents.partsWith(), { name: 'a.xml', data: dense(40 * MB) }]));
  const reason = new Error('the client left');
  const controller = new AbortController();
  const running = check(path, { signal: controller.signal });
  const busy = () => readers().find((pid) => openDescriptors(path, pid) > 0);
  await until('another process has the file open', () => busy() !== undefined);
  const reader = busy() ?? '';
  controller.abort(reason);
  await t.rejects(running, reason);
  await until('that process has ended', () => !readers().includes(reader));
  await t.resolves(check(fileOf(t, documents.docxWithEntries(200))));
});

t.test('a document that takes too long to read is at fault', async (t) => {
  const refusal = {
    code: 'CORRUPTED_FILE',
    reason: 'time',
    message: /takes too long to read, which breaks the package limits/,
  } as const;
  const hasty = openReaders(t, { readingMs: 1 });
  await t.rejects(check(fileOf(t, worstCase), { using: hasty }), refusal, 'its processor time');
  const inspection = { ...inspectionOf(fileOf(t, worstCase)) };
  const budget = new TimeBudget(1);
  await t.rejects(reading.inspect(inspection, { sender, signal: never(), budget }), refusal, 'its budget');
});

t.test('who waits too long for a process is told to come back', async (t) => {
  const impatient = openReaders(t, { waitMs: 1, places: 1 });
  const path = fileOf(t, worstCase);
  const waiting = [1, 2].map(() => check(path, { using: impatient }));
  const [, late] = await Promise.allSettled(waiting);
  t.match(late, { status: 'rejected', reason: { code: 'OVERLOADED', reason: 'timeout' } });
});

t.test('one sender’s slow packages do not keep another’s waiting', async (t) => {
  const folder = t.testdir({ slow: worstCase, own: documents.docxWithEntries(200) });
  const leave = new AbortController();
  const theirs = Promise.allSettled(
    Array.from({ length: 6 }, () => check(join(folder, 'slow'), { signal: leave.signal })),
  );
  await until('some of them wait', () => reading.state().waitingByClass.live > 0);
  t.ok(reading.state().running > 0);
  t.ok(reading.state().oldestWaitMs > 0);
  const own = { class: 'live', account: 'other' } as const;
  await t.resolves(check(join(folder, 'own'), { by: own }));
  leave.abort(new Error('the client left'));
  const left = (await theirs).filter(({ status }) => status === 'rejected');
  t.ok(left.length >= 4, `${left.length} of theirs were still read, or waited`);
  t.match(reading.state(), { running: 0, waitingByClass: { live: 0 }, oldestWaitMs: 0 });
});

t.test('a package that takes more memory than a process has is refused', async (t) => {
  await t.rejects(check(fileOf(t, documents.docxOfManyFields())), {
    code: 'CORRUPTED_FILE',
    reason: 'package-too-large',
    message: /takes too much memory/,
  });
  await t.resolves(check(fileOf(t, documents.docxWithEntries(200))));
});

t.test('a process that was killed is replaced', async (t) => {
  const path = fileOf(t, documents.docxWithEntries(200));
  await check(path);
  const before = readers();
  for (const pid of before) process.kill(Number(pid), 'SIGKILL');
  await until('they are reaped', () => before.every((pid) => !existsSync(`/proc/${pid}`)));
  await t.resolves(check(path));
  t.ok(readers().every((pid) => !before.includes(pid)));
});

t.test('nobody blames a document whose processes are killed while they read its metadata', async (t) => {
  const inspection = inspectionOf(fileOf(t, docxOfManyCharacters()));
  const one = openReaders(t, { places: 1 });
  const others = readers();
  const { rest } = await one.inspect(inspection, { sender, signal: never() });
  let isOver = false;
  const rejected = t.rejects(rest, { code: 'SERVICE_UNAVAILABLE', reason: 'killed' }).then(() => {
    isOver = true;
  });
  // One that is killed before it answers is replaced once more.
  while (!isOver) {
    const view = statSync(inspection.target).ino;
    for (const pid of readers().filter((each) => !others.includes(each)))
      process.kill(Number(pid), 'SIGKILL');
    await until('another process has checked it', () => isOver || statSync(inspection.target).ino !== view);
  }
  await rejected;
});

t.test('closing ends what is under way', async (t) => {
  const closing = openReaders(t);
  const path = fileOf(t, documents.docxWithEntries(2_000));
  const before = readers();
  const running = check(path, { using: closing });
  const rejected = t.rejects(running, { code: 'SERVICE_UNAVAILABLE' });
  await until('the process is there', () => readers().length > before.length);
  await closing.close();
  await rejected;
  await until('the process is gone', () => readers().every((pid) => before.includes(pid)));
  await t.rejects(check(path, { using: closing }), { code: 'SERVICE_UNAVAILABLE' });
});
