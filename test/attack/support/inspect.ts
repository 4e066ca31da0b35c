/** What a PDF shows of the canaries. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CANARY_COLOUR, ENVIRONMENT_CANARY, FILE_CANARY } from './canaries.ts';

const run = promisify(execFile);
const MAX_OUTPUT = 64 * 1_048_576;
/** Of the pages that are looked at; no attack needs more. */
const LAST_PAGE = '12';
/** Dots per inch: the smallest picture of the cases still covers a hundred dots. */
const RESOLUTION = '20';
/** How far a channel may be from its canary's: what JPEG compression does to a plain colour. */
const TOLERANCE = 4;

/** The canaries that a PDF shows, named; none is good. */
export async function canariesIn(path: string): Promise<string[]> {
  const [text, pixels] = await Promise.all([textOf(path), canaryPixels(path)]);
  return [
    ...[FILE_CANARY, ENVIRONMENT_CANARY].filter((word) => text.includes(word)),
    ...(pixels > 0 ? ['canary picture'] : []),
  ];
}

async function textOf(path: string): Promise<string> {
  const { stdout } = await run('pdftotext', ['-raw', '-l', LAST_PAGE, path, '-'], { maxBuffer: MAX_OUTPUT });
  return stdout.replaceAll(/\s/g, '');
}

/** Dots of the canaries' colour on the drawn pages: however a picture was scaled, cut or compressed. */
async function canaryPixels(path: string): Promise<number> {
  let found = 0;
  for (const { dots } of await drawn(path, LAST_PAGE)) {
    for (let i = 0; i < dots.length; i += 3) if (isNear(dots, CANARY_COLOUR, i)) found += 1;
  }
  return found;
}

/** Whether the three bytes of a dot are a colour, but for what JPEG compression does to a plain one. @param at where it begins. */
export function isNear(dots: Uint8Array, colour: readonly [number, number, number], at = 0): boolean {
  // Not a method with a callback: it looks at millions of dots.
  for (let i = 0; i < 3; i++) {
    if (Math.abs((dots[at + i] ?? 0) - (colour[i] ?? 0)) > TOLERANCE) return false;
  }
  return true;
}

/** The dot in the middle of each page, as three bytes. */
export async function middlesOf(path: string): Promise<Uint8Array[]> {
  return (await drawn(path)).map(({ width, height, dots }) => {
    const middle = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 3;
    return dots.subarray(middle, middle + 3);
  });
}

interface Page {
  readonly width: number;
  readonly height: number;
  /** Three bytes each, row by row. */
  readonly dots: Uint8Array;
}

/** The pages as pdftoppm draws them, up to `last`. */
async function drawn(path: string, last?: string): Promise<Page[]> {
  const args = ['-r', RESOLUTION, ...(last ? ['-l', last] : []), '-aa', 'no', path];
  const { stdout } = await run('pdftoppm', args, { maxBuffer: MAX_OUTPUT, encoding: 'buffer' });
  const pages: Page[] = [];
  for (let rest = stdout; rest.length > 0; ) {
    const head = /^P6\n(\d+) (\d+)\n255\n/.exec(rest.toString('latin1', 0, 40));
    if (!head) throw new Error('pdftoppm wrote no picture');
    const [width, height] = [Number(head[1]), Number(head[2])];
    const end = head[0].length + width * height * 3;
    pages.push({ width, height, dots: rest.subarray(head[0].length, end) });
    rest = rest.subarray(end);
  }
  return pages;
}
