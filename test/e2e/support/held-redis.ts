/** A proxy to a Redis that can stop at one command: before it reaches Redis, or before its answer comes back. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

/** Where it is stopped. */
export type Where = 'before' | 'after';

export interface HeldRedis {
  /** The Unix socket to connect to. */
  readonly socket: string;
  /**
   * Stops the connection on which the next command with one of these texts comes: before Redis has it, or after Redis ran it.
   *
   * @returns resolves once it is stopped.
   */
  hold(where: Where, ...texts: string[]): Promise<void>;
  /** Passes on what was stopped, even if its sender has gone. */
  letGo(): void;
}

/** Passes everything on to `target`. It ends with the test. */
export async function startHeldRedis(t: Test, target: string): Promise<HeldRedis> {
  const socket = `${target}.${randomUUID().slice(0, 8)}`;
  const sockets = new Set<Socket>();
  let wanted: { where: Where; texts: readonly string[]; stopped: () => void } | undefined;
  let held: (() => void)[] = [];

  const server = createServer((client) => {
    const upstream = connect(target);
    let isHeld = false;
    let isWaiting = false;
    const forward = (to: Socket, chunk: Buffer) => {
      if (isHeld) held.push(() => to.write(chunk));
      else to.write(chunk);
    };
    const stop = () => {
      isHeld = true;
      isWaiting = false;
      held.push(() => {
        isHeld = false;
      });
      wanted?.stopped();
      wanted = undefined;
    };
    client.on('data', (chunk) => {
      if (wanted && !isHeld && wanted.texts.some((text) => chunk.includes(text))) {
        if (wanted.where === 'before') stop();
        else isWaiting = true;
      }
      forward(upstream, chunk);
    });
    upstream.on('data', (chunk) => {
      if (isWaiting) stop();
      forward(client, chunk);
    });
    for (const [end, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(end);
      end
        .on('error', () => undefined)
        .once('close', () => {
          sockets.delete(end);
          // Stopped data is passed on without its sender.
          if (isHeld) held.push(() => other.end());
          else other.destroy();
        });
    }
  });
  t.teardown(async () => {
    for (const each of sockets) each.destroy();
    server.close();
    await once(server, 'close');
  });
  server.listen(socket);
  await once(server, 'listening');
  return {
    socket,
    hold: (where, ...texts) =>
      new Promise((stopped) => {
        wanted = { where, texts, stopped };
      }),
    letGo() {
      const steps = held;
      held = [];
      for (const step of steps) step();
    },
  };
}
