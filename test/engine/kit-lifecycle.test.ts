/** How the kit starts, is replaced, and ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { Queue } from '../../src/queue/queue.ts';
import { docx, slowDocx } from '../support/documents.ts';
import {
  childrenOf,
  createJob,
  isAlive,
  kitEngine,
  never,
  pdfText,
  startKit,
  temporaryFolder,
  untilGone,
} from '../support/kit.ts';
import { runIn } from '../support/queue.ts';

t.test('a fresh kit takes over after a number of documents, and no job notices', async (t) => {
  const { engine, folder, log } = await startKit(t, { maxDocuments: 5 });
  const queue = new Queue({ workers: 2, limit: 100, timeoutMs: 60_000 });
  const kits = new Set<number>([Number(engine.status().pid)]);
  log.on('kit ready', ({ kit }) => kits.add(Number(kit)));
  while (log.count('kit retired') < 1) {
    const attempts = await Promise.all(
      Array.from({ length: 4 }, async (_, i) => {
        const job = await createJob(folder, docx({ paragraphs: [`number ${i}`] }));
        const conversion = await runIn(queue, () => engine.convert(job, never()), never());
        t.equal(await pdfText(job), `number ${i}`);
        return conversion.attempts;
      }),
    );
    t.same(attempts, [1, 1, 1, 1]);
  }
  t.ok(kits.size >= 2);
  const current = engine.status().pid;
  for (const pid of kits) if (pid !== current) await untilGone(pid);
});

t.test('documents that are aborted count as well', async (t) => {
  const { engine, folder, log } = await startKit(t, { maxDocuments: 1 });
  const controller = new AbortController();
  const started = log.next('child started');
  const ready = log.next('kit ready');
  const conversion = engine.convert(await createJob(folder, slowDocx()), controller.signal);
  await started;
  controller.abort(new Error('gone'));
  await t.rejects(conversion, { message: 'gone' });
  t.ok((await ready).kit);
});

t.test('stop leaves no process and no folder, and running jobs reject', async (t) => {
  const { engine, folder, log } = await startKit(t);
  const started = log.next('child started');
  const conversion = engine.convert(await createJob(folder, slowDocx()), never());
  const rejected = t.rejects(conversion, { code: 'SERVICE_UNAVAILABLE', retryAfter: 1 });
  await started;
  const kit = Number(engine.status().pid);
  const processes = [kit, ...(await childrenOf(kit))];
  t.ok(processes.length >= 2);
  await engine.stop();
  t.same(processes.filter(isAlive), []);
  t.notOk(existsSync(join(folder, 'kit')));
  await rejected;
  await t.rejects(engine.convert(await createJob(folder, docx()), never()), { code: 'SERVICE_UNAVAILABLE' });
  t.equal(engine.status().ready, false);
  await t.resolves(engine.stop(), 'a second stop does nothing');
});

t.test('stop ends a start that is under way', async (t) => {
  const { engine, folder, log } = await kitEngine(t);
  const started = t.rejects(engine.start(), { name: 'OperatorError', message: /stopped/ });
  await engine.stop();
  await started;
  t.equal(log.count('kit ready'), 0);
  t.notOk(existsSync(join(folder, 'kit')));
});

t.test('stop ends a renewal that is under way', async (t) => {
  const { engine, folder, log } = await startKit(t);
  const died = log.next('the kit died');
  process.kill(Number(engine.status().pid), 'SIGKILL');
  await died;
  await engine.stop();
  t.equal(log.count('kit ready'), 1);
  t.notOk(existsSync(join(folder, 'kit')));
});

t.test('a process that is killed takes its kit and the children with it', async (t) => {
  const folder = await temporaryFolder(t);
  const job = await createJob(folder, slowDocx());
  const parent = spawn(
    process.execPath,
    [
      '--import=tsx',
      fileURLToPath(new URL('../fixtures/kit-parent.ts', import.meta.url)),
      folder,
      job.folder,
    ],
    // Descriptor 5 is an inherited one that the process does not know of.
    { stdio: ['ignore', 'pipe', 'inherit', 'ignore', 'ignore', 'pipe'] },
  );
  t.teardown(() => parent.kill('SIGKILL'));
  const parentPid = Number(parent.pid);
  const [line] = await once(createInterface({ input: parent.stdout as NodeJS.ReadableStream }), 'line');
  const { kit, children } = JSON.parse(line) as { kit: number; children: number[] };
  t.ok(children.length > 0);

  const foreign = await readlink(`/proc/${parentPid}/fd/5`);
  for (const pid of [kit, ...children]) {
    const fds = await readdir(`/proc/${pid}/fd`);
    // The one that converts opens and closes files meanwhile.
    const targets = await Promise.all(fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
    t.notOk(targets.includes(foreign), 'the descriptor went no further');
  }

  parent.kill('SIGKILL');
  await Promise.all([kit, ...children].map(untilGone));
  t.pass('all are gone');
});

t.test('a start that fails leaves nothing behind', async (t) => {
  const { engine, folder } = await kitEngine(t, { binary: '/nonexistent/platen-kit' });
  await t.rejects(engine.start(), { name: 'OperatorError', message: /ENOENT/ });
  t.same(await readdir(join(folder, 'kit')), []);
});

t.test('a folder that cannot be made fails the start', async (t) => {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'file'), '');
  const { engine } = await kitEngine(t, { folder: join(folder, 'file', 'kit') });
  await t.rejects(engine.start(), { code: 'ENOTDIR' });
});
