/** What readers find in a PDF besides its pages' looks: tags, bookmarks, links, fields. As qpdf reads it. */
import { type Dictionary, isReference, PdfFile, type Value } from './pdf-file.ts';

/** An element of the tree of tags. */
interface Element {
  /** The standard type. */
  readonly type: string;
  readonly language: string | undefined;
  readonly id: string | undefined;
  /** Texts and attributes. */
  readonly more: unknown;
  /** Elements; marked content, and annotations, on their pages. */
  readonly kids: readonly unknown[];
}

export interface PdfContents {
  /** Children of the root of the tags. */
  readonly tags: readonly Element[];
  /** What the tree of parents, or that of identifiers, says otherwise than the tree of tags. */
  readonly contradictions: readonly string[];
  readonly outline: readonly unknown[];
  /** Of each page. */
  readonly links: readonly unknown[];
  readonly fields: readonly { readonly name: string; readonly [key: string]: unknown }[];
  readonly destinations: ReadonlyMap<string, unknown>;
  /** Names of embedded files. */
  readonly files: readonly string[];
  /** By index of the page. */
  readonly labels: ReadonlyMap<number, unknown>;
  readonly layers: readonly string[];
}

/** @param firstPage index of the page that counts as the first. */
export async function contentsOf(file: string | PdfFile, firstPage = 0): Promise<PdfContents> {
  const pdf = typeof file === 'string' ? await PdfFile.read(file, '', { hasOffsets: false }) : file;
  return new Reader(pdf, firstPage).read();
}

class Reader {
  readonly #pdf: PdfFile;
  readonly #firstPage: number;
  readonly #pages: ReadonlyMap<string, number>;
  readonly #parents: ReadonlyMap<number, Value>;
  readonly #ids: ReadonlyMap<string, Value>;
  readonly #root: Dictionary;
  readonly #contradictions: string[] = [];
  readonly #destinations: ReadonlyMap<string, Value>;

