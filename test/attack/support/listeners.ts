/** Listeners on loopback for documents that call home. */
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { on, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server as TcpServer } from 'node:net';
import { extname } from 'node:path';
import type { Test } from 'tap';
import { canaryFiles } from './canaries.ts';

/** The port of SMB: a UNC path has no way to name another. */
const SMB_PORT = 445;
const SILENCE_MS = 200;
/** What a listener says to itself. */
const FLUSH = 'flush';

const types: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.html': 'text/html',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

/** Listeners that write down who came, and answer HTTP with the canary that was asked for. */
export class Listeners {
  /** One line for each connection and packet; empty for our own. */
  readonly #contacts: string[] = [];
  readonly #servers: TcpServer[] = [];
  readonly #udp: UdpSocket[] = [];
  /** Ports of our own connections that are open. */
  readonly #own = new Set<number>();

  /** Opens them; they close with the test. */
  static async open(t: Test): Promise<Listeners> {
    const listeners = new Listeners();
    t.teardown(() => listeners.#close());
    await listeners.#listen('127.0.0.1', 0);
    // Not every machine has IPv6, or lets us bind the port of SMB.
    await listeners.#listen('::1', 0).catch(() => {});
    await listeners.#listen('127.0.0.1', SMB_PORT).catch(() => {});
    await listeners.#listenUdp(0);
    await listeners.#listenUdp(53).catch(() => {});
    return listeners;
  }

  /** The hosts and ports to put into documents: by address and by name. */
  get hosts(): string[] {
    return this.#servers.flatMap((server) => {
      const { address, port, family } = server.address() as AddressInfo;
      return family === 'IPv6' ? [`[${address}]:${port}`] : [`${address}:${port}`, `localhost:${port}`];
    });
  }

  /** Contacts since the last call: one line for each connection and packet. */
  async contacts(): Promise<string[]> {
    // Both queues are in order: once our own contact came through, no other is left in them.
    await Promise.all([
      ...this.#servers.map(async (server) => {
        const { port, address } = server.address() as AddressInfo;
        const socket = connect(port, address);
        await once(socket, 'connect');
        const { localPort = 0 } = socket;
        this.#own.add(localPort);
        socket.end(FLUSH);
        await once(socket.resume(), 'close');
        this.#own.delete(localPort);
      }),
      ...this.#udp.map(async (socket) => {
        const messages = on(socket, 'message');
        socket.send(FLUSH, socket.address().port, '127.0.0.1');
        for await (const [message] of messages) if (String(message) === FLUSH) break;
      }),
    ]);
    return this.#contacts.splice(0).filter(Boolean);
  }

  async #listen(host: string, port: number): Promise<void> {
    const server = createServer((socket) => {
      const name = `tcp ${host}:${(server.address() as AddressInfo).port}`;
      const index = this.#contacts.push(name) - 1;
      socket.on('error', () => {});
      // A client that waits for a greeting must not wait for long. Our own says something, if late on a busy machine.
      socket.setTimeout(SILENCE_MS, () => {
        if (!this.#own.has(socket.remotePort ?? 0)) socket.destroy();
      });
      socket.once('data', (data) => {
        const [request = ''] = data.toString('latin1').split('\r\n');
        this.#contacts[index] = request === FLUSH ? '' : `${name} ${request}`;
        socket.end(answer(request));
      });
    });
    server.listen(port, host);
    await once(server, 'listening');
    this.#servers.push(server);
  }

  async #listenUdp(port: number): Promise<void> {
    const socket = createSocket('udp4');
    socket.on('message', (message) => {
      const text = message.toString('latin1');
      this.#contacts.push(text === FLUSH ? '' : `udp ${text}`);
    });
    socket.bind(port, '127.0.0.1');
    await once(socket, 'listening');
    this.#udp.push(socket);
  }

  /** Port of the listener for packets. */
  get udpPort(): number {
    return this.#udp[0]?.address().port ?? 0;
  }

  async #close(): Promise<void> {
    for (const socket of this.#udp) socket.close();
    await Promise.all(
      this.#servers.map(async (server) => {
        server.close();
        await once(server, 'close');
      }),
    );
  }
}

/** An answer with the canary of that name, to every method: LibreOffice asks with PROPFIND and HEAD first. */
function answer(request: string): Buffer {
  const path = request.split(' ')[1] ?? '';
  const name = path.slice(path.lastIndexOf('/') + 1);
  const body = Buffer.from((canaryFiles[name] ?? '') as string);
  const status = request.startsWith('PROPFIND') ? '405 Method Not Allowed' : '200 OK';
  const head = `HTTP/1.1 ${status}\r\nContent-Type: ${types[extname(name)] ?? 'text/plain'}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
  return request.startsWith('HEAD') ? Buffer.from(head) : Buffer.concat([Buffer.from(head), body]);
}
