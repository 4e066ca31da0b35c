/** The delivery of a PDF, and the moment from which it is billed. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Bill } from '../../billing/bill.ts';
import type { Delivery } from '../../billing/reservation.ts';
import type { ConvertedPdf } from '../../convert/converter.ts';
import { pdfStream } from './pdf-stream.ts';

/**
 * The PDF as the body of an answer. It is handed over to the bill just before its last chunk is written; where the
 * system does not take that at once, the bill takes it back until the answer has ended.
 *
 * Nothing of the bill happens between the two calls of the system, the note and the last chunk, and both are made in
 * one turn of the event loop. So a server that is killed leaves at most one delivery that is noted and not handed over.
 */
export function deliveryOf(
  { fd, reader }: Pick<ConvertedPdf, 'fd' | 'reader'>,
  raw: ServerResponse,
  bill: Pick<Bill, 'handOver' | 'takeBack'> | undefined,
  delivery: Delivery,
): Readable {
  return pdfStream(fd, reader, {
    flushed: () => flushed(raw),
    before() {
      bill?.handOver(delivery);
    },
    after() {
      // Node would gather what is written in this turn of the event loop, and much can happen before its end.
      raw.socket?.uncork();
      if (!isFlushed(raw.socket)) bill?.takeBack();
    },
  });
}

/** Whether the system has taken all that was written. */
function isFlushed(socket: Socket | null): boolean {
  return socket !== null && socket.writableLength === 0;
}

/** Resolves when it is the answer's turn and the system has taken all that was written so far, or never will. */
async function flushed(raw: ServerResponse): Promise<void> {
  const socket = await connectionOf(raw);
  if (!socket || isFlushed(socket)) return;
  // Writes are done in order, this one after all others.
  await new Promise((resolve) => socket.write('', resolve));
}

/** The connection of an answer, once those before it on the connection have ended; null where it never has its turn. */
async function connectionOf(raw: ServerResponse): Promise<Socket | null> {
  if (raw.socket || raw.destroyed) return raw.socket;
  await new Promise<unknown>((resolve) => raw.once('socket', resolve).once('close', resolve));
  return raw.socket;
}
