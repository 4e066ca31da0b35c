/** The service of the soak: two servers and two egress processes on one Redis and S3. */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startRedis, type TestRedis } from '../../test/e2e/support/redis.ts';
import { openJobs } from '../../test/support/server.ts';
import { childrenOf, commandOf } from '../processes.ts';
import type { S3 } from '../s3.ts';
import { type LogLine, Supervised } from './supervised.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SHARED_MEMORY = '/dev/shm';
/** How long results of jobs are kept, so that what is stored stops growing within minutes. */
const RETENTION_HOURS = 0.1;
export const RETENTION_MS = RETENTION_HOURS * 3_600_000;
/** With the defaults of the queue and the conversion, a reservation whose server died lasts for three minutes. */
const limits = { UPLOAD_TIMEOUT_MS: '60000', DELIVERY_TIMEOUT_MS: '20000' };
export const RESERVATION_MS = 190_000;
/** A range outside of this machine's ephemeral ports. */
const PORTS = [20_000, 30_000] as const;
/** pino's level of warnings. */
const WARN = 40;

/** One of the two servers. */
export class SoakServer {
  readonly process: Supervised;
  readonly dataDir: string;
  readonly workDir: string;
  url = '';
  /** The kit that took over last. */
  kit: number | undefined;
  kitSince = 0;

  constructor(name: string, folders: { data: string; jobs: string }, env: Env, watch: Watch) {
    this.dataDir = folders.data;
    this.workDir = folders.jobs;
    this.process = new Supervised({
      name,
      command: [process.execPath, '--enable-source-maps', join(root, 'dist/main.js')],
      env: { ...env, DATA_DIR: this.dataDir, WORK_DIR: this.workDir, HOST: '127.0.0.1', PORT: '0' },
      readyMessage: 'ready',
      onLine: (line) => {
        if (line.msg === 'listening') this.url = String(line.address);
        if (line.msg === 'kit ready') {
          this.kit = Number(line.kit);
          this.kitSince = performance.now();
        }
        watch.onLine(name, line);
      },
      onDeath: watch.onDeath,
    });
  }

  async children(): Promise<number[]> {
    return this.kit === undefined ? [] : childrenOf(this.kit).catch(() => []);
  }

  /** The processes that read large packages. */
  async readers(): Promise<number[]> {
    const { pid } = this.process;
    const children = pid === undefined ? [] : await childrenOf(pid).catch(() => []);
    const commands = await Promise.all(children.map(commandOf));
    return children.filter((_, n) => commands[n]?.includes('reading/reader'));
  }

  /** Folders of documents in progress. */
  async jobFolders(): Promise<string[]> {
    return openJobs(this.workDir);
  }
}

type Env = Readonly<Record<string, string>>;

interface Watch {
  readonly onLine: (process: string, line: LogLine) => void;
  readonly onDeath: (how: string) => void;
}

export class SoakService {
  readonly token = `soak-${randomBytes(16).toString('hex')}`;
  readonly servers: readonly SoakServer[];
  readonly egresses: readonly Supervised[];
  readonly redis: TestRedis;
  redisSince = performance.now();
  readonly s3: S3Process;
  /** The folders with all its files; the command line of each of its processes names one. */
  readonly folders: readonly string[];
  /** Messages of the log, by how often they came: warnings, errors, and failures of documents. */
  readonly troubles = new Map<string, number>();
  /** Ids of requests that are not known to be billed. */
  readonly unbilled = new Set<string>();
  /** Processes that ended without being killed. */
  readonly deaths: string[] = [];

  private constructor(
    redis: TestRedis,
    s3: S3Process,
    folders: Folders,
    logFile: string,
    documentsPerChild: string,
  ) {
    this.redis = redis;
    this.s3 = s3;
    this.folders = [folders.disk, folders.memory];
    const shared: Env = {
      REDIS_URL: redis.socket,
      S3_BUCKET: s3.about.bucket,
      S3_ENDPOINT: s3.about.endpoint,
      S3_PATH_STYLE: 'true',
      ...s3.about.credentials,
      EGRESS_ALLOW_HTTP: 'true',
      EGRESS_ALLOW_NETWORKS: '127.0.0.1/32',
    };
    const env: Env = {
      ...shared,
      ...limits,
      OPERATOR_TOKEN: this.token,
      WORKERS: '1',
      DOCUMENTS_PER_CHILD: documentsPerChild,
      DRAIN_DELAY_MS: '0',
      JOB_RETENTION_HOURS: String(RETENTION_HOURS),
      PUBLIC_PER_HOUR: '1000000',
      PUBLIC_PER_SECOND: '1000',
    };
    const watch: Watch = {
      onLine: (process, line) => {
        if (line.msg === 'a conversion is not known to be billed') this.unbilled.add(String(line.reqId));
        const isFailure = line.reason !== undefined || line.outcome === 'failed';
        if (Number(line.level) < WARN && !isFailure) return;
        const message = `${process.replace(/-\d$/, '')}: ${line.msg}${line.reason ? `, ${line.reason}` : ''}`;
        this.troubles.set(message, (this.troubles.get(message) ?? 0) + 1);
        void appendFile(logFile, `${JSON.stringify({ process, ...line })}\n`);
      },
      onDeath: (how) => this.deaths.push(how),
    };
    this.servers = [1, 2].map((n) => {
      const own = { data: join(folders.disk, `server-${n}`), jobs: join(folders.memory, `server-${n}`) };
      return new SoakServer(`server-${n}`, own, env, watch);
    });
    this.egresses = [1, 2].map((n) => {
      const name = `egress-${n}`;
      const folder = join(folders.disk, name);
      return new Supervised({
        name,
        command: [process.execPath, '--enable-source-maps', join(root, 'dist/egress/main.js')],
        env: { ...shared, DATA_DIR: folder, WORK_DIR: join(folder, 'jobs') },
        readyMessage: 'egress is ready',
        onLine: (line) => watch.onLine(name, line),
        onDeath: watch.onDeath,
      });
    });
  }

