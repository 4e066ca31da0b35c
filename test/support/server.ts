/** The built service as a process of its own, on a port and a data folder of its own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** A line of the service's log. */
export type LogLine = { msg?: string } & Record<string, unknown>;

export interface StartOptions {
  /** Environment of the service beside DATA_DIR, JOBS_DIR and PORT. */
  readonly env?: Readonly<Record<string, string>>;
  /** A data folder that outlives the server; by default it has one of its own that goes with it. */
  readonly dataDir?: string;
}

export class Server {
  readonly url: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** Every log line so far. */
  readonly log: LogLine[];
  readonly #env: NodeJS.ProcessEnv;
  readonly #ownsDataDir: boolean;
  readonly #ended: Promise<[number | null, NodeJS.Signals | null]>;

  private constructor(
    process: ChildProcess,
    url: string,
    dataDir: string,
    ownsDataDir: boolean,
    env: NodeJS.ProcessEnv,
    log: LogLine[],
    ended: Promise<[number | null, NodeJS.Signals | null]>,
  ) {
    this.process = process;
    this.url = url;
    this.dataDir = dataDir;
    this.log = log;
    this.#ownsDataDir = ownsDataDir;
    this.#env = env;
    this.#ended = ended;
  }

  /** Starts the service and waits until it is ready. */
  static async start({ env = {}, dataDir }: StartOptions = {}): Promise<Server> {
    const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'platen-')));
    const environment = {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: folder,
      JOBS_DIR: join(folder, 'jobs'),
      DRAIN_DELAY_MS: '0',
      ...env,
    };
    const child = spawn(process.execPath, ['dist/main.js'], {
      cwd: root,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const log: LogLine[] = [];
    let url = '';
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (text) => {
        const line = JSON.parse(text) as LogLine;
        log.push(line);
        if (line.msg === 'listening') url = String(line.address);
        if (line.msg === 'ready') resolve();
      });
      ended.then(
        ([code, signal]) => reject(new Error(`the server ended (${code ?? signal}): ${stderr}`)),
        reject,
      );
    });
    return new Server(child, url, folder, dataDir === undefined, environment, log, ended);
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** Runs `platen …` against this server's Redis and returns the JSON it prints. */
  async cli<T>(...args: string[]): Promise<T> {
    const { stdout } = await run(process.execPath, ['dist/cli/main.js', ...args, '--json'], {
      cwd: root,
      env: this.#env,
    });
    return JSON.parse(stdout) as T;
  }

  /** A fresh key of a fresh account. */
  async createKey(...options: string[]): Promise<{ id: string; key: string; account: string }> {
    const { id: account } = await this.cli<{ id: string }>(
      'accounts',
      'create',
      '--name',
      'Test',
      '--plan',
      'enterprise',
    );
    return this.cli(
      ...['keys', 'create', '--account', account, '--name', 'test'],
      ...['--env', 'live', '--type', 'sk', ...options],
    );
  }

  /** Sends a signal and waits for the process to end, then removes its data folder. */
  async stop(
    signal: NodeJS.Signals = 'SIGTERM',
  ): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    this.process.kill(signal);
    return this.ended();
  }

  /** Waits for the process to end. */
  async ended(): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    const [code, signal] = await this.#ended;
    if (this.#ownsDataDir) await rm(this.dataDir, { recursive: true, force: true });
    return { code, signal };
  }
}

/** A form with the document as its part `file`. */
export function form(document: Uint8Array, fileName = 'document.docx'): FormData {
  const data = new FormData();
  data.set('file', new Blob([document as Uint8Array<ArrayBuffer>]), fileName);
  return data;
}
