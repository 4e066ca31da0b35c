/** Packages that take a while: in a process of their own, within a time, and nobody else waits for them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Allowance, TooHeavy } from '../../../src/convert/package/limits.ts';
import { inspect } from '../../../src/convert/preflight/inspection.ts';
import { Preflight } from '../../../src/convert/preflight/preflight.ts';
import { tasks } from '../../../src/convert/preflight/tasks.ts';
import * as documents from '../../support/documents.ts';
import { noise } from '../../support/noise.ts';
import { until } from '../../support/until.ts';
import { type ZipEntry, zip } from '../../support/zip.ts';
import {
  fileOf,
  never,
  openDescriptors,
  openPreflight,
  processTimeMs,
  readers,
  sender,
} from '../support/preflight.ts';

const MB = 1_048_576;
/** Of the work, the process that serves requests does less. The other's processor time is known to 20 ms, and the work takes 70. */
const SHARE = 0.5;

const preflight = openPreflight();

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
  await preflight.check(fileOf(t, documents.docxWithEntries(200)), sender, never());
  const [reader = ''] = readers();
  const start = process.cpuUsage();
  const before = processTimeMs(reader);
  await preflight.check(path, sender, never());
  const { user, system } = process.cpuUsage(start);
  const own = (user + system) / 1_000;
  const all = own + processTimeMs(reader) - before;
  t.ok(own < all * SHARE, `${own} of ${all} ms of processor time`);
});

t.test('an abort ends the process, and the next package gets another', async (t) => {
  const path = fileOf(t, zip([...documents.partsWith(), { name: 'a.xml', data: dense(40 * MB) }]));
  const reason = new Error('the client left');
  const controller = new AbortController();
  const running = preflight.check(path, sender, controller.signal);
  const busy = () => readers().find((pid) => openDescriptors(path, pid) > 0);
  await until('another process has the file open', () => busy() !== undefined);
  const reader = busy() ?? '';
  controller.abort(reason);
  await t.rejects(running, reason);
  await until('that process has ended', () => !readers().includes(reader));
  await t.resolves(preflight.check(fileOf(t, documents.docxWithEntries(200)), sender, never()));
});

t.test('the time of one package is limited', async (t) => {
  const path = fileOf(t, documents.docx());
  const refusal = {
    code: 'CORRUPTED_FILE',
    reason: 'time',
    message: /takes too long to read, which breaks the package limits/,
  } as const;
  await t.rejects(inspect(path, new Allowance(false, never(), -1), ['docx']), refusal);
  const hasty = new Preflight(60_000, ['docx'], undefined, -1);
  t.teardown(() => hasty.close());
  await t.rejects(hasty.check(path, sender, never()), refusal, 'of a light one');
  const nothing = { fonts: undefined, libreOffice: undefined, properties: undefined };
  const inspection = { path, accepted: ['docx'], wantsPages: false, ...nothing, readingMs: -1 } as const;
  t.match(await tasks.inspect(inspection), { refusal }, 'in a process');
});

t.test('who waits too long for a process is told to come back', async (t) => {
  const impatient = new Preflight(1);
  t.teardown(() => impatient.close());
  const path = fileOf(t, documents.docxWithEntries(2_000));
  await t.rejects(impatient.check(path, sender, never()), { code: 'OVERLOADED', reason: 'timeout' });
});

t.test('one sender’s slow packages do not keep another’s waiting', async (t) => {
  const folder = t.testdir({ slow: worstCase, own: documents.docxWithEntries(200) });
  const leave = new AbortController();
  const theirs = Promise.allSettled(
    Array.from({ length: 6 }, () => preflight.check(join(folder, 'slow'), sender, leave.signal)),
  );
  await until('some of them wait', () => preflight.state().waitingByClass.live > 0);
  t.ok(preflight.state().running > 0);
  t.ok(preflight.state().oldestWaitMs > 0);
  const own = { class: 'live', account: 'other' } as const;
  await t.resolves(preflight.check(join(folder, 'own'), own, never()));
  leave.abort(new Error('the client left'));
  const left = (await theirs).filter(({ status }) => status === 'rejected');
  t.ok(left.length >= 4, `${left.length} of theirs were still read, or waited`);
  t.match(preflight.state(), { running: 0, waitingByClass: { live: 0 }, oldestWaitMs: 0 });
});

