/** What the codes of warnings mean. The table of the guide's page about warnings is made from it (`npm run openapi`). */
import type { WarningCode, WarningLevel } from '../../shared/warning-levels.ts';

/** What a level says of the PDF. */
export const levelMeanings = {
  loss: 'the PDF lacks something that a reader of the document would see',
  note: 'it lacks nothing, but may look different',
} as const satisfies Record<WarningLevel, string>;

/** Texts are Markdown, and their links are those of the guide's page. */
interface WarningEntry {
  /** Names of the parameters in the header. */
  readonly parameters: readonly string[];
  /** A sentence or more, without the last full stop. */
  readonly meaning: string;
}

/** By code, in the order of the warnings. The last stands for those that do not fit into the header. */
export const warningCatalogue = {
  TEXT_MISSING: {
    parameters: ['percent'],
    meaning:
      "The PDF lacks this share of the document's letters (1 to 100). LibreOffice, like Word, cuts off what does not " +
      'fit into a text box, a frame or a row of fixed height; it also loses frames and nested tables at the end of a ' +
      'page',
  },
  CONTENT_OMITTED: {
    parameters: ['kind', 'count'],
    meaning:
      'LibreOffice does not show some content. One warning per [kind](#kinds-of-omitted-content), a Token',
  },
  GLYPHS_MISSING: {
    parameters: ['count', 'scripts'],
    meaning:
      'The PDF shows boxes, as no font on the server has some characters: ask support for one. `count` is the number of ' +
      'different characters, `scripts` has up to ten of their scripts ([ISO ' +
      '15924](https://www.unicode.org/iso15924/iso15924-codes.html)), the most frequent first: `"Hani Thai"`. Emoji are ' +
      '`Zsye`, mathematics `Zmth`, other signs `Zsym`, what is for private use `Zzzz`',
  },
  EXTERNAL_CONTENT_OMITTED: {
    parameters: ['count'],
    meaning:
      'The document links to external pictures, objects, documents or a template. Nothing is fetched: they are missing, ' +
      'or an old copy is shown. Hyperlinks, and pictures with an embedded copy, do not count',
  },
  NONCONFORMING: {
    parameters: ['standard', 'count'],
    meaning:
      'The PDF breaks rules of a [standard](options.md#the-verdict) that was asked for, such as `"PDF/A-2b"`. `count` is the ' +
      'number of failures in the report, at most 25. One warning per standard',
  },
  PAGE_COUNT_DIFFERS: {
    parameters: ['pages', 'word-pages'],
    meaning:
      'Word counted another number of pages when it saved the document. Documents by other programs, documents of which ' +
      'another program changed the text (`not-saved-by-word`), and those with a stored count of 1 beside marks of more ' +
      'pages, are not compared',
  },
  PAGES_CLAMPED: {
    parameters: ['pages'],
    meaning: 'The document lacks some of the requested `pages`; the PDF has this many',
  },
  UNTAGGED: {
    parameters: [],
    meaning:
      'LibreOffice crashed while tagging, so the PDF has no tags for screen readers. Its pages look the same',
  },
  TRACKED_CHANGES_APPLIED: {
    parameters: ['count'],
    meaning:
      'The document has tracked insertions, deletions or moves. The PDF shows all as accepted, without marks',
  },
  TRACKED_CHANGES_OMITTED: {
    parameters: ['count'],
    meaning: 'With `changes=original`: the PDF shows the document before them',
  },
  COMMENTS_OMITTED: {
    parameters: ['count'],
    meaning: 'The document has comments, which the PDF omits',
  },
  FONT_SUBSTITUTED: {
    parameters: ['font', 'by'],
    meaning:
      'A font of the document is not on the server, so lines and pages may break differently. One warning per font, in ' +
      'the header only if the replacement has other metrics (Carlito has those of Calibri). `by` is the replacement, if ' +
      'it is certain',
  },
  MORE_WARNINGS: {
    parameters: ['count'],
    meaning: 'This many warnings did not fit into the header',
  },
} as const satisfies Record<WarningCode | 'MORE_WARNINGS', WarningEntry>;
