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
import { until } from '../support/until.ts';

/** A document whose conversion lasts long enough to interfere with it. */
const busyDocument = docx({ pages: 600 });

/**
 * For all tests, in this order: once a child has crashed, a renewal may come at any time. Its first attempts have 61 whole
 * seconds of CPU time, those after an attempt of a millisecond fewer.
 */
const shared = await startKit(t, { jobCpuMs: 60_001 });
const FIRST_ATTEMPT_S = 61;

/** CPU time that a process has used, in USER_HZ (proc_pid_stat(5)). */
async function cpuTicks(pid: unknown): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'latin1')).replace(/^.*\) /s, '').split(' ');
  return Number(fields[11]) + Number(fields[12]);
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

/** Kills the kit with the signal when a child starts the job with this id. */
function killKitOf({ engine, log }: StartedKit, id: string, signal: NodeJS.Signals): void {
  log.on('child started', ({ job }) => {
    if (job === id) process.kill(Number(engine.status().pid), signal);
  });
}

/** How many children have started the job with this id. */
const childrenFor = ({ log }: StartedKit, id: string): number =>
  log.lines.filter(({ message, fields }) => message === 'child started' && fields.job === id).length;

const untilReady = ({ engine }: StartedKit) => until('there is a kit', () => engine.status().ready);

