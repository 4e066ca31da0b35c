/**
 * Space between items of a list whose automatic spacing is off (`w:beforeAutospacing="0"`, ISO/IEC 29500-1, 17.3.1.33), as in text
 * copied from the web. Word uses the written space, as without that attribute. LibreOffice (seen in 25.2) leaves it out where the
 * item, its style or the document's defaults have the attribute, whatever it says. Properties that LibreOffice only keeps are one
 * there: those of an item hide the style's. So such items lose the attribute, and say that their indents are not mirrored
 * (`w:mirrorIndents`, 17.3.1.18), which changes nothing.
 */
import { BodyWalk, type Element } from '../document/body-walk.ts';
import { attributeOf } from '../document/markup.ts';
import { Remembered } from '../document/remembered.ts';
import { NO_LIST } from '../document/styles.ts';
import { firstTag } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';
import type { DocumentStyles } from './document-styles.ts';
import { readLineProperty, sides } from './layout-styles.ts';

/** The part with such space, in linear time. */
export function withWrittenSpacing(xml: Bytes, styles: DocumentStyles): Bytes {
  if (!styles.styles.hasAutospacing && !xml.includes('Autospacing')) return xml;
  return new WrittenSpacing(xml, styles).walk().edited();
}

class WrittenSpacing extends BodyWalk {
  readonly #styles: DocumentStyles;
  /** Properties as they are to be, by what they are. */
  readonly #written = new Remembered<string>();
  /** Where the properties of the open paragraph begin; undefined for those of a style. */
  #start: number | undefined;
  #isParagraph = false;

  constructor(xml: Bytes, styles: DocumentStyles) {
    super(xml, { elements: ['p', 'pPr'] });
    this.#styles = styles;
  }

  override open({ local, isEmpty, start }: Element): void {
    this.#start = local === 'pPr' && this.#isParagraph ? start : undefined;
    this.#isParagraph = local === 'p' && !isEmpty;
  }

  override close(local: string | undefined, _start: number, end: number): void {
    const start = this.#start;
    if (local !== 'pPr' || start === undefined) return;
    this.#start = undefined;
    const written = this.xml.slice(start, end);
    const text = this.#written.of(written, () => this.#changed(start, end) ?? written);
    if (text !== written) this.edits.push({ start, end, text });
  }

  #changed(start: number, end: number): string | undefined {
    const { w } = this;
    const { styles, fonts, paragraphStyle } = this.#styles;
    const properties = this.propertiesAt({ start, end });
    if (!properties) return undefined;
    const style = paragraphStyle(properties.value('pStyle') ?? '');
    const list = attributeOf(firstTag(properties.get('numPr') ?? '', `${w}numId`) ?? '', `${w}val`);
    if (list === undefined ? !fonts.isInList(style) : list === NO_LIST) return undefined;
    const own = readLineProperty('spacing', properties.get('spacing') ?? '', w);
    const automatic: Record<string, string> = {};
    const removed: string[] = [];
    let isHidden = false;
    for (const side of sides) {
      const name = `${side}Autospacing` as const;
      const inherited = styles.get(style, name);
      if (own[name] ?? inherited) automatic[name] = '1';
      else if (own[name] === false) {
        // Without a space of its own, the item would get the automatic one.
        if (inherited && own[side] === undefined) return undefined;
        removed.push(name);
      }
      isHidden ||= inherited === false || (inherited === true && own[name] === false);
    }
    if (removed.length === 0 && !isHidden) return undefined;
    const says = isHidden && Object.keys(automatic).length > 0;
    if (says || removed.length > 0) properties.merge('spacing', says ? automatic : {}, removed);
    if (isHidden && !says && !properties.has('mirrorIndents')) properties.set('mirrorIndents', { val: '0' });
    return properties.toString();
  }
}
