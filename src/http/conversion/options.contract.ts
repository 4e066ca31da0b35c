/** The options of a conversion as parameters: their ranges, and what they mean. */
import { type TSchema, Type } from 'typebox';
import { words } from '../../operations/schema.ts';
import {
  backgrounds,
  type ConversionOptions,
  type Format,
  facturxProfiles,
  formats,
  isolations,
  MAX_PICTURE_WIDTH,
  MIN_PICTURE_WIDTH,
  PICTURE_WIDTH,
  pageNumberings,
  permissions,
  relationships,
  requestedLayouts,
  resolutions,
} from '../../shared/options/conversion-options.ts';
import { PAGE_RANGE } from '../../shared/options/page-range.ts';
import { pdfaLevels } from '../../shared/options/pdfa.ts';
import { warningCodes } from '../../shared/warning-levels.ts';

const MAX_TEXT = 500;
/** The last page that can be drawn: of a document, and without a key. */
const [MAX_PAGE, MAX_PUBLIC_PAGE] = [999_999, 5];
/** What `failOn` can name. */
const refusable = ['loss', ...warningCodes].join('|');

const flag = (description: string) => Type.Boolean({ description });
/** No control characters: a line break would be one in a PDF viewer's window. A blank watermark would mark nothing. */
const text = (maxLength: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^ *[^\\x00-\\x20\\x7f][^\\x00-\\x1f\\x7f]*$',
    title: `a text of 1 to ${maxLength} characters, not all blank, without control characters`,
    description,
  });

const page = (maximum: number) =>
  Type.Integer({
    minimum: 1,
    maximum,
    description:
      'Of `format=png`: the page to draw, counted from 1 in the PDF that the other options give. Default: 1. A page that the PDF ' +
      'does not have is an `INVALID_PARAMETER`, which says how many there are.',
  });

/** Parameters of both endpoints. */
export const publicOptions = {
  format: Type.Optional(
    words(Object.keys(formats) as Format[], {
      description:
        'What the answer is: `pdf`, the default, or `png`, a picture of one page of the very PDF that `pdf` would give. A form ' +
        'field of this name may repeat it.',
    }),
  ),
  page: Type.Optional(page(MAX_PUBLIC_PAGE)),
  width: Type.Optional(
    Type.Integer({
      minimum: MIN_PICTURE_WIDTH,
      maximum: MAX_PICTURE_WIDTH,
      description:
        `Of \`format=png\`: the width of the picture in pixels. Default: ${PICTURE_WIDTH}. The height follows from the page, and is ` +
        'at most 10,000.',
    }),
  ),
  background: Type.Optional(
    words(backgrounds, {
      description: 'Of `format=png`: `white`, the default, or `transparent` where the page has nothing.',
    }),
  ),
  layout: Type.Optional(
    words(requestedLayouts, {
      description:
        'Where pages begin. `auto`, the default: where Word began them, if the document says so and Word saved it, or no text has ' +
        'changed since, and the content fits. `word`: also if another program changed it. `engine`: where LibreOffice begins ' +
        'them.',
    }),
  ),
  pages: Type.Optional(
    Type.String({
      pattern: PAGE_RANGE,
      title: 'a list of pages and ranges such as 1-3,7,10-',
      description:
        'The pages to convert, counted from 1, such as `1-3,7,10-`. Each is taken once, in order. Pages that the document ' +
        'does not have are left out, with the warning `PAGES_CLAMPED`; if none is left, the answer is `INVALID_PARAMETER`.',
    }),
  ),
} as const;

