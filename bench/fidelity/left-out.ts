/** Pairs that cannot be compared: Word's PDF has another text, or shows marks that a print leaves out. */
import { cutWord } from '../../src/cli/compare/east-asian.ts';
import { runTool } from '../../src/cli/compare/tools.ts';
import type { PdfText, Word } from '../../src/cli/compare/words.ts';
import { readParts, visit } from './docx-parts.ts';

/** A document is often saved shortly after its PDF; Word notes whole minutes. */
const LATER_MINUTES = 10;
/**
 * More than the difference of fields, formulas and lists of signs that pdftotext reads differently in two PDFs of one
 * document.
 */
const SAME_TEXT = 0.9;
/** Words of the text by which a document is known: of so many letters, as numbers and signs may not be stored. */
const WORD = /^\p{L}{4,}$/u;
/** pdftotext reads the letters of these in another order. */
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** Fewer say nothing. */
const LEAST_WORDS = 20;
/** Share of the words in comments and deletions: more than they have in common with the text by chance. */
const SHOWN_MARKS = 0.5;
/** Word shrinks its pages to make room for balloons. No stand-in font is that much narrower in most words. */
const SMALLEST_SCALE = 0.85;
const MS_PER_MINUTE = 60_000;

/** Marks of a document. */
interface Marks {
  /** It has comments or tracked changes. */
  readonly some: boolean;
  /** The words of its comments and deletions, which our PDFs do not show. */
  readonly hidden: readonly string[];
}

/**
 * Why the pair is left out; undefined if it counts.
 *
 * @param word path of Word's PDF, and its text
 * @throws Error if a file cannot be read
 */
export async function reasonToLeaveOut(
  docx: Buffer,
  word: { readonly path: string; readonly text: PdfText },
  ours: PdfText,
): Promise<string | undefined> {
  const parts = await readParts(docx);
  const created = parsePdfDate(await runTool('pdfinfo', ['-isodates', word.path]));
  return (
    markupReason(marksOf(parts), word.text, ours) ??
    ageReason(created, modifiedAt(parts), word.text, ours) ??
    stateReason(parts, word.text, ours)
  );
}

function markupReason({ some, hidden }: Marks, word: PdfText, ours: PdfText): string | undefined {
  if (!some) return undefined;
  const surplus = countOf(word.words);
  take(surplus, textsOf(ours));
  if (hidden.length > 0 && take(surplus, hidden) >= hidden.length * SHOWN_MARKS) {
    return "Word's PDF shows comments or deleted text";
  }
  const scale = scaleOf(word, ours);
  if (scale >= SMALLEST_SCALE) return undefined;
  return `Word's PDF has a markup area: its text is scaled to ${(scale * 100).toFixed(0)} %`;
}

function ageReason(
  created: number | undefined,
  modified: number | undefined,
  word: PdfText,
  ours: PdfText,
): string | undefined {
  if (created === undefined || modified === undefined) return undefined;
  const minutes = (modified - created) / MS_PER_MINUTE;
  if (minutes <= LATER_MINUTES) return undefined;
  const same = commonShare(word, ours);
  if (same >= SAME_TEXT) return undefined;
  return `Word's PDF is ${Math.round(minutes)} minutes older than the document, and only ${(same * 100).toFixed(0)} % of the text is in both`;
}

/** Word's PDF has words that the document has nowhere: it was made of another state of it. */
function stateReason(parts: ReadonlyMap<string, string>, word: PdfText, ours: PdfText): string | undefined {
  if (commonShare(word, ours) >= SAME_TEXT) return undefined;
  const words = textsOf(word).map(normal);
  const known = words.filter((text) => WORD.test(text) && !RIGHT_TO_LEFT.test(text));
  if (known.length < LEAST_WORDS) return undefined;
  const text = normal(textOf(parts));
  const missing = known.filter((each) => !text.includes(each)).length / known.length;
  if (1 - missing >= SAME_TEXT) return undefined;
  return `${(missing * 100).toFixed(0)} % of the words in Word's PDF are not in the document`;
}

