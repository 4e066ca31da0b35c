/** The words of a PDF and their positions, by `pdftotext -bbox` (poppler-utils). */
import { cutWord } from './east-asian.ts';
import { runTool } from './tools.ts';

/** A word, or a character of a script without blanks; lengths in points, from the top left corner of its page. */
export interface Word {
  readonly text: string;
  /** From 1. */
  readonly page: number;
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

export interface PdfText {
  readonly pages: number;
  /** In reading order, page by page. */
  readonly words: readonly Word[];
}

/** Middle of the height of its box. */
export function middleOf({ yMin, yMax }: Word): number {
  return (yMin + yMax) / 2;
}

/** @throws Error if it is not a PDF, or a broken one. */
export async function readText(pdf: string, signal?: AbortSignal): Promise<PdfText> {
  const output = await runTool('pdftotext', ['-bbox', '-enc', 'UTF-8', pdf, '-'], signal);
  const { pages, words } = parseBoxes(output);
  if (pages === 0) throw new Error('pdftotext: no pages');
  return { pages, words: words.flatMap(cutWord) };
}

const WORD = /<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*)<\/word>/;

/** Read line by line: it is nearly XHTML, but contains the text's control characters. */
export function parseBoxes(output: string): PdfText {
  const words: Word[] = [];
  let page = 0;
  for (const line of output.split('\n')) {
    if (line.startsWith('  <page ')) page++;
    const match = WORD.exec(line);
    if (!match) continue;
    const [xMin = 0, yMin = 0, xMax = 0, yMax = 0] = match.slice(1, 5).map(Number);
    words.push({ text: decode(match[5] ?? ''), page, xMin, yMin, xMax, yMax });
  }
  return { pages: page, words };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&apos;': "'",
};

/** Bullets of Symbol and Wingdings, as some of Word's PDFs have them, and what they are in ours. */
const BULLETS: Readonly<Record<string, string>> = {
  '\uf0b7': '•',
  '\uf02d': '−',
  '\uf0a7': '▪',
  '\uf0d8': '➢',
};

function decode(text: string): string {
  return text
    .replace(/&(?:lt|gt|amp|quot|apos);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/[\uf0b7\uf02d\uf0a7\uf0d8]/g, (sign) => BULLETS[sign] ?? sign);
}
