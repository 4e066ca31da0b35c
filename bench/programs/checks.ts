/**
 * What a PDF must show, in sentences that a person writes into a list beside the documents. A check is any number of them:
 *
 *     text has "A", "B"; first page has "C" and no "D"; 3 pages; red pixels on the first page; or a warning that says so
 *
 * Words of several runs or columns may stand apart in a PDF, so all white space is one blank.
 */
import { type Picture, rasterise } from '../../src/cli/compare/raster.ts';
import { runTool } from '../../src/cli/compare/tools.ts';
import { readText, type Word } from '../../src/cli/compare/words.ts';

/** What a converter answered. */
export type Outcome =
  | { readonly pdf: string; readonly warnings: readonly string[] }
  /** Refused, with this message. */
  | { readonly refusal: string };

interface Shown {
  /** Text of the pages. */
  readonly pages: readonly string[];
  readonly words: readonly Word[];
  /** Of the pages, in points. */
  readonly sizes: readonly { readonly width: number; readonly height: number }[];
  readonly first: Picture;
}

type Judge = (shown: Shown, match: RegExpExecArray) => boolean;

const DOTS_PER_INCH = 72;
const SIZE = /^Page +\d+ size: +(\S+) x (\S+) pts/gm;
const QUOTED = /"([^"]*)"/g;

/** Distance of two channels of a colour, of 255: of a colour rather than a grey, and of a strong one. */
const [COLOURED, STRONG] = [20, 150];

/** A sentence, and whether what is shown meets it. */
const sentences: readonly (readonly [RegExp, Judge])[] = [
  [/^text has (no )?(".*")$/, ({ pages }, [, no, all]) => has(pages.join(' '), all, no)],
  [
    /^text without blanks has (no )?(".*")$/,
    ({ pages }, [, no, all]) => has(pages.join('').replaceAll(' ', ''), all, no),
  ],
  [
    /^(first|last) page has (".*?")(?: and no (".*"))?$/,
    ({ pages }, [, which, all, none]) => {
      const page = pages.at(which === 'first' ? 0 : -1) ?? '';
      return has(page, all) && (none === undefined || has(page, none, 'no'));
    },
  ],
  [/^(\d+) pages?$/, ({ pages }, [, count]) => pages.length === Number(count)],
  [
    /^pages of (\d+) x (\d+) points$/,
    ({ sizes }, [, width, height]) =>
      sizes.every((size) => isNear(size.width, Number(width)) && isNear(size.height, Number(height))),
  ],
  [
    /^from the left of "(.*)" to the left of "(.*)": (\d+) to (\d+) points$/,
    ({ words }, [, one, other, least, most]) => {
      const [from, to] = [wordOf(words, one), wordOf(words, other)];
      return from !== undefined && to !== undefined && isWithin(to.xMin - from.xMin, least, most);
    },
  ],
  [
    /^the middle of "(.*)" is at (\S+) to (\S+) of the page's width(?: and (\S+) to (\S+) of its height)?$/,
    ({ words, sizes: [size] }, [, text, left, right, top, bottom]) => {
      const word = wordOf(words, text);
      if (!word || !size) return false;
      const [x, y] = [(word.xMin + word.xMax) / 2 / size.width, (word.yMin + word.yMax) / 2 / size.height];
      return isWithin(x, left, right) && (top === undefined || isWithin(y, top, bottom));
    },
  ],
  [/^red pixels on the first page$/, ({ first }) => hasRed(first, STRONG, 255)],
  [/^pale red pixels on the first page$/, ({ first }) => hasRed(first, COLOURED, STRONG)],
  [/^no strong red on the page$/, ({ first }) => !hasRed(first, STRONG, 255)],
  [/^coloured pixels on the first page$/, ({ first }) => hasColour(first)],
];

/** A way in which less than the text of a check is right, too. */
const excuses: readonly (readonly [RegExp, (outcome: Outcome) => boolean])[] = [
  [/^or a warning that says /, (outcome) => 'warnings' in outcome && outcome.warnings.some(isOfLoss)],
  [
    /^or a 400 that names the reason$/,
    (outcome) => 'refusal' in outcome && /backslash/i.test(outcome.refusal),
  ],
];

/**
 * The sentences of a check that are not met; none if the outcome is right.
 *
 * @throws Error if a sentence is not known.
 */
export async function unmetOf(check: string, outcome: Outcome): Promise<string[]> {
  const wanted = check.split(/;\s*(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((sentence) => sentence.trim());
  const excuse = excuses.find(([form]) => wanted.some((sentence) => form.test(sentence)));
  const rest = wanted.filter((sentence) => !excuse?.[0].test(sentence));
  if (excuse?.[1](outcome)) return [];
  if ('refusal' in outcome) return [outcome.refusal];
  const shown = await read(outcome.pdf);
  return rest.filter((sentence) => {
    for (const [form, judge] of sentences) {
      const match = form.exec(sentence);
      if (match) return !judge(shown, match);
    }
    throw new Error(`an unknown check: ${sentence}`);
  });
}

async function read(pdf: string): Promise<Shown> {
  const { words } = await readText(pdf);
  const text = await runTool('pdftotext', ['-layout', pdf, '-']);
  const pages = text
    .split('\f')
    .slice(0, -1)
    .map((page) => page.replaceAll(/\s+/g, ' ').trim());
  const about = await runTool('pdfinfo', ['-f', '1', '-l', String(pages.length), pdf]);
  const sizes = [...about.matchAll(SIZE)].map(([, width, height]) => ({
    width: Number(width),
    height: Number(height),
  }));
  const [first] = await rasterise(pdf, { first: 1, last: 1, dotsPerInch: DOTS_PER_INCH });
  if (!first) throw new Error(`${pdf} has no page`);
  return { pages, words, sizes, first };
}

/** Whether a text has all the quoted ones, or none of them. In these, `…` stands for any text, such as leaders. */
function has(text: string, quoted = '', no?: string): boolean {
  const all = [...quoted.matchAll(QUOTED)].map(([, each = '']) => each.split('…'));
  return all.every((pieces) => hasInOrder(text, pieces) === (no === undefined));
}

function hasInOrder(text: string, pieces: readonly string[]): boolean {
  let at = 0;
  for (const piece of pieces.map((each) => each.trim())) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return true;
}

const wordOf = (words: readonly Word[], text = '') => words.find((word) => word.text === text);
const isNear = (one: number, other: number) => Math.abs(one - other) < 1;
const isWithin = (value: number, least = '', most = '') => value >= Number(least) && value <= Number(most);

/** Whether a warning says that something is missing, rather than that a font is another. */
const isOfLoss = (code: string) => code !== 'FONT_SUBSTITUTED';

function* coloursOf({ pixels }: Picture): Generator<[red: number, green: number, blue: number]> {
  for (let at = 0; at < pixels.length; at += 3)
    yield [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
}

/** Whether a pixel is redder than it is green and blue, by that much. */
function hasRed(picture: Picture, least: number, most: number): boolean {
  for (const [red, green, blue] of coloursOf(picture)) {
    const excess = red - Math.max(green, blue);
    if (excess >= least && excess <= most) return true;
  }
  return false;
}

function hasColour(picture: Picture): boolean {
  for (const colour of coloursOf(picture))
    if (Math.max(...colour) - Math.min(...colour) >= COLOURED) return true;
  return false;
}
