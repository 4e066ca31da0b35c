/** Documents that come into a folder. */
import { stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { watch } from 'chokidar';
import type { DocumentType } from '../document-types.ts';
import { OperatorError } from '../errors.ts';
import { isDocumentName } from '../local/documents.ts';
import { type BatchDocument, pdfPath } from './inputs.ts';

/** A document whose size is the same for this long has been written. */
const SETTLED_MS = 500;
const POLL_MS = 100;

export interface WatchOptions {
  /** The folder, with the folders in it; symbolic links are not followed. */
  readonly folder: string;
  readonly types: readonly DocumentType[];
  /** Folder of the PDFs. */
  readonly out: string;
  /** Documents at a time. */
  readonly workers: number;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Has each document converted that comes into the folder or changes there, and at the start those that are newer than their
 * PDFs. One document is not converted twice at a time.
 *
 * @param convert rejects once the signal aborts.
 * @returns once the signal has aborted, and no conversion is going on.
 * @throws OperatorError if the folder cannot be watched; what `convert` throws before the signal aborts.
 */
export async function watchFolder(
  { folder, types, out, workers, signal }: WatchOptions,
  convert: (document: BatchDocument) => Promise<void>,
): Promise<void> {
  const about = await stat(folder).catch(() => undefined);
  if (!about?.isDirectory()) throw new OperatorError(`there is no folder ${folder}`);
  /** Documents by their paths. */
  const waiting = new Map<string, BatchDocument>();
  const running = new Map<string, Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  let wake = () => {};
  const fail = (error: unknown) => {
    failure ??= { error };
    wake();
  };

  async function convertNext(document: BatchDocument): Promise<void> {
    try {
      await convert(document);
    } catch (error) {
      if (!signal.aborted) fail(error);
    } finally {
      running.delete(document.path);
      wake();
    }
  }

  const watcher = watch(folder, {
    followSymlinks: false,
    awaitWriteFinish: { stabilityThreshold: SETTLED_MS, pollInterval: POLL_MS },
    ignored: (path, stats) => stats?.isFile() === true && !isDocumentName(basename(path), types),
  });
  const take = (path: string) => {
    const document = { path, output: join(out, pdfPath(relative(folder, path))) };
    void isNewer(document).then((isWanted) => {
      if (!isWanted) return;
      waiting.set(path, document);
      wake();
    });
  };
  watcher.on('add', take).on('change', take);
  watcher.on('error', (cause) => {
    const { message } = cause as Error;
    fail(new OperatorError(`the folder ${folder} cannot be watched: ${message}`, { cause }));
  });
  const stop = () => wake();
  signal.addEventListener('abort', stop);
  try {
    while (!signal.aborted && !failure) {
      const next = [...waiting.values()].find(({ path }) => !running.has(path));
      if (next && running.size < workers) {
        waiting.delete(next.path);
        running.set(next.path, convertNext(next));
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    signal.removeEventListener('abort', stop);
    await watcher.close();
    await Promise.all(running.values());
  }
  if (failure) throw failure.error;
}

/** Whether a document is newer than its PDF, or has none. */
async function isNewer({ path, output }: BatchDocument): Promise<boolean> {
  const [document, pdf] = await Promise.all([path, output].map((each) => stat(each).catch(() => undefined)));
  return document !== undefined && (pdf === undefined || pdf.mtimeMs <= document.mtimeMs);
}