/** Parameters of the endpoint with keys. */
export const options = {
  ...publicOptions,
  page: Type.Optional(page(MAX_PAGE)),
  pdfa: Type.Optional(
    words(pdfaLevels, {
      description:
        'Create a PDF for archives: PDF/A-1b, PDF/A-2b, PDF/A-3b or PDF/A-4 (ISO 19005). `2b` suits most; `4` needs ' +
        'LibreOffice 26.8 or later. Needs a plan with the feature `pdfa`; test keys may try it.',
    }),
  ),
  pdfua: Type.Optional(
    flag(
      'Create an accessible PDF: PDF/UA-1 (ISO 14289-1). What the document itself lacks for it, such as alternative texts, is ' +
        'in the report as `accessibility`. Feature `pdfua`.',
    ),
  ),
  changes: Type.Optional(
    words(['final', 'original', 'marked'], {
      description:
        'Tracked changes. `final`, the default: as made. `original`: as if not made; the warning `TRACKED_CHANGES_OMITTED` ' +
        'counts them. `marked`: with marks. Feature `markup`.',
    }),
  ),
  comments: Type.Optional(
    words(['none', 'annotations'], {
      description:
        "Comments. `none`, the default: left out. `annotations`: as the PDF's notes, not with `pdfa` or `pdfua`. Feature `markup`.",
    }),
  ),
  fields: Type.Optional(
    words(['stored', 'updated'], {
      description:
        'Tables of contents, page references and dates. `stored`, the default: as the document stores them, as Word prints ' +
        'them; page references follow the PDF. `updated`: tables of contents and dates are worked out anew; not with ENGINE=cold.',
    }),
  ),
  images: Type.Optional(
    words(['lossless', 'jpeg'], {
      description:
        'How to compress images. `lossless`, the default, or `jpeg`. JPEG stays as it is, unless `imageQuality` is below 76 or there ' +
        'is `imageDpi`.',
    }),
  ),
  imageQuality: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'Of `images=jpeg`: from 1, the smallest, to 100. Default: 90.',
    }),
  ),
  imageDpi: Type.Optional(
    Type.Integer({
      enum: [...resolutions],
      description:
        'Reduce images above this resolution to it, in dots per inch. All JPEG is compressed anew: losslessly, unless there is ' +
        '`images=jpeg`. Default: no reduction.',
    }),
  ),
  bookmarks: Type.Optional(flag('Whether headings become bookmarks. Default: true.')),
  formFields: Type.Optional(
    flag(
      'Whether the fields of a form can be filled in the PDF (AcroForm): `true`, content controls and ActiveX controls, not ' +
        'with `pdfa`; `false`, none. Default: ActiveX controls, none with `pdfa`.',
    ),
  ),
  tagged: Type.Optional(flag('Whether the PDF is tagged, for screen readers. Default: true.')),
  watermark: Type.Optional(text(100, 'A text across each page. Feature `watermark`.')),
  watermarkColor: Type.Optional(
    Type.String({
      pattern: '^[0-9A-Fa-f]{6}$',
      title: 'a colour as RRGGBB in hexadecimal',
      description: 'Of the watermark: RRGGBB, in hexadecimal. Default: `808080`, grey.',
    }),
  ),
  watermarkSize: Type.Optional(
    Type.Integer({
      minimum: 4,
      maximum: 400,
      description: 'Of the watermark: its font size in points. Default: as large as fits.',
    }),
  ),
  watermarkAngle: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 359,
      description: 'Of the watermark: degrees, counterclockwise. Default: 45.',
    }),
  ),
  title: Type.Optional(text(MAX_TEXT, "The PDF's title, in place of the document's.")),
  author: Type.Optional(text(MAX_TEXT, "The PDF's author, in place of the document's.")),
  subject: Type.Optional(text(MAX_TEXT, "The PDF's subject, in place of the document's.")),
  keywords: Type.Optional(text(MAX_TEXT, "The PDF's keywords, in place of the document's.")),
  linearize: Type.Optional(
    flag(
      'Whether viewers can show the first page before they have the whole PDF (fast web view). Default: false.',
    ),
  ),
  allow: Type.Optional(
    Type.String({
      pattern: `^(none|(${permissions.join('|')})(,(${permissions.join('|')})){0,${permissions.length - 1}})$`,
      title: `"none" or a list of ${permissions.join(', ')}`,
      description:
        'What the PDF allows who opens it without `ownerPassword`: a list of ' +
        `${permissions.map((name) => `\`${name}\``).join(', ')}, or \`none\`. Default: everything. Feature \`encryption\`.`,
    }),
  ),
  attachmentRelationship: Type.Optional(
    words(relationships, {
      description:
        'What the attachments are to the document (AFRelationship, ISO 19005-3). Default: `Supplement`; with `facturx`, what ' +
        'Factur-X asks for. Feature `attachments`.',
    }),
  ),
  facturx: Type.Optional(
    words(facturxProfiles, {
      description:
        'Declares the attachment `factur-x.xml` as an invoice by this profile of Factur-X 1.0 (ZUGFeRD). Needs `pdfa=3b`. ' +
        'Feature `attachments`.',
    }),
  ),
  isolation: Type.Optional(
    words(isolations, {
      description:
        '`document`: a process of its own. Default: `account`, as the operator may let one process convert several documents of an ' +
        'account.',
    }),
  ),
  failOn: Type.Optional(
    Type.String({
      pattern: `^(${refusable})(,(${refusable})){0,${warningCodes.length}}$`,
      title: `a list of "loss" and codes of warnings, such as TEXT_MISSING`,
      description:
        'Warnings with which there is no PDF: `loss`, for all of that level, or codes, separated by commas. The answer is then ' +
        '`CONVERSION_FAILED` with the warnings, and is not billed. Default: none.',
    }),
  ),
} as const satisfies Record<keyof ConversionOptions, TSchema>;

/** Of several documents in one PDF only. */
export const pageNumbers = Type.Optional(
  words(pageNumberings, {
    description:
      'Page numbers. `separate`, the default: as each document says. `continuous`: `PAGE` and `NUMPAGES` count through the whole; not ' +
      'with `pages`.',
  }),
);
