/** Children that stay for several documents of one owner. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { ConversionJob } from '../../src/engine/engine.ts';
import { prepareRoom } from '../../src/engine/job-folder.ts';
import { KitProcess } from '../../src/engine/kit-process.ts';
import { kitFiles } from '../../src/paths.ts';
import { documentInEveryFont, documentWithEverything } from '../support/archive-documents.ts';
import { docx, docxWithParts, mainPart, malformedDocx, slowDocx } from '../support/documents.ts';
import {
  createJob,
  never,
  pdfText,
  RecordingLog,
  type StartedKit,
  startKit,
  temporaryFolder,
  untilGone,
} from '../support/kit.ts';
import { until } from '../support/until.ts';

const DOCUMENTS = 3;
const CLOCK = Date.UTC(2021, 4, 6, 7, 8, 9) / 1_000;

/** Converts a document. @returns the PDF, its text, and the processes that worked on it. */
async function convert(
  { engine, folder, log }: StartedKit,
  document: Buffer,
  { owner, ...options }: Partial<Omit<ConversionJob, 'owner'>> & { owner: string | undefined },
) {
  const job = { ...(await createJob(folder, document)), clock: CLOCK, ...options, owner };
  const earlier = log.lines.length;
  const conversion = await engine.convert(job, never());
  const started = log.lines.slice(earlier).filter(({ message }) => message === 'child started');
  const pids = started
    .filter(({ fields }) => fields.job === job.id)
    .map(({ fields }) => Number(fields.child));
  return { conversion, pids, text: await pdfText(job), pdf: await readFile(join(job.folder, 'output.pdf')) };
}

const rooms = async ({ folder }: StartedKit) =>
  (await readdir(join(folder, 'kit'))).filter((name) => name.startsWith('room-'));

/** Its children wait until the test ends, however slow the machine is. */
const staying = (t: Test, options = {}) =>
  startKit(t, { documentsPerChild: DOCUMENTS, workers: 2, idleMs: 600_000, ...options });

t.test('a child converts as many documents of one owner as it may', async (t) => {
  const kit = await staying(t);
  const pids: number[] = [];
  for (let i = 0; i < DOCUMENTS + 1; i++) {
    const made = await convert(kit, docx({ paragraphs: [`number ${i}`] }), { owner: 'acme' });
    t.equal(made.text, `number ${i}`);
    t.match(made.conversion, { attempts: 1, tagged: true, pages: 1, isolation: 'account' });
    t.equal(made.pids.length, 1);
    pids.push(...made.pids);
  }
  t.equal(new Set(pids.slice(0, DOCUMENTS)).size, 1, `${pids}`);
  t.not(pids.at(-1), pids[0], 'then another does');
  await untilGone(Number(pids[0]));
});

t.test('it never gets a document of another owner, or of none', async (t) => {
  const kit = await staying(t);
  const owners = ['acme', 'globex', undefined, 'acme', undefined, 'globex', 'initech', 'acme'];
  const seen = new Map<number, string>();
  for (const [i, owner] of owners.entries()) {
    const { pids, conversion } = await convert(kit, docx(), { owner });
    t.equal(conversion.isolation, owner === undefined ? 'document' : 'account');
    for (const pid of pids) {
      const who = owner ?? `document ${i}`;
      t.equal(seen.get(pid) ?? who, who, `${pid}`);
      seen.set(pid, who);
    }
  }
});

t.test('by default each document has a child', async (t) => {
  const kit = await startKit(t);
  const one = await convert(kit, docx(), { owner: 'acme' });
  const other = await convert(kit, docx(), { owner: 'acme' });
  t.not(one.pids[0], other.pids[0]);
  t.equal(one.conversion.isolation, 'document');
  t.strictSame(await rooms(kit), []);
});

t.test('two at a time have two children', async (t) => {
  const kit = await staying(t);
  const made = await Promise.all([1, 2].map(() => convert(kit, docx(), { owner: 'acme' })));
  t.equal(new Set(made.flatMap(({ pids }) => pids)).size, 2);
});

