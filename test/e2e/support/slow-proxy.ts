/** A proxy to a Unix socket that delays answers. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Test } from 'tap';

interface SlowProxy {
  /** The Unix socket to connect to. */
  readonly socket: string;
  /** How long each answer is held back, in milliseconds. */
  delayMs: number;
  /** How many pieces of answers were held back so far. */
  delayed: number;
}

/** Passes everything on to `target`, and what comes back after the delay of that moment. It ends with the test. */
export async function startSlowProxy(t: Test, target: string): Promise<SlowProxy> {
  const proxy: SlowProxy = { socket: `${target}.slow`, delayMs: 0, delayed: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // Either end may leave while the other writes.
      socket
        .on('error', () => undefined)
        .once('close', () => {
          sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
    }
    client.pipe(upstream);
    let last: Promise<unknown> = Promise.resolve();
    upstream.on('data', (chunk) => {
      if (proxy.delayMs > 0) proxy.delayed += 1;
      last = Promise.all([last, delay(proxy.delayMs)]).then(() => client.write(chunk));
    });
  });
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  server.listen(proxy.socket);
  await once(server, 'listening');
  return proxy;
}
