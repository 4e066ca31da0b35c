/** Processes of Redis that know each other by TCP: the nodes of a cluster, masters and replicas, Sentinels. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';

/** Of the log of a server that does not start. */
const LAST_LINES = 5;

export interface RedisNode {
  readonly port: number;
  /** The process that was started last. */
  readonly child: ChildProcess;
  /** Sends a signal; waits for the end if that ends it. */
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /** Starts it again with the same data, once it has ended. */
  restart(): Promise<void>;
}

export class RedisNodes {
  readonly folder: string;
  readonly #children = new Set<ChildProcess>();

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Their processes end and their folder goes with the test. */
  static async open(t: Pick<Test, 'teardown'>): Promise<RedisNodes> {
    const nodes = new RedisNodes(await mkdtemp(join(tmpdir(), 'platen-redis-')));
    t.teardown(async () => {
      for (const child of nodes.#children) child.kill('SIGKILL');
      await Promise.all([...nodes.#children].map(ended));
      await rm(nodes.folder, { recursive: true, force: true });
    });
    return nodes;
  }

  /** Starts a node in a folder of its own, and waits until it accepts connections. */
  async start(port: number, settings: readonly string[]): Promise<RedisNode> {
    const dir = join(this.folder, String(port));
    await mkdir(dir);
    return this.run(port, ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, ...settings]);
  }

  /** Starts `redis-server` with these arguments. */
  async run(port: number, args: readonly string[]): Promise<RedisNode> {
    let child = await this.#launch(args);
    return {
      port,
      get child() {
        return child;
      },
      async signal(signal) {
        child.kill(signal);
        if (signal === 'SIGKILL') await ended(child);
      },
      restart: async () => {
        child = await this.#launch(args);
      },
    };
  }

  async #launch(args: readonly string[]): Promise<ChildProcess> {
    // The kernel ends it with the test, however the test ends.
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', 'redis-server', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#children.add(child);
    const lines: string[] = [];
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (lines.push(line) > LAST_LINES) lines.shift();
        if (/Ready to accept connections|Sentinel ID is/.test(line)) resolve();
      });
      child.once('close', () => {
        this.#children.delete(child);
        reject(new Error(`redis-server does not start:\n${lines.join('\n')}`));
      });
    });
    return child;
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
}
