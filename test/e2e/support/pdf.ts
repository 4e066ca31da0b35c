/** What is in a PDF, as poppler sees it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

async function poppler(command: string, args: readonly string[], pdf: Buffer): Promise<string> {
  const running = run(command, args, { maxBuffer: 16_777_216 });
  running.child.stdin?.end(pdf);
  return (await running).stdout;
}

/** The text of a PDF, without white space around it. Rejects when it is none. */
export async function pdfText(pdf: Buffer): Promise<string> {
  return (await pdfPageTexts(pdf)).join('\f').trim();
}

/** The text of each page of a PDF. Rejects when it is none. */
export async function pdfPageTexts(pdf: Buffer): Promise<string[]> {
  // pdftotext ends each page with a form feed, also an empty one.
  return (await poppler('pdftotext', ['-layout', '-', '-'], pdf)).split('\f').slice(0, -1);
}

/** A word of a PDF; its page from 1, its upper left corner in points. */
interface PdfWord {
  readonly word: string;
  readonly page: number;
  readonly x: number;
  readonly y: number;
}

/** The words of a PDF, page by page. Rejects when it is none. */
export async function pdfWords(pdf: Buffer): Promise<PdfWord[]> {
  const [, ...pages] = (await poppler('pdftotext', ['-bbox', '-', '-'], pdf)).split('<page ');
  return pages.flatMap((text, i) =>
    [...text.matchAll(/<word xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>([^<]*)</g)].map(([, x, y, word = '']) => {
      return { word, page: i + 1, x: Number(x), y: Number(y) };
    }),
  );
}

/** How far below the top of its page each word begins, in points. */
export async function pdfTops(pdf: Buffer): Promise<Map<string, number>> {
  return new Map((await pdfWords(pdf)).map(({ word, y }) => [word, y]));
}

/** The number of pages of a PDF. Rejects when it is none. */
export async function pdfPages(pdf: Buffer): Promise<number> {
  return Number(/^Pages: +(\d+)$/m.exec(await poppler('pdfinfo', ['-'], pdf))?.[1]);
}

/** The number of pictures in a PDF. */
export async function pdfImages(pdf: Buffer): Promise<number> {
  const [, , ...rows] = (await poppler('pdfimages', ['-list', '-'], pdf)).trim().split('\n');
  return rows.length;
}

/** The fonts of a PDF, and whether they are in it. */
export async function pdfFonts(pdf: Buffer): Promise<{ name: string; embedded: boolean }[]> {
  const [, , ...rows] = (await poppler('pdffonts', ['-'], pdf)).trim().split('\n');
  return rows.map((row) => {
    const [name = ''] = row.split(' ');
    // After them: subset, Unicode, and the object's two numbers.
    return { name, embedded: / yes +(yes|no) +(yes|no) +\d+ +\d+$/.test(row) };
  });
}

/** The names of a PDF's named destinations. */
export async function pdfDestinations(pdf: Buffer): Promise<string[]> {
  const rows = (await poppler('pdfinfo', ['-dests', '-'], pdf)).trim().split('\n');
  return rows.flatMap((row) => /"([^"]*)"$/.exec(row)?.[1] ?? []);
}

/** The document catalog that is in force: the table of the objects says where it is. */
export function pdfCatalog(pdf: Buffer): string {
  const text = pdf.toString('latin1');
  const table = text.slice(Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1]));
  const number = Number(/\/Root (\d+) 0 R/.exec(table)?.[1]);
  const [entry = ''] = table.split('\n').slice(2 + number);
  const at = Number(entry.slice(0, 10));
  return text.slice(at, text.indexOf('endobj', at));
}
