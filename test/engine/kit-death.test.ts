/** What becomes of jobs when a child or the kit dies, and how the kit comes back. */
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { PlatenError } from '../../src/errors.ts';
import { docx, slowDocx } from '../support/documents.ts';
import {
  childrenOf,
  createJob,
  isAlive,
  isTagged,
  never,
  pdfText,
  type StartedKit,
  startKit,
  untilGone,
} from '../support/kit.ts';
import { untaggableDocx } from '../support/untaggable.ts';
import { until } from '../support/until.ts';

/** A document whose conversion lasts long enough to interfere with it. */
const busyDocument = docx({ pages: 600 });
/** USER_HZ, in a second. */
const CLOCK_TICKS = 100;

/** For tests that leave a working kit. */
const shared = await startKit(t);

/** CPU time that a process has used (proc_pid_stat(5)). */
async function cpuSeconds(pid: unknown): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'latin1')).replace(/^.*\) /s, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
}

/** The soft limit of it, in seconds. */
async function cpuLimit(pid: unknown): Promise<string | undefined> {
  return /^Max cpu time +(\S+)/m.exec(await readFile(`/proc/${pid}/limits`, 'latin1'))?.[1];
}

/** Sends each signal to one child that starts the job with this id. @returns the signals that are left. */
function signalChildren(
  { log }: StartedKit,
  id: string,
  ...signals: NodeJS.Signals[]
): { readonly left: string[] } {
  log.on('child started', ({ job, child }) => {
    const signal = job === id ? signals.shift() : undefined;
    if (signal) process.kill(Number(child), signal);
  });
  return { left: signals };
}

for (const signal of ['SIGSEGV', 'SIGABRT'] as const) {
  t.test(`a job whose children die of ${signal} fails, and a fresh kit takes over`, async (t) => {
    const { engine, folder, log } = shared;
    const former = Number(engine.status().pid);
    const renewed = log.next('kit ready');
    const job = await createJob(folder, slowDocx());
    const { left } = signalChildren(shared, job.id, signal, signal, signal);
    await t.rejects(engine.convert(job, never()), {
      code: 'CONVERSION_FAILED',
      cause: /crashed/,
      reason: 'crash',
    });
    t.equal(left.length, 1, 'it was tried twice');
    const { kit } = await renewed;
    t.not(kit, former);
    t.equal(engine.status().pid, kit);
    await untilGone(former);
  });
}

t.test('a job whose child crashes is converted without tags', async (t) => {
  const { engine, folder } = shared;
  const job = await createJob(folder, busyDocument);
  signalChildren(shared, job.id, 'SIGSEGV');
  t.match(await engine.convert(job, never()), { attempts: 2, tagged: false });
  t.match(await pdfText(job), /Page 600$/);
  t.notOk(await isTagged(job));
  const other = await createJob(folder, docx());
  t.match(await engine.convert(other, never()), { attempts: 1, tagged: true });
  t.ok(await isTagged(other));
});

t.test('a document that LibreOffice cannot tag gets a PDF', async (t) => {
  const { engine, folder } = shared;
  const job = await createJob(folder, untaggableDocx());
  const { attempts, tagged } = await engine.convert(job, never());
  t.comment(`LibreOffice ${engine.status().libreOffice}: ${attempts} attempts`);
  t.equal(tagged, attempts === 1, 'without tags, where the first attempt crashed');
  t.equal(await isTagged(job), tagged);
  t.match(await pdfText(job), /line/);
});

t.test('a PDF/A has tags or is not there', async (t) => {
  const { engine, folder } = shared;
  const job = { ...(await createJob(folder, slowDocx())), export: { pdfa: '2b' } } as const;
  const { left } = signalChildren(shared, job.id, 'SIGSEGV', 'SIGSEGV');
  await t.rejects(engine.convert(job, never()), { code: 'CONVERSION_FAILED', reason: 'crash' });
  t.equal(left.length, 1, 'it was tried once');
});

t.test('the attempt without tags gets the CPU time that the first one left', async (t) => {
  const { engine, folder, log } = shared;
  const gone = new AbortController();
  const first = log.next('child started');
  const conversion = engine.convert(await createJob(folder, slowDocx()), gone.signal);
  const { child } = await first;
  await until('it has used more than a second', async () => (await cpuSeconds(child)) > 1);
  const second = log.next('child started');
  process.kill(Number(child), 'SIGSEGV');
  const { child: successor } = await second;
  await until('its limits are set', async () => (await cpuLimit(successor)) !== 'unlimited');
  t.ok(Number(await cpuLimit(successor)) < 60, `${await cpuLimit(successor)} s of 60`);
  gone.abort(new Error('enough'));
  await t.rejects(conversion, { message: 'enough' });
});

