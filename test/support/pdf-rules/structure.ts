/** The logical structure of a PDF: its elements and what content they have (ISO 32000-1, 14.7 and 14.8). */
import { markedContent } from './content.ts';
import { type Dictionary, isDictionary, isReference, type PdfFile, type Value } from './pdf-file.ts';

/** ISO 32000-1, 14.8.4. */
const STANDARD_TYPES = new Set(
  `/Document /Part /Art /Sect /Div /BlockQuote /Caption /TOC /TOCI /Index /NonStruct /Private /P /H /H1 /H2 /H3 /H4 /H5 /H6
/L /LI /Lbl /LBody /Table /TR /TH /TD /THead /TBody /TFoot /Span /Quote /Note /Reference /BibEntry /Code /Link /Annot /Ruby
/RB /RT /RP /Warichu /WT /WP /Figure /Formula /Form`.split(/\s/),
);

export interface Element {
  readonly where: string;
  readonly dictionary: Dictionary;
  /** As the element has it. */
  readonly type: string;
  /** The standard type that it is mapped to; undefined if there is none. */
  readonly standardType: string | undefined;
  readonly parent: Element | undefined;
  readonly children: Element[];
  /** Numbers of marked content on a page or in a form, see {@link markedContent}. */
  readonly content: Set<string>;
  /** References to annotations and other objects. */
  readonly objects: Set<string>;
}

export class Structure {
  readonly root: Dictionary;
  readonly elements: Element[] = [];
  readonly byContent = new Map<string, Element>();
  readonly byObject = new Map<string, Element>();
  readonly roles: Dictionary;
  readonly #pdf: PdfFile;
  /** The elements of each number in the parent tree. */
  readonly #parents = new Map<number, Value>();
  readonly #byReference = new Map<string, Element>();

  constructor(pdf: PdfFile) {
    this.#pdf = pdf;
    this.root = pdf.dictionary(pdf.catalog['/StructTreeRoot']);
    this.roles = pdf.dictionary(this.root['/RoleMap']);
    for (const kid of pdf.list(this.root['/K'])) this.#visit(kid, undefined, undefined);
    this.#readParents(this.root['/ParentTree']);
  }

  /** The element that the parent tree names for an object, such as an annotation. */
  parentOfObject(number: number | undefined): Element | undefined {
    const parent = number === undefined ? undefined : this.#parents.get(number);
    return isReference(parent) ? this.#byReference.get(parent) : undefined;
  }

  /** The element that the parent tree names for marked content of a page or form. */
  parentOfContent(owner: number | undefined, content: number): Element | undefined {
    const parents = owner === undefined ? [] : this.#pdf.array(this.#parents.get(owner));
    return this.#byReference.get(String(parents[content]));
  }

  /** Whether the role map leads from this type back to it. */
  isCircular(type: string): boolean {
    const seen = new Set<string>();
    for (let name: string | undefined = type; name; name = this.#pdf.name(this.roles[name])) {
      if (seen.has(name)) return true;
      seen.add(name);
    }
    return false;
  }

  static isStandard(type: string): boolean {
    return STANDARD_TYPES.has(type);
  }

  /** An attribute (ISO 32000-1, 14.7.5), directly or of a class. */
  attribute(element: Element, owner: string, key: string): Value | undefined {
    const pdf = this.#pdf;
    const classes = pdf.dictionary(this.root['/ClassMap']);
    const own = pdf.list(element.dictionary['/A']);
    const shared = pdf
      .list(element.dictionary['/C'])
      .flatMap((name) => pdf.list(classes[String(pdf.get(name))]));
    return [...own, ...shared]
      .map((item) => pdf.dictionary(item))
      .find((attributes) => pdf.name(attributes['/O']) === owner && key in attributes)?.[key];
  }

  #standard(type: string): string | undefined {
    const seen = new Set<string>();
    for (
      let name: string | undefined = type;
      name && !seen.has(name);
      name = this.#pdf.name(this.roles[name])
    ) {
      if (Structure.isStandard(name)) return name;
      seen.add(name);
    }
    return undefined;
  }

  #visit(value: Value, parent: Element | undefined, page: string | undefined): void {
    if (isReference(value) && this.#byReference.has(value)) return;
    const dictionary = this.#pdf.dictionary(value);
    const type = this.#pdf.name(dictionary['/S']);
    if (type === undefined) return;
    const where = `${type.slice(1)} ${isReference(value) ? `(${value})` : 'without number'}`;
    const standardType = this.#standard(type);
    const own = { content: new Set<string>(), objects: new Set<string>(), children: [] };
    const element: Element = { where, dictionary, type, standardType, parent, ...own };
    this.elements.push(element);
    if (isReference(value)) this.#byReference.set(value, element);
    parent?.children.push(element);
    const ownPage = isReference(dictionary['/Pg']) ? dictionary['/Pg'] : page;
    for (const kid of this.#pdf.list(dictionary['/K'])) this.#visitKid(kid, element, ownPage);
  }

  #visitKid(kid: Value, element: Element, page: string | undefined): void {
    const found = this.#pdf.get(kid);
    if (typeof found === 'number') {
      this.#addContent(element, page, found);
      return;
    }
    if (!isDictionary(found)) return;
    const owner = found['/Stm'] ?? found['/Pg'] ?? page;
    switch (this.#pdf.name(found['/Type'])) {
      case '/MCR':
        this.#addContent(element, String(owner), Number(found['/MCID']));
        break;
      case '/OBJR':
        element.objects.add(String(found['/Obj']));
        this.byObject.set(String(found['/Obj']), element);
        break;
      default:
        this.#visit(kid, element, page);
    }
  }

  #addContent(element: Element, owner: string | undefined, number: number): void {
    const content = markedContent(String(owner), number);
    element.content.add(content);
    this.byContent.set(content, element);
  }

  #readParents(tree: Value | undefined): void {
    const node = this.#pdf.dictionary(tree);
    const numbers = this.#pdf.array(node['/Nums']);
    for (let index = 0; index + 1 < numbers.length; index += 2) {
      this.#parents.set(Number(numbers[index]), numbers[index + 1] ?? null);
    }
    for (const kid of this.#pdf.array(node['/Kids'])) this.#readParents(kid);
  }
}
