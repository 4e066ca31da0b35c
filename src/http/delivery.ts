/** The delivery of a PDF, and the moment from which it is billed. */
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { ConvertedPdf } from '../convert/converter.ts';
import type { Bill } from '../limits/bill.ts';
import type { Delivery } from '../limits/settlement.ts';
import { pdfStream } from './pdf-stream.ts';

/**
 * The PDF as the body of an answer. It is handed over to the bill just before its last chunk is written; where the
 * system does not take that at once, the bill takes it back until the answer has ended.
 */
export function deliveryOf(
  { file, reader }: ConvertedPdf,
  raw: ServerResponse,
  bill: Bill | undefined,
  delivery: Delivery,
): Readable {
  return pdfStream(file, reader, {
    flushed: () => flushed(raw),
    before() {
      bill?.handOver(delivery);
    },
    after() {
      // Node would gather what is written in this turn of the event loop, and much can happen before its end.
      raw.socket?.uncork();
      if (!isFlushed(raw)) bill?.takeBack();
    },
  });
}

/** Whether the system has taken all that was written; never before the answer's turn on its connection. */
function isFlushed({ socket }: ServerResponse): boolean {
  return socket !== null && socket.writableLength === 0;
}

/** Resolves when the system has taken all that was written so far, or never will. */
async function flushed(raw: ServerResponse): Promise<void> {
  const { socket } = raw;
  if (!socket || isFlushed(raw)) return;
  // Writes are done in order, this one after all others.
  await new Promise((resolve) => socket.write('', resolve));
}
