/** The fonts (by style and property) and lists that a story (the body, a header, the footnotes …) uses. */
import { kindsOf, LATIN, OTHER_ALPHABET } from './characters.ts';
import {
  attributeOf,
  isOn,
  MATH_NAMESPACE,
  type MarkupVisitor,
  prefixOf,
  qualified,
  wordPrefixOf,
} from './markup.ts';
import { fontAttributes } from './run-fonts.ts';
import type { ShownCharacters } from './shown-characters.ts';
import { visitShown } from './shown-markup.ts';

/** Most combinations of text properties; real documents stay below. */
const MAX_USES = 2_000;

const elements = [
  ...[
    'p',
    'pPr',
    'pStyle',
    'numId',
    'ilvl',
    'r',
    'rPr',
    'rStyle',
    'rFonts',
    'cs',
    'rtl',
    'vanish',
    't',
    'sym',
  ],
  ...['tbl', 'tblStyle', 'titlePg', 'headerReference', 'footerReference'],
];
const mathElements = ['r', 't'];

/** A combination of text properties, and the kinds of characters in it. */
export interface Use {
  /** Attributes of `w:rFonts`, as written. */
  readonly fonts: string;
  readonly runStyle: string;
  readonly paragraphStyle: string;
  readonly tableStyle: string;
  kinds: number;
}

/** A header or a footer that sections refer to. */
interface Reference {
  readonly id: string;
  readonly type: string;
}

export interface Story {
  /** Prefix of attribute names, with its colon. */
  readonly prefix: string;
  readonly uses: Use[];
  /** Fonts that symbols name. */
  readonly symbolFonts: Set<string>;
  /** List paragraphs: `paragraph style`, `list` and `level`, separated by line breaks. */
  readonly lists: Set<string>;
  readonly references: Reference[];
  readonly hasTitlePage: boolean;
  /** Ids of linked pictures with an embedded copy. */
  readonly copies: Set<string>;
  /** Number of contents without an alternative that LibreOffice chooses. */
  readonly untaken: number;
}

interface Paragraph {
  style: string;
  list: string;
  level: string;
}

interface Run {
  fonts: string;
  style: string;
  isComplex: boolean;
  isHidden: boolean;
  kinds: number;
}

/**
 * @param xml the part.
 * @param characters receives the visible characters.
 * @param others visit its markup as well.
 */
export function readStory(
  xml: string,
  characters: ShownCharacters,
  others: (prefix: string) => readonly MarkupVisitor[],
): Story {
  const reader = new StoryReader(xml, characters);
  reader.untaken = visitShown(xml, reader.prefix, [reader, ...others(reader.prefix)]);
  return reader;
}

class StoryReader implements MarkupVisitor, Story {
  readonly prefix: string;
  readonly symbolFonts = new Set<string>();
  readonly lists = new Set<string>();
  readonly references: Reference[] = [];
  readonly copies = new Set<string>();
  hasTitlePage = false;
  untaken = 0;
  readonly names: ReadonlyMap<string, string>;
  readonly #characters: ShownCharacters;
  readonly #uses = new Map<string, Use>();
  /** That of the last run: most are like the one before. */
  #last: Use | undefined;
  /** Text boxes nest paragraphs and tables inside runs. */
  readonly #paragraphs: Paragraph[] = [];
  readonly #runs: Run[] = [];
  readonly #tables: string[] = [];
  #paragraph: Paragraph | undefined;
  #run: Run | undefined;
  #isInParagraphProperties = false;
  #isInText = false;

  constructor(xml: string, characters: ShownCharacters) {
    this.#characters = characters;
    this.prefix = wordPrefixOf(xml);
    const math = prefixOf(xml, MATH_NAMESPACE) ?? 'm:';
    this.names = new Map([
      ['a:blip', 'blip'],
      ['v:imagedata', 'imagedata'],
      ...qualified(math, mathElements),
      ...qualified(this.prefix, elements),
    ]);
  }

