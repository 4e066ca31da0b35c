/**
 * The options of a conversion, as `POST /v1/convert` takes them: src/http/conversion/options.contract.ts has their ranges
 * and what they mean to a client.
 */
import type { PdfaLevel } from './pdfa.ts';

/** Rights that an owner password can grant to who opens the PDF without it (ISO 32000-2, table 22). */
export const permissions = ['print', 'copy', 'modify', 'annotate', 'fillForms', 'assemble'] as const;
export type PdfPermission = (typeof permissions)[number];

/** What an attached file is to the document (ISO 19005-3, annex E). */
export const relationships = ['Source', 'Data', 'Alternative', 'Supplement'] as const;
export type Relationship = (typeof relationships)[number];

/** Profiles of Factur-X 1.0, which is ZUGFeRD 2. */
export const facturxProfiles = ['minimum', 'basicwl', 'basic', 'en16931', 'extended'] as const;
export type FacturxProfile = (typeof facturxProfiles)[number];

/** Whose page breaks a PDF gets. */
export const requestedLayouts = ['auto', 'word', 'engine'] as const;
export type RequestedLayout = (typeof requestedLayouts)[number];

/** What a conversion gives: the PDF, or a picture of one of its pages. */
export const formats = {
  pdf: { type: 'application/pdf', extension: 'pdf' },
  png: { type: 'image/png', extension: 'png' },
} as const;
export type Format = keyof typeof formats;

/** What a picture has where its page has nothing. */
export const backgrounds = ['white', 'transparent'] as const;
export type Background = (typeof backgrounds)[number];

/** How several documents in one PDF count their pages: each its own, or all together. */
export const pageNumberings = ['separate', 'continuous'] as const;
export type PageNumbering = (typeof pageNumberings)[number];

/** The format in options, which may be noted ones. */
export function formatOf({ format }: { readonly format?: string | undefined }): Format {
  return format === 'png' ? 'png' : 'pdf';
}

/** What a document shares its process with. */
export const isolations = ['account', 'document'] as const;
export type Isolation = (typeof isolations)[number];

/** An option that is undefined has its default. */
export interface ConversionOptions {
  readonly format?: Format | undefined;
  /** Of the picture: the page of the PDF, from 1; the first by default. */
  readonly page?: number | undefined;
  /** Of the picture, in pixels; {@link PICTURE_WIDTH} by default. */
  readonly width?: number | undefined;
  /** Of the picture; white by default. */
  readonly background?: Background | undefined;
  /**
   * Whose page breaks the PDF gets: Word's if they are known and still right (default), Word's even if another program changed
   * the document, or always the engine's.
   */
  readonly layout?: RequestedLayout | undefined;
  /** Ranges of pages; see page-range.ts. All by default. */
  readonly pages?: string | undefined;
  readonly pdfa?: PdfaLevel | undefined;
  readonly pdfua?: boolean | undefined;
  /** Tracked changes: made (default), as before them, or marked. */
  readonly changes?: 'final' | 'original' | 'marked' | undefined;
  /** Not in the margin, where LibreOffice cuts them off: 25.2 and 26.8, if a page has many. */
  readonly comments?: 'none' | 'annotations' | undefined;
  /** Fields and indexes: as the document stores them (default), or updated. */
  readonly fields?: 'stored' | 'updated' | undefined;
  readonly images?: 'lossless' | 'jpeg' | undefined;
  /** Of JPEG, from 1 to 100; 90 by default. */
  readonly imageQuality?: number | undefined;
  /** Resolution to reduce images to, one of {@link resolutions}. */
  readonly imageDpi?: number | undefined;
  /** True by default. */
  readonly bookmarks?: boolean | undefined;
  /** True by default. */
  readonly tagged?: boolean | undefined;
  /** Whether the PDF has form fields: for all controls, or for none. By default, for ActiveX controls only. */
  readonly formFields?: boolean | undefined;
  /** A text across each page. */
  readonly watermark?: string | undefined;
  /** RRGGBB, in hexadecimal. */
  readonly watermarkColor?: string | undefined;
  /** In points. */
  readonly watermarkSize?: number | undefined;
  /** In degrees, counterclockwise. */
  readonly watermarkAngle?: number | undefined;
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  readonly subject?: string | undefined;
  readonly keywords?: string | undefined;
  readonly linearize?: boolean | undefined;
  /** What the PDF allows without the owner password, separated by commas; everything by default, "none" for nothing. */
  readonly allow?: string | undefined;
  /** Of all attachments. */
  readonly attachmentRelationship?: Relationship | undefined;
  readonly facturx?: FacturxProfile | undefined;
  /** Codes and levels of warnings, separated by commas, with which there is to be no PDF; see accepted.ts. None by default. */
  readonly failOn?: string | undefined;
  /** Whether it is to have a process of its own; by default, others of its owner may have been in it, if the operator allows that. */
  readonly isolation?: Isolation | undefined;
}

