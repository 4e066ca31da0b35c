/** What becomes of jobs when a child or the kit dies, and how the kit comes back. */
import t from 'tap';
import { docx, slowDocx } from '../support/documents.ts';
import { childrenOf, createJob, isAlive, never, pdfText, startKit, untilGone } from '../support/kit.ts';

/** A document whose conversion lasts long enough to interfere with it. */
const busyDocument = docx({ pages: 600 });

/** For tests that leave a kit that works. */
const shared = await startKit(t);

for (const signal of ['SIGSEGV', 'SIGABRT', 'SIGKILL'] as const) {
  t.test(`a child that dies of ${signal} fails its job, and a fresh kit takes over`, async (t) => {
    const { engine, folder, log } = shared;
    const former = Number(engine.status().pid);
    const started = log.next('child started');
    const renewed = log.next('kit ready');
    const failed = t.rejects(engine.convert(await createJob(folder, slowDocx()), never()), {
      code: 'CONVERSION_FAILED',
      cause: /crashed/,
    });
    process.kill(Number((await started).child), signal);
    await failed;
    const { kit } = await renewed;
    t.not(kit, former);
    t.equal(engine.status().pid, kit);
    await untilGone(former);
  });
}

t.test('a crash leaves the other jobs of the kit alone', async (t) => {
  const { engine, folder, log } = shared;
  const former = Number(engine.status().pid);
  const renewed = log.next('kit ready');
  const firstStarted = log.next('child started');
  const innocent = await createJob(folder, docx({ pages: 1_000 }));
  const innocentRun = engine.convert(innocent, never());
  await firstStarted;
  const secondStarted = log.next('child started');
  const crashing = engine.convert(await createJob(folder, slowDocx()), never());
  process.kill(Number((await secondStarted).child), 'SIGSEGV');
  await t.rejects(crashing, { code: 'CONVERSION_FAILED' });
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

t.test('a job whose kit is killed twice fails', async (t) => {
  const { engine, folder, log } = await startKit(t);
  log.on('child started', () => process.kill(Number(engine.status().pid), 'SIGKILL'));
  await t.rejects(engine.convert(await createJob(folder, slowDocx()), never()), {
    code: 'CONVERSION_FAILED',
  });
  t.equal(log.count('child started'), 2);
});

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