t.test('what it makes does not depend on what came before', async (t) => {
  const documents = [documentWithEverything(), documentInEveryFont(['']), docx(), documentInEveryFont([''])];
  const alone: Buffer[] = [];
  const kit = await staying(t, { documentsPerChild: 2 * documents.length });
  for (const document of documents) alone.push((await convert(kit, document, { owner: undefined })).pdf);
  const pids = new Set<number>();
  for (const options of [{}, { export: { pdfa: '2b' } }] as const) {
    for (const [i, document] of documents.entries()) {
      const made = await convert(kit, document, { owner: 'acme', ...options });
      for (const pid of made.pids) pids.add(pid);
      const expected =
        'export' in options ? (await convert(kit, document, { owner: undefined, ...options })).pdf : alone[i];
      t.ok(made.pdf.equals(expected ?? Buffer.alloc(0)), `document ${i} ${JSON.stringify(options)}`);
    }
  }
  t.ok(pids.size < 2 * documents.length, `${pids.size} processes`);
});

t.test('it numbers the fonts of each document from the start', async (t) => {
  const kit = await staying(t);
  const fonts = '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/>';
  const bold = `<w:p><w:r><w:rPr>${fonts}<w:b/></w:rPr><w:t>Text in an outline of CFF</w:t></w:r></w:p>`;
  const document = docxWithParts({ 'word/document.xml': mainPart(bold) });
  const alone = await convert(kit, document, { owner: undefined });
  const pids = new Set<number>();
  for (let i = 0; i < DOCUMENTS; i++) {
    const { pdf, pids: own } = await convert(kit, document, { owner: 'acme' });
    t.ok(pdf.equals(alone.pdf));
    for (const pid of own) pids.add(pid);
  }
  t.equal(pids.size, 1, 'in one process');
});

t.test('it ends when no document comes', async (t) => {
  const kit = await staying(t, { idleMs: 1 });
  const { pids } = await convert(kit, docx(), { owner: 'acme' });
  await untilGone(Number(pids[0]));
  await until('its folder is gone', async () => (await rooms(kit)).length === 0);
});

t.test('a document that fails ends it, and is no worse than alone', async (t) => {
  const kit = await staying(t);
  const first = await convert(kit, docx(), { owner: 'acme' });
  await t.rejects(convert(kit, malformedDocx(), { owner: 'acme' }), { code: 'CORRUPTED_FILE' });
  await untilGone(Number(first.pids[0]));
  const next = await convert(kit, docx(), { owner: 'acme' });
  t.equal(next.text, 'Hello from Platen.');
});

t.test('if it is killed while it waits, or with a document, another converts', async (t) => {
  const kit = await staying(t);
  const first = await convert(kit, docx(), { owner: 'acme' });
  process.kill(Number(first.pids[0]), 'SIGKILL');
  await untilGone(Number(first.pids[0]));
  const second = await convert(kit, docx(), { owner: 'acme' });
  t.equal(second.text, 'Hello from Platen.');
  kit.log.on('child started', ({ child }) => {
    if (child === second.pids[0]) process.kill(Number(child), 'SIGKILL');
  });
  const third = await convert(kit, docx(), { owner: 'acme' });
  t.equal(third.text, 'Hello from Platen.');
  t.equal(third.pids.length, 2);
});

t.test('a crash while it waits is noticed, and renews the kit', async (t) => {
  const kit = await staying(t);
  const { pid } = kit.engine.status();
  const { pids } = await convert(kit, docx(), { owner: 'acme' });
  const noticed = kit.log.next('a child crashed while it waited for another document');
  process.kill(Number(pids[0]), 'SIGSEGV');
  t.equal((await noticed).signal, 11);
  const ready = kit.log.next('kit ready');
  t.equal((await convert(kit, docx(), { owner: 'globex' })).text, 'Hello from Platen.');
  t.not((await ready).kit, pid);
});

t.test('one that hangs takes a share of the next document’s time, and no document is to blame', async (t) => {
  const kit = await staying(t, { jobCpuMs: 8_000 });
  const { pids } = await convert(kit, docx(), { owner: 'acme' });
  process.kill(Number(pids[0]), 'SIGSTOP');
  const next = await convert(kit, docx(), { owner: 'acme' });
  t.equal(next.text, 'Hello from Platen.');
  t.match(next.conversion, { attempts: 2, isolation: 'account' }, 'the first process had it, too');
});

