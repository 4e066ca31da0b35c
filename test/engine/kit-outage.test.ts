/** Kits that do not start, systems out of processes, and series of crashes: nobody waits, and everything recovers. */
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { kitFiles } from '../../src/paths.ts';
import { Queue } from '../../src/queue/queue.ts';
import { docx, slowDocx } from '../support/documents.ts';
import {
  childrenOf,
  createJob,
  kitEngine,
  never,
  pdfText,
  startKit,
  temporaryFolder,
  untilGone,
} from '../support/kit.ts';
import { runIn } from '../support/queue.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
/** More descriptors than a serving kit has. */
const MANY_DESCRIPTORS = 1_024;
/** Between two renewals of the kit because of crashes. */
const CRASH_RENEWAL_INTERVAL_MS = 5_000;

/** The kit, which does not start while it is broken. */
async function breakableKit(
  t: Test,
): Promise<{ binary: string; break(): Promise<void>; mend(): Promise<void> }> {
  const folder = await temporaryFolder(t);
  const [binary, broken] = [join(folder, 'kit.sh'), join(folder, 'broken')];
  const script = `#!/bin/sh\n[ -e '${broken}' ] && exit 3\nexec '${kitFiles.binary}' "$@"\n`;
  await writeFile(binary, script, { mode: 0o700 });
  return { binary, break: () => writeFile(broken, ''), mend: () => rm(broken) };
}

