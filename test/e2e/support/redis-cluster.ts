/** A Redis Cluster of the test's own: three masters, no replicas. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Test } from 'tap';

const run = promisify(execFile);
const MASTERS = 3;

export interface TestCluster {
  /** URL of one of its nodes. */
  readonly url: string;
  readonly nodes: readonly ChildProcess[];
}

/** Starts a cluster that takes commands. Its processes end and its folder goes with the test. */
export async function startRedisCluster(t: Pick<Test, 'teardown'>): Promise<TestCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-cluster-'));
  const nodes: ChildProcess[] = [];
  t.teardown(async () => {
    for (const node of nodes) node.kill('SIGKILL');
    await Promise.all(nodes.map((node) => node.exitCode ?? node.signalCode ?? once(node, 'close')));
    await rm(folder, { recursive: true, force: true });
  });
  const ports = await freePorts(2 * MASTERS);
  const clientPorts = ports.slice(0, MASTERS);
  for (const [n, port] of clientPorts.entries()) {
    const dir = join(folder, String(port));
    await mkdir(dir);
    const cluster = ['--cluster-enabled', 'yes', '--cluster-port', String(ports[MASTERS + n])];
    nodes.push(await startNode(['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, ...cluster]));
  }
  const addresses = clientPorts.map((port) => `127.0.0.1:${port}`);
  await run('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes']);
  return { url: `redis://${addresses[0]}`, nodes };
}

async function startNode(args: readonly string[]): Promise<ChildProcess> {
  // The kernel ends it with the test, however the test ends.
  const node = spawn('setpriv', ['--pdeathsig', 'KILL', 'redis-server', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: node.stdout }).on('line', (line) => {
      if (line.includes('Ready to accept connections')) resolve();
    });
    node.once('close', () => reject(new Error('redis-server does not start')));
  });
  return node;
}

/** Ports that were free a moment ago, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  for (const server of servers) server.close();
  return ports;
}
