/** Comparing names of fonts: families as documents name them, PostScript names as PDFs have them. */

/** Words behind the name of a family, in a PostScript name: weight, slope, and the marks of some foundries. */
const STYLE =
  /(?:regular|roman|book|medium|semibold|demibold|demi|bold|extrabold|heavy|black|light|extralight|thin|semilight|italic|oblique|ital|obli|psmt|ps|mt)$/;
const MAX_STYLE_WORDS = 4;

/** A set of fonts, by the names in a PDF. */
export class PdfFontNames {
  readonly #names = new Set<string>();

  constructor(postScriptNames: readonly string[]) {
    for (const name of postScriptNames) {
      this.#names.add(simple(name));
      const [family = ''] = name.split(/[-,]/);
      this.#addFamily(simple(family));
    }
  }

  /** Whether a font of this family is among them, in whatever style. */
  has(family: string): boolean {
    return this.#names.has(simple(family));
  }

  /** `Arial-BoldMT` and `TimesNewRomanPSMT` are of families that are shorter still. */
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
