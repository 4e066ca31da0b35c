/** Node's end of the socket to a kit: requests go out as lines, and lines come in as messages. */
import type { Socket } from 'node:net';
import { decode, encode, LineReader, type Message, ProtocolError, type Request } from './protocol.ts';

export interface KitConnectionOptions {
  /** May throw a ProtocolError for a message that has no place here. */
  readonly onMessage: (message: Message) => void;
  /** The kit broke the protocol. */
  readonly onBroken: (error: ProtocolError) => void;
}

export class KitConnection {
  readonly #socket: Socket | undefined;

  /** @param socket undefined: nothing is said or heard. */
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
    // A socket that breaks says nothing that the end of the process does not say.
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

  /** Tells the kit to end. What it still says is heard. */
  end(): void {
    this.#socket?.end();
  }

  /** Nothing that the kit says counts any more. */
  destroy(): void {
    this.#socket?.destroy();
  }
}