t.test('a job whose child is killed from outside gets one more attempt', async (t) => {
  const kit = await startKit(t);
  const { engine, folder, log } = kit;
  const { pid } = engine.status();
  const job = await createJob(folder, busyDocument);
  signalChildren(kit, job.id, 'SIGKILL');
  const killed = log.next('something outside the service killed the child');
  t.match(await engine.convert(job, never()), { attempts: 2, tagged: true });
  t.match(await killed, { job: job.id, attempt: 1 });
  t.match(await pdfText(job), /Page 600$/);
  t.equal(engine.status().pid, pid, 'no reason to replace the kit');
});

t.test('SERVICE_UNAVAILABLE: something outside kills the child twice', async (t) => {
  const { engine, folder } = shared;
  const job = await createJob(folder, slowDocx());
  const { left } = signalChildren(shared, job.id, 'SIGKILL', 'SIGKILL', 'SIGKILL');
  await t.rejects(engine.convert(job, never()), {
    code: 'SERVICE_UNAVAILABLE',
    reason: 'killed',
    retryAfter: 5,
  });
  t.equal(left.length, 1, 'it was tried twice');
});

t.test('a document is not charged for the time of a killed attempt', async (t) => {
  const { engine, folder, log } = await startKit(t, { jobCpuMs: 2_000 });
  const started = log.next('child started');
  const conversion = engine.convert(await createJob(folder, slowDocx()), never());
  const { child } = await started;
  await until('it has used half of its CPU time', async () => (await cpuSeconds(child)) > 1);
  process.kill(Number(child), 'SIGKILL');
  const unavailable = { code: 'SERVICE_UNAVAILABLE', reason: 'killed' };
  await t.rejects(conversion, unavailable, 'CPU time');

  const outOfTime = new PlatenError('CONVERSION_FAILED', { reason: 'time' });
  for (const [ended, expected] of [
    ['SIGKILL', unavailable],
    ['SIGSEGV', { code: 'CONVERSION_FAILED', reason: 'time' }],
  ] as const) {
    const budget = new AbortController();
    const job = await createJob(shared.folder, slowDocx());
    let children = 0;
    shared.log.on('child started', (line) => {
      if (line.job !== job.id) return;
      if (++children === 1) process.kill(Number(line.child), ended);
      else budget.abort(outOfTime);
    });
    await t.rejects(shared.engine.convert(job, budget.signal), expected, ended);
    t.equal(children, 2);
  }
});

t.test('a crash after that still gets its attempt without tags', async (t) => {
  const { engine, folder } = shared;
  const job = await createJob(folder, busyDocument);
  signalChildren(shared, job.id, 'SIGKILL', 'SIGSEGV');
  t.match(await engine.convert(job, never()), { attempts: 3, tagged: false });
  t.match(await pdfText(job), /Page 600$/);
});

t.test('a crash leaves the other jobs of the kit alone', async (t) => {
  const { engine, folder, log } = shared;
  const former = Number(engine.status().pid);
  const renewed = log.next('kit ready');
  const firstStarted = log.next('child started');
  const innocent = await createJob(folder, docx({ pages: 1_000 }));
  const innocentRun = engine.convert(innocent, never());
  await firstStarted;
  const crashing = await createJob(folder, slowDocx());
  signalChildren(shared, crashing.id, 'SIGSEGV', 'SIGSEGV');
  await t.rejects(engine.convert(crashing, never()), { code: 'CONVERSION_FAILED' });
  t.equal((await innocentRun).attempts, 1);
  t.match(await pdfText(innocent), /Page 1000$/);
  await renewed;
  await untilGone(former);
});

t.test('a job whose kit is killed gets one more attempt', async (t) => {
  const { engine, folder, log } = await startKit(t);
  const children: number[] = [];
  const bothStarted = new Promise<void>((resolve) => {
    log.on('child started', ({ child }) => {
      if (children.push(Number(child)) === 2) resolve();
    });
  });
  const jobs = [await createJob(folder, busyDocument), await createJob(folder, busyDocument)];
  const conversions = jobs.map((job) => engine.convert(job, never()));
  await bothStarted;
  process.kill(Number(engine.status().pid), 'SIGKILL');
  for (const conversion of await Promise.all(conversions)) t.equal(conversion.attempts, 2);
  for (const job of jobs) t.match(await pdfText(job), /Page 600$/);
  await Promise.all(children.map(untilGone));
});

