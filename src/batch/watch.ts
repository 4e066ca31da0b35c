/** Documents that come into a folder. */
import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { watch } from 'chokidar';
import type { DocumentType } from '../document-types.ts';
import { OperatorError } from '../errors.ts';
import { findDocuments, isDocumentName, isNameLost, LOST_NAME } from '../local/documents.ts';
import { type BatchDocument, pdfPath } from './inputs.ts';

/** A document whose size is the same for this long has been written. */
const SETTLED_MS = 500;
const POLL_MS = 100;
/** Delay before a retry if the reason of a failure may pass; it doubles with each retry, up to the second value. */
const AGAIN_MS = 60_000;
const LONGEST_AGAIN_MS = 3_600_000;
/** How often the folder is read: chokidar may miss files that come while it reads the folder, and network folders may report none. */
const READ_MS = 10_000;

export interface WatchOptions {
  /** The folder, with the folders in it; symbolic links are not followed. */
  readonly folder: string;
  readonly types: readonly DocumentType[];
  /** Folder of the PDFs. */
  readonly out: string;
  /** Documents at a time. */
  readonly workers: number;
  /** Files that no PDF may replace. */
  readonly others?: readonly string[];
  /** Ends it. */
  readonly signal: AbortSignal;
  /** How often the folder is read, in milliseconds. */
  readonly readMs?: number;
  /** Until the second attempt, in milliseconds. */
  readonly againMs?: number;
}

/**
 * Converts each document that comes into the folder or changes there, and at the start those that are newer than their PDFs. A
 * document is never converted twice at a time; one that changes during its conversion is converted again.
 *
 * @param convert says whether the document is done; if not, it is tried again later. Rejects once the signal aborts.
 * @param refuse is told of a document that cannot be opened, or whose PDF would replace another file that is there.
 * @returns once the signal has aborted, and no conversion is going on.
 * @throws OperatorError if the folder cannot be watched; what `convert` throws before the signal aborts.
 */
