/** Ports of servers that end and start again at the same address. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { Test } from 'tap';

/**
 * Blocks of ports, below those that the kernel gives to connections and to servers without a port of their own
 * (`net.ipv4.ip_local_port_range`): a client that keeps connecting to a closed port in that range at last gets it as its own, and
 * connects to itself.
 */
const FIRST = 10_000;
const BLOCKS = 1_400;
const SIZE = 16;

/** Reserves ports of 127.0.0.1 for this process, until the end of the test. */
export async function reservePorts(t: Pick<Test, 'teardown'>, count: number): Promise<number[]> {
  for (let n = 0; n < BLOCKS; n++) {
    const first = FIRST + SIZE * ((process.pid + n) % BLOCKS);
    // It keeps others from the block.
    const holder = await tryListening(first);
    if (!holder) continue;
    const ports: number[] = [];
    for (let port = first + 1; port < first + SIZE && ports.length < count; port++) {
      const server = await tryListening(port);
      if (server) ports.push(port);
      await server?.[Symbol.asyncDispose]();
    }
    if (ports.length === count) {
      t.teardown(() => holder.close());
      return ports;
    }
    holder.close();
  }
  throw new Error(`there are no ${count} free ports`);
}

async function tryListening(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}
