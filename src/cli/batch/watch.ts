/** Documents that come into a folder. */
import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { OperatorError } from '../../errors.ts';
import type { DocumentType } from '../../shared/document-types.ts';
import type { Format } from '../../shared/options/conversion-options.ts';
import { findDocuments, isDocumentName, isNameLost, LOST_NAME } from '../local/documents.ts';
import { type BatchDocument, resultPath } from './inputs.ts';

/** A document whose size is the same for this long has been written. */
const SETTLED_MS = 500;
const POLL_MS = 100;
/** Delay before a retry if the reason of a failure may pass; it doubles with each retry, up to the second value. */
const AGAIN_MS = 60_000;
const LONGEST_AGAIN_MS = 3_600_000;
/** How often the folder is read: chokidar may miss files that come while it reads the folder, and network folders may report none. */
const READ_MS = 10_000;

interface WatchOptions {
  /** The folder, with the folders in it; symbolic links are not followed. */
  readonly folder: string;
  readonly types: readonly DocumentType[];
  /** Folder of the results. */
  readonly out: string;
  /** Of the results; `pdf` by default. */
  readonly format?: Format;
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

/** Says whether the document is done; if not, it is tried again later. Rejects once the signal aborts. */
type Convert = (document: BatchDocument) => Promise<boolean>;
/** Is told of a document that cannot be opened, or whose PDF would replace another file that is there. */
type Refuse = (document: BatchDocument, message: string) => void;

/**
 * Converts each document that comes into the folder or changes there, and at the start those that are newer than their PDFs. A
 * document is never converted twice at a time; one that changes during its conversion is converted again.
 *
 * @returns once the signal has aborted, and no conversion is going on.
 * @throws OperatorError if the folder cannot be watched; what `convert` throws before the signal aborts.
 */
export async function watchFolder(options: WatchOptions, convert: Convert, refuse: Refuse): Promise<void> {
  const { folder, others = [] } = options;
  const about = await stat(folder).catch(() => undefined);
  if (!about?.isDirectory()) throw new OperatorError(`there is no folder ${folder}`);
  const kept = new Set(await Promise.all(others.map(identityOf)));
  kept.delete(undefined);
  // A symbolic link cannot be watched, only its target.
  const root = await realpath(folder);
  await new FolderWatch({ ...options, root, kept, convert, refuse }).run();
}

interface FolderWatchOptions extends WatchOptions {
  /** The folder without symbolic links. */
  readonly root: string;
  /** Files that no PDF may replace, as by {@link identityOf}. */
  readonly kept: ReadonlySet<string | undefined>;
  readonly convert: Convert;
  readonly refuse: Refuse;
}

class FolderWatch {
  readonly #options: FolderWatchOptions;
  /** Documents that wait for their conversion, by their paths. */
  readonly #waiting = new Map<string, BatchDocument>();
  /** Conversions by the paths of their documents. */
  readonly #running = new Map<string, Promise<void>>();
  /** The change of each document that was converted, has failed, or was refused. */
  readonly #done = new Map<string, number>();
  /** When unfinished documents are tried again, by their paths. */
  readonly #again = new Map<string, { readonly at: number; readonly waitMs: number }>();
  /** Paths of documents by those of their PDFs. */
  readonly #owners = new Map<string, string>();
  readonly #refusedFolders = new Set<string>();
  readonly #format: Format;
  #failure: { readonly error: unknown } | undefined;
  #wake = () => {};

  constructor(options: FolderWatchOptions) {
    this.#options = options;
    this.#format = options.format ?? 'pdf';
  }

