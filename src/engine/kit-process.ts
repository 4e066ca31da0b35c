/** One process of the kit: started, given jobs over its socket, ended. It is never started twice. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Log } from '../log.ts';
import { kitFiles } from '../paths.ts';
import type { Job } from './engine.ts';
import { PROGRAM_FOLDER, readOnlyConfigurationLayers } from './libreoffice.ts';
import { makeWayWhenSlow } from './priority.ts';
import { decode, encode, LineReader, type Message, PROTOCOL, ProtocolError } from './protocol.ts';
import { type SandboxLayer, sandboxOf } from './sandbox.ts';
import { Watchdog } from './watchdog.ts';

const START_TIMEOUT_MS = 60_000;
/** A kit answers a cancel at once: its loop never waits for a document. */
const CANCEL_TIMEOUT_MS = 2_000;
const STOP_TIMEOUT_MS = 2_000;
const MAX_STDERR = 4_000;
/** Largest file a child may write. */
const FILE_MIB = 512;

export interface KitOptions {
  /** Folder of this process alone, made when it starts and removed when it has ended. */
  readonly folder: string;
  /** Jobs at a time; as many idle children are kept. */
  readonly concurrency: number;
  readonly jobMemoryBytes: number;
  /** CPU time a document may use, in milliseconds. */
  readonly jobCpuMs: number;
  readonly log: Log;
  /** The kit's program. */
  readonly binary: string;
}

export type Finished = Extract<Message, { verb: 'finished' }>;

/** The kit died, or was ended because it broke the protocol or did not answer. */
export class KitGone extends Error {
  override readonly name = 'KitGone';
}

/** The kit has no process for a job: the system gives it none. */
export class KitRefused extends Error {
  override readonly name = 'KitRefused';
}

type Ready = Extract<Message, { verb: 'ready' }>;

interface RunningJob {
  /** To call when its child has ended. */
  ended: () => void;
  readonly resolve: (finished: Finished) => void;
  readonly reject: (error: Error) => void;
}

export class KitProcess {
  /** Resolves when the process has ended, before its jobs reject. Never rejects. */
  readonly ended: Promise<void>;
  /** Resolves when its folder is gone as well. Never rejects. */
  readonly gone: Promise<void>;
  /** Documents it was given. */
  documents = 0;
  /** Whether a child of it crashed. */
  crashed = false;

  readonly #process: ChildProcess;
  /** Undefined when the process could not be started for want of file descriptors. */
  readonly #socket: Socket | undefined;
  readonly #log: Log;
  readonly #jobs = new Map<string, RunningJob>();
  #announce: (ready: Ready) => void = () => {};
  #about: Ready | undefined;
  #watchdog: Watchdog | undefined;
  #idleChildren = 0;
  /** Why it ended; the first reason that is known wins. */
  #reason: string | undefined;
  #ended = false;

  /**
   * Starts a kit and waits until it has warmed up.
   *
   * @param signal ends a start that is no longer wanted.
   * @throws KitGone with the reason when it does not get ready. Nothing is left of it then.
   */
  static async start(options: KitOptions, signal: AbortSignal): Promise<KitProcess> {
    await rm(options.folder, { recursive: true, force: true });
    try {
      await mkdir(join(options.folder, 'run'), { recursive: true, mode: 0o700 });
      const layers = await readOnlyConfigurationLayers(kitFiles.settings);
      if (signal.aborted) throw new KitGone('it was stopped');
      const kit = new KitProcess(options, layers);
      kit.#about = await kit.#waitUntilReady(signal);
      if (!kit.#ended) kit.#watch();
      return kit;
    } catch (error) {
      await rm(options.folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
      throw error;
    }
  }

  private constructor(options: KitOptions, configurationLayers: string) {
    this.#log = options.log;
    this.#process = spawn(options.binary, kitArguments(options), {
      cwd: join(options.folder, 'run'),
      // Nothing of ours: the environment is what a document that takes over a child would read first.
      env: {
        PATH: '/usr/bin:/bin',
        HOME: options.folder,
        LANG: 'C.UTF-8',
        TMPDIR: '/proc/self/cwd', // every child's own folder, see src/kit/child.c
        SAL_USE_VCLPLUGIN: 'svp',
        CONFIGURATION_LAYERS: configurationLayers,
      },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      detached: true, // a terminal's Ctrl-C is for Node, which drains first
    });
    this.ended = this.#end();
    this.gone = this.ended.then(() => this.#bury(options.folder));
    this.#socket = this.#process.stdio?.[3] as Socket | undefined;
    if (this.#socket) this.#listen(this.#socket);
  }

  /** Version of LibreOffice, such as `7.4.7.2`. */
  get libreOffice(): string | undefined {
    return this.#about?.libreOffice;
  }

  /** The layers of the cage that its children put on. */
  get sandbox(): readonly SandboxLayer[] {
    return sandboxOf(this.#about?.layers ?? 0);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Jobs it is running now. */
  get running(): number {
    return this.#jobs.size;
  }

  /** Children that wait for a job, as it said last. */
  get idleChildren(): number {
    return this.#ended ? 0 : this.#idleChildren;
  }

  /** Why it ended, once it has. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /**
   * Converts one document in a child of its own and tells how the child ended. Rejects with the signal's
   * reason, once the child is gone, when the signal aborts.
   *
   * @throws KitGone, KitRefused
   */
  async convert(job: Job, signal: AbortSignal): Promise<Finished> {
    signal.throwIfAborted();
    if (this.#ended) throw new KitGone(this.#reason);
    this.documents++;
    const request = encode({ verb: 'convert', id: job.id, folder: job.folder });
    const finished = new Promise<Finished>((resolve, reject) => {
      this.#jobs.set(job.id, { ended: () => {}, resolve, reject });
    });
    let overdue: NodeJS.Timeout | undefined;
    const cancel = () => {
      this.#send(encode({ verb: 'cancel', id: job.id }));
      overdue = setTimeout(() => this.#kill('it did not end a cancelled job'), CANCEL_TIMEOUT_MS);
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      this.#send(request);
      const result = await finished;
      signal.throwIfAborted();
      return result;
    } finally {
      clearTimeout(overdue);
      signal.removeEventListener('abort', cancel);
      this.#jobs.get(job.id)?.ended();
      this.#jobs.delete(job.id);
    }
  }

  /** Ends the process and its children; running jobs reject with KitGone. */
  async stop(): Promise<void> {
    this.#reason ??= 'it was stopped';
    this.#socket?.end();
    const timer = setTimeout(() => this.#kill('it did not stop'), STOP_TIMEOUT_MS);
    await this.gone;
    clearTimeout(timer);
  }

  /** Ends the process when it is stopped or hangs. */
  #watch(): void {
    this.#watchdog = new Watchdog({
      ping: (number) => this.#send(encode({ verb: 'ping', number })),
      onSilent: () => this.#kill('it did not answer'),
    });
  }

  #send(line: string): void {
    if (this.#socket?.writable) this.#socket.write(line);
  }

  /** Ends the process group at once; the kernel ends the kit's children with it. */
  #kill(reason: string): void {
    this.#reason ??= reason;
    this.#watchdog?.stop();
    this.#socket?.destroy(); // nothing it says counts any more
    const { pid, exitCode, signalCode } = this.#process;
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
  }

  #listen(socket: Socket): void {
    const lines = new LineReader();
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      try {
        for (const line of lines.push(chunk)) this.#receive(decode(line));
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        this.#kill(error.message);
      }
    });
    // A socket that breaks says nothing that the end of the process does not say.
    socket.on('error', () => {});
  }

