/** Work on a finished PDF, by qpdf, in both engines; and jobs that no child understands. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { ColdEngine } from '../../src/engine/cold-engine.ts';
import { UNFINISHED_NAME } from '../../src/engine/engine.ts';
import { docx } from '../support/documents.ts';
import { createJob, never, startKit, temporaryFolder } from '../support/kit.ts';
import { plainPdf } from '../support/plain-pdf.ts';

const run = promisify(execFile);

async function pdfJob(t: Test, pdf: Buffer) {
  const parent = await temporaryFolder(t);
  const folder = join(parent, 'job');
  await mkdir(folder);
  await writeFile(join(folder, UNFINISHED_NAME), pdf);
  return { id: 'job', folder, qpdf: { linearize: '', deterministicId: '' } };
}

const { engine: kit } = await startKit(t);
const cold = new ColdEngine();
t.teardown(() => cold.stop());
await cold.start();

for (const [name, engine] of Object.entries({ kit, cold })) {
  t.test(`${name}: linearises, and counts pages`, async (t) => {
    const job = await pdfJob(t, plainPdf(['one', 'two', 'three']));
    t.equal(await engine.finish(job, never()), 3);
    const { stdout } = await run('qpdf', ['--check', join(job.folder, 'output.pdf')]);
    t.match(stdout, 'File is linearized');
  });

  t.test(`${name}: encrypts, and opens what it encrypted`, async (t) => {
    const encrypt = { userPassword: 'pässwort "\\', ownerPassword: 'b', '256bit': {} };
    const job = { ...(await pdfJob(t, plainPdf(['one']))), qpdf: { encrypt } };
    t.equal(await engine.finish({ ...job, password: encrypt.userPassword }, never()), 1);
    const other = { ...(await pdfJob(t, plainPdf(['one']))), qpdf: { encrypt } };
    await t.rejects(engine.finish({ ...other, password: 'c' }, never()), {
      code: 'CONVERSION_FAILED',
      reason: 'unexportable',
    });
  });

  t.test(`${name}: what is no PDF`, async (t) => {
    for (const bytes of ['', '%PDF-1.7\nnothing', 'x'.repeat(100_000)]) {
      const job = await pdfJob(t, Buffer.from(bytes));
      const failure = { code: 'CONVERSION_FAILED', reason: 'unexportable' };
      await t.rejects(engine.finish(job, never()), failure, bytes.slice(0, 10));
    }
  });

  t.test(`${name}: a client that leaves`, async (t) => {
    const job = await pdfJob(t, plainPdf(['one']));
    await t.rejects(engine.finish(job, AbortSignal.abort(new Error('left'))), { message: 'left' });
  });
}

t.test('an option that the kit does not know', async (t) => {
  const folder = await temporaryFolder(t);
  const job = await createJob(folder, docx());
  // A line break would be another instruction.
  const failure = { code: 'SERVICE_UNAVAILABLE' };
  await t.rejects(kit.convert({ ...job, clock: Number.NaN }, never()), failure);
});
