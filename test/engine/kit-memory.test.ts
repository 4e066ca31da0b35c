/** What a child need not do any more when its document comes: its memory is ready. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { childrenOf, createJob, never, startKit, temporaryFolder } from '../support/kit.ts';
import { allLayers, buildOpenKit } from '../support/kit-build.ts';

/** The probe touches a thousand pages of each kind (test/support/memory-probe.c); a child whose memory was not made
 * ready has that many page faults, or one for sixteen of a mapped file. */
const FEW = 20;

t.test('a document finds the memory that it touches', async (t) => {
  const { program } = await buildOpenKit(await temporaryFolder(t), 'memory');
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

t.test('a child shares no memory that it can write to', async (t) => {
  const { engine } = await startKit(t, { workers: 1 });
  const [child] = await childrenOf(Number(engine.status().pid));
  const mappings = (await readFile(`/proc/${child}/maps`, 'utf8')).split('\n');
  t.ok(mappings.some((mapping) => / rw.p /.test(mapping)));
  t.same(
    mappings.filter((mapping) => / .w.s /.test(mapping)),
    [],
  );
});