  get uses(): Use[] {
    return [...this.#uses.values()];
  }

  open(name: string, attributes: string, isEmpty: boolean): void {
    const local = this.names.get(name);
    if (local === undefined) return;
    switch (local) {
      case 't':
        this.#isInText = !isEmpty;
        return;
      case 'r':
        if (!isEmpty) this.#openRun();
        return;
      case 'p':
        if (!isEmpty) this.#openParagraph();
        return;
      case 'pPr':
        this.#isInParagraphProperties = !isEmpty;
        return;
      case 'tbl':
        if (!isEmpty) this.#tables.push('');
        return;
      case 'tblStyle':
        this.#tables[this.#tables.length - 1] = this.#value(attributes);
        return;
      case 'titlePg':
        this.hasTitlePage ||= isOn(attributes, `${this.prefix}val`);
        return;
      case 'headerReference':
      case 'footerReference':
        this.references.push({
          id: attributeOf(attributes, 'r:id') ?? '',
          type: attributeOf(attributes, `${this.prefix}type`) ?? 'default',
        });
        return;
      case 'blip':
        this.#noteCopy(attributes, 'r:embed', 'r:link');
        return;
      case 'imagedata':
        this.#noteCopy(attributes, 'r:id', 'r:href');
        return;
      case 'sym':
        this.symbolFonts.add(attributeOf(attributes, `${this.prefix}font`) ?? '');
        return;
      default:
        if (this.#isInParagraphProperties) this.#readParagraphProperty(local, attributes);
        else if (this.#run) this.#readRunProperty(this.#run, local, attributes);
    }
  }

  close(name: string): void {
    switch (this.names.get(name)) {
      case 't':
        this.#isInText = false;
        return;
      case 'r':
        this.#closeRun();
        return;
      case 'p':
        this.#paragraphs.pop();
        this.#paragraph = this.#paragraphs.at(-1);
        return;
      case 'pPr':
        this.#isInParagraphProperties = false;
        if (this.#paragraph) this.#noteList(this.#paragraph);
        return;
      case 'tbl':
        this.#tables.pop();
    }
  }

  text(xml: string, start: number, end: number): void {
    if (!this.#isInText || !this.#run) return;
    this.#run.kinds |= kindsOf(xml, start, end);
    if (this.#run.isHidden) return;
    this.#characters.add(xml, start, end, this.#run.style, this.#paragraph?.style ?? '');
  }

  #openParagraph(): void {
    this.#paragraph = { style: '', list: '', level: '' };
    this.#paragraphs.push(this.#paragraph);
  }

  #openRun(): void {
    this.#run = { fonts: '', style: '', isComplex: false, isHidden: false, kinds: 0 };
    this.#runs.push(this.#run);
  }

  #closeRun(): void {
    const run = this.#runs.pop();
    this.#run = this.#runs.at(-1);
    if (!run || run.kinds === 0 || run.isHidden) return;
    // Digits and other neutral characters in right-to-left text.
    const kinds = run.isComplex ? run.kinds & ~(LATIN | OTHER_ALPHABET) : run.kinds;
    const paragraphStyle = this.#paragraph?.style ?? '';
    const tableStyle = this.#tables.at(-1) ?? '';
    const last = this.#last;
    const isSameText = last?.fonts === run.fonts && last.runStyle === run.style;
    if (isSameText && last.paragraphStyle === paragraphStyle && last.tableStyle === tableStyle) {
      last.kinds |= kinds;
      return;
    }
    const key = `${run.fonts}\n${run.style}\n${paragraphStyle}\n${tableStyle}`;
    const known = this.#uses.get(key);
    if (known) known.kinds |= kinds;
    else if (this.#uses.size >= MAX_USES) return;
    const use = known ?? { fonts: run.fonts, runStyle: run.style, paragraphStyle, tableStyle, kinds };
    if (!known) this.#uses.set(key, use);
    this.#last = use;
  }

  #readParagraphProperty(local: string, attributes: string): void {
    if (!this.#paragraph) return;
    if (local === 'pStyle') this.#paragraph.style = this.#value(attributes);
    else if (local === 'numId') this.#paragraph.list = this.#value(attributes);
    else if (local === 'ilvl') this.#paragraph.level = this.#value(attributes);
  }

  #readRunProperty(run: Run, local: string, attributes: string): void {
    if (local === 'rFonts') run.fonts = fontAttributes(attributes, this.prefix);
    else if (local === 'rStyle') run.style = this.#value(attributes);
    else if (local === 'cs' || local === 'rtl') run.isComplex = isOn(attributes, `${this.prefix}val`);
    else if (local === 'vanish') run.isHidden = isOn(attributes, `${this.prefix}val`);
  }

  #noteList({ style, list, level }: Paragraph): void {
    if (this.lists.size < MAX_USES) this.lists.add(`${style}\n${list}\n${level}`);
  }

  #noteCopy(attributes: string, own: string, link: string): void {
    const id = attributeOf(attributes, link);
    if (id !== undefined && attributeOf(attributes, own) !== undefined) this.copies.add(id);
  }

  #value(attributes: string): string {
    return attributeOf(attributes, `${this.prefix}val`) ?? '';
  }
}
