/**
 * Lines in cells of tables are on the grid of lines only if the settings say so (`adjustLineHeightInTable`, ISO/IEC 29500-1,
 * 17.15.3.1). LibreOffice puts them on it in any case.
 */
import { BodyWalk, type Element, type Place } from '../document/body-walk.ts';
import { Remembered } from '../document/remembered.ts';
import type { Bytes } from '../text/bytes.ts';

const told = { elements: ['tbl', 'p', 'pPr'], passesOver: ['txbxContent'] };

/** The main part with no line of a table on the grid, in linear time. */
export function withoutGridInTables(xml: Bytes): Bytes {
  return new TableReader(xml, told).walk().edited();
}

class TableReader extends BodyWalk {
  #tables = 0;
  /** Where the content of the open paragraph begins, until its properties were read. */
  #paragraph: number | undefined;
  /** Where the properties begin that are being read. */
  #properties: number | undefined;
  readonly #written = new Remembered<string>();

  override open({ local, isEmpty, start, end, name, attributes }: Element): void {
    if (local === 'tbl') this.#tables += isEmpty ? 0 : 1;
    else if (this.#tables === 0) return;
    else if (local === 'pPr') {
      if (this.#paragraph === undefined) return;
      this.#paragraph = undefined;
      if (isEmpty) this.#write({ start, end });
      else this.#properties = start;
    } else if (isEmpty) {
      const properties = this.#off({ start, end: start });
      this.edits.push({ start, end, text: `<${name}${attributes}>${properties}</${name}>` });
    } else {
      this.#leaveParagraph();
      this.#paragraph = end;
    }
  }

  override close(local: string | undefined, _start: number, end: number): void {
    if (local === 'tbl') this.#tables -= 1;
    else if (local === 'p') this.#leaveParagraph();
    else if (this.#properties !== undefined) {
      this.#write({ start: this.#properties, end });
      this.#properties = undefined;
    }
  }

  /** A paragraph without properties. */
  #leaveParagraph(): void {
    if (this.#paragraph !== undefined) this.#write({ start: this.#paragraph, end: this.#paragraph });
    this.#paragraph = undefined;
  }

  #write(place: Place): void {
    const text = this.#off(place);
    if (text !== '') this.edits.push({ ...place, text });
  }

  /** The properties off the grid; empty where they cannot be changed. */
  #off(place: Place): string {
    return this.#written.of(this.xml.slice(place.start, place.end), () => {
      const properties = this.propertiesAt(place);
      properties?.set('snapToGrid', { val: '0' });
      return properties?.toString() ?? '';
    });
  }
}
