/** How the kit converts documents, and what it allows the converting process. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { kitFiles } from '../../src/paths.ts';
import { Queue } from '../../src/queue/queue.ts';
import { openFiles } from '../e2e/support/processes.ts';
import { docx, imageDocx, malformedDocx, slowDocx } from '../support/documents.ts';
import {
  childrenOf,
  createJob,
  isAlive,
  never,
  pdfImages,
  pdfText,
  startKit,
  temporaryFolder,
  untilGone,
} from '../support/kit.ts';
import { linkedImageDocx } from '../support/linked-image.ts';
import { noisePng } from '../support/noise.ts';
import { runIn } from '../support/queue.ts';
import { until } from '../support/until.ts';

const MIB = 1_048_576;

/** Time limit for a job that only the kit can end. */
const FAIL_SAFE_MS = 30_000;

/** The kit, whose children never end by themselves once they have converted their document. */
async function kitOfLingeringChildren(t: Test): Promise<string> {
  const folder = await temporaryFolder(t);
  const source = join(folder, 'linger.c');
  const library = join(folder, 'linger.so');
  const binary = join(folder, 'kit.sh');
  await writeFile(
    source,
    `#include <sys/syscall.h>
     #include <unistd.h>
     static pid_t kit;
     __attribute__((constructor)) static void note_kit(void) { kit = getpid(); }
     void _exit(int status) {
       // The kit's children lead their process groups; processes that LibreOffice forks do not.
       while (status == 0 && getpid() != kit && getpgrp() == getpid()) pause();
       for (;;) syscall(SYS_exit_group, status);
     }`,
  );
  await promisify(execFile)('gcc', ['-shared', '-fPIC', '-o', library, source]);
  const script = `#!/bin/sh\nLD_PRELOAD='${library}' exec '${kitFiles.binary}' "$@"\n`;
  await writeFile(binary, script, { mode: 0o700 });
  return binary;
}

process.env.PLATEN_TEST_SECRET = 'secret';
t.teardown(() => {
  delete process.env.PLATEN_TEST_SECRET;
});
/** For tests that leave the kit unchanged, and need no settings. */
const shared = await startKit(t);

t.test('converts a document', async (t) => {
  const { engine, folder } = shared;
  const job = await createJob(folder, docx({ paragraphs: ['Grüße aus Platen'] }));
  const conversion = await engine.convert(job, never());
  t.equal(await pdfText(job), 'Grüße aus Platen');
  t.equal(conversion.attempts, 1);
  t.ok(Number(conversion.peakBytes) > MIB, `${conversion.peakBytes} bytes`);
  t.ok(Number(conversion.cpuMs) > 0, `${conversion.cpuMs} ms`);
  t.match(engine.status(), { engine: 'kit', ready: true, libreOffice: /^\d+\.\d+/, pid: Number });
});

t.test('LibreOffice does not try out its drawing while the kit starts', async (t) => {
  const files = await readdir(join(shared.folder, 'kit'), { recursive: true });
  t.ok(files.length > 0);
  t.strictSame(
    files.filter((path) => /Graphics?(Render)?Test/.test(path)),
    [],
    'no log of it',
  );
});

t.test('a job ends with the report of its child, which is killed and need not die first', async (t) => {
  const { engine, folder, log } = await startKit(t, { binary: await kitOfLingeringChildren(t) });
  const { pid } = engine.status();
  const started = log.next('child started');
  const job = await createJob(folder, docx());
  const conversion = await engine.convert(job, AbortSignal.timeout(FAIL_SAFE_MS));
  t.equal(await pdfText(job), 'Hello from Platen.');
  t.ok(Number(conversion.peakBytes) > MIB, `${conversion.peakBytes} bytes`);
  await untilGone(Number((await started).child));
  t.equal(engine.status().pid, pid, 'the kit lives on');
});

t.test('converts in parallel, every document in a process of its own', async (t) => {
  const { engine, folder, log } = shared;
  const queue = new Queue({ workers: 2, limit: 100, timeoutMs: 60_000 });
  const earlier = log.lines.length;
  const texts = Array.from({ length: 20 }, (_, i) => `document number ${i}`);
  const results = texts.map(async (text) => {
    const job = await createJob(folder, docx({ paragraphs: [text] }));
    await runIn(queue, () => engine.convert(job, never()), never());
    return pdfText(job);
  });
  t.same(await Promise.all(results), texts);
  const pids = log.lines
    .slice(earlier)
    .filter(({ message }) => message === 'child started')
    .map(({ fields }) => fields.child);
  t.equal(new Set(pids).size, texts.length);
});

