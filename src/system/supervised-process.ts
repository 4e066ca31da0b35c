/** A child process that is kept running until it is stopped, and dies with this process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from './log.ts';

const FIRST_RESTART_DELAY_MS = 250;
const LAST_RESTART_DELAY_MS = 30_000;
/** A process that lived this long was healthy: back-off starts over. */
const HEALTHY_AFTER_MS = 60_000;

interface SupervisedProcessOptions {
  /** For the log. */
  readonly name: string;
  /** Program and arguments. It ends when its standard input does. */
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Time to end after SIGTERM before SIGKILL, in milliseconds. */
  readonly patienceMs: number;
  readonly log: Log;
}

export class SupervisedProcess {
  readonly #options: SupervisedProcessOptions;
  readonly #stopping = new AbortController();
  #child: ChildProcess | undefined;
  #supervision: Promise<void> | undefined;

  constructor(options: SupervisedProcessOptions) {
    this.#options = options;
  }

  /** Process id; undefined while there is none. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts it, in the background. Never rejects. */
  start(): void {
    this.#supervision ??= this.#supervise();
  }

  /** Ends it; resolves when it is gone. Idempotent. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const child = this.#child;
    child?.kill('SIGTERM');
    const timer = setTimeout(() => child?.kill('SIGKILL'), this.#options.patienceMs);
    await this.#supervision;
    clearTimeout(timer);
  }

  async #supervise(): Promise<void> {
    const { name, log } = this.#options;
    const { signal } = this.#stopping;
    let wait = FIRST_RESTART_DELAY_MS;
    while (!signal.aborted) {
      const startedAt = performance.now();
      const reason = await this.#run();
      if (signal.aborted) return;
      if (performance.now() - startedAt > HEALTHY_AFTER_MS) wait = FIRST_RESTART_DELAY_MS;
      log.error({ process: name, reason, restartInMs: wait }, 'a process ended');
      await delay(wait, undefined, { signal }).catch(() => {});
      wait = Math.min(2 * wait, LAST_RESTART_DELAY_MS);
    }
  }

  /** Runs it once. @returns why it ended. */
  async #run(): Promise<string> {
    const { command, env } = this.#options;
    try {
      // The kernel ends it with this process; the end of its input does, if this process ended before it was told so.
      const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--no-new-privs', ...command], {
        env,
        stdio: ['pipe', 'inherit', 'inherit'],
      });
      this.#child = child;
      // Writing to a dead process fails. Without descriptors there is no pipe.
      child.stdin?.on('error', () => {});
      const [code, signal] = await once(child, 'exit');
      return signal ?? `exit code ${code}`;
    } catch (error) {
      return (error as Error).message;
    } finally {
      this.#child = undefined;
    }
  }
}
