/** What a comparison finds out. */

export type SideName = 'from' | 'to';

/** Why a document has no PDF. */
export interface Failure {
  /** Of the error catalogue. */
  readonly code: string;
  readonly message: string;
}

/** How the words of two PDFs differ, whatever their order on a page is. */
export interface TextDifference {
  /** Number of words that only one of them has. */
  readonly onlyFrom: number;
  readonly onlyTo: number;
  /** Number of words that are on another page. */
  readonly moved: number;
  /** The first of them, for people. */
  readonly examples: { readonly onlyFrom: readonly string[]; readonly onlyTo: readonly string[] };
}

/** A page that looks different. */
export interface DifferentPage {
  /** From 1. */
  readonly page: number;
  /** Pixels that differ, at 144 dots an inch. */
  readonly pixels: number;
  /** Size of its pictures, in pixels. */
  readonly width: number;
  readonly height: number;
}

/** How two PDFs of one document differ. */
export interface Difference {
  readonly pages: { readonly from: number; readonly to: number };
  /** Undefined: the text is the same. */
  readonly text?: TextDifference;
  /** Undefined: all pages look the same. */
  readonly pictures?: {
    /** Number of pages that look different. */
    readonly pages: number;
    /** The first of them. */
    readonly first: readonly DifferentPage[];
  };
}

/** Of a document, whose path is relative to the folder of all. */
export type Finding = { readonly document: string } /** With the SHA-256 of its content. */ & (
  | ({ readonly result: 'same' | 'different'; readonly sha256: string } & Difference)
  /** At least one side has no PDF of it. */
  | { readonly result: 'failed'; readonly from?: Failure; readonly to?: Failure }
  /** The other engine has not run so far, or had other documents; whether this one failed. */
  | {
      readonly result: 'half-done' | 'waiting';
      readonly from?: Failure;
      readonly to?: Failure;
    }
  | { readonly result: 'not-compared'; readonly reason: string }
);

/** Number of documents. One may count in several of `pages`, `text` and `pictures`. */
export interface Summary {
  readonly documents: number;
  readonly same: number;
  /** All that differ, those that failed on one side included. */
  readonly different: number;
  readonly pages: number;
  readonly text: number;
  readonly pictures: number;
  readonly failedInOne: number;
  readonly failedInBoth: number;
  readonly notCompared: number;
  /** `different` in per cent of the documents with a PDF on at least one side; null if there are none. */
  readonly rate: number | null;
}

export const isSame = ({ pages, text, pictures }: Difference): boolean =>
  pages.from === pages.to && !text && !pictures;

export function summarise(findings: readonly Finding[]): Summary {
  const count = (is: (finding: Finding) => boolean) => findings.filter(is).length;
  const failedInBoth = count((each) => each.result === 'failed' && Boolean(each.from && each.to));
  const failedInOne = count(({ result }) => result === 'failed') - failedInBoth;
  const hasDifference = (is: (difference: Difference) => boolean) =>
    count((each) => each.result === 'different' && is(each));
  const same = count(({ result }) => result === 'same');
  const different = hasDifference(() => true) + failedInOne;
  return {
    documents: findings.length,
    same,
    different,
    pages: hasDifference(({ pages }) => pages.from !== pages.to),
    text: hasDifference(({ text }) => text !== undefined),
    pictures: hasDifference(({ pictures }) => pictures !== undefined),
    failedInOne,
    failedInBoth,
    notCompared: count(({ result }) => ['half-done', 'waiting', 'not-compared'].includes(result)),
    rate: same + different === 0 ? null : (100 * different) / (same + different),
  };
}
