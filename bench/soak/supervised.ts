/** A process that is started again after it ended, as a supervisor does (`restart: always`). */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../test/support/until.ts';

/** Between the end and the next start. */
const RESTART_MS = 1_000;
const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 120_000;

/** A line of a log. */
export type LogLine = { readonly msg?: string } & Readonly<Record<string, unknown>>;

interface Program {
  readonly name: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The line of its log that says that it is ready. */
  readonly readyMessage: string;
  /** Is told of each line of the log. */
  readonly onLine: (line: LogLine) => void;
  /** Called when a process ended unexpectedly. */
  readonly onDeath: (how: string) => void;
}

export class Supervised {
  readonly name: string;
  readonly #program: Program;
  #child: ChildProcess | undefined;
  #startedAt = 0;
  #isReady = false;
  #isWanted = true;
  /** Whether it is to end now. */
  #isDoomed = false;
  #supervising: Promise<void> | undefined;

  constructor(program: Program) {
    this.name = program.name;
    this.#program = program;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Seconds since its process started. */
  get ageSeconds(): number {
    return (performance.now() - this.#startedAt) / 1_000;
  }

  /** Starts it, and again whenever it ends. Resolves when it is ready for the first time. */
  async start(): Promise<void> {
    this.#supervising = this.#supervise();
    await this.ready();
  }

  async ready(): Promise<void> {
    await until(`${this.name} is ready`, () => this.#isReady, START_LIMIT_MS);
  }

  kill(): void {
    this.#isDoomed = true;
    this.#isReady = false;
    this.#child?.kill('SIGKILL');
  }

  /** Ends it for good. @returns how it ended: `0`, another code, or a signal. */
  async stop(): Promise<string> {
    this.#isWanted = false;
    const child = this.#child;
    child?.kill('SIGTERM');
    const timer = setTimeout(() => child?.kill('SIGKILL'), STOP_LIMIT_MS);
    await this.#supervising;
    clearTimeout(timer);
    return String(child?.signalCode ?? child?.exitCode);
  }

  async #supervise(): Promise<void> {
    while (this.#isWanted) {
      this.#isDoomed = false;
      const child = this.#launch();
      const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
      this.#isReady = false;
      if (!this.#isWanted) return;
      if (!this.#isDoomed) this.#program.onDeath(`${this.name} ended with ${signal ?? code}`);
      await delay(RESTART_MS);
    }
  }

  #launch(): ChildProcess {
    const { command, env, readyMessage, onLine } = this.#program;
    // The kernel ends it with this process, however that ends.
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...command], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    this.#startedAt = performance.now();
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = readLine(text);
      if (!line) return;
      if (line.msg === readyMessage && !this.#isDoomed) this.#isReady = true;
      onLine(line);
    });
    return child;
  }
}

/** Undefined if it is no log line, or an incomplete one, such as the last line of a killed process. */
function readLine(text: string): LogLine | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return undefined;
  }
}