  async run(): Promise<void> {
    const { signal, readMs = READ_MS } = this.#options;
    const watcher = this.#openWatcher();
    const reading = setInterval(() => this.#read(), readMs);
    const stop = () => this.#wake();
    signal.addEventListener('abort', stop);
    try {
      while (!signal.aborted && !this.#failure) await this.#step();
    } finally {
      signal.removeEventListener('abort', stop);
      clearInterval(reading);
      await watcher.close();
      await Promise.all(this.#running.values());
    }
    if (this.#failure) throw this.#failure.error;
  }

  /** Starts the next conversion, or waits until something happens. */
  async #step(): Promise<void> {
    const next = [...this.#waiting.values()].find(({ path }) => !this.#running.has(path));
    if (next && this.#running.size < this.#options.workers) {
      this.#waiting.delete(next.path);
      this.#running.set(next.path, this.#convert(next));
      return;
    }
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  async #convert(document: BatchDocument): Promise<void> {
    const { path } = document;
    try {
      const before = await changeOf(path);
      // It was removed before its turn.
      if (before === undefined) return;
      this.#done.set(path, before);
      if (await this.#options.convert(document)) this.#again.delete(path);
      else this.#tryAgain(path);
      const after = await changeOf(path);
      if (after !== undefined && after !== before) this.#waiting.set(path, document);
    } catch (error) {
      if (!this.#options.signal.aborted) this.#fail(error);
    } finally {
      this.#running.delete(path);
      this.#wake();
    }
  }

  #tryAgain(path: string): void {
    const { againMs = AGAIN_MS } = this.#options;
    const waitMs = Math.min(2 * (this.#again.get(path)?.waitMs ?? againMs / 2), LONGEST_AGAIN_MS);
    this.#again.set(path, { at: performance.now() + waitMs, waitMs });
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  #openWatcher(): FSWatcher {
    const { folder, root, types } = this.#options;
    const named = (path: string) => join(folder, relative(root, path));
    return watch(root, {
      followSymlinks: false,
      awaitWriteFinish: { stabilityThreshold: SETTLED_MS, pollInterval: POLL_MS },
      ignored: (path, stats) =>
        stats !== undefined &&
        !stats.isDirectory() &&
        !(stats.isFile() && isDocumentName(basename(path), types)),
    })
      .on('add', (path) => void this.#take(named(path)))
      .on('change', (path) => void this.#take(named(path)))
      .on('unlink', (path) => this.#forget(named(path)))
      .on('unlinkDir', (path) => {
        if (path === root) this.#fail(new OperatorError(`the folder ${folder} is gone`));
      })
      .on('error', (cause) => {
        const { message, code = '', path } = cause as NodeJS.ErrnoException;
        // A file or folder in it that this user may not read: the periodic reading reports it.
        if (path !== root && ['EACCES', 'EPERM'].includes(code)) return;
        this.#fail(new OperatorError(`the folder ${folder} cannot be watched: ${message}`, { cause }));
      });
  }

  #read(): void {
    const { folder, types } = this.#options;
    // It may have no documents, and chokidar reports other errors.
    findDocuments(folder, types, undefined, (inner, error) => this.#refuseFolder(inner, error))
      .then((names) => names.forEach((name) => void this.#take(join(folder, name), SETTLED_MS)))
      .catch(() => {});
  }

  /**
   * Lets a new document wait for its conversion, or refuses it.
   *
   * @param leastMs since its last change. chokidar has waited already.
   */
  async #take(path: string, leastMs = 0): Promise<void> {
    const document = { path, output: this.#outputOf(path) };
    if (isNameLost(path) && !this.#done.has(path) && (await changeOf(path)) === undefined) {
      this.#done.set(path, 0);
      this.#options.refuse(document, LOST_NAME);
    }
    const change = await newChange(document, leastMs);
    if (change === undefined || this.#isOver(path, change)) return;
    const obstacle = await this.#claimPdf(document);
    if (this.#isOver(path, change)) return;
    if (obstacle !== undefined) {
      this.#done.set(path, change);
      this.#options.refuse(document, `${obstacle}, ${document.output}: give one of them another name.`);
      return;
    }
    this.#waiting.set(path, document);
    this.#wake();
  }

  /** Whether nothing is to be done for this change of a document. */
  #isOver(path: string, change: number): boolean {
    const isEarly = performance.now() < (this.#again.get(path)?.at ?? Infinity);
    const isDone = change === this.#done.get(path) && (isEarly || this.#running.has(path));
    return isDone || this.#options.signal.aborted;
  }

  /** Makes the document the owner of its PDF. @returns why it may not write that. */
  async #claimPdf({ path, output }: BatchDocument): Promise<string | undefined> {
    const { kept } = this.#options;
    if (kept.size > 0 && kept.has(await identityOf(output)))
      return `its ${this.#format.toUpperCase()} would replace a file that is read`;
    for (;;) {
      const owner = this.#owners.get(output) ?? path;
      if (owner !== path && (await changeOf(owner)) !== undefined)
        return `${owner} has the same ${this.#format.toUpperCase()}`;
      // Another document may have become the owner meanwhile.
      if ((this.#owners.get(output) ?? path) === owner) break;
    }
    this.#owners.set(output, path);
    return undefined;
  }

  #forget(path: string): void {
    const output = this.#outputOf(path);
    if (this.#owners.get(output) === path) this.#owners.delete(output);
    this.#done.delete(path);
    this.#again.delete(path);
  }

  #refuseFolder(inner: string, { message }: OperatorError): void {
    const path = join(this.#options.folder, inner);
    if (!this.#refusedFolders.has(path)) {
      this.#options.refuse({ path, output: this.#outputOf(path) }, message);
    }
    this.#refusedFolders.add(path);
  }

  #outputOf(path: string): string {
    const { folder, out } = this.#options;
    return join(out, resultPath(relative(folder, path), this.#format));
  }
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