t.test('what is light stays in this process', async (t) => {
  const light = (path: string) => inspect(path, new Allowance(true, never()), ['docx']);
  await t.resolves(light(fileOf(t, documents.docx({ pages: 100 }))));
  await t.rejects(light(fileOf(t, documents.docxWithEntries(200))), TooHeavy);
  await t.rejects(light(fileOf(t, documents.docxOfSize(MB))), TooHeavy);
  const gaps = Array.from({ length: 10 }, (_, i) => ({ name: `${i}`, data: '', gap: Buffer.alloc(60_000) }));
  await t.rejects(light(fileOf(t, zip([...documents.partsWith(), ...gaps]))), TooHeavy, 'gaps to look into');
  // Neither is what describes the package read here, nor what describes one inside it.
  const large = documents.docxWithParts({ '[Content_Types].xml': ' '.repeat(MB - 1) });
  await t.rejects(light(fileOf(t, large)), TooHeavy);
  const around = documents.docxWithParts({ 'word/a.docx': large });
  await t.rejects(light(fileOf(t, around)), TooHeavy);
});

t.test('what takes long to parse for its size is left to a process or refused at once', async (t) => {
  const light = (bytes: Buffer) => inspect(fileOf(t, bytes), new Allowance(true, never()), ['docx']);
  const types = (inner: string) =>
    documents.docxWithParts({ '[Content_Types].xml': `<Types>${inner}</Types>` });
  await t.rejects(light(types('<a/>'.repeat(20_000))), TooHeavy, 'thousands of elements');
  // A prefix is looked for in all the elements around it.
  const nested = types('<a>'.repeat(5_000));
  await t.rejects(light(nested), { code: 'CORRUPTED_FILE', cause: /nests elements too deep/ });
  const extra = Buffer.alloc(60_000, '\xff\xff\0\0', 'latin1');
  const fields = zip([...documents.partsWith(), { name: 'a', data: '', extra }]);
  await t.rejects(light(fields), TooHeavy, 'thousands of extra fields');
  const jpeg = Buffer.concat([Buffer.from('\xff\xd8', 'latin1'), Buffer.alloc(100_000, 0xff)]);
  const picture = zip([...documents.partsWith(), { name: 'a.jpg', data: jpeg }]);
  await t.rejects(light(picture), TooHeavy, 'a picture of thousands of headers');
  // Each beginning of a name is looked up: 100 of these would take ten seconds.
  const name = 'a/'.repeat(8_000);
  const named = zip([...documents.partsWith(), { name: `${name}a`, data: '' }]);
  await t.rejects(light(named), { code: 'CORRUPTED_FILE', reason: 'bad-name' });
});

t.test('a package that takes more memory than a process has is refused', async (t) => {
  await t.rejects(preflight.check(fileOf(t, documents.docxOfManyFields()), sender, never()), {
    code: 'CORRUPTED_FILE',
    reason: 'package-too-large',
    message: /takes too much memory/,
  });
  await t.resolves(preflight.check(fileOf(t, documents.docxWithEntries(200)), sender, never()));
});

t.test('a process that was killed is replaced', async (t) => {
  const path = fileOf(t, documents.docxWithEntries(200));
  await preflight.check(path, sender, never());
  const before = readers();
  for (const pid of before) process.kill(Number(pid), 'SIGKILL');
  await until('they are reaped', () => before.every((pid) => !existsSync(`/proc/${pid}`)));
  await t.resolves(preflight.check(path, sender, never()));
  t.ok(readers().every((pid) => !before.includes(pid)));
});

t.test('closing ends what is under way', async (t) => {
  const closing = new Preflight(60_000);
  const path = fileOf(t, documents.docxWithEntries(2_000));
  const before = readers();
  const running = closing.check(path, sender, never());
  const rejected = t.rejects(running, { code: 'SERVICE_UNAVAILABLE' });
  await until('the process is there', () => readers().length > before.length);
  await closing.close();
  await rejected;
  await until('the process is gone', () => readers().every((pid) => before.includes(pid)));
  await t.rejects(closing.check(path, sender, never()), { code: 'SERVICE_UNAVAILABLE' });
});
