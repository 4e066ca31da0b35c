/** The built service as a process, on its own port and data folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, on, once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { run as runCommand } from '../cli/support.ts';
import { until } from './until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Time limit for expected events. */
const PATIENCE_MS = 60_000;
/** Number of log lines in an error. */
const SHOWN_LINES = 60;

/** A line of the service's log. */
export type LogLine = { msg?: string } & Record<string, unknown>;

interface StartOptions {
  /** Environment of the service besides DATA_DIR, WORK_DIR and PORT. */
  readonly env?: Readonly<Record<string, string>>;
  /** A data folder that outlives the server; the default is a new one that is removed with it. */
  readonly dataDir?: string;
  /** Arguments of the service. */
  readonly args?: readonly string[];
  /** A command that runs the rest of its command line in the same process. */
  readonly wrapper?: readonly string[];
  /** Working folder; the project's by default. */
  readonly cwd?: string;
  /**
   * Whether it is in a session of its own, as in production: Linux shares processors fairly between sessions (sched_autogroup).
   * True by default.
   */
  readonly ownsSession?: boolean;
}

/** How a server ended, and which processes and folders it left behind. */
interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly leftovers: readonly string[];
}

interface RunningProcess {
  readonly pid: number;
  readonly command: string;
}

interface NewAccount {
  readonly name: string;
  readonly plan: string;
  readonly id?: string;
}

/** What differs from a usual key. */
export interface NewKey {
  readonly name?: string;
  readonly account?: string;
  readonly environment?: 'live' | 'test';
  readonly type?: 'pk' | 'sk';
  readonly expiresAt?: string;
  readonly permissions?: readonly string[];
  readonly ipRestrictions?: readonly string[];
  readonly origins?: readonly string[];
}

interface CreatedKey {
  readonly id: string;
  readonly key: string;
  readonly account: string;
  readonly display: string;
}

export class Server {
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** Every log line so far. */
  readonly log: LogLine[] = [];
  /** Its output besides the log, line by line. */
  readonly printed: string[] = [];
  readonly #env: NodeJS.ProcessEnv;
  readonly #ownsDataDir: boolean;
  readonly #events = new EventEmitter();
  readonly #ended: Promise<unknown[]>;
  #stderr = '';
  #account: Promise<{ id: string }> | undefined;

