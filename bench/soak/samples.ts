/** What the service holds, every few seconds, as tables of tab-separated values. */
import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { kibibytes } from '../processes.ts';
import { type Kind, MEASURED, measureKinds } from './redis-kinds.ts';
import { RETENTION_MS, type SoakService } from './service.ts';

const PROCESSES_MS = 5_000;
const DISK_MS = 10_000;
const REDIS_MS = 20_000;

/** By then, an object of a job has gone. How many there are before depends on how many jobs come. */
const OVERDUE_MS = 2 * RETENTION_MS;

/** API keys, which members make by the clock, and the upkeep of a job, which goes with its record after a week. */
const LAST_BY_DESIGN = /^platen:(key-owner|locator|keys:ending|\{ACCOUNT\}:key|\{jobs\}:upkeep):/;

/** The tables and their columns. `documents` are those that have ended so far, `age` is that of the process in seconds. */
export const tables = {
  processes: [
    ...['seconds', 'documents', 'process', 'pid', 'age'],
    ...['rssKiB', 'pssKiB', 'privateKiB', 'descriptors', 'threads'],
  ],
  disk: [
    ...['seconds', 'documents', 'age'],
    ...[
      'objects',
      'overdueObjects',
      'objectKiB',
      'uploads',
      'jobFolders',
      'memoryKiB',
      'dataKiB',
      'redisKiB',
    ],
  ],
  redis: ['seconds', 'documents', 'age', 'keys', 'usedBytes', 'recordBytes', 'restBytes', 'lastingKeys'],
  kinds: ['seconds', 'documents', 'kind', 'count', 'bytes'],
  kills: ['seconds', 'documents', 'process', 'awaySeconds'],
} as const;
export type Table = keyof typeof tables;

export class Samples {
  readonly #service: SoakService;
  readonly #folder: string;
  readonly #documents: () => number;
  readonly #started = performance.now();
  readonly #busy: Promise<void>[] = [];
  #isOver = false;

  /** @param documents that have ended so far. */
  constructor(service: SoakService, folder: string, documents: () => number) {
    this.#service = service;
    this.#folder = folder;
    this.#documents = documents;
  }

