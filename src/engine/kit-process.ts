/** One kit process: started, given jobs over its socket, ended. Never started twice. */
import type { ChildProcess } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { kitFiles } from '../paths.ts';
import type { Log } from '../system/log.ts';
import { fillKitFolder, type KitCommand, runKit } from './kit-command.ts';
import { KitConnection } from './kit-connection.ts';
import { KitGone, KitJobs, KitRefused } from './kit-jobs.ts';
import { readOnlyConfigurationLayers } from './libreoffice.ts';
import { canStay, type Mend, mendsOf } from './mends.ts';
import { type Finished, type Message, PROTOCOL, ProtocolError, type Ready, type Task } from './protocol.ts';
import { type SandboxLayer, sandboxOf } from './sandbox.ts';
import { Watchdog } from './watchdog.ts';

/** A kit answers a cancel at once: its loop never waits for a document. */
const CANCEL_TIMEOUT_MS = 2_000;
const STOP_TIMEOUT_MS = 2_000;
/** How long what a kit wrote is read once it has ended. */
const LAST_WORDS_MS = 1_000;
const MAX_STDERR = 4_000;

/** Its folder is created at start, and removed when it has ended. */
interface KitOptions extends KitCommand {
  readonly log: Log;
  /** How long it may take to get ready. */
  readonly startLimitMs: number;
  /** It has become {@link KitProcess.suspected}. */
  readonly onSuspected: () => void;
}

export class KitProcess {
  /** Resolves when the process has ended, before its jobs reject. Never rejects. */
  readonly ended: Promise<void>;
  /** Resolves when its folder is gone too. Never rejects. */
  readonly gone: Promise<void>;
  /** Documents it was given. */
  documents = 0;
  /** Whether a child of it crashed. */
  crashed = false;

  readonly #process: ChildProcess;
  readonly #connection: KitConnection;
  readonly #log: Log;
  readonly #jobs = new KitJobs();
  #announce: (ready: Ready) => void = () => {};
  #about: Ready | undefined;
  #watchdog: Watchdog | undefined;
  #idleChildren = 0;
  /** Whether it was told to end. */
  #isEnding = false;
  /** Why it ended; the first known reason wins. */
  #reason: string | undefined;
  /** Whether something outside the service killed it. */
  #killed = false;
  #ended = false;

