/** A document from a pipe. */
import { once } from 'node:events';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { makeFolders } from '../local/folders.ts';
import { writeWhole } from '../local/whole-file.ts';
import { type BatchResult, failureOf } from './batch.ts';
import { type BatchConverter, BatchFailure, type SizeLimit, tooLarge } from './converter.ts';

/** What a document without a name is called. */
const NAME = '-';
/** How long a pipe may be silent: its writer may need minutes for the first byte, but may also have been forgotten. */
const SILENT_MS = 600_000;

/**
 * Converts what a stream holds.
 *
 * @param to a path, whose folder is made, or a stream, which gets the whole PDF or nothing.
 * @param silentMs after which a stream that sends nothing is given up, in milliseconds.
 * @throws the signal's reason.
 */
export async function convertPipe(
  from: Readable,
  to: string | Writable,
  converter: BatchConverter,
  signal: AbortSignal,
  silentMs = SILENT_MS,
): Promise<BatchResult> {
  const began = performance.now();
  try {
    const content = await readAll(from, converter.limit, signal, silentMs);
    if (typeof to === 'string') await makeFolders(dirname(to));
    let whole = Buffer.alloc(0);
    const keep = async (pdf: Readable) => {
      if (typeof to === 'string') await writeWhole(to, pdf);
      else whole = await buffer(pdf);
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

/** @throws PlatenError `FILE_TOO_LARGE`. @throws BatchFailure `MISSING_FILE` if nothing comes. @throws the signal's reason. */
async function readAll(
  from: Readable,
  limit: SizeLimit,
  signal: AbortSignal,
  silentMs: number,
): Promise<Buffer> {
  signal.throwIfAborted();
  const stop = () => from.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop);
  const minutes = Math.round(silentMs / 60_000);
  const silence = new BatchFailure('MISSING_FILE', `Nothing has come from the pipe for ${minutes} minutes.`);
  const timer = setTimeout(() => from.destroy(silence), silentMs);
  try {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of from as AsyncIterable<Buffer>) {
      timer.refresh();
      bytes += chunk.length;
      if (bytes > limit.bytes) throw tooLarge(limit);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