function normal(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** The text of all parts, without blanks, as words may be parted there. */
function textOf(parts: ReadonlyMap<string, string>): string {
  let all = '';
  for (const xml of parts.values()) {
    visit(xml, {
      start: () => {},
      text: (content) => {
        all += content;
      },
    });
  }
  return all.replace(/\s+/g, '');
}

/** Share of the longer text that is in both. */
function commonShare(word: PdfText, ours: PdfText): number {
  const common = take(countOf(word.words), textsOf(ours));
  return common / Math.max(word.words.length, ours.words.length, 1);
}

/** The date in the output of `pdfinfo -isodates`, in milliseconds since the epoch; undefined if missing. */
export function parsePdfDate(output: string): number | undefined {
  const [, date, zone = 'Z'] = /^CreationDate: +([\d-]+T[\d:]+)(Z|[+-]\d\d(?::?\d\d)?)?$/m.exec(output) ?? [];
  return date === undefined ? undefined : timeOf(date + (zone.length === 3 ? `${zone}:00` : zone));
}

/** When the document was last saved. */
function modifiedAt(parts: ReadonlyMap<string, string>): number | undefined {
  let text = '';
  for (const [name, xml] of parts) {
    if (!/(?:^|\/)core\d*\.xml$/i.test(name)) continue;
    visit(xml, {
      start: () => {},
      text: (content, open) => {
        if (open.at(-1) === 'modified') text += content;
      },
    });
  }
  return timeOf(text);
}

function timeOf(date: string): number | undefined {
  const time = Date.parse(date);
  return Number.isNaN(time) ? undefined : time;
}

function marksOf(parts: ReadonlyMap<string, string>): Marks {
  let some = false;
  let text = '';
  for (const [name, xml] of parts) {
    const isComments = /(?:^|\/)comments\d*\.xml$/i.test(name);
    if (!isComments && !/(?:^|\/)(?:document|header|footer|footnotes|endnotes)\d*\.xml$/i.test(name))
      continue;
    visit(xml, {
      start: (element) => {
        some ||= /^(?:ins|del|moveFrom|moveTo|comment|\w+Change)$/.test(element);
      },
      end: (element) => {
        if (element === 'p') text += ' ';
      },
      text: (content, open) => {
        if (open.at(-1) === 'delText' || (isComments && open.at(-1) === 't')) text += content;
      },
    });
  }
  const box = { xMin: 0, yMin: 0, xMax: 0, yMax: 0 };
  const words = text.split(/\s+/).filter((word) => word !== '');
  return { some, hidden: words.flatMap((word) => cutWord({ text: word, ...box })).map((word) => word.text) };
}

function textsOf({ words }: PdfText): string[] {
  return words.map(({ text }) => text);
}

function countOf(words: readonly Word[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of words) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/**
 * Removes the words, each as often as it occurs.
 *
 * @returns the number of removed words
 */
function take(counts: Map<string, number>, words: readonly string[]): number {
  let taken = 0;
  for (const word of words) {
    const count = counts.get(word) ?? 0;
    if (count === 0) continue;
    counts.set(word, count - 1);
    taken++;
  }
  return taken;
}

/** Width of words in Word's PDF relative to the same words in ours: the median; 1 without common words. */
function scaleOf(word: PdfText, ours: PdfText): number {
  const widthsOf = ({ words }: PdfText) =>
    new Map(
      words
        .filter(({ xMin, xMax }) => xMax > xMin)
        .map(({ text, xMin, xMax }) => [text, xMax - xMin] as const),
    );
  const widths = widthsOf(ours);
  const scales = [...widthsOf(word)].flatMap(([text, width]) => {
    const own = widths.get(text);
    return own === undefined ? [] : width / own;
  });
  return scales.sort((one, other) => one - other)[scales.length >> 1] ?? 1;
}
