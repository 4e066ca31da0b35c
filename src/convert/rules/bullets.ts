/**
 * Bullets of symbol fonts (`w:lvl`, ISO/IEC 29500-1, 17.9.6), as Word sets them. A line of Word has the highest ascent and the
 * deepest descent of its fonts. That of Symbol's bullet is higher than that of most text; the others' are not. LibreOffice takes
 * Symbol's line from another font, and writes characters for private use; the PDF's text has the bullet's sign.
 */
import { BodyWalk, type Element } from '../document/body-walk.ts';
import { editAttributes } from '../document/tags.ts';
import { type Bytes, fromBytes } from '../text/bytes.ts';
import type { IsSpaced } from './list-lines.ts';

interface Bullet {
  readonly sign: string;
  /** The one of docker/fonts/fonts.json that has it, with the ascent that it has in Word, or a lower one than any text. */
  readonly font: string;
  /** The same for spaced lines: what the bullet adds is not multiplied. */
  readonly spaced?: string;
}

const high = { font: 'Platen High Bullets', spaced: 'Platen Raised Bullets' };

/** By font and sign, as documents write them. */
const bullets: ReadonlyMap<string, Bullet> = new Map([
  ['symbol \uf0b7', { sign: '\u2022', ...high }],
  ['symbol \uf02d', { sign: '\u2212', ...high }],
  ['wingdings \uf0a7', { sign: '\u25aa', font: 'Platen Bullets' }],
  ['wingdings \uf0d8', { sign: '\u27a2', font: 'Platen Bullets' }],
  ['courier new o', { sign: 'o', font: 'Platen Circle Bullets' }],
]);

interface Level {
  /** What it belongs to; empty for one that a list has of its own. */
  readonly definition: string;
  readonly level: string;
  text?: Element;
  fonts?: Element;
}

/** A list has nine. */
const LEVEL = /^[0-8]$/;

/**
 * The numbering part with bullets that take Word's room, in linear time.
 *
 * @param isSpaced is asked for Symbol's bullets alone.
 */
export function withWordsBullets(xml: Bytes, isSpaced: IsSpaced): Bytes {
  const reader = new LevelReader(xml).walk();
  reader.change(isSpaced);
  return reader.edited();
}

function bulletOf(text: Element, fonts: Element): Bullet | undefined {
  const font = fonts.value('ascii');
  if (font === undefined || fonts.value('asciiTheme') !== undefined) return undefined;
  const written = text.value() ?? '';
  const sign = /^[\xe0-\xef][\x80-\xbf]{2}$/.test(written) ? fromBytes(written) : written;
  return bullets.get(`${font.toLowerCase()} ${sign}`);
}

class LevelReader extends BodyWalk {
  readonly #levels: Level[] = [];
  /** By definition, its instances. */
  readonly #lists = new Map<string, string[]>();
  #definition = '';
  #list = '';

  constructor(xml: Bytes) {
    super(xml, { elements: ['abstractNum', 'num', 'abstractNumId', 'lvl', 'lvlText', 'rFonts'] });
  }

  override open(element: Element): void {
    const level = this.#levels.at(-1);
    switch (element.local) {
      case 'abstractNum':
        this.#definition = element.value('abstractNumId') ?? '';
        break;
      case 'num':
        this.#definition = '';
        this.#list = element.value('numId') ?? '';
        break;
      case 'abstractNumId':
        this.#addList(element.value() ?? '');
        break;
      case 'lvl':
        this.#levels.push({ definition: this.#definition, level: element.value('ilvl') ?? '' });
        break;
      case 'lvlText':
        if (level) level.text ??= element;
        break;
      case 'rFonts':
        if (level) level.fonts ??= element;
    }
  }

  #addList(definition: string): void {
    const lists = this.#lists.get(definition);
    if (lists) lists.push(this.#list);
    else this.#lists.set(definition, [this.#list]);
  }

  change(isSpaced: IsSpaced): void {
    const known = new Map<string, boolean>();
    const isWide = (definition: string, level: string): boolean => {
      const key = `${definition} ${level}`;
      if (!known.has(key) && LEVEL.test(level))
        known.set(key, isSpaced(this.#lists.get(definition) ?? [], level));
      return known.get(key) ?? false;
    };
    for (const { definition, level, text, fonts } of this.#levels) {
      const bullet = text && fonts && bulletOf(text, fonts);
      // The schema has the text first.
      if (!bullet || text.end > fonts.start) continue;
      const font = bullet.spaced && isWide(definition, level) ? bullet.spaced : bullet.font;
      const names = ['ascii', 'hAnsi', 'eastAsia', 'cs']
        .map((slot) => ` ${this.w}${slot}="${font}"`)
        .join('');
      this.edits.push(editAttributes(text, ` ${this.w}val="&#${bullet.sign.codePointAt(0)};"`));
      this.edits.push(editAttributes(fonts, names));
    }
  }
}