  /**
   * Starts a kit and waits until it has warmed up.
   *
   * @param signal ends a start that is no longer wanted.
   * @throws KitGone with the reason when it does not get ready. It leaves nothing behind.
   */
  static async start(options: KitOptions, signal: AbortSignal): Promise<KitProcess> {
    await rm(options.folder, { recursive: true, force: true });
    try {
      await mkdir(join(options.folder, 'run'), { recursive: true, mode: 0o700 });
      await fillKitFolder(options.folder, options.fontsDir);
      const layers = await readOnlyConfigurationLayers(kitFiles.settings);
      if (signal.aborted) throw new KitGone('it was stopped');
      const kit = new KitProcess(options, layers);
      kit.#about = await kit.#waitUntilReady(options.startLimitMs, signal);
      if (!kit.#ended) kit.#watch(options.onSuspected);
      return kit;
    } catch (error) {
      await rm(options.folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
      throw error;
    }
  }

  private constructor(options: KitOptions, configurationLayers: string) {
    this.#log = options.log;
    const { process, socket } = runKit(options, configurationLayers);
    this.#process = process;
    this.#connection = new KitConnection(socket, {
      onMessage: (message) => this.#receive(message),
      onBroken: ({ message }) => this.#kill(message),
    });
    this.ended = this.#end();
    this.gone = this.ended.then(() => this.#bury(options.folder));
  }

  /** Version of LibreOffice, such as `25.2.3.2`. */
  get libreOffice(): string | undefined {
    return this.#about?.libreOffice;
  }

  /** The sandbox layers that its children apply. */
  get sandbox(): readonly SandboxLayer[] {
    return sandboxOf(this.#about?.layers ?? 0);
  }

  /** What it changed in LibreOffice's loaded code. */
  get mends(): readonly Mend[] {
    return mendsOf(this.#about?.mends ?? 0);
  }

  /** Whether a child can convert several documents: what it makes does not depend on those before. */
  get canStay(): boolean {
    return canStay(this.#about?.mends ?? 0);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Jobs it is running now. */
  get running(): number {
    return this.#jobs.size;
  }

  /** Idle children, by its last report. */
  get idleChildren(): number {
    return this.#ended ? 0 : this.#idleChildren;
  }

  /** Whether it has not answered for a while: it may be stopped or hang. */
  get suspected(): boolean {
    return this.#watchdog?.suspects ?? false;
  }

  /** Why it ended, once it has. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /**
   * Converts one document in a child and returns how the child ended. When the signal aborts, rejects with its reason once the
   * child is gone.
   *
   * @throws KitGone, KitRefused
   */
  async convert(task: Task, signal: AbortSignal): Promise<Finished> {
    signal.throwIfAborted();
    if (this.#ended) throw new KitGone(this.#reason, this.#killed);
    this.documents++;
    const { id } = task;
    const finished = this.#jobs.add(id);
    let overdue: NodeJS.Timeout | undefined;
    const cancel = () => {
      this.#connection.send({ verb: 'cancel', id });
      overdue = setTimeout(() => this.#kill('it did not end a cancelled job'), CANCEL_TIMEOUT_MS);
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      this.#connection.send({ verb: 'convert', ...task });
      const result = await finished;
      signal.throwIfAborted();
      return result;
    } finally {
      clearTimeout(overdue);
      signal.removeEventListener('abort', cancel);
      this.#jobs.remove(id);
    }
  }

  /** Ends the child that waits for another document in this folder, if there is one. */
  release(folder: string): void {
    this.#connection.send({ verb: 'release', folder });
  }

  /** Ends the process and its children; running jobs reject with KitGone. */
  async stop(): Promise<void> {
    this.#reason ??= 'it was stopped';
    this.#isEnding = true;
    // A healthy kit falls silent now because it ends; a suspected one may still turn out to be dead.
    if (!this.suspected) this.#watchdog?.stop();
    this.#connection.end();
    const timer = setTimeout(() => this.#kill('it did not stop'), STOP_TIMEOUT_MS);
    await this.gone;
    clearTimeout(timer);
  }

  /** Kills the process if it is stopped or hangs. */
  #watch(onSuspected: () => void): void {
    this.#watchdog = new Watchdog({
      ping: (number) => this.#connection.send({ verb: 'ping', number }),
      onSuspected: () => {
        this.#log.warn({ kit: this.pid }, 'the kit does not answer');
        onSuspected();
      },
      onDead: () => this.#kill('it did not answer'),
    });
  }

  /** Ends the kit at once; the kernel ends its children with it. */
  #kill(reason: string): void {
    this.#reason ??= reason;
    this.#watchdog?.stop();
    this.#connection.destroy();
    this.#process.kill('SIGKILL');
  }

  #receive(message: Message): void {
    switch (message.verb) {
      case 'ready':
        if (message.protocol === PROTOCOL) this.#announce(message);
        else this.#kill('it speaks another version of the protocol; rebuild it');
        break;
      case 'started':
        this.#log.debug({ job: message.id, child: message.pid }, 'child started');
        this.#jobs.started(message.id, message.pid);
        break;
      case 'finished':
        if (message.outcome === 'crashed') this.crashed = true;
        this.#jobs.finished(message);
        break;
      case 'lost':
        this.#log.warn({ signal: message.signal }, 'a child crashed while it waited for another document');
        this.crashed = true;
        break;
      case 'refused':
        this.#jobs.failed(message.id, new KitRefused(message.reason));
        break;
      case 'pong':
        if (!this.#watchdog) throw new ProtocolError('the kit answered a ping that was not sent');
        this.#watchdog.answered(message.number);
        if (this.#isEnding) this.#watchdog.stop();
        this.#idleChildren = message.idleChildren;
        break;
      case 'fault':
        this.#reason ??= message.text;
        break;
    }
  }

  async #waitUntilReady(limitMs: number, signal: AbortSignal): Promise<Ready> {
    const announced = new Promise<Ready>((resolve) => {
      this.#announce = resolve;
    });
    const died = this.gone.then((): never => {
      throw new KitGone(this.#reason);
    });
    // Once it is ready, its jobs are told of its end, not this promise.
    died.catch(() => {});
    const timer = setTimeout(() => this.#kill('it was not ready in time'), limitMs);
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
    const stream = this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-MAX_STDERR);
    });
    let late: NodeJS.Timeout | undefined;
    // A child that is stopped before it can arrange to end with the kit holds these open.
    this.#process.once('exit', () => {
      late = setTimeout(() => {
        stream?.destroy();
        this.#connection.destroy();
      }, LAST_WORDS_MS);
    });
    await new Promise<void>((resolve) => {
      this.#process.once('error', (error) => {
        this.#reason ??= error.message;
        resolve();
      });
      this.#process.once('close', (code, signal) => {
        this.#killed = signal === 'SIGKILL' && this.#reason === undefined;
        this.#reason ??= `it ended with ${signal ?? `exit code ${code}`}. ${stderr.trim()}`.trim();
        resolve();
      });
    });
    clearTimeout(late);
    this.#ended = true;
    this.#watchdog?.stop();
    this.#connection.destroy();
  }

  /** Rejects the jobs of an ended process and removes its folder. */
  async #bury(folder: string): Promise<void> {
    this.#jobs.allFailed(new KitGone(this.#reason, this.#killed));
    // Retries: children that die with it may still be in a system call there.
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch((error: unknown) => {
      this.#log.warn({ err: error, folder }, 'the folder of a kit could not be removed');
    });
  }
}
