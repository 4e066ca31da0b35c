/**
 * Whether the East Asian text of a document stands in justified paragraphs (`w:jc`, ISO/IEC 29500-1, 17.3.1.13) or in those
 * that begin at the left. Others, such as titles and numbers in tables, have few lines that are full.
 */
import { BodyWalk, type Element } from '../document/body-walk.ts';
import { EAST_ASIAN, kindsOf } from '../document/characters.ts';
import type { KeptParts } from '../document/kept-parts.ts';
import { linkedText } from '../document/links.ts';
import { Styles } from '../document/styles.ts';
import { noTheme } from '../document/theme.ts';
import { LayoutStyles } from './layout-styles.ts';

const JUSTIFIED: ReadonlySet<string> = new Set(['both', 'distribute']);
const AT_THE_START: ReadonlySet<string> = new Set(['left', 'start']);

/** Whether most of it is justified, in the main part, or there is none. */
export function isMostlyJustified(parts: KeptParts): boolean {
  const styles = linkedText(parts, 'styles');
  const xml = parts.text(parts.mainPart);
  const reader = new AlignmentReader(xml, new LayoutStyles(styles), new Styles(styles, noTheme)).walk();
  return reader.ragged <= reader.justified;
}

interface Paragraph {
  style: string;
  alignment: string | undefined;
  letters: number;
}

class AlignmentReader extends BodyWalk {
  /** Lengths of pieces of text with East Asian letters. */
  justified = 0;
  ragged = 0;
  readonly #layout: LayoutStyles;
  readonly #styles: Styles;
  /** Those that are open: text boxes stand in paragraphs. */
  readonly #open: Paragraph[] = [];

  constructor(xml: string, layout: LayoutStyles, styles: Styles) {
    const passesOver = ['tblPr'];
    super(xml, { elements: ['p', 'pStyle', 'jc', 't'], texts: ['t'], passesOver, readsDeletions: true });
    this.#layout = layout;
    this.#styles = styles;
  }

  override open(element: Element): void {
    const { local, isEmpty } = element;
    const paragraph = this.#open.at(-1);
    if (local === 'p') {
      if (!isEmpty) this.#open.push({ style: '', alignment: undefined, letters: 0 });
    } else if (local === 'pStyle' && paragraph) paragraph.style = element.value() ?? '';
    else if (local === 'jc' && paragraph) paragraph.alignment = element.value();
  }

  override text(start: number, end: number): void {
    const paragraph = this.#open.at(-1);
    if (paragraph && kindsOf(this.xml, start, end) & EAST_ASIAN) paragraph.letters += end - start;
  }

  override close(local: string | undefined): void {
    if (local === 'p') this.#count(this.#open.pop());
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