  async start(): Promise<void> {
    for (const [table, columns] of Object.entries(tables))
      await writeFile(join(this.#folder, `${table}.tsv`), `${columns.join('\t')}\n`);
    this.#busy.push(
      this.#repeat(PROCESSES_MS, () => this.#processes()),
      this.#repeat(DISK_MS, () => this.#disk()),
      this.#repeat(REDIS_MS, () => this.#redis()),
    );
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#busy);
  }

  /** @param values those after `seconds` and `documents`. */
  async add(table: Table, ...values: readonly (string | number)[]): Promise<void> {
    const seconds = (performance.now() - this.#started) / 1_000;
    const row = [seconds.toFixed(1), this.#documents(), ...values];
    await appendFile(join(this.#folder, `${table}.tsv`), `${row.join('\t')}\n`);
  }

  async #repeat(everyMs: number, sample: () => Promise<void>): Promise<void> {
    for (let next = performance.now(); !this.#isOver; next = Math.max(next + everyMs, performance.now())) {
      while (performance.now() < next && !this.#isOver)
        await delay(Math.min(500, Math.max(1, next - performance.now())));
      if (!this.#isOver) await sample();
    }
  }

  async #processes(): Promise<void> {
    const { servers, egresses, redis, redisSince, s3 } = this.#service;
    const seconds = (since: number) => (performance.now() - since) / 1_000;
    for (const [index, { process: server, kit, kitSince }] of servers.entries()) {
      await this.#process(server.name, server.pid, server.ageSeconds);
      await this.#process(`kit-${index + 1}`, kit, seconds(kitSince));
      for (const child of (await servers[index]?.children()) ?? [])
        await this.#process(`child-${index + 1}`, child, seconds(kitSince));
    }
    for (const egress of egresses) await this.#process(egress.name, egress.pid, egress.ageSeconds);
    await this.#process('redis', redis.child.pid, seconds(redisSince));
    await this.#process('s3', s3.pid, 0);
  }

  async #process(name: string, pid: number | undefined, age: number): Promise<void> {
    if (pid === undefined) return;
    try {
      const [rollup, status, descriptors] = await Promise.all([
        readFile(`/proc/${pid}/smaps_rollup`, 'utf8'),
        readFile(`/proc/${pid}/status`, 'utf8'),
        readdir(`/proc/${pid}/fd`),
      ]);
      await this.add(
        'processes',
        ...[name, pid, age.toFixed(1), kibibytes(rollup, 'Rss'), kibibytes(rollup, 'Pss')],
        ...[kibibytes(rollup, 'Private_Clean', 'Private_Dirty'), descriptors.length],
        Number(/^Threads:\s+(\d+)$/m.exec(status)?.[1]),
      );
    } catch (error) {
      // It has ended meanwhile.
      if (!['ENOENT', 'ESRCH'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
    }
  }

  async #disk(): Promise<void> {
    const { servers, egresses, redis, s3, folders } = this.#service;
    const stored = await filesIn(s3.folder);
    const objects = stored.filter(({ path }) => path.endsWith('._S3rver_object'));
    const overdue = objects.filter(({ changed }) => Date.now() - changed > OVERDUE_MS);
    const uploads = new Set(stored.flatMap(({ path }) => /\/uploads\/([^/]+)\//.exec(path)?.[1] ?? []));
    const data = await Promise.all(servers.map(({ dataDir }) => filesIn(dataDir)));
    const ways = await Promise.all(egresses.map(({ name }) => filesIn(join(folders[0] as string, name))));
    const open = await Promise.all(servers.map((server) => server.jobFolders()));
    const own = await filesIn(folders[1] as string);
    await this.add(
      'disk',
      ((performance.now() - this.#service.redisSince) / 1_000).toFixed(1),
      ...[objects.length, overdue.length, kib(objects), uploads.size, open.flat().length, kib(own)],
      ...[kib([...data, ...ways].flat()), kib(await filesIn(join(redis.socket, '..')))],
    );
  }

  async #redis(): Promise<void> {
    const { client } = this.#service.redis;
    const age = () => ((performance.now() - this.#service.redisSince) / 1_000).toFixed(1);
    // It is killed now and then: this sample is then left out.
    const kinds = await measureKinds(client, MEASURED).catch(() => undefined);
    const used = await usedBytes(client).catch(() => undefined);
    if (!kinds || used === undefined) return;
    const all = [...kinds.values()];
    const sum = (of: (kind: Kind) => number) => all.reduce((total, kind) => total + of(kind), 0);
    const records = Math.round(sum(({ bytes }) => bytes));
    const others = [...kinds].filter(([name]) => !LAST_BY_DESIGN.test(name));
    const lasting = Math.round(others.reduce((total, [, kind]) => total + kind.lasting, 0));
    await this.add(
      'redis',
      age(),
      sum(({ count }) => count),
      used,
      records,
      used - records,
      lasting,
    );
    for (const [kind, { count, bytes }] of kinds) await this.add('kinds', kind, count, Math.round(bytes));
  }
}

/** Memory that Redis has allocated, without its clients and buffers (INFO). */
async function usedBytes(redis: SoakService['redis']['client']): Promise<number> {
  const info = await redis.info('memory');
  const field = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  return (
    field('used_memory') -
    field('mem_clients_normal') -
    field('mem_aof_buffer') -
    field('used_memory_scripts')
  );
}

interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  /** By `Date.now()`. */
  readonly changed: number;
}

/** Files below a folder; what goes meanwhile is left out. */
async function filesIn(folder: string): Promise<StoredFile[]> {
  // Node's own recursion fails with the first folder that has gone.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesIn(path);
      const about = entry.isFile() ? await stat(path).catch(() => undefined) : undefined;
      return about ? [{ path, bytes: about.size, changed: about.mtimeMs }] : [];
    }),
  );
  return found.flat();
}

function kib(files: readonly StoredFile[]): number {
  return Math.round(files.reduce((sum, { bytes }) => sum + bytes, 0) / 1_024);
}
