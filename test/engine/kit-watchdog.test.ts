/** Kits and children that are stopped or hang, and a Node that does. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { docx } from '../support/documents.ts';
import {
  childrenOf,
  createJob,
  isAlive,
  kitEngine,
  never,
  pdfText,
  type StartedKit,
  startKit,
  untilGone,
} from '../support/kit.ts';

/** From the moment that a kit is stopped or hangs to the readiness of the next… */
const REPLACED_WITHIN_MS = 5_000;
/** …where a kit starts within half of that; else its start, twice, comes to this. */
const NOTICED_WITHIN_MS = 2_500;
/** More than the watchdog waits for. */
const NAP_SECONDS = 3;

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/kits/${name}.sh`, import.meta.url));
const busyDocument = docx({ pages: 600 });

/** A kit, and how long it may take to be replaced on this machine, busy as it is. */
async function startKitInTime(t: Test): Promise<StartedKit & { readonly limitMs: number }> {
  const began = performance.now();
  const kit = await startKit(t);
  const startMs = performance.now() - began;
  return { ...kit, limitMs: Math.max(REPLACED_WITHIN_MS, NOTICED_WITHIN_MS + 2 * startMs) };
}

t.test('an idle kit that is stopped is replaced within five seconds', async (t) => {
  const { engine, folder, log, limitMs } = await startKitInTime(t);
  const kit = Number(engine.status().pid);
  const children = await childrenOf(kit);
  const died = log.next('the kit died');
  const ready = log.next('kit ready');
  const stopped = performance.now();
  // The children as well, as somebody may who stops all of them.
  for (const pid of [...children, kit]) process.kill(pid, 'SIGSTOP');
  t.match(await died, { kit, reason: /did not answer/ });
  await ready;
  const tookMs = performance.now() - stopped;
  t.ok(tookMs < limitMs, `${tookMs} of ${limitMs} ms`);
  await Promise.all([kit, ...children].map(untilGone));
  const job = await createJob(folder, docx());
  t.equal((await engine.convert(job, never)).attempts, 1);
  t.match(engine.status(), { restarts: 1, renewals: 0, documents: 1 });
});

t.test('a kit that is stopped under load is replaced, and its jobs run again', async (t) => {
  const { engine, folder, log, limitMs } = await startKitInTime(t);
  const kit = Number(engine.status().pid);
  const children: number[] = [];
  const bothStarted = new Promise<void>((resolve) => {
    log.on('child started', ({ child }) => {
      if (children.push(Number(child)) === 2) resolve();
    });
  });
  const jobs = [await createJob(folder, busyDocument), await createJob(folder, busyDocument)];
  const conversions = jobs.map((job) => engine.convert(job, never));
  await bothStarted;
  t.match(engine.status().children, { running: 2 });
  const ready = log.next('kit ready');
  const stopped = performance.now();
  for (const pid of [kit, ...children]) process.kill(pid, 'SIGSTOP');
  await ready;
  const tookMs = performance.now() - stopped;
  t.ok(tookMs < limitMs, `${tookMs} of ${limitMs} ms`);
  for (const conversion of await Promise.all(conversions)) t.equal(conversion.attempts, 2);
  for (const job of jobs) t.match(await pdfText(job), /Page 600$/);
  await Promise.all([kit, ...children].map(untilGone));
});

t.test('a kit that hears nothing is ended', async (t) => {
  const { engine, log } = await kitEngine(t, { binary: fixture('deaf') });
  const died = log.next('the kit died');
  await engine.start();
  const kit = Number(engine.status().pid);
  t.match(await died, { kit, reason: /did not answer/ });
  await untilGone(kit);
});

t.test('a kit that answers what nobody asked is ended', async (t) => {
  const { engine, log } = await kitEngine(t, { binary: fixture('foresees') });
  const died = log.next('the kit died');
  await engine.start();
  t.match(await died, { reason: /was not sent/ });
});

t.test('idle children that are stopped are replaced', async (t) => {
  const { engine, folder } = await startKit(t);
  const kit = Number(engine.status().pid);
  const stopped = await childrenOf(kit);
  t.equal(stopped.length, 2);
  for (const pid of stopped) process.kill(pid, 'SIGSTOP');
  await Promise.all(stopped.map(untilGone));
  const jobs = [await createJob(folder, docx()), await createJob(folder, docx())];
  await Promise.all(jobs.map((job) => engine.convert(job, never)));
  for (const job of jobs) t.equal(await pdfText(job), 'Hello from Platen.');
  t.equal(engine.status().pid, kit);
});

t.test('a child that is stopped ends with the time of its job, and alone', async (t) => {
  const { engine, folder, log } = await startKit(t);
  const kit = Number(engine.status().pid);
  const started = log.next('child started');
  const deadline = new AbortController();
  const conversion = engine.convert(await createJob(folder, busyDocument), deadline.signal);
  const child = Number((await started).child);
  process.kill(child, 'SIGSTOP');
  const job = await createJob(folder, docx());
  await engine.convert(job, never);
  t.equal(await pdfText(job), 'Hello from Platen.', 'others convert meanwhile');
  deadline.abort(new Error('time is up'));
  await t.rejects(conversion, { message: 'time is up' });
  t.notOk(isAlive(child));
  t.equal(engine.status().pid, kit);
});

t.test('a Node that sleeps does not end a kit that slept as well', async (t) => {
  const { engine, folder, log } = await startKit(t);
  const kit = Number(engine.status().pid);
  const job = await createJob(folder, docx());
  // Nothing of this process runs meanwhile.
  execFileSync('sh', ['-c', `kill -STOP ${kit}; sleep ${NAP_SECONDS}; kill -CONT ${kit}`]);
  t.equal((await engine.convert(job, never)).attempts, 1);
  t.equal(engine.status().pid, kit);
  t.equal(log.count('the kit died'), 0);
});
