/** A document from a pipe. */
import { once } from 'node:events';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { tooLarge } from '../http/conversion/form-body.ts';
import { makeFolders } from '../local/folders.ts';
import { writeWhole } from '../local/whole-file.ts';
import { type BatchResult, failureOf } from './batch.ts';
import type { BatchConverter } from './converter.ts';

/** What a document without a name is called. */
const NAME = '-';

/**
 * Converts what a stream holds.
 *
 * @param to a path, whose folder is made, or a stream, which gets the whole PDF or nothing.
 * @throws the signal's reason.
 */
export async function convertPipe(
  from: Readable,
  to: string | Writable,
  converter: BatchConverter,
  signal: AbortSignal,
): Promise<BatchResult> {
  const began = performance.now();
  try {
    const content = await readAll(from, converter.maxBytes, signal);
    let whole = Buffer.alloc(0);
    const keep = async (pdf: Readable) => {
      if (typeof to === 'string') {
        await makeFolders(dirname(to));
        await writeWhole(to, pdf);
      } else whole = await buffer(pdf);
    };
    const made = await converter.convert({ content, name: 'document.docx' }, keep, signal);
    if (typeof to !== 'string' && !to.write(whole)) await once(to, 'drain', { signal });
    const milliseconds = Math.round(performance.now() - began);
    return {
      document: NAME,
      result: 'converted',
      pdf: typeof to === 'string' ? to : NAME,
      ...made,
      milliseconds,
    };
  } catch (error) {
    signal.throwIfAborted();
    return { document: NAME, result: 'failed', ...failureOf(error) };
  }
}

/** @throws PlatenError `FILE_TOO_LARGE`; the signal's reason. */
async function readAll(from: Readable, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const stop = () => from.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop);
  try {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of from as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
