/** What a warning says to people. */
import { fileName } from '../../errors.ts';
import { levelOf, type WarningCode, type WarningLevel } from '../../shared/warning-levels.ts';
import type { OmittedKind } from '../document/omitted-kinds.ts';
import type { Warning } from './warnings.ts';

const scriptNames = new Intl.DisplayNames('en', { type: 'script' });

/** One of it, several of it, and what the author can do. */
const omitted: Readonly<Record<OmittedKind, readonly [one: string, several: string, advice: string]>> = {
  'alt-chunk': ['inserted file', 'inserted files', 'Copy its text into the document.'],
  subdocument: ['subdocument', 'subdocuments', 'Insert its text.'],
  smartart: [
    'SmartArt graphic',
    'SmartArt graphics',
    'Open the document in Word and save it, or insert a picture.',
  ],
  'ole-object': ['embedded object', 'embedded objects', 'Insert it with a picture of its content.'],
  'missing-picture': ['picture', 'pictures', 'The document names it but does not hold it. Insert it again.'],
  eps: ['EPS picture', 'EPS pictures', 'Convert it to EMF, SVG or PNG.'],
  heic: ['HEIC picture', 'HEIC pictures', 'Convert it to JPEG or PNG.'],
  avif: ['AVIF picture', 'AVIF pictures', 'Convert it to JPEG or PNG.'],
  'jpeg-2000': ['JPEG 2000 picture', 'JPEG 2000 pictures', 'Convert it to JPEG or PNG.'],
  'jpeg-xl': ['JPEG XL picture', 'JPEG XL pictures', 'Convert it to JPEG or PNG.'],
  'damaged-part': [
    'damaged part',
    'damaged parts',
    'Such as a diagram, a theme or comments. Open the document in Word and save it.',
  ],
  'diagonal-border': [
    'diagonal line in a cell of a table',
    'diagonal lines in cells of tables',
    'Draw it as a shape.',
  ],
  'section-endnote': [
    'endnote at the end of its section',
    'endnotes at the ends of their sections',
    'The endnotes stand at the end of the document.',
  ],
  'number-format': [
    'number in its own format',
    'numbers in their own formats',
    'Digits are shown. Choose another format for lists, notes or pages.',
  ],
  'field-eq': ['equation field (EQ)', 'equation fields (EQ)', 'Insert it as an equation or a picture.'],
  'field-listnum': ['list number (LISTNUM)', 'list numbers (LISTNUM)', 'Type it, or number the paragraph.'],
  'field-autonum': ['number (AUTONUM)', 'numbers (AUTONUM)', 'Type it, or number the paragraph.'],
  'field-barcode': [
    'barcode (DISPLAYBARCODE)',
    'barcodes (DISPLAYBARCODE)',
    'Check whether its data fit its type, or insert it as a picture.',
  ],
  'field-page': [
    'current result of a field that depends on its page',
    'current results of fields that depend on their pages',
    'It shows what the document stores.',
  ],
  'field-chapter': [
    'chapter in front of a page number',
    'chapters in front of page numbers',
    'Number the pages without chapters.',
  ],
  'alternate-content': ['content of a newer kind', 'contents of a newer kind', 'Insert a picture of it.'],
};

const messages: Readonly<Record<WarningCode, (warning: Warning) => string>> = {
  TEXT_MISSING: ({ percent }) =>
    `The PDF lacks about ${percent} % of the document's letters. Look at its text boxes, frames and tables.`,
  CONTENT_OMITTED: ({ kind = 'alternate-content', count = 0 }) => {
    const [one, several, advice] = omitted[kind];
    return `The PDF lacks ${counted(count, one, several)} of the document. ${advice}`;
  },
  GLYPHS_MISSING: ({ count, scripts = [] }) =>
    `No font on the server has ${counted(count, 'character')} of the document (${scripts.map(nameOf).join(', ')}). The ` +
    `PDF shows boxes in their place.`,
  PAGE_COUNT_DIFFERS: ({ pages, wordPages }) =>
    `The PDF has ${counted(pages, 'page')}; when Word saved the document, it had ${wordPages}.`,
  PAGES_CLAMPED: ({ pages }) =>
    `The document does not have all of the pages that were asked for. The PDF has ${counted(pages, 'page')}.`,
  UNTAGGED: () =>
    'LibreOffice could not tag this PDF, so it was made without tags: programs that read aloud have no headings, lists ' +
    'and tables to go by.',
  EXTERNAL_CONTENT_OMITTED: ({ count }) =>
    `The document links to content outside of it (${counted(count, 'link')}), which the PDF lacks. Embed it.`,
  NONCONFORMING: ({ standard, count }) =>
    `The PDF breaks rules of ${standard} (${counted(count, 'failure')}). The report of the conversion names them.`,
  TRACKED_CHANGES_APPLIED: ({ count }) =>
    `The document has ${counted(count, 'tracked change')}, which the PDF shows as made, without marks.`,
  TRACKED_CHANGES_OMITTED: ({ count }) =>
    `The document has ${counted(count, 'tracked change')}, which the PDF leaves out: it shows the document before them.`,
  COMMENTS_OMITTED: ({ count }) => `The document has ${counted(count, 'comment')}, which the PDF lacks.`,
  FONT_SUBSTITUTED: ({ font, by, metricsCompatible }) =>
    `The font ${font} is not on the server. ${by ?? 'Another one'} is used in its place` +
    `${metricsCompatible ? ', with the same metrics' : ''}.`,
};

/** A warning as clients get it. */
export interface DescribedWarning extends Warning {
  readonly level: WarningLevel;
  /** For people. */
  readonly message: string;
}

export function describeWarning(warning: Warning): DescribedWarning {
  return { ...warning, level: levelOf(warning.code), message: messageOf(warning) };
}

/** A sentence or two. */
export function messageOf(warning: Warning): string {
  const message = messages[warning.code](warning);
  return warning.file === undefined ? message : `${fileName(warning.file)}: ${message}`;
}

/** `Hani` is Han. */
function nameOf(script: string): string {
  return scriptNames.of(script) ?? script;
}

function counted(count = 0, noun: string, plural = `${noun}s`): string {
  return count === 1 ? `1 ${noun}` : `${count} ${plural}`;
}