t.test('what it leaves in its folder hinders no document', async (t) => {
  const kit = await staying(t);
  await convert(kit, docx(), { owner: 'acme' });
  const [room = ''] = await rooms(kit);
  const output = join(kit.folder, 'kit', room, 'output.pdf');
  await rm(output);
  await mkdir(output);
  t.equal((await convert(kit, docx(), { owner: 'acme' })).text, 'Hello from Platen.');
});

t.test('it gets no further document after a second of CPU time', async (t) => {
  const kit = await staying(t, { documentsPerChild: 20 });
  const long = docx({ paragraphs: Array.from({ length: 20_000 }, (_, i) => `paragraph ${i}`) });
  const first = await convert(kit, long, { owner: 'acme' });
  t.ok(Number(first.conversion.cpuMs) > 1_000, `${first.conversion.cpuMs} ms`);
  await untilGone(Number(first.pids[0]));
  t.not((await convert(kit, docx(), { owner: 'acme' })).pids[0], first.pids[0]);
});

t.test('each document has a budget of CPU time of its own', async (t) => {
  const kit = await staying(t, { jobCpuMs: 1_000 });
  const earlier = kit.log.count('child started');
  await t.rejects(convert(kit, slowDocx(), { owner: 'globex' }), {
    code: 'CONVERSION_FAILED',
    reason: 'cpu',
  });
  t.equal(kit.log.count('child started') - earlier, 1, 'not tried again: nothing came before it');
  await convert(kit, docx(), { owner: 'acme' });
  await t.rejects(convert(kit, slowDocx(), { owner: 'acme' }), { code: 'CONVERSION_FAILED', reason: 'cpu' });
  t.equal((await convert(kit, docx(), { owner: 'acme' })).text, 'Hello from Platen.');
});

t.test('an aborted document ends its child', async (t) => {
  const kit = await staying(t);
  const started = kit.log.next('child started');
  const controller = new AbortController();
  const job = { ...(await createJob(kit.folder, slowDocx())), owner: 'acme' };
  const converting = kit.engine.convert(job, controller.signal);
  const { child } = await started;
  controller.abort(new Error('not wanted'));
  await t.rejects(converting, { message: 'not wanted' });
  await untilGone(Number(child));
});

t.test('a kit that has served only such children was a good start', async (t) => {
  const binary = join(await temporaryFolder(t), 'kit.sh');
  const kitThat = (does: string) => writeFile(binary, `#!/bin/sh\n${does}\n`, { mode: 0o700 });
  await kitThat(`exec '${kitFiles.binary}' "$@"`);
  const kit = await staying(t, { binary });
  const kill = () => process.kill(Number(kit.engine.status().pid), 'SIGKILL');
  for (let i = 1; i <= 2; i++) {
    await convert(kit, docx(), { owner: 'acme' });
    const next = kit.log.next('kit ready');
    kill();
    await next;
  }
  await convert(kit, docx(), { owner: 'acme' });
  const failure = kit.log.next('the kit does not start');
  await kitThat('exit 1');
  kill();
  t.match(await failure, { failures: 1 }, 'none before it');
});

t.test('the kit itself gives a child that stays no document of another owner', async (t) => {
  const folder = await temporaryFolder(t);
  const { log } = new RecordingLog();
  const limits = { concurrency: 1, jobMemoryBytes: 1_073_741_824, jobCpuMs: 60_000, startLimitMs: 60_000 };
  const places = {
    folder: join(folder, 'kit'),
    fontsDir: undefined,
    binary: kitFiles.binary,
    former: undefined,
  };
  const kit = await KitProcess.start({ ...limits, ...places, log, onSuspected: () => {} }, never());
  t.teardown(() => kit.stop());
  const room = join(folder, 'room');
  const convertFor = async (owner: string | undefined) => {
    const job = await createJob(folder, docx());
    await prepareRoom(room, job);
    return kit.convert({ id: job.id, folder: room, cpuMs: 60_000, owner }, never());
  };
  for (const other of ['globex', undefined]) {
    t.match(await convertFor('acme'), { outcome: 'converted' });
    t.match(await convertFor('acme'), { outcome: 'converted' }, 'the same child');
    await t.rejects(convertFor(other), { name: 'KitRefused', message: /owner/ });
    t.match(await convertFor(other), { outcome: 'converted' }, 'that child has ended');
    kit.release(room);
  }
});
