/**
 * Messages of the Model Context Protocol over two streams, each a line of JSON.
 *
 * The SDK's own transport ends with a message that is too long, copies a long one for each of its pieces, and says nothing to whoever
 * sends no JSON.
 */
import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';

/** Longest message of a client, in bytes. */
export const MAX_MESSAGE_BYTES = 1_048_576;
/** Answers that a client leaves unread before it is given up, in bytes. */
export const MAX_UNREAD_BYTES = 16_777_216;
const LINE_END = 0x0a;

export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  /** Of the line that has not ended. */
  readonly #pieces: Buffer[] = [];
  /** Length of that line, in bytes. Of one that is too long, no pieces are kept. */
  #length = 0;
  #isClosed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    const close = () => void this.close();
    this.#input.on('data', (chunk: Buffer) => this.#take(chunk));
    for (const event of ['end', 'close', 'error']) this.#input.on(event, close);
    this.#output.on('error', close);
  }

  /** Does not wait for the client to read it. Of one that never reads, the input goes on to be read, as its end would be missed. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    this.#output.write(`${JSON.stringify(message)}\n`);
    if (this.#output.writableLength > MAX_UNREAD_BYTES) await this.close();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.pause();
    this.onclose?.();
  }

  #take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, start)) {
      this.#add(chunk.subarray(start, end));
      this.#endLine();
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
  }

  #add(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > MAX_MESSAGE_BYTES) this.#pieces.length = 0;
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  #endLine(): void {
    const length = this.#length;
    const line = Buffer.concat(this.#pieces).toString('utf8');
    this.#pieces.length = 0;
    this.#length = 0;
    if (length > MAX_MESSAGE_BYTES) {
      this.#refuse(ErrorCode.InvalidRequest, `A message has more than ${MAX_MESSAGE_BYTES} bytes.`);
    } else if (line.trim() !== '') this.#read(line);
  }

  #read(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#refuse(ErrorCode.ParseError, 'A line is not JSON.');
      return;
    }
    const { data: message, success } = JSONRPCMessageSchema.safeParse(value);
    if (success) this.onmessage?.(message);
    else this.#refuse(ErrorCode.InvalidRequest, 'A message is not one of JSON-RPC 2.0.', idOf(value));
  }

  #refuse(code: ErrorCode, message: string, id?: string | number): void {
    void this.send({ jsonrpc: '2.0', ...(id !== undefined && { id }), error: { code, message } });
  }
}

/** The id of a message that is not well formed. */
function idOf(value: unknown): string | number | undefined {
  const { id } = Object(value) as { readonly id?: unknown };
  return typeof id === 'string' || Number.isInteger(id) ? (id as string | number) : undefined;
}
