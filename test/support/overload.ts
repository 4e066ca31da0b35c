/** A server under many times its capacity: throughput, refusals, and what remains afterwards. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { writePlans } from '../e2e/support/plans.ts';
import { rawUpload } from '../e2e/support/requests.ts';
import { docx } from './documents.ts';
import { type RawAnswer, sendClosed, sendOpen } from './raw-clients.ts';
import { Server } from './server.ts';

const run = promisify(execFile);

interface OverloadOptions {
  /** How long the peak is measured, in milliseconds; a third of it is the warm-up. */
  readonly peakMs: number;
  /** How long the overload lasts, in milliseconds. */
  readonly overloadMs: number;
  /** The load as a multiple of the peak. */
  readonly factor: number;
  /** Number of customers that share the load. */
  readonly accounts: number;
  /** Time between the end of the overload and the second measurement, in milliseconds. */
  readonly recoveryMs: number;
  readonly env?: Readonly<Record<string, string>>;
}

interface Overload {
  readonly peakPerSecond: number;
  readonly offeredPerSecond: number;
  readonly deliveredPerSecond: number;
  /** Answers during the peak measurement, and during the overload. */
  readonly peak: readonly RawAnswer[];
  readonly answers: readonly RawAnswer[];
  /** Times of the refusals, in milliseconds. */
  readonly refusalMs: readonly number[];
  /** Times of sequential conversions, in milliseconds. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** Resident sizes in MiB: of the server before, at most during, and after the overload; of the kit at most. */
  readonly memory: {
    readonly before: number;
    readonly most: number;
    readonly after: number;
    readonly kit: number;
  };
  /** Processor time during the overload, in cores. */
  readonly cores: { readonly server: number; readonly redis: number; readonly clients: number };
  readonly server: Server;
}

/** Starts a server, measures its peak, overloads it and measures again. The caller stops the server. */
export async function overload(options: OverloadOptions): Promise<Overload> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-overload-'));
  try {
    const PLANS_FILE = await writePlans(folder, { unlimited: {} });
    return await overloaded(
      options,
      await Server.start({ env: { PLANS_FILE, LOG_LEVEL: 'info', ...options.env } }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function overloaded(options: OverloadOptions, server: Server): Promise<Overload> {
  const { peakMs, overloadMs, factor, accounts, recoveryMs } = options;
  try {
    const requests = await customers(server, accounts);
    const single = async () => {
      const answers = await sendClosed(server.url, requests, { clients: 1, milliseconds: recoveryMs / 2 });
      return answers.map(({ ms }) => ms);
    };
    await sendClosed(server.url, requests, { clients: 8, milliseconds: peakMs / 3 });
    const before = await single();
    const memoryBefore = await residentMiB(server.pid);
    const peak = await sendClosed(server.url, requests, { clients: 8, milliseconds: peakMs });
    const peakPerSecond = count(peak, 200) / (peakMs / 1000);
    const offeredPerSecond = peakPerSecond * factor;

    const processes = await Processes.of(server);
    const began = performance.now();
    const watch = processes.watch();
    const answers = await sendOpen(server.url, requests, {
      perSecond: offeredPerSecond,
      milliseconds: overloadMs,
    });
    const seconds = (performance.now() - began) / 1000;
    const { most, kit, cores } = await watch.end(seconds);
    await delay(recoveryMs);
    return {
      peakPerSecond,
      offeredPerSecond,
      deliveredPerSecond: count(answers, 200) / seconds,
      peak,
      answers,
      refusalMs: answers.filter(({ status }) => status !== 200).map(({ ms }) => ms),
      before,
      after: await single(),
      memory: { before: memoryBefore, most, after: await residentMiB(server.pid), kit },
      cores,
      server,
    };
  } catch (error) {
    await server.stop('SIGKILL');
    throw error;
  }
}

export function count(answers: readonly RawAnswer[], status: number): number {
  return answers.filter((answer) => answer.status === status).length;
}

/** A request of each customer. */
async function customers(server: Server, accounts: number): Promise<Buffer[]> {
  const requests: Buffer[] = [];
  for (let n = 1; n <= accounts; n++) {
    const id = `customer-${n}`;
    await server.createAccount({ id, name: id, plan: 'unlimited' });
    const { key } = await server.createKey({ account: id });
    requests.push(rawUpload(key, docx({ paragraphs: [`The document of ${id}.`] })));
  }
  return requests;
}

/** Resources of a server's processes. */
class Processes {
  readonly #server: Server;
  readonly #redis: number;

  private constructor(server: Server, redis: number) {
    this.#server = server;
    this.#redis = redis;
  }

  static async of(server: Server): Promise<Processes> {
    const { pid = 0 } =
      (await server.processes()).find(({ command }) => command.includes('redis-server')) ?? {};
    return new Processes(server, pid);
  }

  /** Samples every half second until stopped. */
  watch(): { end(seconds: number): Promise<Pick<Overload, 'cores'> & { most: number; kit: number }> } {
    let most = 0;
    let kit = 0;
    const look = async () => {
      most = Math.max(most, await residentMiB(this.#server.pid));
      kit = Math.max(kit, await this.#kitMiB());
    };
    let last: Promise<unknown> = look();
    const timer = setInterval(() => {
      last = look().catch(() => {});
    }, 500);
    const used = () => Promise.all([processorSeconds(this.#server.pid), processorSeconds(this.#redis)]);
    const before = used();
    const own = process.cpuUsage();
    return {
      end: async (seconds) => {
        clearInterval(timer);
        await last;
        const [[server0, redis0], [server1, redis1]] = await Promise.all([before, used()]);
        const { user, system } = process.cpuUsage(own);
        const cores = {
          server: (server1 - server0) / seconds,
          redis: (redis1 - redis0) / seconds,
          clients: (user + system) / 1e6 / seconds,
        };
        return { most, kit, cores };
      },
    };
  }

  async #kitMiB(): Promise<number> {
    const { stdout } = await run('pgrep', ['-P', String(this.#server.pid), '-f', 'platen-kit']);
    const sizes = await Promise.all(
      stdout
        .trim()
        .split('\n')
        .map((pid) => residentMiB(Number(pid))),
    );
    return Math.max(...sizes);
  }
}

async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024);
}

/** User and system time of a process: fields 14 and 15 of proc(5) stat, in ticks of a hundredth of a second. */
async function processorSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
