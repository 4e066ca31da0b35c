/** Compares font names: family names in documents, PostScript names in PDFs. */

/** Suffixes of PostScript names: weight, slope, and foundry marks. */
const STYLE =
  /(?:regular|roman|book|medium|semibold|demibold|demi|bold|extrabold|heavy|black|light|extralight|thin|semilight|italic|oblique|ital|obli|psmt|ps|mt)$/;
const MAX_STYLE_WORDS = 4;

/** A set of fonts, by their names in a PDF. */
export class PdfFontNames {
  readonly #names = new Set<string>();

  constructor(postScriptNames: readonly string[]) {
    for (const name of postScriptNames) {
      this.#names.add(simple(name));
      const [family = ''] = name.split(/[-,]/);
      this.#addFamily(simple(family));
    }
  }

  /** Whether any font of this family is in the set. */
  has(family: string): boolean {
    return this.#names.has(simple(family));
  }

  /** The families of `Arial-BoldMT` and `TimesNewRomanPSMT` are shorter still. */
  #addFamily(name: string): void {
    let family = name;
    for (let words = 0; words < MAX_STYLE_WORDS && family !== ''; words += 1) {
      this.#names.add(family);
      family = family.replace(STYLE, '');
    }
  }
}

function simple(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
