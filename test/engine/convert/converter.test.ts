import { execFile } from 'node:child_process';
import { closeSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { Converter, type Phases } from '../../../src/convert/converter.ts';
import { type Workspace, Workspaces } from '../../../src/convert/workspace.ts';
import type { ConversionJob, Engine } from '../../../src/engine/engine.ts';
import { Queue } from '../../../src/queue/queue.ts';
import { openReaders } from '../../convert/support/preflight.ts';
import {
  docx,
  docxWithParts,
  mainPart,
  malformedDocx,
  pdf,
  plainText,
  slowDocx,
} from '../../support/documents.ts';
import { isAlive, never, RecordingLog, startKit, temporaryFolder } from '../../support/kit.ts';
import { acme, convertIn, runIn } from '../../support/queue.ts';
import { Task } from '../../support/tasks.ts';
import { until } from '../../support/until.ts';

const LONG_MS = 60_000;

const readers = openReaders();
const { engine, log } = await startKit(t);

async function upload(t: Test, document: Uint8Array): Promise<Workspace> {
  const workspaces = await Workspaces.open(await temporaryFolder(t), 10, new RecordingLog().log);
  t.teardown(() => workspaces.close());
  const workspace = workspaces.create();
  await writeFile(workspace.input, document);
  return workspace;
}

function converterFor(engine: Engine, timeoutMs = LONG_MS): Converter {
  return new Converter({
    readers,
    engine,
    queue: new Queue({ workers: 1, limit: 1, timeoutMs: LONG_MS }),
    timeoutMs,
  });
}

/** An engine whose output `write` creates instead of a PDF. */
function engineThat(
  write: (output: string, job: ConversionJob) => Promise<unknown>,
  libreOffice?: string | undefined,
): Engine {
  return {
    start: async () => {},
    stop: async () => {},
    status: () => ({
      engine: 'cold',
      ready: true,
      libreOffice,
      fontSet: undefined,
      poppler: undefined,
      pid: undefined,
      sandbox: [],
      restarts: 0,
      renewals: 0,
      documentsPerChild: 1,
      children: { idle: 0, running: 0 },
      documents: 0,
    }),
    finish: async () => 0,
    draw: async () => {},
    convert: async (job) => {
      await write(join(job.folder, 'output.pdf'), job);
      return {
        pages: undefined,
        peakBytes: undefined,
        cpuMs: undefined,
        attempts: 1,
        tagged: true,
        isolation: 'document',
      };
    },
  };
}

t.test('gives a verified, open PDF and what it took', async (t) => {
  const converter = converterFor(engine);
  t.equal(converter.lastSuccess, undefined);
  const before = Date.now();
  const phases: Phases = {};
  const result = await convertIn(converter, await upload(t, docx({ pages: 3 })), never(), { phases });
  t.teardown(() => closeSync(result.fd));
  t.equal(result.pages, 3);
  const content = readFileSync(result.fd, 'latin1');
  t.equal(result.bytes, content.length);
  t.match(content, /^%PDF-/);
  t.ok(Number(phases.preflight) > 0 && Number(phases.queue) >= 0 && Number(phases.convert) > 0);
  t.ok(Number(result.conversion.peakBytes) > 0);
  t.ok(Number(converter.lastSuccess) >= before);
});

t.test('a document is not charged for time in which the server was stopped', async (t) => {
  const budgetMs = 3_000;
  const started = log.next('child started');
  const conversion = convertIn(converterFor(engine, budgetMs), await upload(t, docx()), never());
  await started;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1.5 * budgetMs);
  const { fd, pages } = await conversion;
  closeSync(fd);
  t.equal(pages, 1);
});

t.test('a document that takes too long fails, and its child is gone', async (t) => {
  // Many times what it takes to be read, and half of what it takes in the engine.
  const budgetMs = 4_000;
  const started = log.next('child started');
  const conversion = convertIn(converterFor(engine, budgetMs), await upload(t, slowDocx()), never());
  await t.rejects(conversion, {
    code: 'CONVERSION_FAILED',
    message: /takes longer/,
    cause: new RegExp(`${budgetMs} ms`),
  });
  t.notOk(isAlive(Number((await started).child)));
});

t.test('the budget does not run while a document waits', async (t) => {
  const queue = new Queue({ workers: 1, limit: 1, timeoutMs: LONG_MS });
  const timeoutMs = 3_000;
  const converter = new Converter({ readers, engine, queue, timeoutMs });
  let release: () => void = () => {};
  const blocking = runIn(
    queue,
    () =>
      new Promise<void>((resolve) => {
        release = resolve;
      }),
    never(),
  );
  const phases: Phases = {};
  const conversion = convertIn(converter, await upload(t, docx()), never(), { phases });
  await until('it waits', () => queue.waiting === 1);
  // Longer than a document may run.
  setTimeout(release, timeoutMs + 100);
  const result = await conversion;
  closeSync(result.fd);
  t.ok(Number(phases.queue) > timeoutMs);
  await blocking;
});

t.test('an abort ends the conversion with its reason', async (t) => {
  const controller = new AbortController();
  const reason = new Error('the client is gone');
  const started = log.next('child started');
  const conversion = convertIn(converterFor(engine), await upload(t, slowDocx()), controller.signal);
  const { child } = await started;
  controller.abort(reason);
  t.equal(await conversion.catch((error: unknown) => error), reason);
  t.notOk(isAlive(Number(child)));
});

