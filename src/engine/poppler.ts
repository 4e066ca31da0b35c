/**
 * Poppler's programs, which draw pages: Debian's package `poppler-utils`. They are executed, not linked, so that their licence
 * (GPL 2 or 3) stays apart from ours.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { PictureJob } from './engine.ts';

const run = promisify(execFile);
/** How long the program may take to say its version, in milliseconds. */
const VERSION_TIMEOUT_MS = 10_000;

/** Its version, such as `25.03.0`; undefined if a program is missing. */
export async function popplerVersion(): Promise<string | undefined> {
  const limits = { timeout: VERSION_TIMEOUT_MS, killSignal: 'SIGKILL' } as const;
  try {
    const asked = ['pdftoppm', 'pdftocairo'].map((program) => run(`/usr/bin/${program}`, ['-v'], limits));
    const [one, other] = (await Promise.all(asked)).map(({ stderr }) => /version (\S+)/.exec(stderr)?.[1]);
    return one === other ? one : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The command that draws a page's crop box, from the job's folder for temporary files.
 *
 * pdftoppm draws; only pdftocairo leaves the paper out. The PNGs of pdftoppm are compressed as much as zlib can, which takes ten times
 * as long as drawing, so it leaves a bitmap. Both round the scaled size up, and so may give a pixel more than was asked for:
 * `-W` and `-H` cut that off.
 */
export function drawCommand({ page, width, height, background }: PictureJob): readonly [string, ...string[]] {
  return [
    ...(background === 'transparent'
      ? (['pdftocairo', '-transp', '-png'] as const)
      : (['pdftoppm'] as const)),
    ...['-q', '-singlefile', '-cropbox', '-f', `${page}`, '-l', `${page}`],
    ...['-scale-to-x', `${width}`, '-scale-to-y', `${height}`],
    ...['-x', '0', '-y', '0', '-W', `${width}`, '-H', `${height}`],
    // It adds `.ppm` or `.png` to the second name.
    ...['../unfinished.pdf', '../output'],
  ];
}
