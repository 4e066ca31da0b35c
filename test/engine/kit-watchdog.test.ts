/** Kits, children and a Node process that are stopped or hang. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import type { KitEngine } from '../../src/engine/kit-engine.ts';
import { kitFiles } from '../../src/paths.ts';
import { docx } from '../support/documents.ts';
import {
  childrenOf,
  createJob,
  isAlive,
  kitEngine,
  never,
  pdfText,
  type RecordingLog,
  startKit,
  temporaryFolder,
  untilGone,
} from '../support/kit.ts';
import { until } from '../support/until.ts';

/** From the stop or hang of a kit until the next one is ready… */
const REPLACED_WITHIN_MS = 5_000;
/** …of which this much may pass before the next one starts, if the start itself takes longer. */
const SUSPECTED_WITHIN_MS = 2_000;
/** More than the watchdog waits for. */
const NAP_SECONDS = 3;

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/kits/${name}.sh`, import.meta.url));
const busyDocument = docx({ pages: 600 });

/** A program that is this fixture when it is run for the first time, and the kit from then on. */
async function onceThenKit(t: Test, name: string): Promise<string> {
  const binary = join(await temporaryFolder(t), 'kit.sh');
  const script = `#!/bin/sh\nmkdir '${binary}.run' && exec '${fixture(name)}' "$@"\nexec '${kitFiles.binary}' "$@"\n`;
  await writeFile(binary, script, { mode: 0o700 });
  return binary;
}

/**
 * Waits until the kit, which is silent from now on, is replaced, and asserts that it took no longer than promised.
 *
 * @param log of the engine that has it.
 */
async function replacedInTime(t: Test, log: RecordingLog, kit: number): Promise<void> {
  const began = performance.now();
  const ready = log.next('kit ready');
  t.match(await log.next('the kit does not answer'), { kit });
  const suspectedMs = performance.now() - began;
  await ready;
  const tookMs = performance.now() - began;
  // If the machine is so busy that a start takes more than three seconds, only the time before the start is limited.
  const limitMs = Math.max(REPLACED_WITHIN_MS, SUSPECTED_WITHIN_MS + tookMs - suspectedMs);
  t.ok(tookMs < limitMs, `${Math.round(tookMs)} of ${Math.round(limitMs)} ms`);
}

/** Of a process (proc_pid_stat(5)). A child changes it once it has arranged to end with the kit. */
async function niceness(pid: number): Promise<string | undefined> {
  return (await readFile(`/proc/${pid}/stat`, 'latin1')).replace(/^.*\) /s, '').split(' ')[16];
}

/** Stops the kit and its children, and waits for the next kit. */
async function stopAndReplace(t: Test, log: RecordingLog, kit: number): Promise<void> {
  const replaced = replacedInTime(t, log, kit);
  process.kill(kit, 'SIGSTOP');
  // From now on it starts and reaps no children.
  const children = await childrenOf(kit);
  const usual = await niceness(kit);
  for (const child of children) {
    await until('it ends with the kit', async () => (await niceness(child)) !== usual);
    process.kill(child, 'SIGSTOP');
  }
  await replaced;
  await Promise.all([kit, ...children].map(untilGone));
}

/** Stops the kit until it is suspected. */
async function stopForAWhile(engine: KitEngine, log: RecordingLog): Promise<number> {
  const kit = Number(engine.status().pid);
  const silent = log.next('the kit does not answer');
  process.kill(kit, 'SIGSTOP');
  await silent;
  process.kill(kit, 'SIGCONT');
  return kit;
}

/** For the tests up to those that replace it. */
const shared = await startKit(t);

t.test('idle children that are stopped are replaced', async (t) => {
  const { engine, folder } = shared;
  const kit = Number(engine.status().pid);
  const stopped = await childrenOf(kit);
  t.equal(stopped.length, 2);
  for (const pid of stopped) process.kill(pid, 'SIGSTOP');
  await Promise.all(stopped.map(untilGone));
  const jobs = [await createJob(folder, docx()), await createJob(folder, docx())];
  await Promise.all(jobs.map((job) => engine.convert(job, never())));
  for (const job of jobs) t.equal(await pdfText(job), 'Hello from Platen.');
  t.equal(engine.status().pid, kit);
});

t.test('a child that is stopped ends with the time of its job, and alone', async (t) => {
  const { engine, folder, log } = shared;
  const kit = Number(engine.status().pid);
  const started = log.next('child started');
  const deadline = new AbortController();
  const conversion = engine.convert(await createJob(folder, busyDocument), deadline.signal);
  const child = Number((await started).child);
  process.kill(child, 'SIGSTOP');
  const job = await createJob(folder, docx());
  await engine.convert(job, never());
  t.equal(await pdfText(job), 'Hello from Platen.', 'others convert meanwhile');
  deadline.abort(new Error('time is up'));
  await t.rejects(conversion, { message: 'time is up' });
  t.notOk(isAlive(child));
  t.equal(engine.status().pid, kit);
});