/** The kits that run now, the ones that start included. */
async function kits(): Promise<number> {
  const names = await Promise.all(
    // One may end meanwhile.
    (await childrenOf(process.pid)).map((pid) => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')),
  );
  return names.filter((name) => name.trim() === 'platen-kit').length;
}

t.test('a kit that hangs while it starts is ended long before a first start would be', async (t) => {
  const binary = join(await temporaryFolder(t), 'kit.sh');
  // The second start hangs.
  const script = `#!/bin/sh
mkdir '${binary}.first' && exec '${kitFiles.binary}' "$@"
mkdir '${binary}.second' && exec sleep 600
exec '${kitFiles.binary}' "$@"
`;
  await writeFile(binary, script, { mode: 0o700 });
  const { engine, folder, log } = await kitEngine(t, { binary });
  await engine.start();
  const ready = log.next('kit ready');
  const failed = log.next('the kit does not start');
  process.kill(Number(engine.status().pid), 'SIGKILL');
  t.match(await failed, { err: { message: 'it was not ready in time' } });
  await ready;
  t.equal((await engine.convert(await createJob(folder, docx()), never())).attempts, 1);
});

t.test('renewals in a row: no job notices, and there are never more than two kits', async (t) => {
  const { engine, folder, log } = await startKit(t, { maxDocuments: 1 });
  let most = 0;
  const convert = async () => {
    const job = await createJob(folder, docx());
    t.equal((await engine.convert(job, never())).attempts, 1);
    most = Math.max(most, await kits());
  };
  const started = log.next('child started');
  const successor = log.next('kit ready');
  const long = await createJob(folder, docx({ pages: 600 }));
  const longRun = engine.convert(long, never());
  const child = Number((await started).child);
  process.kill(child, 'SIGSTOP');
  await convert();
  await successor;
  for (let i = 0; i < 3; i++) await convert();
  t.equal(log.count('kit ready'), 2, 'the next one waits for the end of the first');
  process.kill(child, 'SIGCONT');
  while (log.count('kit ready') < 3) await convert();
  t.equal(most, 2);
  t.equal((await longRun).attempts, 1);
  t.match(await pdfText(long), /Page 600$/);
  const { restarts, renewals } = engine.status();
  t.ok(restarts === 0 && renewals >= 2, `${renewals} renewals`);
});

t.test('a kit serves on while its successor does not start', async (t) => {
  const kit = await breakableKit(t);
  const { engine, folder, log } = await startKit(t, { maxDocuments: 2, binary: kit.binary });
  const { pid } = engine.status();
  await kit.break();
  const failures: unknown[] = [];
  log.on('the kit does not start', (fields) => failures.push(fields.failures));
  const convert = async () => engine.convert(await createJob(folder, docx()), never());
  await convert();
  while (failures.length < 3) {
    const failed = log.next('the kit does not start');
    t.equal((await convert()).attempts, 1);
    await failed;
  }
  // While a slow machine converts, there may be more of them.
  const counted = failures.map((_, i) => i + 1);
  t.strictSame(failures, counted, 'ever more slowly, whatever the other converts meanwhile');
  t.equal(engine.status().pid, pid);
  const ready = log.next('kit ready');
  await kit.mend();
  t.not((await ready).kit, pid);
  t.equal((await convert()).attempts, 1);
});

t.test('SERVICE_UNAVAILABLE', async (t) => {
  const kit = await breakableKit(t);
  const { engine, folder, log } = await startKit(t, { binary: kit.binary });

  t.test('the system gives the kit no child, and gives them again', async (t) => {
    const pid = Number(engine.status().pid);
    const limit = (descriptors: number) => run('prlimit', ['--pid', `${pid}`, `--nofile=${descriptors}:`]);
    await limit(3);
    // First remove its existing children.
    const idle = await childrenOf(pid);
    for (const pid of idle) process.kill(pid, 'SIGKILL');
    await Promise.all(idle.map(untilGone));
    await t.rejects(engine.convert(await createJob(folder, docx()), never()), {
      code: 'SERVICE_UNAVAILABLE',
      retryAfter: 1,
    });
    await limit(MANY_DESCRIPTORS);
    const job = await createJob(folder, docx());
    await engine.convert(job, never());
    t.equal(await pdfText(job), 'Hello from Platen.');
    t.equal(engine.status().pid, pid, 'by the same kit');
  });

  t.test('no kit starts, and a later one does', async (t) => {
    await kit.break();
    const failed = log.next('the kit does not start');
    const died = log.next('the kit died');
    process.kill(Number(engine.status().pid), 'SIGKILL');
    await died;
    const waiting = engine.convert(await createJob(folder, docx()), never());
    await t.rejects(waiting, { code: 'SERVICE_UNAVAILABLE', retryAfter: 1 }, 'for one that waits');
    await failed;
    await t.rejects(
      engine.convert(await createJob(folder, docx()), never()),
      { code: 'SERVICE_UNAVAILABLE' },
      'for one that comes',
    );
    const ready = log.next('kit ready');
    await kit.mend();
    await ready;
    t.equal((await engine.convert(await createJob(folder, docx()), never())).attempts, 1);
    t.match(engine.status(), { restarts: 1, renewals: 0 });
  });
});

t.test('SERVICE_UNAVAILABLE: no kit is ready in time', async (t) => {
  const binary = join(await temporaryFolder(t), 'kit.sh');
  // The first is the kit; its successors never get ready.
  const script = `#!/bin/sh\nmkdir '${binary}.started' && exec '${kitFiles.binary}' "$@"\nexec sleep 600\n`;
  await writeFile(binary, script, { mode: 0o700 });
  const { engine, folder, log } = await startKit(t, { binary, jobCpuMs: 1_000 });
  const died = log.next('the kit died');
  process.kill(Number(engine.status().pid), 'SIGKILL');
  await died;
  await t.rejects(engine.convert(await createJob(folder, docx()), never()), {
    code: 'SERVICE_UNAVAILABLE',
    cause: /in time/,
  });
});

t.test('SERVICE_UNAVAILABLE: a child cannot set itself up', async (t) => {
  const binary = fileURLToPath(new URL('../fixtures/kits/setup-fails.sh', import.meta.url));
  const { engine, folder } = await kitEngine(t, { binary });
  await engine.start();
  await t.rejects(engine.convert(await createJob(folder, docx()), never()), { code: 'SERVICE_UNAVAILABLE' });
});

t.test(
  'a storm of crashes does not keep the kit busy with successors, and others notice nothing',
  async (t) => {
    const workers = 5;
    const { engine, folder, log } = await startKit(t, { workers });
    const queue = new Queue({ workers, limit: 100, timeoutMs: 60_000 });
    const poison = new Set<string>();
    log.on('child started', ({ job, child }) => {
      if (poison.has(String(job))) process.kill(Number(child), 'SIGSEGV');
    });
    const document = slowDocx();
    const crash = async () => {
      const job = await createJob(folder, document);
      poison.add(job.id);
      await t.rejects(
        runIn(queue, () => engine.convert(job, never()), never()),
        { code: 'CONVERSION_FAILED', cause: /crashed/, reason: 'crash' },
      );
    };
    const convert = async () => {
      const job = await createJob(folder, docx());
      const { attempts } = await runIn(queue, () => engine.convert(job, never()), never());
      t.equal(attempts, 1);
      t.equal(await pdfText(job), 'Hello from Platen.');
    };
    const storm = () => Promise.all([...Array.from({ length: workers }, crash), convert(), convert()]);
    const renewed = log.next('kit ready');
    const began = performance.now();
    await storm();
    await renewed;
    await storm();
    await until('the kit of the later crashes is renewed', () => engine.status().renewals >= 2);
    const tookMs = performance.now() - began;
    t.ok(tookMs >= CRASH_RENEWAL_INTERVAL_MS, `${tookMs} ms after the first crash`);
    await convert();
    t.match(engine.status(), { restarts: 0, documents: 15 });
  },
);
