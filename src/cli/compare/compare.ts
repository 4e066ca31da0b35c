/**
 * platen compare: what another engine would make of an operator's documents. This machine has one engine, so a run fills one side
 * of the report. A run with the other engine fills the other side; the second run compares them.
 */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { OperatorError, PlatenError } from '../../errors.ts';
import { withLinkedController } from '../../system/linked-controller.ts';
import type { Log } from '../../system/log.ts';
import { findDocuments } from '../local/documents.ts';
import { inOrder } from '../local/in-order.ts';
import { type Engine, LocalEngine } from '../local/local-engine.ts';
import { type Difference, type Finding, isSame, type SideName } from './finding.ts';
import { comparePictures } from './pictures.ts';
import { PAGES, PDFS } from './report.ts';
import { Side } from './side.ts';
import { compareText } from './text.ts';
import { runTool } from './tools.ts';
import { readText } from './words.ts';

/** Time limit of comparing two PDFs. A page takes up to a second where processors are slow. */
const COMPARE_MS = 600_000;
/** Pages of a document that the report shows. */
const DRAWN_PAGES = 10;
/** Failures of the machine, not of the document: it is tried again. */
const passing: ReadonlySet<string> = new Set(['OVERLOADED', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR']);

interface ComparisonOptions {
  readonly config: Config;
  /** Folder of the documents. */
  readonly documents: string;
  /** Folder of the report. */
  readonly out: string;
  /** Names of the engines: versions of LibreOffice, or any others. */
  readonly names: Readonly<Record<SideName, string>>;
  /** Which of them this machine has; undefined: the one that names its version of LibreOffice. */
  readonly here: SideName | undefined;
  readonly log: Log;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Called after each document. */
  readonly onProgress: (done: number, of: number) => void;
  /** Called in the order of the documents. */
  readonly onFinding: (finding: Finding) => void;
}

export interface Comparison {
  /** Of the sides; undefined: it has not converted the documents yet. */
  readonly engines: Readonly<Record<SideName, Engine | undefined>>;
  readonly here: SideName;
  /** By document. */
  readonly findings: readonly Finding[];
}

/** @throws OperatorError if it cannot be done at all; the signal's reason. */
export async function compare(options: ComparisonOptions): Promise<Comparison> {
  const { config, documents, out, names, log, signal } = options;
  const found = await findDocuments(documents, config.accept);
  const folderOf = (side: SideName) => join(out, PDFS, names[side]);
  const local = await LocalEngine.start(config, log, signal);
  try {
    const here = options.here ?? sideOf(local.engine, names);
    const there = here === 'from' ? 'to' : 'from';
    const mine = await Side.open(folderOf(here), local.engine);
    const theirs = await Side.find(folderOf(there));
    // Before the documents are converted.
    if (theirs) await runTool('pdftoppm', ['-v'], signal);
    const sides = here === 'from' ? { from: mine, to: theirs } : { from: theirs, to: mine };
    const engines = { from: sides.from?.engine, to: sides.to?.engine };
    const findings = await inOrder(found, (name) => examine(name, { local, mine, sides }, options), {
      workers: config.workers,
      onProgress: options.onProgress,
      onResult: options.onFinding,
    });
    return { engines, here, findings };
  } finally {
    await local.close();
  }
}

interface Work {
  readonly local: LocalEngine;
  /** The side that this machine fills. */
  readonly mine: Side;
  readonly sides: Readonly<Record<SideName, Side | undefined>>;
}

/** @throws OperatorError if the versions do not say it. */
function sideOf({ libreOffice }: Engine, names: ComparisonOptions['names']): SideName {
  const isNamed = (side: SideName) => libreOffice !== null && `${libreOffice}.`.startsWith(`${names[side]}.`);
  const [isFrom, isTo] = [isNamed('from'), isNamed('to')];
  if (isFrom !== isTo) return isFrom ? 'from' : 'to';
  const here = libreOffice === null ? 'of a version that it does not tell' : libreOffice;
  throw new OperatorError(
    `this machine has LibreOffice ${here}, which ${isFrom ? 'both' : 'neither'} of ${names.from} and ${names.to} ` +
      `${isFrom ? 'name' : 'names'}; --here from or --here to says which of them it is`,
  );
}

/** @throws OperatorError if the report cannot be written; the signal's reason. */
async function examine(
  document: string,
  { local, mine, sides: { from, to } }: Work,
  { config, documents, out, signal }: ComparisonOptions,
): Promise<Finding> {
  signal.throwIfAborted();
  const content = await readDocument(join(documents, document), config.maxFileBytes);
  if (typeof content === 'string') return { document, result: 'not-compared', reason: content };
  const sha256 = createHash('sha256').update(content).digest('hex');
  const problem = await convert(content, sha256, local, mine, signal);
  if (problem !== undefined) return { document, result: 'not-compared', reason: problem };
  const [one, other] = [await from?.find(sha256), await to?.find(sha256)];
  const failures = {
    ...(one && one !== 'pdf' && { from: one }),
    ...(other && other !== 'pdf' && { to: other }),
  };
  if (!from || !to) return { document, result: 'half-done', ...failures };
  if (!one || !other) return { document, result: 'waiting', ...failures };
  if (one !== 'pdf' || other !== 'pdf') return { document, result: 'failed', ...failures };
  try {
    const pdfs = { from: from.pdf(sha256), to: to.pdf(sha256) };
    const difference = await withinTime(signal, (limit) =>
      comparePdfs(pdfs, join(out, PAGES, sha256), limit),
    );
    return { document, result: isSame(difference) ? 'same' : 'different', sha256, ...difference };
  } catch (error) {
    signal.throwIfAborted();
    return { document, result: 'not-compared', reason: (error as Error).message };
  }
}

/** @returns the content, or why there is none. */
async function readDocument(path: string, maxBytes: number): Promise<Buffer | string> {
  try {
    const { size } = await stat(path);
    if (size > maxBytes) return `it is larger than MAX_FILE_MB, ${maxBytes / 1_048_576} MB`;
    return await readFile(path);
  } catch (error) {
    return `it cannot be read: ${(error as NodeJS.ErrnoException).code}`;
  }
}

/**
 * Converts a document, unless that was done before, and keeps what becomes of it.
 *
 * @returns why nothing came of it, for a reason of the machine's.
 */
async function convert(
  content: Buffer,
  sha256: string,
  local: LocalEngine,
  mine: Side,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (await mine.find(sha256)) return undefined;
  try {
    await local.convert({ content }, (pdf) => mine.keepPdf(sha256, pdf), signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof PlatenError)) throw error;
    if (passing.has(error.code))
      return `this machine failed: ${error.code}: ${String(error.cause ?? error.message)}`;
    await mine.keepFailure(sha256, error);
  }
  return undefined;
}

/**
 * Compares two PDFs of one document.
 *
 * @param pdfs their paths.
 * @param folder gets the pictures of pages that look different.
 * @throws Error if one of them cannot be read; the signal's reason.
 */
export async function comparePdfs(
  pdfs: Readonly<Record<SideName, string>>,
  folder: string,
  signal?: AbortSignal,
): Promise<Difference> {
  const [from, to] = [await readText(pdfs.from, signal), await readText(pdfs.to, signal)];
  const pages = { from: from.pages, to: to.pages };
  const text = compareText(from, to);
  const pictures = await comparePictures({ ...pdfs, pages }, folder, DRAWN_PAGES, signal);
  return { pages, ...(text && { text }), ...(pictures && { pictures }) };
}

/** Runs a task with a signal that also aborts when its time is over. */
async function withinTime<T>(signal: AbortSignal, task: (limit: AbortSignal) => Promise<T>): Promise<T> {
  return withLinkedController([signal], async (limit) => {
    const timer = setTimeout(
      () => limit.abort(new Error(`comparing its PDFs takes longer than ${COMPARE_MS / 1_000} s`)),
      COMPARE_MS,
    );
    try {
      return await task(limit.signal);
    } finally {
      clearTimeout(timer);
    }
  });
}