  private constructor(child: ChildProcess, dataDir: string, ownsDataDir: boolean, env: NodeJS.ProcessEnv) {
    this.process = child;
    this.dataDir = dataDir;
    this.#ownsDataDir = ownsDataDir;
    this.#env = env;
    this.#ended = once(child, 'close');
    this.#ended.then(
      () => this.#events.emit('end'),
      () => this.#events.emit('end'),
    );
    this.#follow();
  }

  /** Starts the service and waits until it is ready. */
  static async start(options: StartOptions = {}): Promise<Server> {
    const server = await Server.launch(options);
    await server.#orEnd(server.logged('ready'));
    return server;
  }

  /** Starts the service and waits until it listens. */
  static async launch(options: StartOptions = {}): Promise<Server> {
    const { env = {}, dataDir, args = [], wrapper = [], cwd = root, ownsSession = true } = options;
    const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'platen-')));
    const environment = {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: folder,
      WORK_DIR: join(folder, 'jobs'),
      DRAIN_DELAY_MS: '0',
      LOG_LEVEL: 'debug',
      // Late requests on a busy machine are not refused; test/attack/http-starvation.test.ts tests that.
      MAX_EVENT_LOOP_DELAY_MS: '60000',
      // Few tests need it, and it is another process.
      EGRESS: 'external',
      ...env,
    };
    // The kernel ends it with the test, even if the test crashes.
    const command = [...wrapper, process.execPath, join(root, 'dist/main.js'), ...args];
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...command], {
      cwd,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: ownsSession,
    });
    const server = new Server(child, folder, dataDir === undefined, environment);
    await server.#orEnd(server.logged('listening'));
    return server;
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** Warnings and errors in its log, without those of a Redis that is slow on a busy machine: the service converts all the same. */
  get troubles(): LogLine[] {
    const isSlow = ({ msg }: LogLine) => msg === 'the list of poisoned documents cannot be read';
    return this.log.filter((line) => Number(line.level) >= 40 && !isSlow(line));
  }

  /** Address that it listens on. */
  get url(): string {
    return String(this.log.find(({ msg }) => msg === 'listening')?.address);
  }

  /** The root folder of jobs. */
  get workDir(): string {
    return join(this.dataDir, 'jobs');
  }

  /** The first log line, past or future, with this message that matches. */
  async logged(msg: string, fits: (line: LogLine) => boolean = () => true): Promise<LogLine> {
    const matches = (line: LogLine) => line.msg === msg && fits(line);
    const past = this.log.find(matches);
    if (past) return past;
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      try {
        for await (const [line] of on(this.#events, 'line', { close: ['end'], signal })) {
          if (matches(line as LogLine)) return line as LogLine;
        }
      } catch (cause) {
        const last = this.log.slice(-SHOWN_LINES).map((line) => JSON.stringify(line));
        throw new Error(`the server did not log "${msg}":\n${last.join('\n')}`, { cause });
      }
    }
    throw new Error(`the server ended before it logged "${msg}": ${this.#stderr}`);
  }

  /** Runs `platen …` against this server's Redis and returns the JSON it prints. */
  async cli<T>(...args: string[]): Promise<T> {
    return JSON.parse(await this.cliText(...args, '--json')) as T;
  }

  /** Runs `platen …` against this server's Redis and returns what it prints. */
  async cliText(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await runCommand(this.#env, ...args);
    if (code !== 0) throw new Error(stderr);
    return stdout;
  }

  /** A fresh account. */
  createAccount(account: NewAccount): Promise<{ id: string }> {
    return this.#create('accounts', account);
  }

  /** A fresh secret live key of the server's one account, unless told otherwise. */
  async createKey(key: NewKey = {}): Promise<CreatedKey> {
    const account = key.account ?? (await this.#ownAccount()).id;
    return this.#create('keys', { name: 'test', environment: 'live', type: 'sk', ...key, account });
  }

  async revokeKey(id: string): Promise<void> {
    await this.#post(`keys/${id}/revoke`, {}, 200);
  }

  #ownAccount(): Promise<{ id: string }> {
    this.#account ??= this.createAccount({ name: 'Test', plan: 'enterprise' });
    return this.#account;
  }

  #create<T>(what: string, body: object): Promise<T> {
    return this.#post(what, body, 201);
  }

  /** As the operator, over the API: a command takes a hundred times as long. */
  async #post<T>(what: string, body: object, expected: number): Promise<T> {
    const token = await readFile(join(this.dataDir, 'operator-token'), 'utf8');
    const headers = { authorization: `Bearer ${token.trim()}`, 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const url = new URL(`/operator/v1/${what}`, this.url);
    let answer = await fetch(url, request);
    // On a busy machine it may refuse for a while.
    await until('the server takes what the operator asks', async () => {
      if (answer.status !== 503) return true;
      await answer.arrayBuffer();
      answer = await fetch(url, request);
      return false;
    });
    if (answer.status !== expected) throw new Error(await answer.text());
    return answer.json() as Promise<T>;
  }

  /** The folders of documents in progress. */
  async jobs(): Promise<string[]> {
    return openJobs(this.workDir);
  }

  /** Its descendants. Each has the data folder on its command line, or, if it reads packages, the server's process id. */
  async processes(): Promise<RunningProcess[]> {
    const running: RunningProcess[] = [];
    for (const name of await readdir('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      // It may end meanwhile.
      const text = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
      const command = text.replaceAll('\0', ' ').trim();
      const isReader = command.endsWith(`reading/reader.js ${this.pid}`);
      if (isReader || command.includes(this.dataDir)) running.push({ pid: Number(name), command });
    }
    return running;
  }

  /** Sends a signal, waits for the process to end, then removes its data folder. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<End> {
    this.process.kill(signal);
    return this.ended();
  }

  /** Waits for the process to end, and kills it if it does not. */
  async ended(): Promise<End> {
    const timer = setTimeout(() => this.process.kill('SIGKILL'), PATIENCE_MS);
    await this.#ended;
    clearTimeout(timer);
    const leftovers = await this.#leftovers();
    if (this.#ownsDataDir) await rm(this.dataDir, { recursive: true, force: true, maxRetries: 3 });
    return { code: this.process.exitCode, signal: this.process.signalCode, leftovers };
  }

  async #leftovers(): Promise<string[]> {
    const processes = await this.processes();
    return [
      ...processes.map(({ pid, command }) => `process ${pid}: ${command}`),
      ...(await subfolders(this.workDir)),
    ];
  }

  #follow(): void {
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    if (!this.process.stdout) return;
    createInterface({ input: this.process.stdout }).on('line', (text) => {
      if (!text.startsWith('{')) {
        this.printed.push(text);
        return;
      }
      const line = JSON.parse(text) as LogLine;
      this.log.push(line);
      this.#events.emit('line', line);
    });
  }

  /** Leaves no process or folder behind if the promise rejects. */
  async #orEnd(promise: Promise<unknown>): Promise<void> {
    try {
      await promise;
    } catch (error) {
      await this.stop('SIGKILL');
      throw error;
    }
  }
}

/** The folders of documents in the jobs folder, in which each server has its own. */
export async function openJobs(workDir: string): Promise<string[]> {
  const folders: string[] = [];
  for (const server of await subfolders(workDir)) folders.push(...(await subfolders(server)));
  return folders.filter((folder) => basename(folder) !== 'engine');
}

/** Paths of the folders in a folder; none if it is gone. */
async function subfolders(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return [];
  }
}

/** A form with the document as its part `file`. */
export function form(document: Uint8Array, fileName = 'document.docx'): FormData {
  const data = new FormData();
  data.set('file', new Blob([document as Uint8Array<ArrayBuffer>]), fileName);
  return data;
}
