/** Node's end of the socket to a kit: requests go out as lines, and lines come in as messages. */
import type { Socket } from 'node:net';
import { decode, encode, LineReader, type Message, ProtocolError, type Request } from './protocol.ts';

interface KitConnectionOptions {
  /** May throw a ProtocolError for an unexpected message. */
  readonly onMessage: (message: Message) => void;
  /** The kit broke the protocol. */
  readonly onBroken: (error: ProtocolError) => void;
}

export class KitConnection {
  readonly #socket: Socket | undefined;

  /** @param socket if undefined, nothing is sent or received. */
  constructor(socket: Socket | undefined, { onMessage, onBroken }: KitConnectionOptions) {
    this.#socket = socket;
    if (!socket) return;
    const lines = new LineReader();
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      try {
        for (const line of lines.push(chunk)) onMessage(decode(line));
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        onBroken(error);
      }
    });
    // The end of the process says all that a broken socket could.
    socket.on('error', () => {});
  }

  /**
   * Sends a request, unless the socket has ended.
   *
   * @throws ProtocolError when the kit would not understand it.
   */
  send(request: Request): void {
    const line = encode(request);
    if (this.#socket?.writable) this.#socket.write(line);
  }

  /** Tells the kit to end. Its last messages are still read. */
  end(): void {
    this.#socket?.end();
  }

  /** Ignores everything from the kit from now on. */
  destroy(): void {
    this.#socket?.destroy();
  }
}
