import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { ColdEngine } from '../../src/engine/cold-engine.ts';
import type { Job } from '../../src/engine/engine.ts';
import { docx, malformedDocx, slowDocx } from '../support/documents.ts';
import { createJob, isTagged, never, pdfText, startKit, temporaryFolder, untilGone } from '../support/kit.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);

async function coldEngine(t: Test): Promise<{ engine: ColdEngine; folder: string }> {
  const folder = await temporaryFolder(t);
  const engine = new ColdEngine();
  t.teardown(() => engine.stop());
  await engine.start();
  return { engine, folder };
}

/** Processes whose environment names the folder: those that an engine started for a job in it. */
function processesOf(folder: string): string[] {
  const found: string[] = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/environ`, 'latin1').includes(folder)) {
        found.push(readlinkSync(`/proc/${pid}/exe`));
      }
    } catch {
      // It ended between two looks.
    }
  }
  return found;
}

/** Waits for the process that converts the job, sends it the signal, and resolves once it is gone. */
async function signalSoffice({ folder }: Job, signal: NodeJS.Signals): Promise<void> {
  let pid = 0;
  const find = () => {
    pid = Number(
      readdirSync('/proc').find((name) => {
        try {
          return (
            /^\d+$/.test(name) &&
            readlinkSync(`/proc/${name}/exe`).endsWith('/soffice.bin') &&
            readFileSync(`/proc/${name}/environ`, 'latin1').includes(folder)
          );
        } catch {
          return false; // It ended between two looks.
        }
      }) ?? 0,
    );
    return pid !== 0;
  };
  await until('soffice runs', find);
  process.kill(pid, signal);
  await untilGone(pid);
}

t.test('converts a document, to the same text and pages as the kit', async (t) => {
  const { engine, folder } = await coldEngine(t);
  const document = docx({ paragraphs: ['Grüße aus Platen', 'jump over the lazy dog.'], pages: 3 });
  const job = await createJob(folder, document);
  t.same(await engine.convert(job, never()), {
    peakBytes: undefined,
    cpuMs: undefined,
    attempts: 1,
    tagged: true,
    isolation: 'document',
  });
  t.ok(await isTagged(job));
  const text = await pdfText(job);
  t.match(text, /^Grüße aus Platen\s+jump over the lazy dog\.\s+Page 1\s+Page 2\s+Page 3$/);
  t.same((await readdir(job.folder)).sort(), ['input.docx', 'output.pdf', 'task', 'tmp']);
  t.match(engine.status(), { engine: 'cold', ready: true, libreOffice: /^\d+\.\d+\./ });

  const kit = await startKit(t);
  const other = await createJob(kit.folder, document);
  await kit.engine.convert(other, never());
  t.equal(await pdfText(other), text);
  const pages = async (job: { folder: string }) =>
    /^Pages: +(\d+)$/m.exec((await run('pdfinfo', [`${job.folder}/output.pdf`])).stdout)?.[1];
  t.equal(await pages(job), '3');
  t.equal(await pages(other), '3');
});

t.test('a document that cannot be loaded is corrupted', async (t) => {
  const { engine, folder } = await coldEngine(t);
  await t.rejects(engine.convert(await createJob(folder, malformedDocx()), never()), {
    code: 'CORRUPTED_FILE',
    reason: 'unloadable',
    message: /a sound Word package/,
  });
});

t.test('a document whose soffice crashes is converted without tags', async (t) => {
  const { engine, folder } = await coldEngine(t);
  const job = await createJob(folder, docx());
  const conversion = engine.convert(job, never());
  await signalSoffice(job, 'SIGSEGV');
  t.match(await conversion, { attempts: 2, tagged: false });
  t.equal(await pdfText(job), 'Hello from Platen.');
  t.notOk(await isTagged(job));
});

t.test('a PDF/A has tags or is not there', async (t) => {
  const { engine, folder } = await coldEngine(t);
  const job = { ...(await createJob(folder, slowDocx())), export: { pdfa: '2b' } } as const;
  const failed = t.rejects(engine.convert(job, never()), { code: 'CONVERSION_FAILED', reason: 'crash' });
  await signalSoffice(job, 'SIGSEGV');
  await failed;
});

t.test('SERVICE_UNAVAILABLE: something outside kills soffice twice', async (t) => {
  const { engine, folder } = await coldEngine(t);
  const job = await createJob(folder, slowDocx());
  const failed = t.rejects(engine.convert(job, never()), {
    code: 'SERVICE_UNAVAILABLE',
    reason: 'killed',
  });
  await signalSoffice(job, 'SIGKILL');
  await signalSoffice(job, 'SIGKILL');
  await failed;
});

t.test('an abort at any moment leaves no process and no promise behind', async (t) => {
  const { engine, folder } = await coldEngine(t);
  for (const afterMs of [0, 5, 20, 80, 320, 1_280]) {
    const job = await createJob(folder, slowDocx());
    const controller = new AbortController();
    const reason = new Error(`gone after ${afterMs} ms`);
    const conversion = engine.convert(job, controller.signal);
    setTimeout(() => controller.abort(reason), afterMs);
    t.equal(await conversion.catch((error: unknown) => error), reason);
    t.same(processesOf(job.folder), [], reason.message);
  }
});

t.test('a signal that has aborted already starts nothing', async (t) => {
  const { engine, folder } = await coldEngine(t);
  const job = await createJob(folder, docx());
  await t.rejects(engine.convert(job, AbortSignal.abort(new Error('gone'))), { message: 'gone' });
  t.same(await readdir(job.folder), ['input.docx']);
});

t.test('stop ends what runs', async (t) => {
  const { engine, folder } = await coldEngine(t);
  const job = await createJob(folder, slowDocx());
  const conversion = t.rejects(engine.convert(job, never()), { code: 'SERVICE_UNAVAILABLE' });
  await engine.stop();
  t.same(processesOf(job.folder), []);
  await conversion;
  t.equal(engine.status().ready, false);
  await t.rejects(engine.convert(job, never()), { code: 'SERVICE_UNAVAILABLE' });
});

t.test('qpdf does not begin for a client that has left', async (t) => {
  const { engine, folder } = await coldEngine(t);
  const gone = AbortSignal.abort(new Error('the client is gone'));
  const finishing = engine.finish({ ...(await createJob(folder, docx())), qpdf: {} }, gone);
  await t.rejects(finishing, { message: 'the client is gone' });
});

t.test("a terminal's Ctrl-C, which begins the drain, is not for qpdf", async (t) => {
  const { engine, folder } = await coldEngine(t);
  const { PATH } = process.env;
  t.teardown(() => {
    process.env.PATH = PATH;
  });
  // For the page count, the number of its process group.
  const qpdf = '#!/bin/sh\nread -r _ _ _ _ group _ </proc/$$/stat\necho "$group"\n';
  const bin = t.testdir({ qpdf });
  await chmod(join(bin, 'qpdf'), 0o755);
  process.env.PATH = `${bin}:${PATH}`;
  const group = await engine.finish({ ...(await createJob(folder, docx())), qpdf: {} }, never());
  t.ok(group > 0);
  t.not(group, Number(readFileSync('/proc/self/stat', 'latin1').split(') ')[1]?.split(' ')[2]));
});