t.test('leaves only the PDF and what is in tmp beside the input', async (t) => {
  const { engine, folder } = shared;
  const pid = Number(engine.status().pid);
  const runFolder = await readlink(`/proc/${pid}/cwd`);
  const before = await readdir(runFolder, { recursive: true });
  const job = await createJob(folder, imageDocx(1, 64));
  await engine.convert(job, never());
  t.same((await readdir(job.folder)).sort(), ['input.docx', 'output.pdf', 'task', 'tmp'], 'no lock file');
  t.same(await readdir(runFolder, { recursive: true }), before, 'nothing in the folder that children share');
  t.not((await readdir(join(job.folder, 'tmp'))).length, 0, 'its temporary files are in its own folder');
});

t.test('a document that cannot be loaded is corrupted, and hurts nobody', async (t) => {
  const { engine, folder } = shared;
  const { pid } = engine.status();
  await t.rejects(engine.convert(await createJob(folder, malformedDocx()), never()), {
    code: 'CORRUPTED_FILE',
    reason: 'unloadable',
    message: /a sound Word package/,
  });
  await t.rejects(engine.convert(await createJob(folder, Buffer.from('PK\x03\x04')), never()), {
    code: 'CORRUPTED_FILE',
  });
  const job = await createJob(folder, docx());
  await engine.convert(job, never());
  t.equal(await pdfText(job), 'Hello from Platen.');
  t.equal(engine.status().pid, pid, 'by the same kit');
});

t.test('no document is at fault for a folder without one', async (t) => {
  const { engine, folder } = shared;
  const job = await createJob(folder, docx());
  await rm(join(job.folder, 'input.docx'));
  await t.rejects(engine.convert(job, never()), { code: 'SERVICE_UNAVAILABLE' });
});

t.test('an abort kills the child before the conversion rejects', async (t) => {
  const { engine, folder, log } = shared;
  const { pid: kit } = engine.status();
  const controller = new AbortController();
  const started = log.next('child started');
  const conversion = engine.convert(await createJob(folder, slowDocx()), controller.signal);
  const { child } = await started;
  t.ok(isAlive(Number(child)));
  const reason = new Error('the client is gone');
  controller.abort(reason);
  t.equal(await conversion.catch((error: unknown) => error), reason);
  t.notOk(isAlive(Number(child)), 'the child is gone');
  t.equal(engine.status().pid, kit, 'the kit is not');
});

t.test('an abort before the job reaches the kit starts no child', async (t) => {
  const { engine, folder, log } = shared;
  const reason = new Error('gone before');
  const before = log.count('child started');
  const job = await createJob(folder, docx());
  const error = await engine.convert(job, AbortSignal.abort(reason)).catch((error: unknown) => error);
  t.equal(error, reason);
  t.equal(log.count('child started'), before);
});

t.test('many aborts at any moment leave a kit that works', async (t) => {
  const { engine, folder, log } = shared;
  const { pid } = engine.status();
  for (let round = 0; round < 20; round++) {
    const controller = new AbortController();
    const job = await createJob(folder, docx());
    const conversion = engine.convert(job, controller.signal);
    setTimeout(() => controller.abort(new Error('gone')), 3 * round);
    await conversion.catch((error: Error) => t.equal(error.message, 'gone'));
  }
  const job = await createJob(folder, docx());
  await engine.convert(job, never());
  t.equal(await pdfText(job), 'Hello from Platen.');
  t.equal(engine.status().pid, pid);
  t.equal(log.count('the kit died'), 0);
});

t.test(
  'an idle child for every worker; a document that needs more memory than it may have fails',
  async (t) => {
    const document = imageDocx(1, 2_000);
    const peakOf = async (content: Buffer) =>
      Number((await shared.engine.convert(await createJob(shared.folder, content), never())).peakBytes);
    const [small, large] = [await peakOf(docx()), await peakOf(document)];
    t.ok(large > small + 10 * MIB, `it needs ${large} bytes, others ${small}`);

    // The memory of LibreOffice itself depends on its version.
    const jobMemoryBytes = Math.round((small + large) / 2);
    const { engine, folder } = await startKit(t, { jobMemoryBytes, workers: 3 });
    const { pid } = engine.status();
    t.equal((await childrenOf(Number(pid))).length, 3);
    await t.rejects(engine.convert(await createJob(folder, document), never()), {
      code: 'CONVERSION_FAILED',
      message: /needs more resources/,
      cause: /memory/,
    });
    await engine.convert(await createJob(folder, docx()), never());
    t.equal(engine.status().pid, pid, 'no reason to replace the kit');
  },
);

