/** Engines, jobs and processes for tests of the engines. */
import { execFile } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import type { Engine, Job } from '../../src/engine/engine.ts';
import { KitEngine, type KitEngineOptions } from '../../src/engine/kit-engine.ts';
import { limits } from '../../src/engine/option-limits.ts';
import { type PdfaLevel, pdfaLevels } from '../../src/shared/options/pdfa.ts';
import type { Log } from '../../src/system/log.ts';
import { loadsDictionaries } from './dictionary-loader.ts';

const run = promisify(execFile);

/** Time limit for expected events. */
const PATIENCE_MS = 60_000;

/** A signal that never aborts; each task has its own, as each request does. */
export const never = (): AbortSignal => new AbortController().signal;

/** A log that keeps its lines and lets a test wait for one. */
export class RecordingLog {
  readonly lines: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[] = [];
  /** Tests wait for many documents at a time. */
  readonly #events = new EventEmitter().setMaxListeners(0);

  readonly log: Log = {
    debug: this.#write.bind(this),
    info: this.#write.bind(this),
    warn: this.#write.bind(this),
    error: this.#write.bind(this),
  };

  #write(fields: unknown, message?: unknown): void {
    this.lines.push({ message: String(message), fields: Object(fields) });
    this.#events.emit(String(message), Object(fields));
  }

  /** Calls the listener for every future line with this message. */
  on(message: string, listener: (fields: Record<string, unknown>) => void): void {
    this.#events.on(message, listener);
  }

  /** The fields of the next line with this message. Call it before the cause. */
  async next(message: string): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`the log never said "${message}"`)), PATIENCE_MS);
      this.#events.once(message, (fields) => {
        clearTimeout(timer);
        resolve(fields);
      });
    });
  }

  count(message: string): number {
    return this.lines.filter((line) => line.message === message).length;
  }
}

/** A temporary folder that is removed after the test. */
export async function temporaryFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface StartedKit {
  readonly engine: KitEngine;
  readonly log: RecordingLog;
  /** Folder that holds the engine's folder and the jobs. */
  readonly folder: string;
}

/** The engine with generous budgets, not started; it ends with the test. */
export async function kitEngine(t: Test, options: Partial<KitEngineOptions> = {}): Promise<StartedKit> {
  const folder = await temporaryFolder(t);
  const log = new RecordingLog();
  const engine = new KitEngine({
    folder: join(folder, 'kit'),
    workers: 2,
    jobMemoryBytes: 1_073_741_824,
    jobCpuMs: 60_000,
    maxDocuments: 500,
    log: log.log,
    ...options,
  });
  t.teardown(() => engine.stop());
  return { engine, log, folder };
}

/** The same, started. */
export async function startKit(t: Test, options: Partial<KitEngineOptions> = {}): Promise<StartedKit> {
  const kit = await kitEngine(t, options);
  await kit.engine.start();
  return kit;
}

let jobs = 0;

/** A job in a folder of its own below `folder`. */
export async function createJob(folder: string, document: Uint8Array): Promise<Job> {
  const id = `job-${++jobs}`;
  const job = { id, folder: join(folder, id) };
  await mkdir(job.folder, { mode: 0o700 });
  await writeFile(join(job.folder, 'input.docx'), document);
  return job;
}

/** The levels of PDF/A that the engine writes. */
export function levelsOf(engine: Engine): readonly PdfaLevel[] {
  return pdfaLevels.filter((pdfa) =>
    limits.every(({ isAsked, isMet }) => !isAsked({ pdfa }) || isMet(engine.status())),
  );
}

/** The text of a job's PDF, without white space around it. */
export async function pdfText(job: Job): Promise<string> {
  const { stdout } = await run('pdftotext', ['-layout', join(job.folder, 'output.pdf'), '-']);
  return stdout.trim();
}

/** Whether a job's PDF is tagged. */
export async function isTagged(job: Job): Promise<boolean> {
  const { stdout } = await run('pdfinfo', [join(job.folder, 'output.pdf')]);
  return /^Tagged: +yes$/m.test(stdout);
}

/** The number of pictures in a job's PDF. */
export async function pdfImages(job: Job): Promise<number> {
  const { stdout } = await run('pdfimages', ['-list', join(job.folder, 'output.pdf')]);
  return stdout.trim().split('\n').length - 2;
}

/** The current child processes of this process, except for the one that loads dictionaries. */
export async function childrenOf(pid: number): Promise<number[]> {
  return (await allChildrenOf(pid)).filter((child) => !loadsDictionaries(child));
}

/** The process that loads the dictionaries for a kit; undefined if it has ended. */
export async function dictionaryLoaderOf(kit: number): Promise<number | undefined> {
  return (await allChildrenOf(kit)).find(loadsDictionaries);
}

async function allChildrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}

export function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

/** Waits until a process has ended, which need not be a child. Rejects if it stays. */
export async function untilGone(pid: number): Promise<void> {
  await run('tail', [`--pid=${pid}`, '--sleep-interval=0.02', '-f', '/dev/null'], { timeout: PATIENCE_MS });
}
