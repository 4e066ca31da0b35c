/**
 * Bullets of symbol fonts (`w:lvl`, ISO/IEC 29500-1, 17.9.6), as Word sets them. A bullet makes no line higher than its own
 * font has it, and the PDF's text has its sign. LibreOffice adds the descent of the bullet's font to the ascent of the text's,
 * takes Symbol's line from another font, and writes characters for private use.
 */

import { attributeOf, type MarkupVisitor, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
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

interface Tag {
  readonly attributes: string;
  readonly isEmpty: boolean;
  readonly start: number;
  readonly end: number;
}

interface Level {
  /** What it belongs to; empty for one that a list has of its own. */
  readonly definition: string;
  readonly level: string;
  text: Tag | undefined;
  fonts: Tag | undefined;
}

/** A list has nine. */
const LEVEL = /^[0-8]$/;

/**
 * The numbering part with bullets that take Word's room, in linear time.
 *
 * @param raiseOf is asked for Symbol's bullets alone.
 */
export function withWordsBullets(xml: Bytes, raiseOf: RaiseOf): Bytes {
  const prefix = wordPrefixOf(xml);
  const reader = new LevelReader(prefix);
  visitMarkup(xml, reader);
  const pieces: string[] = [];
  let at = 0;
  const replace = ({ isEmpty, start, end }: Tag, content: string) => {
    pieces.push(xml.slice(at, start), `<${prefix}${content}${isEmpty ? '/>' : '>'}`);
    at = end;
  };
  const known = new Map<string, Raise | undefined>();
  const raise = (definition: string, level: string): Raise | undefined => {
    const key = `${definition} ${level}`;
    if (!known.has(key) && LEVEL.test(level))
      known.set(key, raiseOf(reader.lists.get(definition) ?? [], level));
    return known.get(key);
  };
  for (const { definition, level, text, fonts } of reader.levels) {
    const bullet = text && fonts && bulletOf(text.attributes, fonts.attributes, prefix);
    // The schema has the text first.
    if (!bullet || text.end > fonts.start) continue;
    const by = bullet.raised && raise(definition, level);
    const font = (by && bullet.raised?.[by]) ?? bullet.font;
    const names = ['ascii', 'hAnsi', 'eastAsia', 'cs'].map((slot) => ` ${prefix}${slot}="${font}"`).join('');
    replace(text, `lvlText ${prefix}val="&#${bullet.sign.codePointAt(0)};"`);
    replace(fonts, `rFonts${names}`);
  }
  return pieces.join('') + xml.slice(at);
}

function bulletOf(text: string, fonts: string, prefix: string): Bullet | undefined {
  const font = attributeOf(fonts, `${prefix}ascii`);
  if (font === undefined || attributeOf(fonts, `${prefix}asciiTheme`) !== undefined) return undefined;
  const written = attributeOf(text, `${prefix}val`) ?? '';
  const sign = /^[\xe0-\xef][\x80-\xbf]{2}$/.test(written) ? fromBytes(written) : written;
  return bullets.get(`${font.toLowerCase()} ${sign}`);
}

class LevelReader implements MarkupVisitor {
  readonly levels: Level[] = [];
  /** By definition, its instances. */
  readonly lists = new Map<string, string[]>();
  readonly #prefix: string;
  readonly names: ReadonlyMap<string, string>;
  #definition = '';
  #list = '';

  constructor(prefix: string) {
    this.#prefix = prefix;
    this.names = qualified(prefix, ['abstractNum', 'num', 'abstractNumId', 'lvl', 'lvlText', 'rFonts']);
  }

  open(name: string, attributes: string, isEmpty: boolean, start: number, end: number): void {
    const value = (local: string) => attributeOf(attributes, this.#prefix + local) ?? '';
    const level = this.levels.at(-1);
    switch (this.names.get(name)) {
      case 'abstractNum':
        this.#definition = value('abstractNumId');
        break;
      case 'num':
        this.#definition = '';
        this.#list = value('numId');
        break;
      case 'abstractNumId':
        this.#addList(value('val'));
        break;
      case 'lvl':
        this.levels.push({
          definition: this.#definition,
          level: value('ilvl'),
          text: undefined,
          fonts: undefined,
        });
        break;
      case 'lvlText':
        if (level) level.text ??= { attributes, isEmpty, start, end };
        break;
      case 'rFonts':
        if (level) level.fonts ??= { attributes, isEmpty, start, end };
    }
  }

  #addList(definition: string): void {
    const lists = this.lists.get(definition);
    if (lists) lists.push(this.#list);
    else this.lists.set(definition, [this.#list]);
  }
}
