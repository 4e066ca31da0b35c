/**
 * Whether the East Asian text of a document stands in justified paragraphs (`w:jc`, ISO/IEC 29500-1, 17.3.1.13) or in those
 * that begin at the left. Others, such as titles and numbers in tables, have few lines that are full.
 */
import { EAST_ASIAN, kindsOf } from '../document/characters.ts';
import type { KeptParts } from '../document/kept-parts.ts';
import { linkedText } from '../document/links.ts';
import { attributeOf, type MarkupVisitor, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import { Styles } from '../document/styles.ts';
import { noTheme } from '../document/theme.ts';
import { LayoutStyles } from './layout-styles.ts';

const JUSTIFIED: ReadonlySet<string> = new Set(['both', 'distribute']);
const AT_THE_START: ReadonlySet<string> = new Set(['left', 'start']);

/** Whether most of it is justified, in the main part, or there is none. */
export function isMostlyJustified(parts: KeptParts): boolean {
  const styles = linkedText(parts, 'styles');
  const xml = parts.text(parts.mainPart);
  const reader = new AlignmentReader(
    wordPrefixOf(xml),
    new LayoutStyles(styles),
    new Styles(styles, noTheme),
  );
  visitMarkup(xml, reader);
  return reader.ragged <= reader.justified;
}

interface Paragraph {
  style: string;
  alignment: string | undefined;
  letters: number;
}

class AlignmentReader implements MarkupVisitor {
  /** Lengths of pieces of text with East Asian letters. */
  justified = 0;
  ragged = 0;
  readonly #prefix: string;
  readonly names: ReadonlyMap<string, string>;
  readonly #layout: LayoutStyles;
  readonly #styles: Styles;
  /** Those that are open: text boxes stand in paragraphs. */
  readonly #open: Paragraph[] = [];
  #isText = false;
  #skipped: string | undefined;

  constructor(prefix: string, layout: LayoutStyles, styles: Styles) {
    this.#prefix = prefix;
    this.names = qualified(prefix, ['p', 'pStyle', 'jc', 't', 'tblPr', 'pPrChange']);
    this.#layout = layout;
    this.#styles = styles;
  }

  open(name: string, attributes: string, isEmpty: boolean): void {
    const local = this.#skipped === undefined ? this.names.get(name) : undefined;
    const paragraph = this.#open.at(-1);
    const value = () => attributeOf(attributes, `${this.#prefix}val`);
    if (local === 'p') {
      if (!isEmpty) this.#open.push({ style: '', alignment: undefined, letters: 0 });
    } else if (local === 'tblPr' || local === 'pPrChange') this.#skipped = isEmpty ? undefined : name;
    else if (local === 't') this.#isText = !isEmpty;
    else if (local === 'pStyle' && paragraph) paragraph.style = value() ?? '';
    else if (local === 'jc' && paragraph) paragraph.alignment = value();
  }

  text(xml: string, start: number, end: number): void {
    const paragraph = this.#isText ? this.#open.at(-1) : undefined;
    if (paragraph && kindsOf(xml, start, end) & EAST_ASIAN) paragraph.letters += end - start;
  }

  close(name: string): void {
    const local = this.names.get(name);
    if (name === this.#skipped) this.#skipped = undefined;
    else if (local === 't') this.#isText = false;
    else if (local === 'p') this.#count(this.#open.pop());
  }

  #count(paragraph: Paragraph | undefined): void {
    if (!paragraph) return;
    const { style, alignment, letters } = paragraph;
    const ofStyle = () => this.#layout.get(this.#styles.paragraphStyle(style), 'alignment');
    const known = alignment ?? ofStyle() ?? 'left';
    if (JUSTIFIED.has(known)) this.justified += letters;
    else if (AT_THE_START.has(known)) this.ragged += letters;
  }
}
