/**
 * Drop caps (`w:framePr w:dropCap`, ISO/IEC 29500-1, 17.3.1.11) above an empty paragraph. In Word the letter stands in a frame, beside
 * what comes next. LibreOffice gives the letter to the next paragraph, and shows it as small as text where that has no other. So it
 * gets a frame like any other.
 */
import { withValues } from '../document/attributes.ts';
import { BodyWalk, drawings, type Element } from '../document/body-walk.ts';
import { editAttributes } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';

/** The part with such frames, in linear time. */
export function withLoneDropCaps(xml: Bytes): Bytes {
  return new DropCapReader(xml).walk().edited();
}

class DropCapReader extends BodyWalk {
  /** The frames of the drop caps in the open paragraph, and in the one before it. */
  #own: Element | undefined;
  #above: Element | undefined;
  #hasText = false;

  constructor(xml: Bytes) {
    super(xml, { elements: ['p', 'framePr', 't', 'tbl', 'tc'], passesOver: drawings });
  }

  override open(element: Element): void {
    const { local, isEmpty } = element;
    if (local === 'p') {
      this.#hasText = false;
      if (isEmpty) this.#endParagraph();
    } else if (local === 'framePr') {
      if (/^(drop|margin)$/.test(element.value('dropCap') ?? '')) this.#own = element;
    } else if (local === 't') this.#hasText ||= !isEmpty;
    else this.#above = undefined;
  }

  override close(local: string | undefined): void {
    if (local === 'p') this.#endParagraph();
  }

  #endParagraph(): void {
    const [cap, names] = [this.#above, ['dropCap', 'lines'].map((name) => this.w + name)];
    [this.#above, this.#own] = [this.#own, undefined];
    if (!cap || this.#hasText) return;
    const rest = withValues(cap.attributes, (name, value) => (names.includes(name) ? undefined : value));
    this.edits.push(editAttributes(cap, rest));
  }
}
