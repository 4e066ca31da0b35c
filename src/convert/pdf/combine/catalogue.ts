/** Named destinations (ISO 32000-1, 12.3.2.3), attached files (7.11.4) and page labels (12.4.2) of the parts, in one tree each. */
import { isName, PdfString, type Value } from '../objects/values.ts';
import type { PartCopy } from './part-copy.ts';
import type { PdfWriter } from './pdf-writer.ts';
import { Names, TreeWriter, treeEntries } from './trees.ts';

export class Destinations {
  readonly #names = new Names();

  /** Takes in those of a part. Both kinds of names, of the catalogue's dictionary and of its tree, become strings. */
  add(copy: PartCopy, part: number): void {
    const { pdf } = copy;
    const found: [key: string, value: Value][] = Object.entries(pdf.dictionary(pdf.catalog['/Dests']));
    const tree = pdf.dictionary(pdf.catalog['/Names'])['/Dests'];
    for (const [key, value] of treeEntries(pdf, tree, '/Names')) {
      if (key instanceof PdfString) found.push([key.bytes, value]);
    }
    const names = new Map<string, string>();
    for (const [key] of found) names.set(key, this.#names.free(key.replace(/^\//, ''), part));
    copy.renames.destinations = names;
    for (const [key, value] of found) this.#names.set(names.get(key) ?? key, copy.map(pdf.get(value)));
  }

  /** Undefined if there are none. */
  write(writer: PdfWriter): Value | undefined {
    return this.#names.write(writer);
  }
}

export class Files {
  readonly #names = new Names();
  readonly #associated: Value[] = [];

  /** Takes in those of a part. */
  add(copy: PartCopy, part: number): void {
    const { pdf } = copy;
    for (const [key, value] of treeEntries(
      pdf,
      pdf.dictionary(pdf.catalog['/Names'])['/EmbeddedFiles'],
      '/Names',
    )) {
      if (!(key instanceof PdfString)) continue;
      this.#names.set(this.#names.free(key.bytes, part), copy.map(value));
    }
    this.#associated.push(...pdf.array(pdf.catalog['/AF']).map((file) => copy.map(file)));
  }

  /** Adds one of the whole. @param specification refers to it. */
  attach(name: string, specification: Value, part: number): void {
    this.#names.set(this.#names.free(PdfString.of(name).bytes, part), specification);
    this.#associated.push(specification);
  }

  /** Entries of the catalogue and of its names. */
  write(writer: PdfWriter): { readonly tree: Value | undefined; readonly associated: Value[] } {
    return { tree: this.#names.write(writer), associated: this.#associated };
  }
}

/** Where no part has labels, pages count through the whole. Where one has, the pages of the others are 1, 2, 3. */
export class PageLabels {
  readonly #tree: TreeWriter;

  constructor(writer: PdfWriter) {
    this.#tree = new TreeWriter(writer, '/Nums');
  }

  add(copy: PartCopy, firstPage: number, pages: number): void {
    const { pdf } = copy;
    let isFirst = true;
    for (const [key, value] of treeEntries(pdf, pdf.catalog['/PageLabels'], '/Nums')) {
      if (typeof key !== 'number' || !(key < pages)) continue;
      if (isFirst && key !== 0) this.#tree.add(firstPage, { '/S': '/D' });
      this.#tree.add(firstPage + key, copy.map(pdf.get(value)));
      isFirst = false;
    }
    if (isFirst) this.#tree.add(firstPage, { '/S': '/D' });
  }

  write(): Value {
    return this.#tree.root();
  }
}

/** Layers (ISO 32000-1, 8.11.4): all of all parts, as each shows them. */
export class Layers {
  readonly #all: Value[] = [];
  readonly #lists = new Map<string, Value[]>();
  #name: Value | undefined;

  add(copy: PartCopy): void {
    const { pdf } = copy;
    const properties = pdf.dictionary(pdf.catalog['/OCProperties']);
    const groups = pdf.array(properties['/OCGs']);
    if (groups.length === 0) return;
    const shown = pdf.dictionary(properties['/D']);
    this.#all.push(...groups.map((group) => copy.map(group)));
    this.#name ??= shown['/Name'] === undefined ? undefined : copy.map(shown['/Name']);
    const isOff = isName(shown['/BaseState']) && shown['/BaseState'] === '/OFF';
    const on = new Set(pdf.array(shown['/ON']).map(String));
    const off = isOff ? groups.filter((group) => !on.has(String(group))) : pdf.array(shown['/OFF']);
    this.#append(copy, '/OFF', off);
    // A list that is missing shows none to the reader; PDF/A wants all in it if there is one.
    this.#append(copy, '/Order', pdf.array(shown['/Order']));
    for (const key of ['/AS', '/RBGroups', '/Locked']) this.#append(copy, key, pdf.array(shown[key]));
  }

  /** For the catalogue; undefined if there are none. */
  write(): Value | undefined {
    if (this.#all.length === 0) return undefined;
    const lists = Object.fromEntries([...this.#lists].filter(([, list]) => list.length > 0));
    return {
      '/OCGs': this.#all,
      '/D': { ...(this.#name !== undefined && { '/Name': this.#name }), ...lists },
    };
  }

  #append(copy: PartCopy, key: string, values: readonly Value[]): void {
    const list = this.#lists.get(key) ?? [];
    list.push(...values.map((value) => copy.map(value)));
    this.#lists.set(key, list);
  }
}