const kitDeaths = [
  ['SIGKILL', { code: 'SERVICE_UNAVAILABLE', reason: 'killed' }],
  ['SIGSEGV', { code: 'CONVERSION_FAILED', reason: 'kit' }],
] as const;

for (const [signal, failure] of kitDeaths) {
  t.test(`a job whose kit dies of ${signal} twice fails`, async (t) => {
    const { engine, folder, log } = await startKit(t);
    log.on('child started', () => process.kill(Number(engine.status().pid), signal));
    await t.rejects(engine.convert(await createJob(folder, slowDocx()), never()), failure);
    t.equal(log.count('child started'), 2);
  });
}

t.test('a job that is aborted when its kit dies gets no second attempt', async (t) => {
  const { engine, folder, log } = await startKit(t);
  const controller = new AbortController();
  log.on('child started', () => {
    process.kill(Number(engine.status().pid), 'SIGKILL');
    controller.abort(new Error('the client is gone'));
  });
  const conversion = engine.convert(await createJob(folder, slowDocx()), controller.signal);
  await t.rejects(conversion, { message: 'the client is gone' });
  t.equal(log.count('child started'), 1);
});

t.test('an idle kit that is killed comes back', async (t) => {
  const { engine, folder, log } = await startKit(t);
  const { pid: former } = engine.status();
  const died = log.next('the kit died');
  const ready = log.next('kit ready');
  process.kill(Number(former), 'SIGKILL');
  await died;
  t.match(engine.status(), { ready: false, pid: undefined });
  const job = await createJob(folder, docx());
  t.equal((await engine.convert(job, never())).attempts, 1, 'a job waits for the new kit');
  t.equal((await ready).kit, engine.status().pid);
  t.not(engine.status().pid, former);
});

t.test('an abort ends the wait for a kit', async (t) => {
  const { engine, folder, log } = await startKit(t);
  const died = log.next('the kit died');
  process.kill(Number(engine.status().pid), 'SIGKILL');
  await died;
  const controller = new AbortController();
  const conversion = engine.convert(await createJob(folder, docx()), controller.signal);
  controller.abort(new Error('the client is gone'));
  await t.rejects(conversion, { message: 'the client is gone' });
});

t.test('idle children that are killed are replaced', async (t) => {
  const { engine, folder } = shared;
  const kit = Number(engine.status().pid);
  const killed = await childrenOf(kit);
  for (const pid of killed) process.kill(pid, 'SIGKILL');
  await Promise.all(killed.map(untilGone));
  const job = await createJob(folder, docx());
  await engine.convert(job, never());
  t.equal(await pdfText(job), 'Hello from Platen.');
  t.equal(engine.status().pid, kit);
});

t.test('a kit whose idle children keep dying is replaced', async (t) => {
  const { engine, folder, log } = await startKit(t, { workers: 1 });
  const kit = Number(engine.status().pid);
  const died = log.next('the kit died');
  while (isAlive(kit) && engine.status().pid === kit) {
    for (const pid of await childrenOf(kit).catch(() => [])) {
      process.kill(pid, 'SIGKILL');
      await untilGone(pid);
    }
  }
  t.match(await died, { reason: /children die before they get a job/ });
  const job = await createJob(folder, docx());
  await engine.convert(job, never());
  t.equal(await pdfText(job), 'Hello from Platen.');
});

t.test('a stopped kit cannot hold on to a cancelled job', async (t) => {
  const { engine, folder, log } = await startKit(t);
  const kit = Number(engine.status().pid);
  const controller = new AbortController();
  const started = log.next('child started');
  const conversion = engine.convert(await createJob(folder, slowDocx()), controller.signal);
  const child = Number((await started).child);
  process.kill(kit, 'SIGSTOP');
  controller.abort(new Error('the client is gone'));
  await t.rejects(conversion, { message: 'the client is gone' });
  t.notOk(isAlive(kit));
  await untilGone(child);
  const job = await createJob(folder, docx());
  await engine.convert(job, never());
  t.equal(await pdfText(job), 'Hello from Platen.');
});
