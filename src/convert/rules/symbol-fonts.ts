/**
 * Signs of symbol fonts, which documents write as U+F000 to U+F0FF: Word shows them in the font `hAnsi` of their run or
 * of their list level, LibreOffice in the font `ascii`. Most programs write both alike. Where they differ, a bullet is an
 * empty box.
 */
import { attributesIn, withValues } from '../document/attributes.ts';
import { BodyWalk, type Element } from '../document/body-walk.ts';
import { MATH_NAMESPACE, prefixOf, qualified } from '../document/markup.ts';
import { Remembered } from '../document/remembered.ts';
import { editAttributes } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';

/** None but these characters, in UTF-8 seen as Latin-1 or as references. */
const SIGNS = /^(?:\xef[\x80-\x83][\x80-\xbf]|&#x0*[Ff]0[\dA-Fa-f]{2};|&#0*61(?:4[4-9]|[56]\d)\d;)+$/;
/** Each of them has one of these. */
const SIGN_BYTES = ['\xef\x80', '\xef\x81', '\xef\x82', '\xef\x83', '&#'];
/** Runs and list levels, what they show and in which fonts. */
const elements = ['r', 'lvl', 'rFonts', 'lvlText', 't'];
/** With one of these hints, or with the theme's font, Word takes another one. */
const otherHints: ReadonlySet<string> = new Set(['eastAsia', 'cs']);

/** The part, with the same font in `ascii` as in `hAnsi` where a run or a level shows nothing but such signs. */
export function withSymbolFonts(xml: Bytes): Bytes {
  if (!SIGN_BYTES.some((bytes) => xml.includes(bytes))) return xml;
  const reader = new SymbolReader(xml).walk();
  reader.finish();
  return reader.edited();
}

class SymbolReader extends BodyWalk {
  #fonts: Element | undefined;
  /** Whether all of it are signs; undefined until it shows something. */
  #isSymbols: boolean | undefined;
  /** Attributes of fonts as they are to be; empty where they need no change. */
  readonly #alike = new Remembered<string>();

  constructor(xml: Bytes) {
    const others = qualified(prefixOf(xml, MATH_NAMESPACE) ?? 'm:', ['r', 't']);
    super(xml, { elements, others, texts: ['t'], readsDeletions: true });
  }

  override open(element: Element): void {
    const { local, attributes } = element;
    if (local === 'r' || local === 'lvl') this.finish();
    else if (local === 'rFonts') this.#fonts ??= element;
    else if (local === 'lvlText') {
      const text = attributesIn(attributes).find(({ name }) => name === `${this.w}val`);
      this.#show(text?.value ?? '');
    }
  }

  override close(local: string | undefined): void {
    if (local === 'r' || local === 'lvl') this.finish();
  }

  override text(start: number, end: number): void {
    this.#show(this.xml.slice(start, end));
  }

  /** A run or a level is at its end. */
  finish(): void {
    const fonts = this.#isSymbols ? this.#fonts : undefined;
    const changed = fonts && this.#alike.of(fonts.attributes, () => alike(fonts.attributes, this.w));
    if (fonts && changed) this.edits.push(editAttributes(fonts, changed));
    this.#fonts = undefined;
    this.#isSymbols = undefined;
  }

  #show(text: string): void {
    if (text !== '') this.#isSymbols = (this.#isSymbols ?? true) && SIGNS.test(text);
  }
}

/** The attributes of `rFonts` with one font for both; empty if they need no change. */
function alike(attributes: string, prefix: string): string {
  const written = new Map(attributesIn(attributes).map((each) => [each.name, each]));
  const value = (name: string) => written.get(prefix + name)?.value;
  const font = written.get(`${prefix}hAnsi`);
  if (!font || value('hAnsiTheme') !== undefined || otherHints.has(value('hint') ?? '')) return '';
  if (value('ascii') === font.value) return '';
  const ascii = `${prefix}ascii`;
  const rest = withValues(attributes, (name, own) =>
    name === ascii || name === `${ascii}Theme` ? undefined : own,
  );
  return ` ${ascii}=${font.quoted}${rest}`;
}
