/**
 * Where lines of Korean text end, as Word has it (ISO/IEC 29500-1, 17.3.1.45). Word breaks Korean words where `wordWrap` is
 * off, as its Korean documents have it. LibreOffice breaks them only in a language for which it has no rules of its own.
 */

import { withValues } from '../document/attributes.ts';
import { withEdits } from '../document/edits.ts';
import {
  attributeOf,
  isOn,
  type MarkupVisitor,
  qualified,
  visitMarkup,
  wordPrefixOf,
} from '../document/markup.ts';
import type { Bytes } from '../text/bytes.ts';

const KOREAN = 'ko-KR';
/** Korean by the rules of Unicode. What is behind the x is of private use (BCP 47), and no PDF has it. */
const KOREAN_BY_CHARACTERS = 'ko-KR-x-chars';

const elements = ['docDefaults', 'style', 'pPr', 'rPr', 'lang', 'wordWrap'];
const skipped = ['tblStylePr', 'rPrChange', 'pPrChange', 'latentStyles'];

interface Place {
  start: number;
  end: number;
}

/** The defaults, or a style. */
interface Style {
  readonly isDefault: boolean;
  paragraph?: Place;
  run?: Place & { readonly content: number; contentEnd: number };
  language?: Place & { readonly attributes: string; readonly isEmpty: boolean };
  wordWrap?: boolean;
}

/**
 * The part with the lines of its Korean text where Word ends them, in linear time.
 *
 * @param language of the document's East Asian text, by its settings; undefined where they name none.
 */
export function withWordsLineEnds(xml: Bytes, language: string | undefined): Bytes {
  const reader = new StyleReader(xml, language);
  visitMarkup(xml, reader);
  return withEdits(xml, reader.edits);
}

class StyleReader implements MarkupVisitor {
  readonly edits: (Place & { readonly text: string })[] = [];
  readonly #xml: string;
  readonly #prefix: string;
  readonly names: ReadonlyMap<string, string>;
  #language: string | undefined;
  #style: Style | undefined;
  #skipped: string | undefined;

  constructor(xml: string, language: string | undefined) {
    this.#xml = xml;
    this.#language = language;
    this.#prefix = wordPrefixOf(xml);
    this.names = qualified(this.#prefix, [...elements, ...skipped]);
  }

  open(name: string, attributes: string, isEmpty: boolean, start: number, end: number): void {
    const local = this.names.get(name);
    if (local === undefined || this.#skipped !== undefined) return;
    const style = this.#style;
    if (skipped.includes(local)) {
      if (!isEmpty) this.#skipped = name;
    } else if (local === 'docDefaults' || local === 'style') {
      this.#style = isEmpty ? undefined : { isDefault: local === 'docDefaults' };
    } else if (!style) return;
    else if (local === 'pPr') style.paragraph = { start, end };
    else if (local === 'rPr') style.run = { start, end, content: end, contentEnd: end };
    else if (local === 'lang') style.language = { start, end, attributes, isEmpty };
    else if (local === 'wordWrap') style.wordWrap = isOn(attributes, `${this.#prefix}val`);
  }

  close(name: string, start: number, end: number): void {
    const local = this.names.get(name);
    const style = this.#style;
    if (this.#skipped !== undefined) {
      if (name === this.#skipped) this.#skipped = undefined;
    } else if (!style) return;
    else if (local === 'pPr' && style.paragraph) style.paragraph.end = end;
    else if (local === 'rPr' && style.run) Object.assign(style.run, { contentEnd: start, end });
    else if (local === 'docDefaults' || local === 'style') {
      this.#style = undefined;
      if (style.isDefault) {
        const named = attributeOf(style.language?.attributes ?? '', `${this.#prefix}eastAsia`);
        if (named?.startsWith('ko')) this.#language = named;
      }
      if (style.wordWrap !== undefined && this.#language?.startsWith('ko')) {
        this.#setLanguage(style, style.wordWrap ? KOREAN : KOREAN_BY_CHARACTERS);
      }
    }
  }

  #setLanguage({ language, run, paragraph }: Style, name: string): void {
    const eastAsia = ` ${this.#prefix}eastAsia="${name}"`;
    const tag = (others = '', isEmpty = true) =>
      `<${this.#prefix}lang${others}${eastAsia}${isEmpty ? '/>' : '>'}`;
    if (language) {
      const others = withValues(language.attributes, (own, value) =>
        own === `${this.#prefix}eastAsia` ? undefined : value,
      );
      this.edits.push({ ...language, text: tag(others.trimEnd(), language.isEmpty) });
    } else if (run) {
      const content = this.#xml.slice(run.content, run.contentEnd);
      this.edits.push({ start: run.start, end: run.end, text: this.#runProperties(content + tag()) });
    } else if (paragraph) {
      this.edits.push({ start: paragraph.end, end: paragraph.end, text: this.#runProperties(tag()) });
    }
  }

  #runProperties(content: string): string {
    return `<${this.#prefix}rPr>${content}</${this.#prefix}rPr>`;
  }
}
