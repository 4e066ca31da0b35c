/** One form (ISO 32000-1, 12.7) of those of the parts. */
import type { PdfObjects } from '../objects/pdf-objects.ts';
import { type Dictionary, PdfString, Reference, type Value, written } from '../objects/values.ts';
import type { PartCopy } from './part-copy.ts';
import type { PdfWriter } from './pdf-writer.ts';
import { freeName } from './trees.ts';

/** A form's other resources are of no use without a text that names them. */
const FONTS = '/Font';

/** Whether a part has form fields. */
export function hasFields(pdf: PdfObjects): boolean {
  return pdf.array(pdf.dictionary(pdf.catalog['/AcroForm'])['/Fields']).length > 0;
}

/**
 * Fields of the same name are one field, with one content. So if several parts have fields, those of each are below a field with
 * the name of its document. If only one has, its fields keep their names, and so their meaning for who reads them.
 */
export class Fields {
  readonly #writer: PdfWriter;
  readonly #areSeveral: boolean;
  readonly #names = new Set<string>();
  readonly #roots: Value[] = [];
  readonly #order: Value[] = [];
  readonly #fonts = new Map<string, Value>();
  #form: Dictionary = {};
  #needsAppearances = false;

  /** @param areSeveral whether more than one part has fields. */
  constructor(writer: PdfWriter, areSeveral: boolean) {
    this.#writer = writer;
    this.#areSeveral = areSeveral;
  }

  /** Takes in the fields of a part. @param name of its document. */
  add(copy: PartCopy, part: number, name: string): void {
    const { pdf } = copy;
    if (!hasFields(pdf)) return;
    const form = pdf.dictionary(pdf.catalog['/AcroForm']);
    const roots = pdf.array(form['/Fields']).filter((field) => field instanceof Reference);
    this.#needsAppearances ||= pdf.get(form['/NeedAppearances']) === true;
    this.#order.push(...pdf.array(form['/CO']).map((field) => copy.map(field)));
    if (!this.#areSeveral) {
      const kept = ['/DR', '/DA', '/Q', '/SigFlags'].filter((key) => key in form);
      this.#form = Object.fromEntries(kept.map((key) => [key, copy.map(form[key], key === '/DR')]));
      this.#roots.push(...roots.map((field) => copy.map(field)));
      return;
    }
    this.#mergeFonts(copy, pdf.dictionary(form['/DR']), part);
    const parent = this.#writer.allocate();
    for (const field of roots) copy.add(field, { '/Parent': parent });
    const appearance = form['/DA'] === undefined ? undefined : copy.mapAppearance(form['/DA']);
    this.#writer.write(parent, {
      '/T': PdfString.of(this.#nameOf(name, part)),
      '/Kids': roots.map((field) => copy.map(field)),
      ...(appearance !== undefined && { '/DA': appearance }),
      ...('/Q' in form && { '/Q': copy.map(form['/Q']) }),
    });
    this.#roots.push(parent);
  }

  /** For the catalogue; undefined if there are no fields. */
  write(): Reference | undefined {
    if (this.#roots.length === 0) return undefined;
    return this.#writer.add({
      '/Fields': this.#roots,
      ...this.#form,
      ...(this.#needsAppearances && { '/NeedAppearances': true }),
      ...(this.#order.length > 0 && { '/CO': this.#order }),
      ...(this.#fonts.size > 0 && { '/DR': { [FONTS]: Object.fromEntries(this.#fonts) } }),
    });
  }

  #mergeFonts(copy: PartCopy, resources: Dictionary, part: number): void {
    const fonts = copy.pdf.dictionary(resources[FONTS]);
    const names = new Map<string, string>();
    for (const name in fonts) {
      const font = copy.map(fonts[name], true);
      const taken = this.#fonts.get(name);
      const isFree = taken === undefined || written(taken) === written(font);
      const own = isFree ? name : freeName(name, part, (each) => this.#fonts.has(each));
      this.#fonts.set(own, font);
      if (own !== name) names.set(name.slice(1), own.slice(1));
    }
    copy.renames.fonts = names;
  }

  /** The file name without its ending and periods, which separate the names of fields. */
  #nameOf(file: string, part: number): string {
    const name = file.replace(/\.[^.]{1,8}$/, '').replaceAll('.', '_') || 'document';
    const own = freeName(name, part, (each) => this.#names.has(each));
    this.#names.add(own);
    return own;
  }
}
