/** Options of LibreOffice's export filter for PDF, which the kit and `soffice --convert-to` take in the same form. */
import type { ConversionOptions } from '../shared/options/conversion-options.ts';
import { pdfaPart } from '../shared/options/pdfa.ts';

/** How a document is exported: what the client asked for of it, and what the conversion itself needs. */
export interface Export
  extends Pick<
    ConversionOptions,
    | 'pages'
    | 'pdfa'
    | 'pdfua'
    | 'comments'
    | 'images'
    | 'imageQuality'
    | 'imageDpi'
    | 'bookmarks'
    | 'formFields'
    | 'tagged'
    | 'watermark'
    | 'watermarkColor'
    | 'watermarkSize'
    | 'watermarkAngle'
  > {
  /** Whether to write a named destination for each bookmark. */
  readonly destinations?: boolean | undefined;
  /** Whether to print the pages that stay blank, so that others are odd or even. */
  readonly blankPages?: boolean | undefined;
}

const QUALITY = 90;
const WATERMARK_COLOR = '808080';
const WATERMARK_ANGLE = 45;
/** The same font wherever the service runs: as a TrueType font it may be part of a PDF/A. */
const WATERMARK_FONT = 'Liberation Sans';

interface Value {
  readonly type: 'boolean' | 'long' | 'string';
  readonly value: string;
}

const flag = (value: boolean): Value => ({ type: 'boolean', value: String(value) });
const number = (value: number): Value => ({ type: 'long', value: String(value) });
const text = (value: string): Value => ({ type: 'string', value });

/**
 * The options, as the filter's JSON. By default pictures stay unchanged (JPEG as it is, others lossless), which also halves
 * the time; there are tags, as Word writes them, for screen readers; and comments are left out. See docs/rendering.md.
 *
 * Without ExportFormFields, controls become fields, and content controls do not, which would change their font. In a PDF/A
 * neither may (src/shared/options/combinations.ts).
 */
export function exportOptions(wanted: Export, tagged = wanted.tagged ?? true): string {
  const { pages, pdfa, pdfua, comments, images, imageQuality, imageDpi, bookmarks, formFields } = wanted;
  const options: Record<string, Value> = {
    SelectPdfVersion: number(pdfa === undefined ? 0 : pdfaPart(pdfa)),
    UseLosslessCompression: flag(images !== 'jpeg'),
    ReduceImageResolution: flag(imageDpi !== undefined),
    UseTaggedPDF: flag(tagged),
    ExportBookmarksToPDFDestination: flag(wanted.destinations ?? false),
    ExportNotes: flag(comments === 'annotations'),
    ...(images === 'jpeg' && { Quality: number(imageQuality ?? QUALITY) }),
    ...(imageDpi !== undefined && { MaxImageResolution: number(imageDpi) }),
    ...(wanted.blankPages && { IsSkipEmptyPages: flag(false) }),
    ...(pages !== undefined && { PageRange: text(pages) }),
    ...(pdfua && { PDFUACompliance: flag(true) }),
    ...(bookmarks === false && { ExportBookmarks: flag(false) }),
    ...((formFields ?? pdfa) !== undefined && { ExportFormFields: flag(formFields === true) }),
    ...watermarkOptions(wanted),
  };
  return JSON.stringify(options);
}

function watermarkOptions({ watermark, watermarkColor, watermarkSize, watermarkAngle }: Export) {
  if (watermark === undefined) return {};
  return {
    Watermark: text(watermark),
    WatermarkColor: number(Number.parseInt(watermarkColor ?? WATERMARK_COLOR, 16)),
    WatermarkFontName: text(WATERMARK_FONT),
    WatermarkRotateAngle: number(10 * (watermarkAngle ?? WATERMARK_ANGLE)),
    ...(watermarkSize !== undefined && { WatermarkFontHeight: number(watermarkSize) }),
  };
}