t.test('the engine never sees what the preflight refuses', async (t) => {
  const converter = converterFor(engineThat(async () => t.fail('the engine was asked')));
  await t.rejects(convertIn(converter, await upload(t, plainText()), never()), { code: 'INVALID_FILE_TYPE' });
});

t.test('what the engine cannot load is corrupted', async (t) => {
  const converter = converterFor(engine);
  await t.rejects(convertIn(converter, await upload(t, malformedDocx()), never()), {
    code: 'CORRUPTED_FILE',
  });
  t.equal(converter.lastSuccess, undefined);
});

t.test('a full queue refuses before anything is read', async (t) => {
  const queue = new Queue({ workers: 1, limit: 0, timeoutMs: LONG_MS });
  const converter = new Converter({ readers, engine, queue, timeoutMs: LONG_MS });
  t.doesNotThrow(() => converter.admit(acme).leave());
  let release: () => void = () => {};
  const blocking = runIn(
    queue,
    () =>
      new Promise<void>((resolve) => {
        release = resolve;
      }),
    never(),
  );
  t.throws(() => converter.admit(acme), { code: 'OVERLOADED' });
  await t.rejects(convertIn(converter, await upload(t, docx()), never()), { code: 'OVERLOADED' });
  release();
  await blocking;
});

const badOutputs: readonly (readonly [string, (output: string) => Promise<unknown>])[] = [
  ['nothing', async () => {}],
  ['an empty file', (output) => writeFile(output, '')],
  ['no PDF', (output) => writeFile(output, plainText())],
  ['a PDF that was cut off', (output) => writeFile(output, pdf().subarray(0, -20))],
  ['a folder', (output) => mkdir(output)],
  ['a FIFO that nobody writes to', (output) => promisify(execFile)('mkfifo', [output])],
  [
    'a link to a PDF',
    (output) => writeFile(`${output}.real`, pdf()).then(() => symlink(`${output}.real`, output)),
  ],
];

for (const [name, write] of badOutputs) {
  t.test(`an engine that leaves ${name} has failed`, async (t) => {
    const converter = converterFor(engineThat(write));
    await t.rejects(convertIn(converter, await upload(t, docx()), never()), { code: 'CONVERSION_FAILED' });
    t.equal(converter.lastSuccess, undefined);
  });
}

t.test('the double itself can succeed', async (t) => {
  const converter = converterFor(engineThat((output) => writeFile(output, pdf(2))));
  const { fd, pages } = await convertIn(converter, await upload(t, docx()), never());
  closeSync(fd);
  t.equal(pages, 2);
});

t.test('the document is rewritten for the LibreOffice that runs', async (t) => {
  const grid = `<w:sectPr><w:pgSz w:w="11906" w:h="15460"/><w:pgMar w:top="1440" w:bottom="1440" w:header="851" w:footer="992"/>
    <w:docGrid w:type="lines" w:linePitch="312"/></w:sectPr>`;
  for (const [libreOffice, expected] of [
    ['25.2.3.2', ['line-grid']],
    ['26.8.2.2', []],
  ] as const) {
    const converter = converterFor(engineThat((output) => writeFile(output, pdf()), libreOffice));
    const document = docxWithParts({ 'word/document.xml': mainPart(grid) });
    const { fd, rewrites } = await convertIn(converter, await upload(t, document), never());
    closeSync(fd);
    t.strictSame(rewrites, expected, libreOffice);
  }
});

t.test('among waiting documents of one sender, the smallest goes first', async (t) => {
  const order: string[] = [];
  const recording = engineThat(async (output, { folder }) => {
    order.push(folder);
    await writeFile(output, pdf());
  });
  const queue = new Queue({ workers: 1, limit: 2, timeoutMs: LONG_MS });
  const converter = new Converter({ readers, engine: recording, queue, timeoutMs: LONG_MS });
  const worker = new Task();
  const busy = runIn(queue, worker.run, never());
  const [large, small] = [await upload(t, docx()), await upload(t, docx())];
  const conversions = [
    convertIn(converter, large, never(), { bytes: 2 }),
    convertIn(converter, small, never(), { bytes: 1 }),
  ];
  await until('both wait', () => queue.waiting === 2);
  worker.end();
  for (const { fd } of await Promise.all(conversions)) closeSync(fd);
  await busy;
  t.same(order, [small.folder, large.folder]);
});

t.test('a PDF that does not declare the requested PDF/A is rejected', async (t) => {
  const jobs: ConversionJob[] = [];
  const engine = engineThat((output, job) => {
    jobs.push(job);
    return writeFile(output, pdf());
  });
  const converter = converterFor(engine);
  await t.rejects(convertIn(converter, await upload(t, docx()), never(), { pdfa: '2b' }), {
    code: 'CONVERSION_FAILED',
    cause: /no stream where one should be/,
  });
  t.equal(jobs[0]?.export?.pdfa, '2b', 'the engine was asked for it');
  const plain = await convertIn(converter, await upload(t, docx()), never());
  closeSync(plain.fd);
  t.equal(jobs[1]?.export?.pdfa, undefined);
});
