/** The guide for integrators: its pages and their code fences. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { guideFolder, readText } from '../../scripts/pages/text-sources.mjs';

interface Page {
  /** File name, such as `errors.md`. */
  readonly name: string;
  readonly text: string;
}

/** A fenced code block (CommonMark 0.31, section 4.5). */
export interface Fence {
  readonly page: string;
  /** First word of the info string; empty if there is none. */
  readonly language: string;
  /** File name of an example: second word of the info string; empty if it is not an example. */
  readonly name: string;
  readonly code: string;
}

/** The pages of the guide with their programs, by name. */
export const pages: readonly Page[] = readdirSync(guideFolder)
  .filter((name) => name.endsWith('.md'))
  .sort()
  .map((name) => ({ name, text: readText(join(guideFolder, name)) }));

/** All fences of the guide, page by page. */
export const fences: readonly Fence[] = pages.flatMap(({ name: page, text }) =>
  [...text.matchAll(/^```(\S*) ?(\S*)\n(.*?)^```$/gms)].map(
    ([, language = '', name = '', code = '']): Fence => ({ page, language, name, code }),
  ),
);