t.test('a document that needs more CPU time than it may have fails', async (t) => {
  const { engine, folder } = await startKit(t, { jobCpuMs: 1_000 });
  const { pid } = engine.status();
  await t.rejects(engine.convert(await createJob(folder, slowDocx()), never()), {
    code: 'CONVERSION_FAILED',
    message: /needs more resources/,
    cause: /cpu/,
  });
  t.equal(engine.status().pid, pid, 'no reason to replace the kit');
});

t.test('no document fetches what it links to', async (t) => {
  const { engine, folder } = shared;
  let connections = 0;
  const listener = createServer((socket) => {
    connections++;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  t.teardown(() => listener.close());
  const canary = join(folder, 'canary.png');
  await writeFile(canary, noisePng(64));

  const embedded = await createJob(folder, imageDocx(1, 64));
  await engine.convert(embedded, never());
  t.equal(await pdfImages(embedded), 1, 'an embedded picture gets into the PDF');

  const { port } = listener.address() as AddressInfo;
  for (const target of [`http://127.0.0.1:${port}/canary.png`, pathToFileURL(canary).href]) {
    const job = await createJob(folder, linkedImageDocx(target));
    await engine.convert(job, never());
    t.equal(await pdfImages(job), 0, target);
  }
  t.equal(connections, 0);
});

const threads = async (pid: number): Promise<number> => (await readdir(`/proc/${pid}/task`)).length;

t.test('the kit and its children have one thread', async (t) => {
  const { engine, folder } = shared;
  await engine.convert(await createJob(folder, docx()), never());
  const kit = Number(engine.status().pid);
  t.equal(await threads(kit), 1);
  // The one that converted may end while we look.
  const ofChildren = await Promise.all(
    (await childrenOf(kit)).map((pid) => threads(pid).catch(() => 'gone')),
  );
  t.strictSame(
    [...new Set(ofChildren)].filter((count) => count !== 'gone'),
    [1],
  );
});

t.test('a child inherits nothing from the service: environment, descriptors, signals', async (t) => {
  const { engine, folder } = shared;
  const [child = 0] = await childrenOf(Number(engine.status().pid));

  const readStatus = () => readFile(`/proc/${child}/status`, 'utf8');
  // It may have been forked a moment ago; unblocking the signals is the last thing before it waits for a job.
  await until('the child is set up', async () => /^SigBlk:\s0+$/m.test(await readStatus()));

  const environment = (await readFile(`/proc/${child}/environ`, 'utf8')).split('\0').filter(Boolean);
  const names = environment.map((variable) => variable.split('=', 1)[0]).sort();
  t.same(names, [
    'CONFIGURATION_LAYERS',
    'FONTCONFIG_FILE',
    'HOME',
    'LANG',
    'PATH',
    'SAL_USE_VCLPLUGIN',
    'TMPDIR',
    'TZ',
    'UNO_JAVA_JFW_USER_DATA',
  ]);

  const descriptors: string[] = [];
  const writable: string[] = [];
  for (const fd of await readdir(`/proc/${child}/fd`)) {
    const target = await readlink(`/proc/${child}/fd/${fd}`);
    const known =
      target === '/dev/null' ||
      target.startsWith('/usr/') ||
      target.startsWith('/etc/libreoffice/') ||
      target.startsWith(join(folder, 'kit/')) ||
      target.startsWith('pipe:') ||
      target.startsWith('socket:');
    t.ok(known, target);
    descriptors.push(target);
    const flags = Number.parseInt(
      /^flags:\s+(\d+)$/m.exec(await readFile(`/proc/${child}/fdinfo/${fd}`, 'utf8'))?.[1] ?? '',
      8,
    );
    if (
      target.startsWith('/') &&
      target !== '/dev/null' &&
      (flags & (constants.O_WRONLY | constants.O_RDWR)) !== 0
    )
      writable.push(target);
  }
  t.equal(descriptors.filter((target) => target.startsWith('socket:')).length, 1, 'its own channel');
  t.same(writable, [], 'no file through which siblings could talk');
  const kit = Number(engine.status().pid);
  const ofKit = openFiles(kit);
  const pipes = descriptors.filter((target) => target.startsWith('pipe:'));
  t.same(
    pipes.filter((pipe) => ofKit.includes(pipe)),
    [],
    'no pipe of the kit, which siblings would share',
  );

  t.equal(
    (await readFile(`/proc/${child}/oom_score_adj`, 'utf8')).trim(),
    '1000',
    'memory runs out for it first',
  );

  const status = await readStatus();
  t.match(status, /^SigIgn:\s0+$/m, 'none is ignored');
  const caught = BigInt(`0x${/^SigCgt:\s([0-9a-f]+)$/m.exec(status)?.[1]}`);
  // Signals 32 and 33 are glibc's own (nptl(7)).
  t.equal(caught & ~(3n << 31n), 0n, 'none is caught by LibreOffice');
});
