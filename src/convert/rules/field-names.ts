/** The bookmarks and styles of a document, as its fields name them. */
import { attributeOf, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';

/** What Word calls the style `heading 1` in other languages, without its number. */
const HEADINGS: ReadonlySet<string> = new Set([
  ...['heading', 'überschrift', 'titre', 'título', 'titolo', 'kop', 'rubrik', 'overskrift', 'otsikko'],
  ...['nagłówek', 'nadpis', 'címsor', 'titlu', 'naslov', 'заголовок', 'başlık', 'επικεφαλίδα', 'pealkiri'],
  ...[
    'virsraksts',
    'antraštė',
    'fyrirsögn',
    '标题',
    '標題',
    '見出し',
    '제목',
    'כותרת',
    'عنوان',
    'tiêu đề',
    'หัวเรื่อง',
  ],
]);

interface NamedStyle {
  readonly id: string;
  readonly type: string | undefined;
  readonly isDefault: boolean;
  readonly names: string[];
}

export class FieldNames {
  /** Of the main part. */
  readonly bookmarks = new Set<string>();
  /** Names that LibreOffice knows, by all names in lower case, of styles that the main part uses. */
  /** Bookmarks with a page break before their text. */
  readonly #aboveBreaks = new Set<string>();
  readonly #shown = new Map<string, string>();
  /** The same by the ids of the styles, as they follow from names in other languages. */
  readonly #byId = new Map<string, string>();

  constructor(main: string, styles: string) {
    const used = this.#readMain(main);
    for (const { id, type, isDefault, names } of readStyles(styles)) {
      const [name] = names;
      if (name === undefined || !(used.has(id) || (isDefault && type === 'paragraph'))) continue;
      for (const each of names) this.#add(this.#shown, each, name);
      this.#add(this.#byId, id, name);
    }
  }

  /** Whether LibreOffice counts a bookmark on the page that Word counts it on. */
  hasPage(bookmark: string): boolean {
    return this.bookmarks.has(bookmark) && !this.#aboveBreaks.has(bookmark);
  }

  /** The name by which LibreOffice finds text in a style; undefined if the main part does not use the style. */
  shownStyle(name: string): string | undefined {
    const lower = name.toLowerCase();
    const numbered = /^(.*?) ?(\d)$/.exec(lower);
    const heading =
      numbered && (numbered[1] === '' || HEADINGS.has(numbered[1] ?? '')) ? numbered[2] : undefined;
    const id = lower.replace(/[^\x21-\x7e]/g, '');
    return (
      this.#shown.get(lower) ??
      (heading === undefined ? undefined : this.#shown.get(`heading ${heading}`)) ??
      (/[a-z]/.test(id) ? this.#byId.get(id) : undefined)
    );
  }

  #add(to: Map<string, string>, key: string, name: string): void {
    // An instruction has it in quotation marks.
    if (!/["\\]/.test(name) && !to.has(key.toLowerCase())) to.set(key.toLowerCase(), name);
  }

  /** @returns ids of the styles that it uses. */
  #readMain(main: string): Set<string> {
    const w = wordPrefixOf(main);
    const names = qualified(w, [
      ...['bookmarkStart', 'pStyle', 'rStyle', 't', 'br', 'pageBreakBefore', 'sectPr'],
    ]);
    const used = new Set<string>();
    /** Before any text of theirs: Word counts the page of the text. */
    let empty: string[] = [];
    visitMarkup(main, {
      names,
      open: (name, attributes) => {
        const local = names.get(name);
        if (local === undefined) return;
        if (local === 'bookmarkStart') {
          const bookmark = attributeOf(attributes, `${w}name`) ?? '';
          this.bookmarks.add(bookmark);
          empty.push(bookmark);
        } else if (local === 't') empty = [];
        else if (local === 'pStyle' || local === 'rStyle') used.add(attributeOf(attributes, `${w}val`) ?? '');
        else if (local !== 'br' || attributeOf(attributes, `${w}type`) === 'page') {
          for (const each of empty) this.#aboveBreaks.add(each);
          empty = [];
        }
      },
    });
    return used;
  }
}

function readStyles(styles: string): NamedStyle[] {
  const w = wordPrefixOf(styles);
  const names = qualified(w, ['style', 'name', 'aliases']);
  const found: NamedStyle[] = [];
  visitMarkup(styles, {
    names,
    open(tag, attributes) {
      const local = names.get(tag);
      if (local === 'style') {
        const id = attributeOf(attributes, `${w}styleId`) ?? '';
        const isDefault = /^(?:1|true|on)$/.test(attributeOf(attributes, `${w}default`) ?? '');
        found.push({ id, type: attributeOf(attributes, `${w}type`), isDefault, names: [] });
      } else if (local !== undefined) {
        const value = attributeOf(attributes, `${w}val`) ?? '';
        found.at(-1)?.names.push(...(local === 'aliases' ? value.split(',') : [value]));
      }
    },
  });
  return found;
}
