/**
 * Numbers of lines (`w:lnNumType`, ISO/IEC 29500-1, 17.6.8), which a section has or not. In LibreOffice the whole document has them as
 * soon as one section does. So the paragraphs of the others say that their lines have none (17.3.1.35).
 */
import { contentOf } from '../document/cell-properties.ts';
import { type Edit, withEdits } from '../document/edits.ts';
import { type ElementVisitor, type StartTag, visitNamed } from '../document/elements.ts';
import { attributeOf, qualified, wordPrefixOf } from '../document/markup.ts';
import { ParagraphProperties } from '../document/paragraph-properties.ts';

const NUMBERS = 'lnNumType';
/** What has no numbers anyway, and what a tracked change keeps. */
const skipped = ['tbl', 'drawing', 'pict', 'object', 'pPrChange', 'sectPrChange'];
const skippedNames: ReadonlySet<string> = new Set(skipped);

/** Where the properties of a paragraph are, or the place for them. */
interface Place {
  start: number;
  end: number;
  /** It is an empty element; then this is where its tag ends. */
  readonly isEmpty: boolean;
}

/**
 * The main part with numbers of lines in the sections alone that have them, in linear time.
 *
 * @param xml in an encoding in which ASCII is ASCII.
 */
export function withOwnLineNumbers(xml: string): string {
  const prefix = wordPrefixOf(xml);
  const reader = new NumberReader(prefix);
  visitNamed(xml, reader);
  const { bare, hasNumbers } = reader;
  if (!hasNumbers) return xml;
  const edits = bare.flatMap(({ start, end, isEmpty }): Edit[] => {
    const written = isEmpty ? '' : xml.slice(start, end);
    // One that declares a namespace stays.
    if (written !== '' && !/^<[^\s>]+\/?>/.test(written)) return [];
    const properties = new ParagraphProperties(contentOf(written), prefix);
    properties.set('suppressLineNumbers');
    return [{ start, end, text: isEmpty ? `>${properties}</${prefix}p>` : properties.toString() }];
  });
  return withEdits(xml, edits);
}

class NumberReader implements ElementVisitor {
  readonly names: ReadonlyMap<string, string>;
  /** The paragraphs of sections without numbers. */
  readonly bare: Place[] = [];
  hasNumbers = false;
  readonly #prefix: string;
  #paragraph: Place | undefined;
  /** The paragraphs of the section so far. */
  #own: Place[] = [];
  /** Whether the section whose properties were read has numbers; undefined within a section. */
  #isNumbered: boolean | undefined;

  constructor(prefix: string) {
    this.#prefix = prefix;
    const elements = ['p', 'pPr', 'sectPr', NUMBERS, ...skipped];
    this.names = new Map([['mc:AlternateContent', 'drawing'], ...qualified(prefix, elements)]);
  }

  open({ local, attributes, isEmpty, start, end }: StartTag): boolean {
    if (local === 'p') {
      const paragraph = { start: isEmpty ? end - '/>'.length : end, end, isEmpty };
      this.#own.push(paragraph);
      if (!isEmpty) this.#paragraph = paragraph;
    } else if (local === 'pPr' && this.#paragraph) Object.assign(this.#paragraph, { start, end });
    else if (local === 'sectPr') {
      this.#isNumbered = false;
      if (isEmpty && !this.#paragraph) this.#endSection();
    } else if (local === NUMBERS) {
      const step = attributeOf(attributes, `${this.#prefix}countBy`);
      this.#isNumbered = step !== undefined && step !== '0';
    }
    return local !== undefined && skippedNames.has(local);
  }

  close(_name: string, local: string | undefined, _start: number, end: number): void {
    if (local === 'pPr' && this.#paragraph) this.#paragraph.end = end;
    else if (local === 'p') {
      this.#paragraph = undefined;
      this.#endSection();
    } else if (local === 'sectPr' && !this.#paragraph) this.#endSection();
  }

  /** At the end of the paragraph, or of the body, that has the properties of a section. */
  #endSection(): void {
    if (this.#isNumbered === undefined) return;
    if (this.#isNumbered) this.hasNumbers = true;
    else for (const place of this.#own) this.bare.push(place);
    this.#own = [];
    this.#isNumbered = undefined;
  }
}
