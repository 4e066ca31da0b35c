/**
 * Lines in cells of tables are on the grid of lines only if the settings say so (`adjustLineHeightInTable`, ISO/IEC 29500-1,
 * 17.15.3.1). LibreOffice puts them on it in any case.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { type ElementVisitor, type StartTag, visitNamed } from '../document/elements.ts';
import { qualified, wordPrefixOf } from '../document/markup.ts';
import { ParagraphProperties } from '../document/paragraph-properties.ts';

const skipped: ReadonlySet<string> = new Set(['txbxContent', 'pPrChange', 'del', 'moveFrom']);
const elements = ['tbl', 'p', 'pPr', ...skipped];

/**
 * The main part with no line of a table on the grid, in linear time.
 *
 * @param xml in an encoding in which ASCII is ASCII.
 */
export function withoutGridInTables(xml: string): string {
  const reader = new TableReader(xml);
  visitNamed(xml, reader);
  return withEdits(xml, reader.edits);
}

class TableReader implements ElementVisitor {
  readonly names: ReadonlyMap<string, string>;
  readonly edits: Edit[] = [];
  readonly #xml: string;
  readonly #prefix: string;
  #tables = 0;
  /** Where the content of the open paragraph begins, until its properties were read. */
  #paragraph: number | undefined;
  /** Where the properties begin that are being read. */
  #properties: number | undefined;

  constructor(xml: string) {
    this.#xml = xml;
    this.#prefix = wordPrefixOf(xml);
    this.names = new Map(qualified(this.#prefix, elements));
  }

  open({ local, isEmpty, start, end, name, attributes }: StartTag): boolean {
    if (local === undefined || skipped.has(local)) return local !== undefined;
    if (local === 'tbl') this.#tables += isEmpty ? 0 : 1;
    else if (this.#tables === 0) return false;
    else if (local === 'pPr') {
      if (this.#paragraph === undefined) return false;
      this.#paragraph = undefined;
      if (isEmpty) this.#write(start, end, '');
      else this.#properties = start;
    } else if (isEmpty)
      this.edits.push({ start, end, text: `<${name}${attributes}>${this.#off('')}</${name}>` });
    else {
      this.#leaveParagraph();
      this.#paragraph = end;
    }
    return false;
  }

  close(_name: string, local: string | undefined, start: number, end: number): void {
    if (local === 'tbl') this.#tables -= 1;
    else if (local === 'p') this.#leaveParagraph();
    else if (local === 'pPr' && this.#properties !== undefined) {
      const text = this.#xml.slice(this.#properties, start);
      // Namespaces that the properties declare would be lost.
      if (text.startsWith(`<${this.#prefix}pPr>`))
        this.#write(this.#properties, end, text.slice(text.indexOf('>') + 1));
      this.#properties = undefined;
    }
  }

  /** A paragraph without properties. */
  #leaveParagraph(): void {
    if (this.#paragraph !== undefined) this.#write(this.#paragraph, this.#paragraph, '');
    this.#paragraph = undefined;
  }

  #write(start: number, end: number, properties: string): void {
    this.edits.push({ start, end, text: this.#off(properties) });
  }

  #off(content: string): string {
    const properties = new ParagraphProperties(content, this.#prefix);
    properties.set('snapToGrid', { val: '0' });
    return properties.toString();
  }
}
