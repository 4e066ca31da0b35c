/**
 * Where lines of Korean text end, as Word has it (ISO/IEC 29500-1, 17.3.1.45). Word breaks Korean words where `wordWrap` is
 * off, as its Korean documents have it. LibreOffice breaks them only in a language for which it has no rules of its own.
 */
import { withValues } from '../document/attributes.ts';
import { BodyWalk, type Element } from '../document/body-walk.ts';
import type { Bytes } from '../text/bytes.ts';

const KOREAN = 'ko-KR';
/** Korean by the rules of Unicode. What is behind the x is of private use (BCP 47), and no PDF has it. */
const KOREAN_BY_CHARACTERS = 'ko-KR-x-chars';

const elements = ['docDefaults', 'style', 'pPr', 'rPr', 'lang', 'wordWrap'];
const passesOver = ['tblStylePr', 'latentStyles'];

/** The defaults, or a style. */
interface Style {
  readonly isDefault: boolean;
  /** Where its properties of paragraphs end. */
  paragraph?: number;
  run?: { readonly start: number; end: number; readonly content: number; contentEnd: number };
  language?: Element;
  wordWrap?: boolean;
}

/**
 * The part with the lines of its Korean text where Word ends them, in linear time.
 *
 * @param language of the document's East Asian text, by its settings; undefined where they name none.
 */
export function withWordsLineEnds(xml: Bytes, language: string | undefined): Bytes {
  return new StyleReader(xml, language).walk().edited();
}

class StyleReader extends BodyWalk {
  #language: string | undefined;
  #style: Style | undefined;

  constructor(xml: Bytes, language: string | undefined) {
    super(xml, { elements, passesOver });
    this.#language = language;
  }

  override open(element: Element): void {
    const { local, isEmpty, start, end } = element;
    const style = this.#style;
    if (local === 'docDefaults' || local === 'style') {
      this.#style = isEmpty ? undefined : { isDefault: local === 'docDefaults' };
    } else if (!style) return;
    else if (local === 'pPr') style.paragraph = end;
    else if (local === 'rPr') style.run = { start, end, content: end, contentEnd: end };
    else if (local === 'lang') style.language = element;
    else if (local === 'wordWrap') style.wordWrap = element.isOn;
  }

  override close(local: string | undefined, start: number, end: number): void {
    const style = this.#style;
    if (!style) return;
    if (local === 'pPr') style.paragraph = end;
    else if (local === 'rPr' && style.run) Object.assign(style.run, { contentEnd: start, end });
    else if (local === 'docDefaults' || local === 'style') {
      this.#style = undefined;
      if (style.isDefault) {
        const named = style.language?.value('eastAsia');
        if (named?.startsWith('ko')) this.#language = named;
      }
      if (style.wordWrap !== undefined && this.#language?.startsWith('ko')) {
        this.#setLanguage(style, style.wordWrap ? KOREAN : KOREAN_BY_CHARACTERS);
      }
    }
  }

  #setLanguage({ language, run, paragraph }: Style, name: string): void {
    const attribute = `${this.w}eastAsia`;
    const tag = (others = '', isEmpty = true) =>
      `<${this.w}lang${others} ${attribute}="${name}"${isEmpty ? '/>' : '>'}`;
    if (language) {
      const others = withValues(language.attributes, (own, value) => (own === attribute ? undefined : value));
      const { start, end, isEmpty } = language;
      this.edits.push({ start, end, text: tag(others.trimEnd(), isEmpty) });
    } else if (run) {
      const content = this.xml.slice(run.content, run.contentEnd);
      this.edits.push({ start: run.start, end: run.end, text: this.#runProperties(content + tag()) });
    } else if (paragraph !== undefined) {
      this.edits.push({ start: paragraph, end: paragraph, text: this.#runProperties(tag()) });
    }
  }

  #runProperties(content: string): string {
    return `<${this.w}rPr>${content}</${this.w}rPr>`;
  }
}