  constructor(pdf: PdfFile, firstPage: number) {
    this.#pdf = pdf;
    this.#firstPage = firstPage;
    this.#pages = new Map(pdf.pages.map(({ reference }, index) => [reference, index]));
    this.#root = pdf.dictionary(pdf.catalog['/StructTreeRoot']);
    this.#parents = new Map(
      this.#tree(this.#root['/ParentTree'], '/Nums').map(([key, value]) => [Number(key), value]),
    );
    this.#ids = new Map(
      this.#tree(this.#root['/IDTree'], '/Names').map(([key, value]) => [pdf.text(key) ?? '', value]),
    );
    const names = this.#tree(pdf.dictionary(pdf.catalog['/Names'])['/Dests'], '/Names');
    this.#destinations = new Map([
      ...Object.entries(pdf.dictionary(pdf.catalog['/Dests'])).map(
        ([key, value]) => [key.slice(1), value] as const,
      ),
      ...names.map(([key, value]) => [pdf.text(key) ?? '', value] as const),
    ]);
  }

  read(): PdfContents {
    const pdf = this.#pdf;
    const { catalog } = pdf;
    return {
      tags: pdf.list(this.#root['/K']).map((kid) => this.#element(kid, undefined)),
      contradictions: this.#contradictions,
      outline: this.#items(pdf.dictionary(catalog['/Outlines'])['/First']),
      links: pdf.pages.map(({ dictionary }) => this.#annotations(dictionary)),
      fields: pdf
        .array(pdf.dictionary(catalog['/AcroForm'])['/Fields'])
        .flatMap((field) => this.#fields(field, [])),
      destinations: new Map([...this.#destinations].map(([name, value]) => [name, this.#destination(value)])),
      files: this.#tree(pdf.dictionary(catalog['/Names'])['/EmbeddedFiles'], '/Names').map(
        ([key]) => pdf.text(key) ?? '',
      ),
      labels: new Map(
        this.#tree(catalog['/PageLabels'], '/Nums').map(([key, value]) => [Number(key), pdf.get(value)]),
      ),
      layers: pdf
        .array(pdf.dictionary(catalog['/OCProperties'])['/OCGs'])
        .map((group) => pdf.text(pdf.dictionary(group)['/Name']) ?? ''),
    };
  }

  #tree(root: Value | undefined, kind: '/Nums' | '/Names'): [Value, Value][] {
    const node = this.#pdf.dictionary(root);
    const entries = this.#pdf.array(node[kind]);
    const own = entries.flatMap((key, index) =>
      index % 2 === 0 ? [[key, entries[index + 1] ?? null] as [Value, Value]] : [],
    );
    return [...own, ...this.#pdf.array(node['/Kids']).flatMap((kid) => this.#tree(kid, kind))];
  }

  #page(value: Value | undefined): number | undefined {
    const index = this.#pages.get(String(value));
    return index === undefined ? undefined : index - this.#firstPage;
  }

  #element(value: Value, page: Value | undefined): Element {
    const pdf = this.#pdf;
    const dictionary = pdf.dictionary(value);
    const own = dictionary['/Pg'] ?? page;
    const id = pdf.text(dictionary['/ID']);
    if (id !== undefined && this.#ids.size > 0 && this.#ids.get(id) !== value)
      this.#contradictions.push(`identifier ${id}`);
    const more = ['/Alt', '/ActualText', '/E', '/T'].map((key) => pdf.text(dictionary[key]));
    return {
      type: this.#standard(pdf.name(dictionary['/S']) ?? ''),
      language: pdf.text(dictionary['/Lang']),
      id,
      more: [...more, this.#attributes(dictionary['/A'])],
      kids: pdf.list(dictionary['/K']).map((kid) => this.#kid(kid, value, own)),
    };
  }

  #kid(kid: Value, parent: Value, page: Value | undefined): unknown {
    const pdf = this.#pdf;
    const found = pdf.get(kid);
    if (typeof found === 'number') return this.#content(page, found, parent);
    const dictionary = pdf.dictionary(kid);
    const type = pdf.name(dictionary['/Type']);
    if (type === '/MCR') return this.#content(dictionary['/Pg'] ?? page, Number(dictionary['/MCID']), parent);
    if (type !== '/OBJR') return this.#element(kid, page);
    const object = pdf.dictionary(dictionary['/Obj']);
    if (this.#parents.get(Number(object['/StructParent'])) !== parent)
      this.#contradictions.push(`object ${dictionary['/Obj']}`);
    return { object: pdf.name(object['/Subtype']), at: pdf.array(object['/Rect']) };
  }

  #content(page: Value | undefined, number: number, parent: Value): unknown {
    const parents = this.#parents.get(Number(this.#pdf.dictionary(page)['/StructParents']));
    if (this.#pdf.array(parents)[number] !== parent)
      this.#contradictions.push(`content ${number} on ${page}`);
    return { page: this.#page(page), number };
  }

  #attributes(value: Value | undefined): unknown {
    return this.#pdf.list(value).map((item) => {
      const attributes = this.#pdf.dictionary(item);
      return Object.entries(attributes).map(([key, entry]) => [key, this.#pdf.get(entry)]);
    });
  }

  #standard(type: string): string {
    const roles = this.#pdf.dictionary(this.#root['/RoleMap']);
    let name = type;
    for (let steps = 0; steps < 10; steps += 1) {
      const next = this.#pdf.name(roles[name]);
      if (next === undefined || next === name) break;
      name = next;
    }
    return name;
  }

  #items(first: Value | undefined): unknown[] {
    const items: unknown[] = [];
    for (let item = first; item !== undefined; item = this.#pdf.dictionary(item)['/Next']) {
      const dictionary = this.#pdf.dictionary(item);
      const target = this.#destination(dictionary['/Dest'] ?? this.#pdf.dictionary(dictionary['/A'])['/D']);
      items.push({
        title: this.#pdf.text(dictionary['/Title']),
        target,
        kids: this.#items(dictionary['/First']),
      });
    }
    return items;
  }

  #annotations(page: Dictionary): unknown {
    return this.#pdf.array(page['/Annots']).map((annotation) => {
      const dictionary = this.#pdf.dictionary(annotation);
      const action = this.#pdf.dictionary(dictionary['/A']);
      const target = dictionary['/Dest'] ?? action['/D'];
      return {
        type: this.#pdf.name(dictionary['/Subtype']),
        at: this.#pdf.array(dictionary['/Rect']),
        address: this.#pdf.text(action['/URI']),
        target: target === undefined ? undefined : this.#destination(target),
      };
    });
  }

  #destination(value: Value | undefined): unknown {
    const found = this.#pdf.get(value);
    const name = this.#pdf.name(found)?.slice(1) ?? this.#pdf.text(found);
    if (name !== undefined) return this.#destination(this.#destinations.get(name));
    const array = Array.isArray(found) ? found : this.#pdf.array(this.#pdf.dictionary(found)['/D']);
    const [page, ...rest] = array;
    return { page: this.#page(page), rest };
  }

  #fields(value: Value, names: readonly string[]): PdfContents['fields'][number][] {
    const pdf = this.#pdf;
    const dictionary = pdf.dictionary(value);
    const name = pdf.text(dictionary['/T']);
    const path = name === undefined ? names : [...names, name];
    const kids = pdf.array(dictionary['/Kids']);
    if (kids.length > 0) return kids.flatMap((kid) => this.#fields(kid, path));
    const font = /\/(\S+)\s+\S+\s+Tf/.exec(pdf.text(dictionary['/DA']) ?? '')?.[1];
    const resources = pdf.dictionary(pdf.dictionary(pdf.catalog['/AcroForm'])['/DR']);
    const found = pdf.dictionary(pdf.dictionary(resources['/Font'])[`/${font}`]);
    return [
      {
        name: path.join('.'),
        type: dictionary['/FT'],
        value: pdf.text(dictionary['/V']) ?? dictionary['/V'],
        page: isReference(dictionary['/P']) ? this.#page(dictionary['/P']) : undefined,
        at: pdf.array(dictionary['/Rect']),
        font: pdf.name(found['/BaseFont'])?.replace(/^\/[A-Z]{6}\+/, ''),
      },
    ];
  }
}
