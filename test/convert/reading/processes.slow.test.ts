/** The processes that read documents: what becomes of a task whose process ends or cannot start. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t, { type Test } from 'tap';
import { OutOfTime, ReaderProcesses, type ReadingLimits } from '../../../src/convert/reading/processes.ts';
import * as documents from '../../support/documents.ts';
import { until } from '../../support/until.ts';
import { zip } from '../../support/zip.ts';
import {
  docxOfManyCharacters,
  fileOf,
  inspectionOf as inspection,
  never,
  openDescriptors,
  readersFromNow,
  setup,
} from '../support/preflight.ts';

const readers = readersFromNow();

/** Takes a while to read. */
const slow = zip([
  ...documents.partsWith(),
  { name: 'a.xml', data: `<a>${`${'<b>'.repeat(400)}${'</b>'.repeat(400)}`.repeat(3_000)}</a>` },
]);

/** Takes several seconds. */
const verySlow = zip([
  ...documents.partsWith(),
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({
    name: `a${n}.xml`,
    data: `<a>${`${'<b>'.repeat(400)}${'</b>'.repeat(400)}`.repeat(8_000)}</a>`,
  })),
]);

function openReaders(t: Test, spares = 0): ReaderProcesses {
  const opened = new ReaderProcesses(setup, spares);
  t.teardown(() => opened.close());
  return opened;
}

/** Reads the file at `path` to the end. */
async function read(pool: ReaderProcesses, path: string) {
  const answer = await pool.run('inspect', inspection(path), limits());
  await answer.rest;
  return answer;
}

const limits = (signal = never()): ReadingLimits => ({ cpuMs: 60_000, signal });

const codeOf = (error: { code: string }) => error.code;

/** The process that reads the file, once there is one besides those. */
async function readerOf(path: string, besides: readonly string[] = []): Promise<string> {
  return found('a process reads the file', (pid) => !besides.includes(pid) && openDescriptors(path, pid) > 0);
}

/** A process that has just been started. */
async function newReader(besides: readonly string[] = []): Promise<string> {
  return found('there is a process', (pid) => !besides.includes(pid));
}

async function found(what: string, is: (pid: string) => boolean): Promise<string> {
  let pid: string | undefined;
  await until(what, () => {
    pid = readers().find(is);
    return pid !== undefined;
  });
  if (pid === undefined) throw new Error(what);
  return pid;
}

for (const signal of ['SIGKILL', 'SIGABRT'] as const) {
  t.test(`a task whose process ends of ${signal} before it begins gets another process`, async (t) => {
    const pool = openReaders(t);
    const task = pool.run('inspect', inspection(fileOf(t, slow)), limits());
    process.kill(Number(await newReader()), signal);
    t.match(await task, { result: { time: Number } });
  });
}

t.test('it gets another process once', async (t) => {
  const pool = openReaders(t);
  const task = pool.run('inspect', inspection(fileOf(t, slow)), limits());
  const rejected = t.rejects(task, {
    code: 'SERVICE_UNAVAILABLE',
    cause: { message: 'a process that reads documents ended with SIGKILL' },
  });
  const first = await newReader();
  process.kill(Number(first), 'SIGKILL');
  process.kill(Number(await newReader([first])), 'SIGKILL');
  await rejected;
});

t.test('a task whose process is killed while it reads is repeated once', async (t) => {
  const pool = openReaders(t);
  const path = fileOf(t, slow);
  const task = pool.run('inspect', inspection(path), limits());
  const first = await readerOf(path);
  process.kill(Number(first), 'SIGKILL');
  t.match(await task, { result: { time: Number } });
  t.notOk(readers().includes(first));
});