t.test('a job whose child is killed from outside gets one more attempt', async (t) => {
  const { engine, folder, log } = shared;
  const { pid } = engine.status();
  const job = await createJob(folder, busyDocument);
  signalChildren(shared, job.id, 'SIGKILL');
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

t.test('a job whose kit is killed gets one more attempt, and no third one', async (t) => {
  const { engine, folder, log } = shared;
  const first = await createJob(folder, busyDocument);
  const second = await createJob(folder, slowDocx());
  const children: number[] = [];
  const bothStarted = new Promise<void>((resolve) => {
    log.on('child started', ({ job, child }) => {
      if (job !== first.id && job !== second.id) return;
      // The second waits for what happens to it.
      if (job === second.id) process.kill(Number(child), 'SIGSTOP');
      if (children.push(Number(child)) === 2) resolve();
    });
  });
  const conversion = engine.convert(first, never());
  const failure = t.rejects(engine.convert(second, never()), {
    code: 'SERVICE_UNAVAILABLE',
    reason: 'killed',
  });
  await bothStarted;
  process.kill(Number(engine.status().pid), 'SIGKILL');
  t.equal((await conversion).attempts, 2);
  t.match(await pdfText(first), /Page 600$/);
  await until('its second attempt has started', () => childrenFor(shared, second.id) === 2);
  process.kill(Number(engine.status().pid), 'SIGKILL');
  await failure;
  t.equal(childrenFor(shared, second.id), 2);
  await Promise.all(children.map(untilGone));
});

t.test('a job whose kit crashes twice fails', async (t) => {
  const { engine, folder } = shared;
  const job = await createJob(folder, slowDocx());
  killKitOf(shared, job.id, 'SIGSEGV');
  await t.rejects(engine.convert(job, never()), { code: 'CONVERSION_FAILED', reason: 'kit' });
  t.equal(childrenFor(shared, job.id), 2);
});

t.test('a kit that is killed comes back, and nobody who has left waits for it', async (t) => {
  const { engine, folder, log } = shared;
  await untilReady(shared);
  const { pid: former } = engine.status();
  const left = { message: 'the client is gone' };
  const controller = new AbortController();
  const job = await createJob(folder, slowDocx());
  killKitOf(shared, job.id, 'SIGKILL');
  log.on('child started', (line) => {
    if (line.job === job.id) controller.abort(new Error(left.message));
  });
  const died = log.next('the kit died');
  const ready = log.next('kit ready');
  await t.rejects(engine.convert(job, controller.signal), left, 'for its second attempt');
  await died;
  t.match(engine.status(), { ready: false, pid: undefined, libreOffice: String });
  const waiting = new AbortController();
  const conversion = engine.convert(await createJob(folder, docx()), waiting.signal);
  waiting.abort(new Error(left.message));
  await t.rejects(conversion, left, 'for its first one');
  const other = await createJob(folder, docx());
  t.equal((await engine.convert(other, never())).attempts, 1, 'a job waits for the new kit');
  t.equal(childrenFor(shared, job.id), 1);
  t.equal((await ready).kit, engine.status().pid);
  t.not(engine.status().pid, former);
});

t.test('a kit whose idle children keep dying is replaced', async (t) => {
  const { engine, folder, log } = shared;
  const kit = Number(engine.status().pid);
  const died = log.next('the kit died');
  while (isAlive(kit) && engine.status().pid === kit) {
    // The others may end with the kit meanwhile.
    const [pid] = await childrenOf(kit).catch(() => []);
    if (pid === undefined) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      t.match(error, { code: 'ESRCH' });
    }
    await untilGone(pid);
  }
  t.match(await died, { reason: /children die before they get a job/ });
  const job = await createJob(folder, docx());
  await engine.convert(job, never());
  t.equal(await pdfText(job), 'Hello from Platen.');
});

t.test('a stopped kit cannot hold on to a cancelled job', async (t) => {
  const { engine, folder, log } = shared;
  await untilReady(shared);
  const kit = Number(engine.status().pid);
  const controller = new AbortController();
  const started = log.next('child started');
  const conversion = engine.convert(await createJob(folder, slowDocx()), controller.signal);
  const child = Number((await started).child);
  process.kill(child, 'SIGSTOP');
  process.kill(kit, 'SIGSTOP');
  controller.abort(new Error('the client is gone'));
  await t.rejects(conversion, { message: 'the client is gone' });
  t.notOk(isAlive(kit));
  await untilGone(child);
  const job = await createJob(folder, docx());
  await engine.convert(job, never());
  t.equal(await pdfText(job), 'Hello from Platen.');
});

t.test('a crash fails its job, leaves the others alone, and a fresh kit takes over', async (t) => {
  const { engine, folder, log } = shared;
  const former = Number(engine.status().pid);
  const renewed = log.next('kit ready');
  const started = log.next('child started');
  const innocent = await createJob(folder, busyDocument);
  const innocentRun = engine.convert(innocent, never());
  const child = Number((await started).child);
  process.kill(child, 'SIGSTOP');
  const crash = async (signal: NodeJS.Signals) => {
    const job = await createJob(folder, slowDocx());
    const { left } = signalChildren(shared, job.id, signal, signal, signal);
    await t.rejects(engine.convert(job, never()), {
      code: 'CONVERSION_FAILED',
      cause: /crashed/,
      reason: 'crash',
    });
    t.equal(left.length, 1, 'it was tried twice');
  };
  await crash('SIGSEGV');
  const { kit } = await renewed;
  t.not(kit, former);
  t.equal(engine.status().pid, kit);
  await crash('SIGABRT');
  process.kill(child, 'SIGCONT');
  t.equal((await innocentRun).attempts, 1);
  t.match(await pdfText(innocent), /Page 600$/);
  await untilGone(former);
});

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

t.test('a PDF/A has tags or is not there', async (t) => {
  const { engine, folder } = shared;
  const job = { ...(await createJob(folder, slowDocx())), export: { pdfa: '2b' } } as const;
  const { left } = signalChildren(shared, job.id, 'SIGSEGV', 'SIGSEGV');
  await t.rejects(engine.convert(job, never()), { code: 'CONVERSION_FAILED', reason: 'crash' });
  t.equal(left.length, 1, 'it was tried once');
});

t.test('a document is not charged for the time of a killed attempt', async (t) => {
  const { engine, folder, log } = shared;
  const outOfTime = new PlatenError('CONVERSION_FAILED', { reason: 'time' });
  for (const [ended, expected] of [
    ['SIGKILL', () => ({ code: 'SERVICE_UNAVAILABLE', reason: 'killed' })],
    ['SIGSEGV', (reason: string) => ({ code: 'CONVERSION_FAILED', reason })],
  ] as const) {
    const overCpu = await createJob(folder, slowDocx());
    // The second signal is that of the limit of CPU time.
    signalChildren(shared, overCpu.id, ended, 'SIGXCPU');
    await t.rejects(engine.convert(overCpu, never()), expected('cpu'), `CPU time, ${ended}`);
    t.equal(childrenFor(shared, overCpu.id), 2);

    const budget = new AbortController();
    const overTime = await createJob(folder, slowDocx());
    signalChildren(shared, overTime.id, ended);
    log.on('child started', ({ job }) => {
      if (job === overTime.id && childrenFor(shared, job) === 2) budget.abort(outOfTime);
    });
    await t.rejects(engine.convert(overTime, budget.signal), expected('time'), `time, ${ended}`);
    t.equal(childrenFor(shared, overTime.id), 2);
  }
});

t.test('a crash after that still gets its attempt without tags', async (t) => {
  const { engine, folder } = shared;
  const job = await createJob(folder, busyDocument);
  signalChildren(shared, job.id, 'SIGKILL', 'SIGSEGV');
  t.match(await engine.convert(job, never()), { attempts: 3, tagged: false });
  t.match(await pdfText(job), /Page 600$/);
});

t.test('the attempt without tags gets the CPU time that the first one left', async (t) => {
  const { engine, folder, log } = shared;
  const gone = new AbortController();
  const first = log.next('child started');
  const conversion = engine.convert(await createJob(folder, slowDocx()), gone.signal);
  const { child } = await first;
  const limit = () => cpuLimit(child).then(Number);
  await until('it has all', async () => (await limit()) === FIRST_ATTEMPT_S);
  await until('it has used some', async () => (await cpuTicks(child)) > 0);
  const second = log.next('child started');
  process.kill(Number(child), 'SIGSEGV');
  const { child: successor } = await second;
  await until('its limits are set', async () => (await cpuLimit(successor)) !== 'unlimited');
  t.ok(Number(await cpuLimit(successor)) < FIRST_ATTEMPT_S, `${await cpuLimit(successor)} s`);
  gone.abort(new Error('enough'));
  await t.rejects(conversion, { message: 'enough' });
});