t.test('a Node that sleeps does not end a kit that slept as well', async (t) => {
  const { engine, folder, log } = shared;
  const kit = Number(engine.status().pid);
  const job = await createJob(folder, docx());
  // This process does not run during that time.
  execFileSync('sh', ['-c', `kill -STOP ${kit}; sleep ${NAP_SECONDS}; kill -CONT ${kit}`]);
  t.equal((await engine.convert(job, never())).attempts, 1);
  t.equal(engine.status().pid, kit);
  t.equal(log.count('the kit died'), 0);
});

t.test('an idle kit that is stopped is replaced within five seconds, again and again', async (t) => {
  const { engine, folder, log } = shared;
  const { documents: before } = engine.status();
  const hadSuccessor: boolean[] = [];
  log.on('the kit died', () => {
    const successor = `${process.pid}-${engine.status().restarts + 2}`;
    hadSuccessor.push(existsSync(join(folder, 'kit', successor)));
  });
  for (const restarts of [1, 2]) {
    const kit = Number(engine.status().pid);
    // Also stops the children.
    await stopAndReplace(t, log, kit);
    const job = await createJob(folder, docx());
    t.equal((await engine.convert(job, never())).attempts, 1);
    t.match(engine.status(), { restarts, renewals: 0, documents: before + restarts });
  }
  // None, if the next was ready before the kit counted as dead.
  t.notOk(hadSuccessor.includes(false), 'its successor was starting when a kit died');
});

t.test('a kit that is stopped under load is replaced, and its jobs run again', async (t) => {
  const { engine, folder, log } = shared;
  const kit = Number(engine.status().pid);
  let started = 0;
  const bothStarted = new Promise<void>((resolve) => {
    log.on('child started', () => {
      if (++started === 2) resolve();
    });
  });
  const jobs = [await createJob(folder, busyDocument), await createJob(folder, busyDocument)];
  const conversions = jobs.map((job) => engine.convert(job, never()));
  await bothStarted;
  t.match(engine.status().children, { running: 2 });
  await stopAndReplace(t, log, kit);
  for (const conversion of await Promise.all(conversions)) t.equal(conversion.attempts, 2);
  for (const job of jobs) t.match(await pdfText(job), /Page 600$/);
});

t.test('a kit that does not read is replaced within five seconds, and its job runs again', async (t) => {
  const { engine, folder, log } = await kitEngine(t, { binary: await onceThenKit(t, 'deaf') });
  const job = await createJob(folder, docx());
  await engine.start();
  const deaf = Number(engine.status().pid);
  const replaced = replacedInTime(t, log, deaf);
  const died = log.next('the kit died under a job');
  t.equal((await engine.convert(job, never())).attempts, 2);
  await replaced;
  t.match(await died, { reason: 'it did not answer' });
  t.match(engine.status(), { restarts: 1, renewals: 0 });
  await untilGone(deaf);
});

t.test('a late kit is replaced by its already started successor, but rarely', async (t) => {
  const { engine, folder, log } = await startKit(t);
  const late = () => stopForAWhile(engine, log);
  const started = log.next('child started');
  const ready = log.next('kit ready');
  const job = await createJob(folder, busyDocument);
  const conversion = engine.convert(job, never());
  await started;
  const former = await late();
  t.not((await ready).kit, former);
  t.equal((await conversion).attempts, 1, 'its job goes on');
  t.match(await pdfText(job), /Page 600$/);
  await untilGone(former);
  // It serves, so that nothing but the time keeps the next from starting.
  await engine.convert(await createJob(folder, docx()), never());

  const kit = await late();
  t.equal((await engine.convert(await createJob(folder, docx()), never())).attempts, 1);
  t.equal(engine.status().pid, kit);
  const folders = await readdir(join(folder, 'kit'));
  t.notOk(folders.includes(`${process.pid}-3`), 'no third kit was started');
  t.match(engine.status(), { restarts: 0, renewals: 1 });
  t.equal(log.count('the kit died'), 0);
});

t.test('a retired kit that ends late does not count against its successor', async (t) => {
  const { engine, folder, log } = await startKit(t);
  const ready = log.next('kit ready');
  const former = await stopForAWhile(engine, log);
  // Told to end, it hears nothing of it.
  log.on('kit ready', () => process.kill(former, 'SIGSTOP'));
  await ready;
  await untilGone(former);
  // It serves, so that nothing but the time keeps the next from starting.
  await engine.convert(await createJob(folder, docx()), never());
  const kit = await stopForAWhile(engine, log);
  t.equal((await engine.convert(await createJob(folder, docx()), never())).attempts, 1);
  t.equal(engine.status().pid, kit);
  const folders = await readdir(join(folder, 'kit'));
  t.notOk(folders.includes(`${process.pid}-3`), 'no third kit was started');
});

t.test('a kit that sends an unrequested answer is ended', async (t) => {
  const { engine, log } = await kitEngine(t, { binary: fixture('foresees') });
  const died = log.next('the kit died');
  await engine.start();
  t.match(await died, { reason: /was not sent/ });
});
