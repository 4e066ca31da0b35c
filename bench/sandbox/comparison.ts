/** Compares the PDFs of one document with and without the sandbox. */
import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool, runToolForBytes } from '../../src/cli/compare/tools.ts';
import { INPUT_NAME, OUTPUT_NAME } from '../../src/engine/engine.ts';
import type { KitEngine } from '../../src/engine/kit-engine.ts';
import type { ComparedDocument } from './documents.ts';

/** High enough for one letter to change a page. */
const DOTS_PER_INCH = 50;

/** Content of a PDF, or the reason why there is none. */
export interface Shown {
  readonly text: string;
  /** SHA-256 of its rasterised pages, in order. */
  readonly pages: string;
  readonly pageCount: number;
  readonly failure?: string;
}

/**
 * Result of a comparison. `unsteady`: two conversions without the sandbox differ as well, so nothing can be
 * concluded. `refused`: both ended without a PDF, for the same reason.
 */
export type Verdict =
  | 'same'
  | 'refused'
  | 'unsteady'
  | 'different text'
  | 'different pages'
  | 'different end';

export interface Comparison {
  readonly name: string;
  readonly verdict: Verdict;
  readonly pages: number;
  /** What differs, in a line. */
  readonly difference?: string;
}

/** Whether the sandbox changed the PDF. */
export const isDifferent = (verdict: Verdict): boolean => verdict.startsWith('different');

/** @param folder of the jobs; it is empty afterwards. */
export async function compare(
  document: ComparedDocument,
  engines: { readonly open: KitEngine; readonly confined: KitEngine },
  folder: string,
): Promise<Comparison> {
  const { name } = document;
  const open = await show(document, engines.open, folder);
  const confined = await show(document, engines.confined, folder);
  const verdict = verdictOn(open, confined);
  const pages = open.pageCount;
  if (!isDifferent(verdict)) return { name, verdict, pages };
  const again = await show(document, engines.open, folder);
  if (isDifferent(verdictOn(open, again))) return { name, verdict: 'unsteady', pages };
  return { name, verdict, pages, difference: difference(open, confined) };
}

async function show({ content, pdfa }: ComparedDocument, engine: KitEngine, parent: string): Promise<Shown> {
  const id = 'job';
  const folder = join(parent, id);
  await mkdir(folder);
  try {
    await writeFile(join(folder, INPUT_NAME), content);
    await engine.convert({ id, folder, export: { pdfa } }, new AbortController().signal);
    const output = join(folder, OUTPUT_NAME);
    const text = await runTool('pdftotext', ['-layout', output, '-']);
    const drawn = await runToolForBytes('pdftoppm', ['-r', String(DOTS_PER_INCH), output]);
    // pdftotext ends each page with a form feed.
    const pageCount = text.split('\f').length - 1;
    return { text, pages: createHash('sha256').update(drawn).digest('hex'), pageCount };
  } catch (error) {
    return { text: '', pages: '', pageCount: 0, failure: (error as Error).message };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Compares the content of two conversions. */
export function verdictOn(one: Shown, other: Shown): Exclude<Verdict, 'unsteady'> {
  if (one.failure !== other.failure) return 'different end';
  if (one.failure !== undefined) return 'refused';
  if (one.text !== other.text) return 'different text';
  return one.pages === other.pages ? 'same' : 'different pages';
}

/** What differs, in a line. */
export function difference(open: Shown, confined: Shown): string {
  if (open.failure !== confined.failure) {
    return `open: ${open.failure ?? 'a PDF'}; confined: ${confined.failure ?? 'a PDF'}`;
  }
  const [lines, others] = [open.text.split('\n'), confined.text.split('\n')];
  const differing = lines.flatMap((line, i) => (line === others[i] ? [] : [i]));
  const [first] = differing;
  if (first === undefined) return 'the same text, drawn differently';
  const shown = (line = '') => line.trim().slice(0, 60);
  return `${differing.length} lines; open: ${shown(lines[first])}; confined: ${shown(others[first])}`;
}
