/** The logical structure of a PDF: its elements and what content they have (ISO 32000-1, 14.7 and 14.8). */
import { type Dictionary, isDictionary, Reference, type Value } from '../objects/values.ts';
import type { CheckedPdf } from './checked-pdf.ts';
import { ByContent } from './marked-content.ts';
import { TooMuch } from './patience.ts';

/** ISO 32000-1, 14.8.4. */
const STANDARD_TYPES = new Set(
  `/Document /Part /Art /Sect /Div /BlockQuote /Caption /TOC /TOCI /Index /NonStruct /Private /P /H /H1 /H2 /H3 /H4 /H5 /H6
/L /LI /Lbl /LBody /Table /TR /TH /TD /THead /TBody /TFoot /Span /Quote /Note /Reference /BibEntry /Code /Link /Annot /Ruby
/RB /RT /RP /Warichu /WT /WP /Figure /Formula /Form`.split(/\s/),
);

export class Element {
  /** Undefined if it is inside another object. */
  readonly reference: Reference | undefined;
  readonly dictionary: Dictionary;
  /** As the element has it. */
  readonly type: string;
  /** The standard type that it is mapped to; undefined if there is none. */
  readonly standardType: string | undefined;
  readonly parent: Element | undefined;
  readonly children: Element[] = [];
  /** How much marked content of pages and forms it has. */
  content = 0;
  /** How many annotations and other objects. */
  objects = 0;

  constructor(
    value: Value,
    dictionary: Dictionary,
    type: string,
    standardType: string | undefined,
    parent: Element | undefined,
  ) {
    this.reference = value instanceof Reference ? value : undefined;
    this.dictionary = dictionary;
    this.type = type;
    this.standardType = standardType;
    this.parent = parent;
    parent?.children.push(this);
  }

  /** For what is found: it is made each time. */
  get where(): string {
    return `${this.type.slice(1)} ${this.reference ? `(${this.reference})` : 'without number'}`;
  }
}

/** How deep elements are in each other; and how long a chain of roles is. */
const MAX_DEPTH = 1_000;
const MAX_ROLES = 100;
/** Elements that a reader has memory for. */
const MAX_ELEMENTS = 150_000;
/** How deep the parent tree may be. */
const MAX_TREE_DEPTH = 32;

export class Structure {
  readonly root: Dictionary;
  readonly elements: Element[] = [];
  readonly byContent = new ByContent<Element>();
  readonly roles: Dictionary;
  readonly #pdf: CheckedPdf;
  /** The elements of each number in the parent tree. */
  readonly #parents = new Map<number, Value>();
  /** By the number of their object. */
  readonly #byNumber = new Map<number, Element>();
  readonly #standardTypes = new Map<string, string | undefined>();
  /** References of elements and the objects in them. */
  readonly #held = new Set<string>();

  constructor(pdf: CheckedPdf) {
    this.#pdf = pdf;
    this.root = pdf.dictionary(pdf.catalog['/StructTreeRoot']);
    this.roles = pdf.dictionary(this.root['/RoleMap']);
    for (const kid of pdf.list(this.root['/K'])) this.#visit(kid, undefined, undefined, 0);
    this.#readParents(this.root['/ParentTree']);
  }

  /** The element that the parent tree names for an object, such as an annotation. */
  parentOfObject(number: number | undefined): Element | undefined {
    const parent = number === undefined ? undefined : this.#parents.get(number);
    return this.#elementAt(parent);
  }

  /** Whether an annotation or another object is in an element, as that says. */
  has(element: Element, object: Value): boolean {
    return this.#held.has(`${element.reference} ${object}`);
  }

  /** The element that the parent tree names for marked content of a page or form. */
  parentOfContent(owner: number | undefined, content: number): Element | undefined {
    const parents = owner === undefined ? [] : this.#pdf.array(this.#parents.get(owner));
    return this.#elementAt(parents[content]);
  }

  #elementAt(value: Value | undefined): Element | undefined {
    return value instanceof Reference ? this.#byNumber.get(value.number) : undefined;
  }

  /** Whether the role map leads from this type back to it. */
  isCircular(type: string): boolean {
    const seen = new Set<string>();
    for (let name: string | undefined = type; name; name = this.#pdf.name(this.roles[name])) {
      if (seen.has(name) || seen.size === MAX_ROLES) return true;
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
    if (!this.#standardTypes.has(type)) this.#standardTypes.set(type, this.#mapped(type));
    return this.#standardTypes.get(type);
  }

  #mapped(type: string): string | undefined {
    let name: string | undefined = type;
    for (let steps = 0; name !== undefined && steps < MAX_ROLES; steps += 1) {
      if (Structure.isStandard(name)) return name;
      name = this.#pdf.name(this.roles[name]);
    }
    return undefined;
  }

  /** @throws TooMuch */
  #visit(value: Value, parent: Element | undefined, page: Reference | undefined, depth: number): void {
    if (this.#elementAt(value)) return;
    if (depth === MAX_DEPTH) throw new TooMuch('the structure is too deep');
    if (this.elements.length === MAX_ELEMENTS) throw new TooMuch('there are too many elements');
    this.#pdf.patience.step();
    const dictionary = this.#pdf.dictionary(value);
    const type = this.#pdf.name(dictionary['/S']);
    if (type === undefined) return;
    const element = new Element(value, dictionary, type, this.#standard(type), parent);
    this.elements.push(element);
    if (element.reference) this.#byNumber.set(element.reference.number, element);
    const ownPage = dictionary['/Pg'] instanceof Reference ? dictionary['/Pg'] : page;
    for (const kid of this.#pdf.list(dictionary['/K'])) this.#visitKid(kid, element, ownPage, depth + 1);
  }

  #visitKid(kid: Value, element: Element, page: Reference | undefined, depth: number): void {
    const found = this.#pdf.get(kid);
    if (typeof found === 'number') {
      this.#addContent(element, page, found);
      return;
    }
    if (!isDictionary(found)) return;
    const owner = found['/Stm'] ?? found['/Pg'] ?? page;
    switch (this.#pdf.name(found['/Type'])) {
      case '/MCR':
        this.#addContent(element, owner, Number(found['/MCID']));
        break;
      case '/OBJR':
        element.objects += 1;
        this.#held.add(`${element.reference} ${found['/Obj']}`);
        break;
      default:
        this.#visit(kid, element, page, depth);
    }
  }

  #addContent(element: Element, owner: Value | undefined, number: number): void {
    element.content += 1;
    if (owner instanceof Reference) this.byContent.set({ owner, number }, element);
  }

  #readParents(tree: Value | undefined, depth = 0): void {
    if (depth === MAX_TREE_DEPTH) throw new Error('the parent tree is too deep');
    const node = this.#pdf.dictionary(tree);
    const numbers = this.#pdf.array(node['/Nums']);
    for (let index = 0; index + 1 < numbers.length; index += 2) {
      this.#parents.set(Number(numbers[index]), numbers[index + 1] ?? null);
    }
    for (const kid of this.#pdf.array(node['/Kids'])) this.#readParents(kid, depth + 1);
  }
}
