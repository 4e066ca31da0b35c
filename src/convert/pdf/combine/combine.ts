/** Makes one PDF of many that the engine wrote (ISO 32000-1), and keeps what they have: tags, links, fields, files. */
import { closeSync, rmSync } from 'node:fs';
import type { PdfaLevel } from '../../../shared/options/pdfa.ts';
import { TailReader } from '../../../system/tail-reader.ts';
import { type Attached, attachedFiles, OBJECTS_OF_FILE } from '../attachments.ts';
import { PdfObjects } from '../objects/pdf-objects.ts';
import { type Dictionary, isArray, PdfString, Reference, type Value } from '../objects/values.ts';
import { openHeld } from '../output-file.ts';
import { Destinations, Files, Layers, PageLabels } from './catalogue.ts';
import { Fields, hasFields } from './fields.ts';
import { informationOf, type Metadata, merged, metadataOf, pdfDate, xmpOf } from './metadata.ts';
import { Outlines } from './outlines.ts';
import { PartCopy } from './part-copy.ts';
import { PdfWriter } from './pdf-writer.ts';
import { Tags } from './tags.ts';

/** A PDF that becomes a part of the whole. */
export interface CombinedPart {
  /** Of the PDF. */
  readonly path: string;
  /** The file name of its document, for errors and the names of form fields. */
  readonly name: string;
  /** Its bookmark: the document's title, else its file name. */
  readonly title: string;
}

/** What the whole says of itself. */
export interface CombineOptions {
  /** Of the whole; by default that of the first part. */
  readonly title?: string | undefined;
  /** Level of PDF/A that each part has, and the whole is to have. */
  readonly pdfa: PdfaLevel | undefined;
  /** Whether each part is PDF/UA, and the whole is to be. */
  readonly pdfua: boolean;
  /** Whether there is a bookmark for each part, above those of the part. True by default. */
  readonly bookmarks?: boolean | undefined;
  /** The language of the whole. By default that of the parts, if it is the same; of PDF/UA, else the first part's. */
  readonly lang?: string | undefined;
  /** What is to be attached to the whole, perhaps as an invoice. */
  readonly attached?: Attached | undefined;
}

/** What was made. */
export interface CombinedPdf {
  readonly pages: number;
  /** Of each part, counted from 1. */
  readonly firstPages: readonly number[];
}

/** What must be known of all parts before the first one is copied. */
interface Survey {
  readonly version: string;
  readonly metadata: Metadata;
  /** The languages of the parts' catalogues. */
  readonly langs: readonly (string | undefined)[];
  readonly withFields: number;
  readonly hasLabels: boolean;
  readonly hasTags: boolean;
  readonly areMarked: boolean;
}

/**
 * Writes one PDF of many.
 *
 * Time and memory are linear: streams are copied in pieces, and no more than one part's tables are in memory. The same parts
 * and options give the same bytes.
 *
 * @param out path of the PDF to write, which must not exist; it does not exist either if this fails.
 * @throws Error saying what is wrong with which part, or what could not be written.
 */
export function combinePdfs(
  parts: readonly CombinedPart[],
  out: string,
  options: CombineOptions,
): CombinedPdf {
  const survey = surveyOf(parts);
  const writer = new PdfWriter(out, survey.version);
  try {
    return new Combination(writer, survey, options).combine(parts);
  } catch (error) {
    rmSync(out, { force: true });
    throw error;
  } finally {
    writer.close();
  }
}

function surveyOf(parts: readonly CombinedPart[]): Survey {
  const [first, ...others] = parts.map((part) =>
    withPart(part, (pdf): Survey => {
      const fields = hasFields(pdf);
      return {
        version: pdf.version,
        metadata: metadataOf(pdf),
        langs: [pdf.text(pdf.catalog['/Lang'])],
        withFields: Number(fields),
        hasLabels: '/PageLabels' in pdf.catalog,
        hasTags: '/StructTreeRoot' in pdf.catalog,
        areMarked: pdf.dictionary(pdf.catalog['/MarkInfo'])['/Marked'] === true,
      };
    }),
  );
  if (!first) throw new Error('there is nothing to combine');
  return others.reduce(
    (whole, part): Survey => ({
      version: whole.version > part.version ? whole.version : part.version,
      metadata: merged(whole.metadata, part.metadata),
      langs: [...whole.langs, ...part.langs],
      withFields: whole.withFields + part.withFields,
      hasLabels: whole.hasLabels || part.hasLabels,
      hasTags: whole.hasTags || part.hasTags,
      areMarked: whole.areMarked && part.areMarked,
    }),
    first,
  );
}