t.test(
  'a task whose processes are killed while they read fails, and nobody blames the document',
  async (t) => {
    const pool = openReaders(t);
    const path = fileOf(t, slow);
    const rejected = t.rejects(pool.run('inspect', inspection(path), limits()), {
      code: 'SERVICE_UNAVAILABLE',
      reason: 'killed',
      cause: { message: 'a process that reads documents ended with SIGKILL' },
    });
    const first = await readerOf(path);
    process.kill(Number(first), 'SIGKILL');
    process.kill(Number(await readerOf(path, [first])), 'SIGKILL');
    await rejected;
  },
);

t.test('a process that gets no processor time does not make the document guilty', async (t) => {
  const pool = openReaders(t, 1);
  pool.start();
  await read(pool, fileOf(t, documents.docx()));
  process.kill(Number(await newReader()), 'SIGSTOP');
  const budget = new AbortController();
  const cpuMs = 50;
  const task = pool.run('inspect', inspection(fileOf(t, documents.docx())), {
    ...limits(),
    cpuMs,
    within: (reading) => {
      setTimeout(() => budget.abort(new OutOfTime()), 2 * cpuMs);
      return reading(budget.signal);
    },
  });
  await t.rejects(task, { code: 'SERVICE_UNAVAILABLE', reason: 'killed' });
});

t.test('a reading that takes more than its processor time ends with its process', async (t) => {
  const pool = openReaders(t, 1);
  pool.start();
  const reader = await newReader();
  const task = pool.run('inspect', inspection(fileOf(t, slow)), { cpuMs: 1, signal: never() });
  await t.rejects(task, { name: 'OutOfTime' });
  await until('another one takes its place', () => {
    const others = readers();
    return others.length === 1 && !others.includes(reader);
  });
});

t.test('a reading that nobody waits for may end if it is quick, and its process goes on', async (t) => {
  const pool = openReaders(t, 1);
  pool.start();
  await read(pool, fileOf(t, documents.docx()));
  const before = readers();
  const controller = new AbortController();
  const reason = new Error('the client left');
  const task = pool.run('inspect', inspection(fileOf(t, documents.docx())), limits(controller.signal));
  controller.abort(reason);
  await t.rejects(task, reason);
  t.match(await read(pool, fileOf(t, documents.docx())), {
    result: { time: Number },
  });
  t.strictSame(readers(), before);
});

t.test('of those that are idle at the same time, as many as are kept ready stay', async (t) => {
  const pool = new ReaderProcesses(setup, 1, 2_000);
  t.teardown(() => pool.close());
  const folder = t.testdir({ 1: documents.docx(), 2: documents.docx(), 3: documents.docx() });
  await Promise.all([1, 2, 3].map((n) => read(pool, join(folder, String(n)))));
  const stay = () => readers().length === 1;
  await until('the others have ended', stay);
  const kept = readers();
  await read(pool, fileOf(t, documents.docx()));
  t.strictSame(readers(), kept);
});

t.test('one that makes way because it is slow is replaced at once', async (t) => {
  const pool = openReaders(t, 1);
  pool.start();
  const reader = await newReader();
  let isSlow = false;
  const onSlow = () => {
    isSlow = true;
  };
  const answer = await pool.run('inspect', inspection(fileOf(t, verySlow)), { ...limits(), onSlow });
  await answer.rest;
  t.ok(isSlow);
  await until('another one takes its place', () => {
    const others = readers();
    return others.length === 1 && !others.includes(reader);
  });
});

t.test('a process that stands still while it reads the rest ends when nobody waits any more', async (t) => {
  const pool = openReaders(t);
  const controller = new AbortController();
  const reason = new Error('the client left');
  const answer = await pool.run('inspect', inspection(fileOf(t, docxOfManyCharacters())), {
    ...limits(controller.signal),
    within: (reading) => reading(never()),
  });
  const [reader] = readers();
  process.kill(Number(reader), 'SIGSTOP');
  controller.abort(reason);
  await t.rejects(answer.rest, reason);
  t.notOk(readers().includes(String(reader)));
});

