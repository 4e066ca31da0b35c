/** Documents that a program changed after Word had saved them: their pages by default, beside the engine's own. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { type PdfText, readText } from '../../src/cli/compare/words.ts';
import { visitMarkup } from '../../src/convert/document/markup.ts';
import type { RequestedLayout } from '../../src/shared/options/conversion-options.ts';
import { type ZipEntry, zip } from '../../test/support/zip.ts';
import type { BenchService } from '../service.ts';
import type { Pair } from './pairs.ts';

const MAIN_PART = 'word/document.xml';
/** At the foot of a page, where its number is; in points. */
const FOOTER_POINTS = 60;
/** Every so many paragraphs of the body, one is changed. */
const STEP = 4;

/** Each makes of the paragraphs of a body, in order, what a program makes of them. */
const changes: Readonly<Record<string, (paragraph: string, index: number) => string>> = {
  'as it is': (paragraph) => paragraph,
  'in another archive': (paragraph) => paragraph,
  'a quarter removed': (paragraph, index) => (index % STEP === STEP - 1 ? '' : paragraph),
  'a quarter doubled': (paragraph, index) => (index % STEP === STEP - 1 ? paragraph.repeat(2) : paragraph),
  'a quarter replaced': (paragraph, index) =>
    index % STEP === STEP - 1
      ? paragraph.replace(/(<w:t(?: [^>]*)?>)([^<]*)(?=<\/w:t>)/g, (_, tag, text) => tag + text.repeat(3))
      : paragraph,
};
export const changeNames = Object.keys(changes);

export interface ChangedPages {
  readonly pages: number;
  /** Of all but the last, those whose text ends above their middle. */
  readonly halfEmpty: number;
}

interface ChangedResult {
  readonly name: string;
  readonly change: string;
  /** Why the document has the pages that it has by default. */
  readonly pagination: string;
  readonly layouts: Readonly<Record<RequestedLayout, ChangedPages>>;
}

/**
 * Makes documents of each `in.docx`, and converts them with each layout.
 *
 * @throws NotConverted if one fails
 */
export async function measureChanged(
  pairs: readonly Pair[],
  service: BenchService,
): Promise<ChangedResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'changed-'));
  const results: ChangedResult[] = [];
  try {
    for (const { name, docx } of pairs) {
      const document = await readFile(docx);
      for (const change of changeNames) {
        const changed = await withChange(document, change);
        if (!changed) continue;
        const of = async (layout: RequestedLayout) => {
          const { pdf, requestId } = await service.pdf(changed, { layout });
          const path = join(folder, 'pdf');
          await writeFile(path, pdf);
          return { requestId, ...pagesOf(await readText(path)) };
        };
        const layouts = { auto: await of('auto'), word: await of('word'), engine: await of('engine') };
        const { pagination } = await service.account(layouts.auto.requestId);
        results.push({ name, change, pagination: `${pagination?.by}: ${pagination?.reason}`, layouts });
      }
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  return results;
}

/** The document, in the archive of another program unless it stays as it is. @returns undefined if nothing can be changed. */
export async function withChange(document: Buffer, change: string): Promise<Buffer | undefined> {
  if (change === changeNames[0]) return document;
  const entries: ZipEntry[] = [];
  let hasChanged = change === changeNames[1];
  const opened = await fromBufferPromise(document);
  for await (const entry of opened.eachEntry()) {
    const data = await buffer(await opened.openReadStreamPromise(entry));
    const { fileName: name } = entry;
    if (name !== MAIN_PART) entries.push({ name, data });
    else {
      const xml = data.toString();
      const changed = ofParagraphs(xml, changes[change] ?? ((same) => same));
      hasChanged ||= changed !== xml;
      entries.push({ name, data: changed });
    }
  }
  return hasChanged ? zip(entries) : undefined;
}

/** Changes the paragraphs directly in the body that can be left out or repeated: without parts of fields, ranges or sections. */
function ofParagraphs(xml: string, change: (paragraph: string, index: number) => string): string {
  const pieces: string[] = [];
  let [depth, from, start, index] = [0, 0, 0, 0];
  visitMarkup(xml, {
    open(name, _, isEmpty, at) {
      if (!isEmpty && ++depth === 3 && name === 'w:p') start = at;
    },
    close(name, _, end) {
      if (depth-- !== 3 || name !== 'w:p') return;
      const paragraph = xml.slice(start, end);
      if (/<w:(fldChar|sectPr|\w+(Start|End)|(foot|end)noteReference)\b/.test(paragraph)) return;
      pieces.push(xml.slice(from, start), change(paragraph, index++));
      from = end;
    },
  });
  return pieces.join('') + xml.slice(from);
}

function pagesOf({ pages, words }: PdfText): ChangedPages {
  const [top, bottom] = words.reduce(
    ([low, high], { yMin, yMax }) => [Math.min(low, yMin), Math.max(high, yMax)],
    [Number.POSITIVE_INFINITY, 0],
  );
  const filled = new Set(
    words
      .filter(({ yMax }) => yMax <= bottom - FOOTER_POINTS && yMax >= (top + bottom) / 2)
      .map(({ page }) => page),
  );
  const all = Array.from({ length: pages - 1 }, (_, i) => i + 1);
  return { pages, halfEmpty: all.filter((page) => !filled.has(page)).length };
}

/** Whether a layout has more pages than the engine's, or more half-empty ones. */
function isWorse({ layouts }: ChangedResult, layout: RequestedLayout): boolean {
  const { [layout]: one, engine } = layouts;
  return one.pages > engine.pages || one.halfEmpty > engine.halfEmpty;
}

/** A row per change, and the documents that are by default worse than by the engine alone. */
export function changedReport(results: readonly ChangedResult[]): string {
  const rows = changeNames.map((change) => {
    const own = results.filter((result) => result.change === change);
    const count = (is: (result: ChangedResult) => boolean) => String(own.filter(is).length);
    return [
      change,
      String(own.length),
      count(({ pagination }) => pagination.endsWith('not-saved-by-word')),
      count((result) => isWorse(result, 'auto')),
      count((result) => isWorse(result, 'word')),
    ];
  });
  const head = ['change', 'documents', 'not saved', 'auto worse', 'word worse'];
  const table = [head, ...rows].map(([change = '', ...cells]) =>
    [change.padEnd(18), ...cells.map((cell) => cell.padStart(10))].join('  '),
  );
  const worse = results
    .filter((result) => isWorse(result, 'auto'))
    .map(({ name, change, pagination, layouts: { auto, engine } }) => {
      const figures = `${auto.pages} pages for ${engine.pages}, ${auto.halfEmpty} half-empty for ${engine.halfEmpty}`;
      return `${name}, ${change}: ${figures} (${pagination})`;
    });
  const title =
    'worse is more pages, or more pages whose text ends above their middle, than with layout=engine:';
  return [title, '', ...table, ...(worse.length > 0 ? ['', ...worse] : [])].join('\n');
}
