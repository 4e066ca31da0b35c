/**
 * Bullets of symbol fonts (`w:lvl`, ISO/IEC 29500-1, 17.9.6), as Word sets them. A bullet makes no line higher than its own
 * font has it, and the PDF's text has its sign. LibreOffice adds the descent of the bullet's font to the ascent of the text's,
 * takes Symbol's line from another font, and writes characters for private use.
 */

import { BodyWalk, type Element } from '../document/body-walk.ts';
import { editAttributes } from '../document/tags.ts';
import { type Bytes, fromBytes } from '../text/bytes.ts';

/** What Symbol's bullet adds to its line: to one of about one line, or to one with more space, which it adds to no more. */
export type Raise = 'single' | 'spaced';

interface Bullet {
  readonly sign: string;
  /** The one of docker/fonts/fonts.json that has it, with a line that is lower than any text's. */
  readonly font: string;
  /** The same with more ascent, where the bullet makes its line higher. */
  readonly raised?: Readonly<Record<Raise, string>>;
}

const raised = { single: 'Platen High Bullets', spaced: 'Platen Raised Bullets' };

/** By font and sign, as documents write them. */
const bullets: ReadonlyMap<string, Bullet> = new Map([
  ['symbol \uf0b7', { sign: '\u2022', font: 'Platen Bullets', raised }],
  ['symbol \uf02d', { sign: '\u2212', font: 'Platen Bullets', raised }],
  ['wingdings \uf0a7', { sign: '\u25aa', font: 'Platen Bullets' }],
  ['wingdings \uf0d8', { sign: '\u27a2', font: 'Platen Bullets' }],
  ['courier new o', { sign: 'o', font: 'Platen Circle Bullets' }],
]);

/** What Symbol's bullets add to the lines of most paragraphs of a level of these lists (`w:numId`, `w:ilvl`). */
export type RaiseOf = (lists: readonly string[], level: string) => Raise | undefined;

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
 * @param raiseOf is asked for Symbol's bullets alone.
 */
export function withWordsBullets(xml: Bytes, raiseOf: RaiseOf): Bytes {
  const reader = new LevelReader(xml).walk();
  reader.change(raiseOf);
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

  change(raiseOf: RaiseOf): void {
    const known = new Map<string, Raise | undefined>();
    const raise = (definition: string, level: string): Raise | undefined => {
      const key = `${definition} ${level}`;
      if (!known.has(key) && LEVEL.test(level))
        known.set(key, raiseOf(this.#lists.get(definition) ?? [], level));
      return known.get(key);
    };
    for (const { definition, level, text, fonts } of this.#levels) {
      const bullet = text && fonts && bulletOf(text, fonts);
      // The schema has the text first.
      if (!bullet || text.end > fonts.start) continue;
      const by = bullet.raised && raise(definition, level);
      const font = (by && bullet.raised?.[by]) ?? bullet.font;
      const names = ['ascii', 'hAnsi', 'eastAsia', 'cs']
        .map((slot) => ` ${this.w}${slot}="${font}"`)
        .join('');
      this.edits.push(
        editAttributes(text, ` ${this.w}val="&#${bullet.sign.codePointAt(0)};"`),
        editAttributes(fonts, names),
      );
    }
  }
}
