/**
 * A fresh soffice for every document, through libreoffice-convert: for machines that cannot build the kit.
 * It takes about a second per document, and holds the document and its PDF in memory.
 */
import { type ExecFileOptions, execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import libreOfficeConvert from 'libreoffice-convert';
import { PlatenError } from '../errors.ts';
import { coldSofficeScript, kitFiles } from '../paths.ts';
import { withLinkedController } from '../system/linked-controller.ts';
import { Attempts } from './attempts.ts';
import {
  type Conversion,
  type ConversionJob,
  type Engine,
  type EngineStatus,
  type FinishingJob,
  INPUT_NAME,
  type Job,
  OUTPUT_NAME,
  type PictureJob,
} from './engine.ts';
import { exportOptions } from './export-options.ts';
import { readFontSet } from './font-set.ts';
import { fontSettings } from './fonts.ts';
import { prepareFolder, qpdfJob, TEMPORARY_NAME } from './job-folder.ts';
import { PROGRAM_FOLDER, requireLibreOffice } from './libreoffice.ts';
import { crashed, killed, unexportable, unloadable } from './outcome.ts';
import { setPdfTime } from './pdf-time.ts';
import { drawCommand, popplerVersion } from './poppler.ts';
import { sandboxOf } from './sandbox.ts';

/** A shell adds the number of the signal that ended a command to this. */
const SIGNALLED = 128;
/** soffice prints this, in the language of LANG, when it catches its own crash; it exits with code 1. */
const CRASHED = 'Application Error';

/** As in cold-soffice.sh: with setsid, a terminal's Ctrl-C does not reach the program; it ends with this process. */
const BOUND = ['setpriv', '--pdeathsig', 'KILL'];
/** Longest run of a program that works on a PDF, in milliseconds. */
const PROGRAM_TIMEOUT_MS = 60_000;

const run = promisify(execFile);
const convertWithOptions = promisify(libreOfficeConvert.convertWithOptions);

export class ColdEngine implements Engine {
  readonly #stopped = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  #documents = 0;
  readonly #fontsDir: string | undefined;
  readonly #folder: string | undefined;
  #libreOffice: string | undefined;
  #fontSet: string | undefined;
  #poppler: string | undefined;

  /**
   * @param fontsDir absolute path of the operator's font folder, if any.
   * @param folder in which it may make folders. Undefined: the version of the fonts stays unknown.
   */
  constructor(fontsDir?: string, folder?: string) {
    this.#fontsDir = fontsDir;
    this.#folder = folder;
  }

  async start(): Promise<void> {
    this.#libreOffice = requireLibreOffice();
    this.#poppler = await popplerVersion();
    if (this.#folder !== undefined) {
      this.#fontSet = await readFontSet(this.#fontsDir, join(this.#folder, 'font-set'));
    }
  }

  async convert(job: ConversionJob, signal: AbortSignal): Promise<Conversion> {
    this.#documents++;
    return this.#untilStopped(signal, (either) => this.#run(job, either));
  }

  async finish(job: FinishingJob, signal: AbortSignal): Promise<number> {
    return this.#untilStopped(signal, (either) => runQpdf(job, either));
  }

  async draw(job: PictureJob, signal: AbortSignal): Promise<void> {
    await this.#untilStopped(signal, (either) => drawPage(job, either));
  }

  async #untilStopped<T>(signal: AbortSignal, task: (either: AbortSignal) => Promise<T>): Promise<T> {
    return withLinkedController([signal, this.#stopped.signal], async ({ signal: either }) => {
      either.throwIfAborted();
      const running = task(either);
      this.#running.add(running);
      try {
        return await running;
      } finally {
        this.#running.delete(running);
      }
    });
  }

  status(): EngineStatus {
    return {
      engine: 'cold',
      ready: !this.#stopped.signal.aborted,
      libreOffice: this.#libreOffice,
      fontSet: this.#fontSet,
      poppler: this.#poppler,
      pid: undefined,
      sandbox: sandboxOf(0),
      restarts: 0,
      renewals: 0,
      documentsPerChild: 1,
      children: { idle: 0, running: this.#running.size },
      documents: this.#documents,
    };
  }

  async stop(): Promise<void> {
    this.#stopped.abort(new PlatenError('SERVICE_UNAVAILABLE', { retryAfter: 1 }));
    await Promise.allSettled(this.#running);
  }

  async #run(job: ConversionJob, signal: AbortSignal): Promise<Conversion> {
    const attempts = new Attempts(job.export ?? {});
    for (;;) {
      const { number, tagged } = attempts;
      await prepareFolder(job, attempts);
      try {
        await this.#attempt(job, tagged, signal);
        const unknown = { pages: undefined, peakBytes: undefined, cpuMs: undefined };
        return { ...unknown, attempts: number, tagged, isolation: 'document' };
      } catch (error) {
        if (signal.aborted) throw attempts.failure(signal.reason);
        const failure = await readFailure(job, error);
        const { reason } = failure;
        if (reason === 'crash' && attempts.next('crashed')) continue;
        if (reason === 'killed' && attempts.next('killed')) continue;
        throw failure;
      }
    }
  }

  async #attempt(job: ConversionJob, tagged: boolean, signal: AbortSignal): Promise<void> {
    const { folder, compressesPunctuation = false } = job;
    const temporary = join(folder, TEMPORARY_NAME);
    const fonts = join(temporary, 'fonts.conf');
    await writeFile(fonts, fontSettings(this.#fontsDir, join(temporary, 'font-cache')), { mode: 0o600 });
    const execOptions: ExecFileOptions = {
      env: {
        PATH: '/usr/bin:/bin',
        HOME: temporary,
        LANG: 'C.UTF-8',
        TZ: 'UTC',
        TMPDIR: temporary,
        SAL_USE_VCLPLUGIN: 'svp',
        FONTCONFIG_FILE: fonts,
        PLATEN_PROGRAM: PROGRAM_FOLDER,
        PLATEN_SETTINGS: kitFiles.settings,
        PLATEN_COMPRESSION: compressesPunctuation ? '1' : '0',
        UNO_JAVA_JFW_USER_DATA: pathToFileURL(kitFiles.javaSettings).href,
      },
    };
    // The library's types do not list execOptions, which its documentation does.
    const options = {
      execOptions,
      sofficeBinaryPaths: [coldSofficeScript],
      fileName: INPUT_NAME,
      tmpOptions: { tmpdir: temporary },
      asyncOptions: { times: 1 },
    };
    const document = await readFile(join(folder, INPUT_NAME), { signal });
    let cancelled: Promise<void> | undefined;
    const abort = () => {
      cancelled = cancel(temporary);
    };
    signal.addEventListener('abort', abort, { once: true });
    try {
      signal.throwIfAborted();
      const pdf = await convertWithOptions(
        document,
        'pdf',
        // The library puts a filter with a blank into quotation marks, which soffice takes for a part of it.
        `writer_pdf_Export:${exportOptions(job.export ?? {}, tagged).replaceAll(' ', '\\u0020')}`,
        options,
      );
      if (job.clock !== undefined) setPdfTime(pdf, job.clock);
      await writeFile(join(folder, OUTPUT_NAME), pdf, { mode: 0o600, signal });
    } finally {
      signal.removeEventListener('abort', abort);
      await cancelled;
    }
  }
}

/** Runs qpdf on the PDF. @returns the page count of what it made. */
async function runQpdf(job: FinishingJob, signal: AbortSignal): Promise<number> {
  await prepareFolder(job, { number: 1, tagged: true });
  const { folder, password } = job;
  const jobFile = join(folder, TEMPORARY_NAME, 'job.json');
  const passwordFile = join(folder, TEMPORARY_NAME, 'password');
  await writeFile(jobFile, JSON.stringify(qpdfJob(job)), { mode: 0o600 });
  await writeFile(passwordFile, password ?? '', { mode: 0o600 });
  await runProgram(['qpdf', `--job-json-file=${jobFile}`], folder, signal);
  const output = join(folder, OUTPUT_NAME);
  const count = ['qpdf', `--password-file=${passwordFile}`, '--show-npages', output];
  return Number(await runProgram(count, folder, signal));
}

async function drawPage(job: PictureJob, signal: AbortSignal): Promise<void> {
  await prepareFolder(job, { number: 1, tagged: true });
  await runProgram(drawCommand(job), job.folder, signal);
}

/**
 * Runs a program in a job's folder for temporary files.
 *
 * @returns its output.
 * @throws PlatenError `CONVERSION_FAILED`; the signal's reason.
 */
async function runProgram(command: readonly string[], folder: string, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  // Not execFile's `signal`: see cancel.
  const running = run('setsid', [...BOUND, ...command], {
    cwd: join(folder, TEMPORARY_NAME),
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8' },
    killSignal: 'SIGKILL',
    timeout: PROGRAM_TIMEOUT_MS,
  });
  const kill = () => running.child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  try {
    return (await running).stdout;
  } catch (error) {
    signal.throwIfAborted();
    throw unexportable(error);
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

/**
 * Kills the script and its soffice. execFile's `signal` does not work here: it settles before the processes have ended, and
 * the library then removes folders that they still write to. The script writes its process id, then looks for `cancelled`;
 * here the order is reversed, so one sees the other.
 */
async function cancel(temporary: string): Promise<void> {
  await writeFile(join(temporary, 'cancelled'), '').catch(() => {});
  const pid = Number(await readFile(join(temporary, 'pid'), 'utf8').catch(() => ''));
  if (pid === 0) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

/** The script records how the process ended: the library hides it if there was output. */
async function readFailure({ folder }: Job, error: unknown): Promise<PlatenError> {
  if (error instanceof Error && error.message.includes('source file could not be loaded')) {
    return unloadable(error);
  }
  const status = await readFile(join(folder, TEMPORARY_NAME, 'status'), 'utf8').catch(() => '');
  // Without a status the script did not get that far. We have not killed it, or the signal would be aborted.
  if (status === '' ? isKilled(error) : Number(status) === SIGNALLED + constants.signals.SIGKILL) {
    return killed(error);
  }
  const hasCrashed =
    Number(status) > SIGNALLED || (error instanceof Error && error.message.includes(CRASHED));
  return hasCrashed ? crashed(error) : unexportable(error);
}

function isKilled(error: unknown): boolean {
  return error instanceof Error && 'signal' in error && error.signal === 'SIGKILL';
}