/** Width of a picture, in pixels: that of A4 at 150 dots per inch. */
export const PICTURE_WIDTH = 1_240;

export const MIN_PICTURE_WIDTH = 16;
export const MAX_PICTURE_WIDTH = 4_000;

/** Resolutions of images, in dots per inch. */
export const resolutions = [75, 150, 300, 600] as const;

/** The form's part of the options. */
export interface FormOptions {
  /** Opens the DOCX. */
  readonly password?: string | undefined;
  /** Opens the PDF. */
  readonly userPassword?: string | undefined;
  /** Opens the PDF with all rights. */
  readonly ownerPassword?: string | undefined;
  /** Files to embed in the PDF, by ascending names, which differ; undefined rather than empty. */
  readonly attachments?: readonly Attachment[] | undefined;
}

/** A file to embed. */
export interface Attachment {
  readonly name: string;
  /** Its media type. */
  readonly type: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** Digests of its content, in hexadecimal. */
  readonly sha256: string;
  readonly md5: string;
  /** Where it is until the conversion ends. */
  readonly path: string;
}

/** The attachment that is an invoice by Factur-X. */
export const FACTURX_NAME = 'factur-x.xml';

export type AllOptions = ConversionOptions & FormOptions;

/** What an option is if it is left out; the others are off. */
const defaults: ConversionOptions = {
  format: 'pdf',
  layout: 'auto',
  isolation: 'account',
  pdfua: false,
  changes: 'final',
  comments: 'none',
  fields: 'stored',
  images: 'lossless',
  bookmarks: true,
  tagged: true,
  linearize: false,
};

/** Whether an option's value, perhaps as the text of a query, is its default. */
export function isDefault(name: string, value: unknown): boolean {
  return String(value) === String(defaults[name as keyof ConversionOptions]);
}

/** The options without those that have their defaults. */
export function withoutDefaults(options: ConversionOptions): ConversionOptions {
  return Object.fromEntries(Object.entries(options).filter(([name, value]) => !isDefault(name, value)));
}

/** Options with any text or number as value, or which change neither the layout nor, much, what the conversion costs. */
const texts: ReadonlySet<string> = new Set<keyof ConversionOptions>([
  'failOn',
  'isolation',
  ...(['page', 'width', 'background'] as const),
  ...(['pages', 'watermark', 'watermarkColor', 'watermarkSize', 'watermarkAngle'] as const),
  ...(['title', 'author', 'subject', 'keywords'] as const),
]);

/** The options that may decide whether a document can be converted at all, as a short text; empty for none. */
export function workOf(options: ConversionOptions): string {
  const entries = Object.entries(options).filter(([name]) => !texts.has(name));
  return entries
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join(',');
}

/** Texts that say something of the document, or to whom it belongs. */
const personal: ReadonlySet<string> = new Set<keyof ConversionOptions>([
  ...(['title', 'author', 'subject', 'keywords', 'watermark'] as const),
]);

/** In place of a value that is not kept. */
const GIVEN = 'given';

/** The options as they may be kept: without free texts, and without anything of the form. */
export function notedOptions(
  options: ConversionOptions,
  form: FormOptions,
): Readonly<Record<string, string>> {
  const noted = Object.entries(options).map(([name, value]) => [
    name,
    personal.has(name) ? GIVEN : String(value),
  ]);
  return Object.fromEntries([...noted, ...Object.keys(form).map((name) => [name, GIVEN])]);
}

/** Names of the form's fields that hold options. */
export const secretFields = ['password', 'userPassword', 'ownerPassword'] as const;
