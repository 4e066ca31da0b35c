/** The memory of a child is prepared before its document comes. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { docxWithParts, mainPart } from '../support/documents.ts';
import { childrenOf, createJob, kitEngine, never, startKit, temporaryFolder } from '../support/kit.ts';
import { allLayers, buildOpenKit } from '../support/kit-build.ts';
import { until } from '../support/until.ts';

/** The probe touches a thousand pages of each kind (test/support/memory-probe.c); a child whose memory was not made
 * ready has that many page faults, or one for sixteen of a mapped file. */
const FEW = 20;

/** Size of the prepared memory: ROOM in src/kit/memory.c. */
const ROOM_KIB = 64 * 1024;

const { program } = await buildOpenKit(await temporaryFolder(t), 'memory');

t.test('a document finds the memory that it touches', async (t) => {
  const { engine, folder } = await startKit(t, { binary: await program(allLayers), workers: 1 });
  for (const child of ['the first', 'the second']) {
    const job = await createJob(folder, Buffer.from('a document'));
    await engine.convert(job, never());
    const told = (await readFile(join(job.folder, 'output.pdf'), 'utf8')).trimEnd().split('\n');
    const faults = Object.fromEntries(told.map((line) => line.split(': ')));
    t.same(Object.keys(faults), ['written', 'constants', 'new']);
    for (const [kind, number] of Object.entries(faults))
      t.ok(Number(number) < FEW, `${child} child: ${number} page faults, ${kind}`);
  }
});

t.test('a kit whose trial conversion fails does not start', async (t) => {
  const { engine } = await kitEngine(t, { binary: await program(allLayers, { TRIAL_FAILS: 'yes' }) });
  await t.rejects(engine.start(), { message: /a child could not convert the warm-up document/ });
});

async function mappingsOf(pid: number | undefined): Promise<string[]> {
  return (await readFile(`/proc/${pid}/smaps`, 'utf8')).split(/^(?=[0-9a-f]+-)/m);
}

const isLarge = (mapping: string) => /^VmFlags:.* hg\b/m.test(mapping);
const kib = (mapping: string) => Number(/^Size: +(\d+) kB/m.exec(mapping)?.[1]);

const kit = await startKit(t, { workers: 1 });

t.test('the memory of a child', async (t) => {
  const { engine } = kit;
  const [child] = await childrenOf(Number(engine.status().pid));
  await until('its room is of large pages, where there are any', async () =>
    (await mappingsOf(child)).some((mapping) => isLarge(mapping) && kib(mapping) >= ROOM_KIB),
  );
  const shared = (await mappingsOf(child)).filter((mapping) => /^\S+ .w.s /.test(mapping));
  t.same(shared, [], 'there is none that another sees it write to');
});

/** LibreOffice touches little of what it allocates for a formula. */
t.test('sparsely touched memory is not resident as a whole, and may be much', async (t) => {
  const { engine, folder } = kit;
  const formula = '<m:oMath><m:r><m:t>a+b</m:t></m:r></m:oMath>';
  const math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
  const body = `<w:p>${formula}</w:p>`.repeat(1_600).replaceAll('<m:oMath>', `<m:oMath ${math}>`);
  const job = await createJob(folder, docxWithParts({ 'word/document.xml': mainPart(body) }));
  const { peakBytes = Number.NaN } = await engine.convert(job, never());
  t.ok(peakBytes < 600 * 2 ** 20, `1,600 formulas took ${Math.round(peakBytes / 2 ** 20)} MiB`);
});