  /** @param scope ends Redis and S3, and removes the folders, after {@link stop}. */
  static async start(scope: Scope, logFile: string, documentsPerChild: string): Promise<SoakService> {
    const disk = await mkdtemp(join(tmpdir(), 'platen-soak-'));
    const memory = existsSync(SHARED_MEMORY) ? join(SHARED_MEMORY, basename(disk)) : join(disk, 'memory');
    await mkdir(memory, { mode: 0o700 });
    scope.teardown(async () => {
      for (const folder of [disk, memory]) await rm(folder, { recursive: true, force: true });
    });
    const redis = await startRedis(scope);
    const s3 = await S3Process.start(scope, join(disk, 's3'));
    const service = new SoakService(redis, s3, { disk, memory }, logFile, documentsPerChild);
    for (const { dataDir } of service.servers) await mkdir(dataDir, { mode: 0o700 });
    const all = [...service.servers.map((server) => server.process), ...service.egresses];
    scope.teardown(async () => {
      for (const each of all) each.kill();
      await Promise.all(all.map((each) => each.stop()));
    });
    // One after the other: concurrent starts would slow each other down.
    for (const each of all) await each.start();
    return service;
  }

  /** The first is never killed as a whole, so that a slow leak has time to show. */
  get mortalServer(): SoakServer {
    return this.servers[1] as SoakServer;
  }

  /** As above. */
  get mortalEgress(): Supervised {
    return this.egresses[1] as Supervised;
  }

  /** Ends servers and egress processes as an operator does. @returns what did not end properly, or stayed. */
  async stop(): Promise<string[]> {
    const faults: string[] = [];
    const all = [...this.servers.map((server) => server.process), ...this.egresses];
    await Promise.all(
      all.map(async (each) => {
        const how = await each.stop();
        if (how !== '0') faults.push(`${each.name} ended with ${how}`);
      }),
    );
    for (const { workDir } of this.servers) {
      const left = (await readdir(workDir, { withFileTypes: true })).filter((entry) => entry.isDirectory());
      faults.push(...left.map(({ name }) => `the folder ${name} stayed`));
    }
    return [...faults, ...(await this.#leftProcesses())];
  }

  async #leftProcesses(): Promise<string[]> {
    const left: string[] = [];
    const own = new Set([process.pid, this.s3.pid]);
    for (const name of await readdir('/proc')) {
      if (!/^\d+$/.test(name) || own.has(Number(name))) continue;
      const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
      if (this.folders.some((folder) => command.includes(folder)))
        left.push(`process ${name} stayed: ${command}`);
    }
    return left;
  }
}

interface Folders {
  /** On a disk. */
  readonly disk: string;
  /** For documents in progress. */
  readonly memory: string;
}

/** What is ended with the soak, the last first. */
export interface Scope {
  teardown(close: () => unknown): void;
}

/** S3 as a process that can be killed, and starts again with what it stored, on the same port. */
class S3Process {
  readonly about: S3;
  readonly folder: string;
  readonly #port: number;
  #child: ChildProcess;

  private constructor(child: ChildProcess, about: S3, folder: string, port: number) {
    this.#child = child;
    this.about = about;
    this.folder = folder;
    this.#port = port;
  }

  static async start(scope: Scope, folder: string): Promise<S3Process> {
    await mkdir(folder);
    const port = await freePort();
    const { child, about } = await launch(folder, port);
    const s3 = new S3Process(child, about, folder, port);
    scope.teardown(() => s3.kill());
    return s3;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await ended;
  }

  async restart(): Promise<void> {
    const { child } = await launch(this.folder, this.#port);
    this.#child = child;
  }
}

async function launch(folder: string, port: number): Promise<{ child: ChildProcess; about: S3 }> {
  const child = fork(new URL('../s3.ts', import.meta.url), [folder, String(port)], {
    execArgv: ['--import=tsx'],
  });
  const failed = once(child, 'close').then(() => Promise.reject(new Error('S3 does not start')));
  failed.catch(() => {});
  const [about] = await Promise.race([once(child, 'message'), failed]);
  return { child, about: about as S3 };
}

async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS[0] + Math.floor(Math.random() * (PORTS[1] - PORTS[0]));
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