/** @throws Error that names the part. */
function withPart<T>(part: CombinedPart, read: (pdf: PdfObjects) => T): T {
  try {
    const fd = openHeld(part.path);
    try {
      return read(new PdfObjects(TailReader.over(fd)));
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    if (isOfSystem(cause)) throw cause;
    throw new Error(`${part.name}: ${(cause as Error).message}`, { cause });
  }
}

/** Such as a full disk, which is the fault of no part. */
function isOfSystem(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException).syscall === 'string';
}

class Combination {
  readonly #writer: PdfWriter;
  readonly #survey: Survey;
  readonly #options: CombineOptions;
  readonly #catalog: Reference;
  readonly #pages: Reference;
  readonly #nodes: Reference[] = [];
  readonly #tags: Tags | undefined;
  readonly #outlines: Outlines | undefined;
  readonly #labels: PageLabels | undefined;
  readonly #fields: Fields;
  readonly #destinations = new Destinations();
  readonly #files = new Files();
  readonly #layers = new Layers();
  readonly #intents: Value[] = [];
  readonly #firstPages: number[] = [];
  #pageCount = 0;
  #nextParent = 0;
  /** Of the first part. */
  #kept: Dictionary = {};

  constructor(writer: PdfWriter, survey: Survey, options: CombineOptions) {
    this.#writer = writer;
    this.#survey = survey;
    this.#options = options;
    this.#catalog = writer.allocate();
    this.#pages = writer.allocate();
    this.#tags = survey.hasTags ? new Tags(writer) : undefined;
    this.#outlines = options.bookmarks === false ? undefined : new Outlines(writer);
    this.#labels = survey.hasLabels ? new PageLabels(writer) : undefined;
    this.#fields = new Fields(writer, survey.withFields > 1);
  }

