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
  const args = ['-r', RESOLUTION, '-l', LAST_PAGE, '-aa', 'no', path];
  const { stdout } = await run('pdftoppm', args, { maxBuffer: MAX_OUTPUT, encoding: 'buffer' });
  let found = 0;
  const [red, green, blue] = CANARY_COLOUR;
  const near = (value: number | undefined, wanted: number): boolean =>
    Math.abs((value ?? 0) - wanted) <= TOLERANCE;
  for (let page = stdout; page.length > 0; ) {
    const head = /^P6\n(\d+) (\d+)\n255\n/.exec(page.toString('latin1', 0, 40));
    if (!head) throw new Error('pdftoppm wrote no picture');
    const end = head[0].length + Number(head[1]) * Number(head[2]) * 3;
    for (let i = head[0].length; i < end; i += 3) {
      if (near(page[i], red) && near(page[i + 1], green) && near(page[i + 2], blue)) found += 1;
    }
    page = page.subarray(end);
  }
  return found;
}
