/** What a warning says to people. */
import type { Warning, WarningCode } from '../convert/warnings.ts';

const scriptNames = new Intl.DisplayNames('en', { type: 'script' });

const messages: Readonly<Record<WarningCode, (warning: Warning) => string>> = {
  GLYPHS_MISSING: ({ count, scripts = [] }) =>
    `No font on the server has ${counted(count, 'character')} of the document (${scripts.map(nameOf).join(', ')}). The ` +
    `PDF shows boxes in their place.`,
  PAGE_COUNT_DIFFERS: ({ pages, wordPages }) =>
    `The PDF has ${counted(pages, 'page')}; when Word saved the document, it had ${wordPages}.`,
  UNTAGGED: () =>
    'LibreOffice could not tag this PDF, so it was made without tags: programs that read aloud have no headings, lists ' +
    'and tables to go by.',
  EXTERNAL_CONTENT_OMITTED: ({ count }) =>
    `The document links to content outside of it (${counted(count, 'link')}), which the PDF lacks. Embed it.`,
  TRACKED_CHANGES_APPLIED: ({ count }) =>
    `The document has ${counted(count, 'tracked change')}, which the PDF shows as made, without marks.`,
  COMMENTS_OMITTED: ({ count }) => `The document has ${counted(count, 'comment')}, which the PDF lacks.`,
  FONT_SUBSTITUTED: ({ font, by }) =>
    by === undefined
      ? `The font ${font} is not on the server. Another one is used in its place.`
      : `The font ${font} is not on the server. ${by} is used in its place.`,
};

/** A sentence or two. */
export function messageOf(warning: Warning): string {
  return messages[warning.code](warning);
}

/** `Hani` is Han. */
function nameOf(script: string): string {
  return scriptNames.of(script) ?? script;
}

function counted(count = 0, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