export async function watchFolder(
  { folder, types, out, workers, others = [], signal, readMs = READ_MS, againMs = AGAIN_MS }: WatchOptions,
  convert: (document: BatchDocument) => Promise<boolean>,
  refuse: (document: BatchDocument, message: string) => void,
): Promise<void> {
  const about = await stat(folder).catch(() => undefined);
  if (!about?.isDirectory()) throw new OperatorError(`there is no folder ${folder}`);
  /** Documents by their paths. */
  const waiting = new Map<string, BatchDocument>();
  const running = new Map<string, Promise<void>>();
  /** The change of each document that was converted, has failed, or was refused. */
  const done = new Map<string, number>();
  /** When unfinished documents are tried again, by their paths. */
  const again = new Map<string, { readonly at: number; readonly waitMs: number }>();
  /** Paths of documents by those of their PDFs. */
  const owners = new Map<string, string>();
  let failure: { readonly error: unknown } | undefined;
  let wake = () => {};
  const fail = (error: unknown) => {
    failure ??= { error };
    wake();
  };

  async function convertNext(document: BatchDocument): Promise<void> {
    try {
      const before = await changeOf(document.path);
      // It was removed before its turn.
      if (before === undefined) return;
      done.set(document.path, before);
      if (await convert(document)) again.delete(document.path);
      else {
        const waitMs = Math.min(2 * (again.get(document.path)?.waitMs ?? againMs / 2), LONGEST_AGAIN_MS);
        again.set(document.path, { at: performance.now() + waitMs, waitMs });
      }
      const after = await changeOf(document.path);
      if (after !== undefined && after !== before) waiting.set(document.path, document);
    } catch (error) {
      if (!signal.aborted) fail(error);
    } finally {
      running.delete(document.path);
      wake();
    }
  }

  const kept = new Set(await Promise.all(others.map(identityOf)));
  kept.delete(undefined);
  // A symbolic link cannot be watched, only its target.
  const root = await realpath(folder);
  const named = (path: string) => join(folder, relative(root, path));
  const watcher = watch(root, {
    followSymlinks: false,
    awaitWriteFinish: { stabilityThreshold: SETTLED_MS, pollInterval: POLL_MS },
    ignored: (path, stats) =>
      stats !== undefined &&
      !stats.isDirectory() &&
      !(stats.isFile() && isDocumentName(basename(path), types)),
  });
  const outputOf = (path: string) => join(out, pdfPath(relative(folder, path)));
  /** @param leastMs since its last change. chokidar has waited already. */
  async function take(path: string, leastMs = 0): Promise<void> {
    const document = { path, output: outputOf(path) };
    if (isNameLost(path) && !done.has(path) && (await changeOf(path)) === undefined) {
      done.set(path, 0);
      refuse(document, LOST_NAME);
    }
    const change = await newChange(document, leastMs);
    const owner = owners.get(document.output) ?? path;
    const isOwned = owner !== path && (await changeOf(owner)) !== undefined;
    const isEarly = performance.now() < (again.get(path)?.at ?? Infinity);
    const isDone = change === done.get(path) && (isEarly || running.has(path));
    if (change === undefined || isDone || signal.aborted) return;
    if (isOwned || kept.has(await identityOf(document.output))) {
      done.set(path, change);
      const reason = isOwned ? `${owner} has the same PDF` : 'its PDF would replace a file that is read';
      refuse(document, `${reason}, ${document.output}: give one of them another name.`);
      return;
    }
    owners.set(document.output, path);
    waiting.set(path, document);
    wake();
  }
  for (const event of ['add', 'change'] as const) watcher.on(event, (path) => void take(named(path)));
  watcher.on('unlink', (seen) => {
    const path = named(seen);
    if (owners.get(outputOf(path)) === path) owners.delete(outputOf(path));
    done.delete(path);
    again.delete(path);
  });
  watcher.on('unlinkDir', (path) => {
    if (path === root) fail(new OperatorError(`the folder ${folder} is gone`));
  });
  const refused = new Set<string>();
  const refuseFolder = (inner: string, { message }: OperatorError) => {
    const path = join(folder, inner);
    if (!refused.has(path)) refuse({ path, output: outputOf(path) }, message);
    refused.add(path);
  };
  const reading = setInterval(() => {
    // It may have no documents, and chokidar reports other errors.
    findDocuments(folder, types, undefined, refuseFolder)
      .then((names) => names.forEach((name) => void take(join(folder, name), SETTLED_MS)))
      .catch(() => {});
  }, readMs);
  watcher.on('error', (cause) => {
    const { message, code = '', path } = cause as NodeJS.ErrnoException;
    // A file or folder in it that this user may not read: the periodic reading reports it.
    if (path !== root && ['EACCES', 'EPERM'].includes(code)) return;
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
    clearInterval(reading);
    await watcher.close();
    await Promise.all(running.values());
  }
  if (failure) throw failure.error;
}

/** The same for all names of a file; undefined for none. */
async function identityOf(path: string): Promise<string | undefined> {
  const about = await stat(path).catch(() => undefined);
  return about && `${about.dev}:${about.ino}`;
}

/** When a file came or changed: a file that is moved or copied here may keep an old time of modification. */
async function changeOf(path: string): Promise<number | undefined> {
  const about = await lstat(path).catch(() => undefined);
  return about?.isFile() ? about.ctimeMs : undefined;
}

/** When a document changed that is newer than its PDF, or has none. @returns undefined also if it changed less than `leastMs` ago. */
async function newChange({ path, output }: BatchDocument, leastMs: number): Promise<number | undefined> {
  const [change, pdf] = await Promise.all([changeOf(path), stat(output).catch(() => undefined)]);
  const isNew = change !== undefined && (pdf === undefined || pdf.mtimeMs <= change);
  return isNew && Date.now() - change >= leastMs ? change : undefined;
}
