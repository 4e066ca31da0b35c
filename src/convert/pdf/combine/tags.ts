/** One tree of tags (ISO 32000-1, 14.7) of those of the parts. */
import { type Dictionary, isName, PdfString, Reference, type Value, written } from '../objects/values.ts';
import type { PartCopy } from './part-copy.ts';
import type { PdfWriter } from './pdf-writer.ts';
import { freeName, TreeWriter, treeEntries } from './trees.ts';

/** ISO 32000-1, 14.8.4. */
const STANDARD_TYPES = new Set(
  `/Document /Part /Art /Sect /Div /BlockQuote /Caption /TOC /TOCI /Index /NonStruct /Private /P /H /H1 /H2 /H3 /H4 /H5 /H6
/L /LI /Lbl /LBody /Table /TR /TH /TD /THead /TBody /TFoot /Span /Quote /Note /Reference /BibEntry /Code /Link /Annot /Ruby
/RB /RT /RP /Warichu /WT /WP /Figure /Formula /Form`.split(/\s/),
);
/** Digits of a part's number before identifiers, which so stay in order. */
const ID_DIGITS = 4;

export class Tags {
  readonly #writer: PdfWriter;
  readonly #root: Reference;
  /** The element of the whole, whose kids are the parts. */
  readonly #top: Reference;
  readonly #kids: Value[] = [];
  readonly #roles = new Map<string, string>();
  readonly #classes = new Map<string, { readonly text: string; readonly value: Value }>();
  readonly #parents: TreeWriter;
  readonly #ids: TreeWriter;
  readonly #namespaces: Value[] = [];

  constructor(writer: PdfWriter) {
    this.#writer = writer;
    this.#root = writer.allocate();
    this.#top = writer.allocate();
    this.#parents = new TreeWriter(writer, '/Nums');
    this.#ids = new TreeWriter(writer, '/Names');
  }

  /** Takes in the tags of a part, whose elements are then copied as others refer to them. */
  add(copy: PartCopy, part: number): void {
    const { pdf, renames } = copy;
    const root = pdf.dictionary(pdf.catalog['/StructTreeRoot']);
    if (root['/Type'] !== '/StructTreeRoot') return;
    renames.ids = `${String(part).padStart(ID_DIGITS, '0')}-`;
    renames.roles = this.#mergeRoles(pdf.dictionary(root['/RoleMap']), part);
    renames.classes = this.#mergeClasses(copy, pdf.dictionary(root['/ClassMap']), part);
    // LibreOffice names an element for a blank page, and writes none.
    this.#addKids(
      copy,
      pdf.list(root['/K']).filter((kid) => pdf.get(kid) !== null),
    );
    for (const [key, value] of treeEntries(pdf, root['/ParentTree'], '/Nums')) {
      this.#parents.add(copy.parentKey(key), copy.map(value));
    }
    for (const [key, value] of treeEntries(pdf, root['/IDTree'], '/Names')) {
      const id = copy.mapIds(key);
      if (id instanceof PdfString) this.#ids.add(id, copy.map(value));
    }
    this.#namespaces.push(...pdf.array(root['/Namespaces']).map((item) => copy.map(item)));
  }

  /** The root, for the catalogue. @param nextParent one more than the last number of the tree of parents. */
  write(nextParent: number): Reference {
    const writer = this.#writer;
    const top = { '/Type': '/StructElem', '/S': '/Document', '/P': this.#root, '/K': this.#kids };
    writer.write(this.#top, top);
    const classes = [...this.#classes].map(([name, { value }]) => [name, value]);
    writer.write(this.#root, {
      '/Type': '/StructTreeRoot',
      '/K': this.#kids.length > 0 ? [this.#top] : [],
      '/ParentTree': writer.add(this.#parents.root()),
      '/ParentTreeNextKey': nextParent,
      ...(!this.#ids.isEmpty && { '/IDTree': writer.add(this.#ids.root()) }),
      ...(this.#roles.size > 0 && { '/RoleMap': Object.fromEntries(this.#roles) }),
      ...(classes.length > 0 && { '/ClassMap': Object.fromEntries(classes) }),
      ...(this.#namespaces.length > 0 && { '/Namespaces': this.#namespaces }),
    });
    return this.#root;
  }

  /** The part's `Document` becomes a kid; what else a part has, a `Part` holds together. */
  #addKids(copy: PartCopy, kids: readonly Value[]): void {
    const { pdf, renames } = copy;
    const old = pdf.catalog['/StructTreeRoot'];
    const [first] = kids;
    if (first === undefined) return;
    const lang = pdf.catalog['/Lang'];
    if (kids.length === 1 && first instanceof Reference) {
      const type = pdf.name(pdf.dictionary(first)['/S']) ?? '';
      if ((renames.roles.get(type) ?? type) === '/Document') {
        copy.replace(old, this.#top);
        const isNamed = lang === undefined || '/Lang' in pdf.dictionary(first);
        if (!isNamed) copy.add(first, { '/Lang': copy.map(lang) });
        this.#kids.push(copy.refer(first));
        return;
      }
    }
    const part = this.#writer.allocate();
    copy.replace(old, part);
    this.#kids.push(part);
    const element = { '/Type': '/StructElem', '/S': '/Part', '/P': this.#top, '/K': copy.map(kids) };
    this.#writer.write(part, { ...element, ...(lang !== undefined && { '/Lang': copy.map(lang) }) });
  }

  /**
   * New names for types that are others for other parts; and for standard types, so that they mean to other parts what they are.
   */
  #mergeRoles(roles: Dictionary, part: number): Map<string, string> {
    const names = new Map<string, string>();
    const place = (type: string): string => {
      const known = names.get(type);
      const role = roles[type];
      if (known !== undefined || !isName(role)) return known ?? type;
      // A circle leads to the name that it has until then.
      names.set(type, type);
      const target = place(role);
      const isFree = !STANDARD_TYPES.has(type) && (this.#roles.get(type) ?? target) === target;
      const name = isFree ? type : this.#freeRole(type, target, part);
      this.#roles.set(name, target);
      names.set(type, name);
      return name;
    };
    for (const type in roles) place(type);
    return names;
  }

  #freeRole(type: string, target: string, part: number): string {
    const taken = (name: string) => (this.#roles.get(name) ?? target) !== target;
    let name = `${type}-1`;
    for (let number = part; taken(name); number += 1) name = `${type}-${number}`;
    return name;
  }

  #mergeClasses(copy: PartCopy, classes: Dictionary, part: number): Map<string, string> {
    const names = new Map<string, string>();
    for (const name in classes) {
      const value = copy.map(classes[name] ?? null);
      const text = written(value);
      const isFree = (this.#classes.get(name)?.text ?? text) === text;
      const own = isFree ? name : freeName(name, part, (each) => this.#classes.has(each));
      this.#classes.set(own, { text, value });
      names.set(name, own);
    }
    return names;
  }
}