  combine(parts: readonly CombinedPart[]): CombinedPdf {
    for (const [index, part] of parts.entries()) {
      withPart(part, (pdf) => this.#addPart(new PartCopy(pdf, this.#writer, this.#nextParent), part, index));
    }
    this.#attach(parts.length);
    this.#end();
    return { pages: this.#pageCount, firstPages: this.#firstPages };
  }

  #addPart(copy: PartCopy, { name, title }: CombinedPart, index: number): void {
    const { pdf } = copy;
    const part = index + 1;
    // Whatever is copied may lead to a page.
    const pages: Reference[] = [];
    let destination: Value[] = [];
    for (const { number, dictionary } of pdf.pages()) {
      const page = this.#writer.allocate();
      copy.replace(new Reference(number), page);
      if (pages.length === 0) destination = [page, '/XYZ', ...topOf(pdf, dictionary), 0];
      pages.push(page);
    }
    if (pages.length === 0) throw new Error('there are no pages');
    this.#firstPages.push(this.#pageCount + 1);
    this.#destinations.add(copy, part);
    this.#tags?.add(copy, part);
    this.#fields.add(copy, part, name);
    this.#outlines?.add(copy, title, destination);
    this.#labels?.add(copy, this.#pageCount, pages.length);
    this.#addPages(copy, pages);
    this.#files.add(copy, part);
    this.#layers.add(copy);
    // All must have one profile (ISO 19005-2, 6.2.3). LibreOffice's are the same but for the date of the document in each.
    const intents = index === 0 ? pdf.array(pdf.catalog['/OutputIntents']) : [];
    this.#intents.push(...intents.map((intent) => copy.map(intent, true)));
    if (index === 0) this.#kept = keptOf(copy);
    copy.copyWaiting();
    this.#nextParent = copy.nextParent;
  }

  #addPages(copy: PartCopy, pages: readonly Reference[]): void {
    const node = this.#writer.allocate();
    this.#nodes.push(node);
    let index = 0;
    for (const { dictionary } of copy.pdf.pages()) {
      // Beads belong to articles, which nothing shows.
      const { '/Parent': _, '/B': _beads, ...own } = dictionary;
      const page = pages[index];
      if (page) this.#writer.write(page, { ...(copy.map(own) as Dictionary), '/Parent': node });
      index += 1;
    }
    this.#writer.write(node, {
      '/Type': '/Pages',
      '/Parent': this.#pages,
      '/Count': pages.length,
      '/Kids': pages,
    });
    this.#pageCount += pages.length;
  }

  #attach(parts: number): void {
    const { attached } = this.#options;
    if (!attached || attached.attachments.length === 0) return;
    const { created } = this.#survey.metadata;
    if (created === undefined) throw new Error('the PDF has no /CreationDate');
    const references = attached.attachments.flatMap(() =>
      Array.from({ length: OBJECTS_OF_FILE }, () => this.#writer.allocate()),
    );
    const files = attachedFiles(attached, references[0]?.number ?? 0, `(${pdfDate(created)})`);
    for (const { name, specification, objects } of files) {
      for (const [number, object] of objects) this.#writer.writeObject(new Reference(number), object);
      this.#files.attach(name, new Reference(specification), parts + 1);
    }
  }

  #end(): void {
    const { title, pdfa, attached } = this.#options;
    const { version, areMarked } = this.#survey;
    const writer = this.#writer;
    const pages = { '/Type': '/Pages', '/Count': this.#pageCount, '/Kids': this.#nodes };
    writer.write(this.#pages, pages);
    const metadata = { ...this.#survey.metadata, title: title ?? this.#survey.metadata.title };
    const xmp = xmpOf(metadata, version, attached?.facturx);
    const stream = xmp && writer.allocate();
    if (stream) writer.writeData(stream, { '/Type': '/Metadata', '/Subtype': '/XML' }, xmp);
    const entries: readonly [string, Value | undefined][] = [
      ['/Type', '/Catalog'],
      ['/Pages', this.#pages],
      ...Object.entries(this.#kept),
      ['/Lang', this.#lang()],
      ['/MarkInfo', areMarked ? { '/Marked': true } : undefined],
      ['/StructTreeRoot', this.#tags?.write(this.#nextParent)],
      ['/Outlines', this.#outlines?.write()],
      ['/PageLabels', this.#labels?.write()],
      ['/AcroForm', this.#fields.write()],
      ['/OCProperties', this.#layers.write()],
      ['/OutputIntents', this.#intents.length > 0 ? this.#intents : undefined],
      ...this.#names(),
      ['/Metadata', stream],
    ];
    const catalog = entries.filter((entry): entry is [string, Value] => entry[1] !== undefined);
    writer.write(this.#catalog, Object.fromEntries(catalog));
    // PDF/A-4 has none (ISO 19005-4, 6.1.3).
    const information = pdfa === '4' ? {} : { '/Info': writer.add(informationOf(metadata)) };
    writer.end({ '/Root': this.#catalog, ...information });
  }

  #names(): [string, Value | undefined][] {
    const destinations = this.#destinations.write(this.#writer);
    const { tree, associated } = this.#files.write(this.#writer);
    const names = {
      ...(destinations !== undefined && { '/Dests': destinations }),
      ...(tree !== undefined && { '/EmbeddedFiles': tree }),
    };
    return [
      ['/Names', Object.keys(names).length > 0 ? names : undefined],
      ['/AF', associated.length > 0 ? associated : undefined],
    ];
  }

  /** Bookmarks have no language of their own, and PDF/UA wants one for them (ISO 14289-1, 7.2). */
  #lang(): Value | undefined {
    const { langs } = this.#survey;
    const [first] = langs;
    const common = this.#options.pdfua || langs.every((lang) => lang === first) ? first : undefined;
    const lang = this.#options.lang ?? common;
    return lang === undefined ? undefined : PdfString.of(lang);
  }
}

/** The left and upper edge of a page. */
function topOf(pdf: PdfObjects, page: Dictionary): [Value, Value] {
  const box = pdf.array(page['/CropBox'] ?? page['/MediaBox']);
  return [pdf.number(box[0]) ?? null, pdf.number(box[3]) ?? null];
}

/** How the first part is shown, and so the whole. */
function keptOf(copy: PartCopy): Dictionary {
  const { catalog } = copy.pdf;
  const opens = copy.pdf.get(catalog['/OpenAction']);
  const kept = ['/ViewerPreferences', '/PageMode', '/PageLayout'].filter((key) => key in catalog);
  return {
    ...Object.fromEntries(kept.map((key) => [key, copy.map(copy.pdf.get(catalog[key]))])),
    // An action might start something.
    ...(isArray(opens) && { '/OpenAction': copy.map(opens) }),
  };
}