  #receive(message: Message): void {
    switch (message.verb) {
      case 'ready':
        if (message.protocol === PROTOCOL) this.#announce(message);
        else this.#kill('it speaks another version of the protocol; build it again');
        break;
      case 'started':
        this.#log.debug({ job: message.id, child: message.pid }, 'child started');
        this.#attend(message.id, message.pid);
        break;
      case 'finished':
        if (message.outcome === 'crashed') this.crashed = true;
        this.#jobs.get(message.id)?.resolve(message);
        break;
      case 'refused':
        this.#jobs.get(message.id)?.reject(new KitRefused(message.reason));
        break;
      case 'pong':
        if (!this.#watchdog) throw new ProtocolError('the kit answered a ping that was not sent');
        this.#watchdog.answered(message.number);
        this.#idleChildren = message.idleChildren;
        break;
      case 'fault':
        this.#reason ??= message.text;
        break;
    }
  }

  #attend(id: string, child: number): void {
    const job = this.#jobs.get(id);
    if (job) job.ended = makeWayWhenSlow(child);
  }

  async #waitUntilReady(signal: AbortSignal): Promise<Ready> {
    const announced = new Promise<Ready>((resolve) => {
      this.#announce = resolve;
    });
    const died = this.gone.then((): never => {
      throw new KitGone(this.#reason);
    });
    // Once it is ready, its end is told to its jobs, not here.
    died.catch(() => {});
    const timer = setTimeout(() => this.#kill('it was not ready in time'), START_TIMEOUT_MS);
    const stop = () => this.#kill('it was stopped');
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await Promise.race([announced, died]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  /** Waits for the process to end. */
  async #end(): Promise<void> {
    let stderr = '';
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-MAX_STDERR);
    });
    await new Promise<void>((resolve) => {
      this.#process.once('error', (error) => {
        this.#reason ??= error.message;
        resolve();
      });
      this.#process.once('close', (code, signal) => {
        this.#reason ??= `it ended with ${signal ?? `exit code ${code}`}. ${stderr.trim()}`.trim();
        resolve();
      });
    });
    this.#ended = true;
    this.#watchdog?.stop();
    this.#socket?.destroy();
  }

  /** Tells the jobs of an ended process and removes its folder. */
  async #bury(folder: string): Promise<void> {
    for (const job of this.#jobs.values()) job.reject(new KitGone(this.#reason));
    // Retries: children that die with it may still end a system call in there.
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch((error: unknown) => {
      this.#log.warn({ err: error, folder }, 'the folder of a kit could not be removed');
    });
  }
}

function kitArguments(options: KitOptions): string[] {
  return [
    ['--program', PROGRAM_FOLDER],
    ['--profile', pathToFileURL(join(options.folder, 'profile')).href],
    ['--warm-up', kitFiles.sampleDocument],
    ['--idle', options.concurrency],
    // The queue may run one more than there are workers, and the probe's.
    ['--concurrency', options.concurrency + 2],
    ['--memory-mib', Math.ceil(options.jobMemoryBytes / 1_048_576)],
    ['--cpu-seconds', Math.ceil(options.jobCpuMs / 1000)],
    ['--file-mib', FILE_MIB],
  ]
    .flat()
    .map(String);
}
