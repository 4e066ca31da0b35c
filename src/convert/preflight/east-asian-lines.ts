/**
 * Where lines of East Asian text end, as Word has it (ISO/IEC 29500-1, 17.3.1.21 and 17.3.1.45).
 *
 * No punctuation hangs beyond the end of a line in Word's PDFs, whatever a document says. LibreOffice hangs it, unless
 * `overflowPunct` is on, which it takes for the opposite. And Word breaks Korean words where `wordWrap` is off, as its Korean
 * documents have it. LibreOffice breaks none, but in a language for which it has no rules of its own.
 */
import {
  attributeOf,
  isOn,
  type MarkupVisitor,
  prefixOf,
  qualified,
  visitMarkup,
  WORD_NAMESPACE,
} from '../facts/markup.ts';
import { ParagraphProperties } from '../pagination/paragraph-properties.ts';

const KOREAN = 'ko-KR';
/** Korean by the rules of Unicode. What is behind the x is of private use (BCP 47), and no PDF has it. */
const KOREAN_BY_CHARACTERS = 'ko-KR-x-chars';
const EAST_ASIAN = /^(?:ja|ko|zh)\b/;
const HANGING = /<((?:[\w.-]{1,32}:)?)overflowPunct(?:\s[^<>]{0,200})?>/g;

const elements = ['docDefaults', 'pPrDefault', 'style', 'pPr', 'rPr', 'lang', 'wordWrap'];
const skipped = ['tblStylePr', 'rPrChange', 'pPrChange', 'latentStyles'];

interface Place {
  start: number;
  end: number;
}

/** The defaults, or a style. */
interface Style {
  readonly isDefault: boolean;
  /** `pPrDefault`, and the properties of paragraphs. */
  outer?: Place;
  paragraph?: Place;
  run?: Place;
  language?: Place & { readonly attributes: string };
  wordWrap?: boolean;
}

/** Whether a piece of an XML part may be one that {@link withWordsLineEnds} changes. */
export function mayHaveLineEnds(piece: Buffer): boolean {
  return piece.includes('docDefaults') || piece.includes('overflowPunct');
}

/**
 * The part with the lines of its East Asian text where Word ends them, in linear time.
 *
 * @param xml in an encoding in which ASCII is ASCII.
 * @param language of the document's East Asian text, by its settings; undefined where they name none.
 */
export function withWordsLineEnds(xml: string, language: string | undefined): string {
  const reader = new StyleReader(xml, language);
  visitMarkup(xml, reader);
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text } of reader.edits.toSorted((a, b) => a.start - b.start)) {
    pieces.push(xml.slice(at, start), text);
    at = end;
  }
  return (pieces.join('') + xml.slice(at)).replace(
    HANGING,
    (tag, prefix: string) => `<${prefix}overflowPunct${tag.endsWith('/>') ? '/' : ''}>`,
  );
}

class StyleReader implements MarkupVisitor {
  readonly edits: (Place & { readonly text: string })[] = [];
  readonly #xml: string;
  readonly #prefix: string;
  readonly #names: ReadonlyMap<string, string>;
  #language: string | undefined;
  #style: Style | undefined;
  #skipped: string | undefined;

  constructor(xml: string, language: string | undefined) {
    this.#xml = xml;
    this.#language = language;
    this.#prefix = prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
    this.#names = qualified(this.#prefix, [...elements, ...skipped]);
  }

  open(name: string, attributes: string, isEmpty: boolean, start: number, end: number): void {
    const local = this.#names.get(name);
    if (local === undefined || this.#skipped !== undefined) return;
    const style = this.#style;
    if (skipped.includes(local)) {
      if (!isEmpty) this.#skipped = name;
    } else if (local === 'docDefaults' || local === 'style') {
      this.#style = isEmpty ? undefined : { isDefault: local === 'docDefaults' };
    } else if (!style) return;
    else if (local === 'pPrDefault') style.outer = { start, end };
    else if (local === 'pPr') style.paragraph = { start, end };
    else if (local === 'rPr') style.run = { start, end };
    else if (local === 'lang') style.language = { start, end, attributes };
    else if (local === 'wordWrap') style.wordWrap = isOn(attributes, `${this.#prefix}val`);
  }

  close(name: string, start: number, end: number): void {
    const local = this.#names.get(name);
    const style = this.#style;
    if (this.#skipped !== undefined) {
      if (name === this.#skipped) this.#skipped = undefined;
    } else if (!style) return;
    else if (local === 'pPrDefault' && style.outer) style.outer.end = end;
    else if (local === 'pPr' && style.paragraph) style.paragraph.end = end;
    else if (local === 'rPr' && style.run) style.run.end = end;
    else if (local === 'docDefaults' || local === 'style') {
      this.#style = undefined;
      if (style.isDefault) this.#finishDefaults(style, start);
      else if (style.wordWrap !== undefined && this.#language?.startsWith('ko')) {
        this.#setLanguage(style, style.wordWrap ? KOREAN : KOREAN_BY_CHARACTERS);
      }
    }
  }

  /** @param last where the defaults end. */
  #finishDefaults(style: Style, last: number): void {
    const named = attributeOf(style.language?.attributes ?? '', `${this.#prefix}eastAsia`) ?? '';
    if (EAST_ASIAN.test(named)) this.#language = named;
    const language = this.#language ?? '';
    if (!EAST_ASIAN.test(language)) return;
    const { start, end } = style.outer ?? { start: last, end: last };
    const properties = style.paragraph ? this.#xml.slice(style.paragraph.start, style.paragraph.end) : '';
    const content = properties.slice(properties.indexOf('>') + 1, Math.max(0, properties.lastIndexOf('<')));
    const changed = new ParagraphProperties(content, this.#prefix);
    changed.set('overflowPunct');
    const name = `${this.#prefix}pPrDefault`;
    this.edits.push({ start, end, text: `<${name}>${changed}</${name}>` });
    const isKorean = language.startsWith('ko');
    if (isKorean && style.wordWrap === false) this.#setLanguage(style, KOREAN_BY_CHARACTERS);
  }

  #setLanguage({ language, run, paragraph }: Style, name: string): void {
    const eastAsia = ` ${this.#prefix}eastAsia="${name}"`;
    const tag = (others: string) => `<${this.#prefix}lang${others}${eastAsia}/>`;
    if (language) {
      const others = language.attributes.replace(/\s(?:[\w.-]{1,32}:)?eastAsia\s*=\s*["'][^"']*["']/, '');
      this.edits.push({ ...language, text: tag(others.trimEnd()) });
    } else if (run) {
      const written = this.#xml.slice(run.start, run.end);
      const content = written.endsWith('/>')
        ? ''
        : written.slice(written.indexOf('>') + 1, written.lastIndexOf('<'));
      this.edits.push({ ...run, text: this.#runProperties(content + tag('')) });
    } else if (paragraph) {
      this.edits.push({ start: paragraph.end, end: paragraph.end, text: this.#runProperties(tag('')) });
    }
  }

  #runProperties(content: string): string {
    return `<${this.#prefix}rPr>${content}</${this.#prefix}rPr>`;
  }
}
