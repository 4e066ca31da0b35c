/** Hosts on loopback that misbehave, as raw sockets; all of them end with the test. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Of `platen.test` and 127.0.0.1, signed by itself. */
export const certificateFile = path('certificate.pem');
export const certificate = readFileSync(certificateFile, 'utf8');
export const privateKey = readFileSync(path('key.pem'), 'utf8');

interface Host {
  readonly port: number;
  /** How many connections there were. */
  readonly connections: () => number;
  /** All that was received. */
  readonly received: () => string;
}

interface HostOptions {
  readonly address?: string;
  readonly port?: number;
  readonly isSecure?: boolean;
}

/** Listens on a port; `talk` gets each connection once its first bytes have come. */
export async function startHost(
  t: Test,
  talk: (socket: Socket) => void,
  { address = '127.0.0.1', port = 0, isSecure = false }: HostOptions = {},
): Promise<Host> {
  let connections = 0;
  let received = '';
  const sockets = new Set<Socket>();
  const accept = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.once('data', () => talk(socket));
  };
  const server = isSecure
    ? createSecureServer({ key: privateKey, cert: certificate }, accept).on('tlsClientError', () => {})
    : createServer(accept);
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
  });
  server.listen(port, address);
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    received: () => received,
  };
}

/** Answers with this text and closes. */
export const says = (text: string) => (socket: Socket) => {
  socket.end(text);
};

/** Sends the text again and again, as fast as it is taken. */
export const repeats =
  (text: string, first = '') =>
  (socket: Socket): void => {
    const more = (error?: Error | null) => {
      if (!error && !socket.destroyed) socket.write(text, more);
    };
    socket.write(first, more);
  };