t.test('replies are not kept while the process lives', async (t) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const pool = openReaders(t);
  const replies: WeakRef<object>[] = [];
  for (let n = 0; n < 3; n++) {
    replies.push(new WeakRef(await read(pool, fileOf(t, documents.docx()))));
  }
  await until('they are collected', () => {
    collect();
    return replies.every((reply) => reply.deref() === undefined);
  });
  t.equal(readers().length, 1);
});

t.test('one that was killed while it was idle gets no task', async (t) => {
  const pool = openReaders(t);
  await read(pool, fileOf(t, documents.docx()));
  // Their end is not known yet when the next task comes.
  for (const pid of readers()) process.kill(Number(pid), 'SIGKILL');
  t.match(await read(pool, fileOf(t, documents.docx())), {
    result: { time: Number },
  });
});

t.test('a signal to all processes of the service does not end it', async (t) => {
  const pool = openReaders(t);
  const path = fileOf(t, slow);
  const task = pool.run('inspect', inspection(path), limits());
  const reader = await readerOf(path);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(Number(reader), signal);
  t.match(await task, { result: { time: Number } });
  t.ok(readers().includes(reader));
});

t.test('it leaves no dump of its memory', async (t) => {
  const pool = openReaders(t);
  await read(pool, fileOf(t, documents.docxWithEntries(200)));
  const [reader] = readers();
  t.match(readFileSync(`/proc/${reader}/limits`, 'utf8'), /^Max core file size +0 +0 /m);
});

t.test('it gets none of the secrets in the environment', async (t) => {
  const pool = openReaders(t);
  process.env.OPERATOR_TOKEN = 'a secret of the test';
  t.teardown(() => delete process.env.OPERATOR_TOKEN);
  await read(pool, fileOf(t, documents.docxWithEntries(200)));
  const [reader] = readers();
  const environment = readFileSync(`/proc/${reader}/environ`, 'utf8');
  t.not(environment, '');
  t.notMatch(environment, 'a secret of the test');
});

t.test('an unexpected error keeps its message', async (t) => {
  const pool = openReaders(t);
  const missing = pool.run('inspect', inspection(`${t.testdir()}/missing`), limits());
  await t.rejects(missing, /ENOENT/);
  await t.rejects(missing, Error);
});

t.test('a task that is aborted before it begins takes no process', async (t) => {
  const pool = openReaders(t);
  const reason = new Error('the client left');
  const aborted = AbortSignal.abort(reason);
  await t.rejects(pool.run('inspect', inspection('/nowhere'), limits(aborted)), reason);
});

t.test('without a descriptor for another process the service is not available, and goes on', async (t) => {
  const pool = openReaders(t);
  const folder = t.testdir(Object.fromEntries(Array.from({ length: 9 }, (_, n) => [n, documents.docx()])));
  const [, usual = ''] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  const limit = (soft: string) =>
    t.equal(spawnSync('prlimit', ['--pid', String(process.pid), `--nofile=${soft}:`]).status, 0);
  const descriptors: number[] = [];
  const ends: string[] = [];
  limit(String(readdirSync('/proc/self/fd').length + 64));
  try {
    try {
      for (;;) descriptors.push(openSync('/dev/null', 'r'));
    } catch (error) {
      t.match(error, { code: 'EMFILE' });
    }
    // With none, and with too few for a process and its channel.
    for (let free = 0; free < 8; free++) {
      ends.push(await read(pool, join(folder, String(free))).then(() => 'read', codeOf));
      closeSync(descriptors.pop() as number);
    }
  } finally {
    for (const fd of descriptors) closeSync(fd);
    limit(usual);
  }
  t.equal(ends[0], 'SERVICE_UNAVAILABLE');
  t.strictSame(
    ends.filter((end) => !['read', 'SERVICE_UNAVAILABLE'].includes(end)),
    [],
  );
  t.match(await read(pool, join(folder, '8')), { result: { time: Number } });
});
