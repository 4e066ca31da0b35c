/** Copies the objects of a part into the whole: with other numbers, and other names where those of another part are the same. */
import type { PdfObjects, Stream } from '../objects/pdf-objects.ts';
import {
  type Dictionary,
  isArray,
  isDictionary,
  isName,
  PdfString,
  Reference,
  type Value,
} from '../objects/values.ts';
import type { PdfWriter } from './pdf-writer.ts';

/** What is below these is drawn, or files: it belongs to no place, so that several parts may share it. */
const SHARED = new Set<string>([
  ...['/Resources', '/Contents', '/AP', '/DR', '/Font', '/XObject', '/ExtGState', '/ColorSpace'],
  ...['/Pattern', '/Shading', '/ProcSet', '/FontDescriptor', '/DestOutputProfile', '/EF'],
]);
/** Objects that are one thing each, even if two say the same. */
const SINGULAR = new Set<Value | undefined>([
  ...[
    '/Catalog',
    '/Pages',
    '/Page',
    '/Annot',
    '/Outlines',
    '/StructTreeRoot',
    '/StructElem',
    '/OCG',
    '/Action',
  ],
]);
/** Objects that are made anew. Where something refers to another one than that of the document, it refers to nothing. */
const MADE_ANEW = new Set<Value | undefined>(['/Catalog', '/Pages', '/Page', '/Outlines', '/StructTreeRoot']);
/** How deep shared objects may be in each other. */
const MAX_DEPTH = 100;
/** More than there are pages, annotations and forms. */
const MAX_STRUCT_PARENT = 4_000_000;
const FONT_IN_APPEARANCE = /\/([^\s()<>[\]{}/%]+)(?=\s+[-+.\d]+\s+Tf)/g;
/** The name of a part of a font's characters (9.6.4): six letters before the font's. */
const SUBSET = /^\/[A-Z]{6}\+/;
const LETTERS = 26;
const TAG_LETTERS = 6;

/** What a part calls things, and the whole calls otherwise. */
export interface Renames {
  /** Before the identifiers of elements. */
  ids: string;
  /** Types and classes of elements, with their `/`. */
  roles: ReadonlyMap<string, string>;
  classes: ReadonlyMap<string, string>;
  /** Named destinations: by name with its `/`, and by string. */
  destinations: ReadonlyMap<string, string>;
  /** Fonts of form fields, without `/`. Undefined: the fields keep their resources. */
  fonts: ReadonlyMap<string, string> | undefined;
}

export class PartCopy {
  readonly pdf: PdfObjects;
  readonly renames: Renames = {
    ids: '',
    roles: new Map(),
    classes: new Map(),
    destinations: new Map(),
    fonts: undefined,
  };
  /** The first number that pages and annotations of this part may have in the tree of parents. */
  readonly #firstParent: number;
  /** One more than the last such number. */
  nextParent: number;
  readonly #writer: PdfWriter;
  /** New numbers by the old ones; 0 for none. */
  readonly #numbers: Uint32Array;
  /** Old numbers of objects that are copied one by one. */
  readonly #waiting: number[] = [];
  /** Shared objects that are being copied. */
  readonly #open = new Set<number>();
  /** Entries that objects get besides their own, by old number. */
  readonly #added = new Map<number, Dictionary>();
  /** The fonts' tags, by the new numbers of the descriptors. */
  readonly #tags = new Map<number, string>();

  constructor(pdf: PdfObjects, writer: PdfWriter, firstParent: number) {
    this.pdf = pdf;
    this.#writer = writer;
    this.#firstParent = firstParent;
    this.nextParent = firstParent;
    this.#numbers = new Uint32Array(pdf.size);
  }

  /** Lets all references to an object of the part lead to one that the caller writes. */
  replace(old: Value | undefined, reference: Reference): void {
    if (old instanceof Reference && old.number < this.#numbers.length) {
      this.#numbers[old.number] = reference.number;
    }
  }

  /** The object of the whole that a reference of the part leads to. */
  refer({ number }: Reference): Value {
    if (!this.pdf.has(number)) return null;
    const known = this.#numbers[number] ?? 0;
    if (known !== 0) return new Reference(known);
    const reference = this.#writer.allocate();
    this.#numbers[number] = reference.number;
    this.#waiting.push(number);
    return reference;
  }

  /** Adds entries to an object that is not yet copied. */
  add({ number }: Reference, entries: Dictionary): void {
    this.#added.set(number, { ...this.#added.get(number), ...entries });
  }

  /** A value of the part as the whole has it. @param isShared whether several parts may share what it refers to. */
  map(value: Value | undefined, isShared = false): Value {
    if (value instanceof Reference) return isShared ? this.#share(value) : this.refer(value);
    if (isArray(value)) return value.map((item) => this.map(item, isShared));
    return isDictionary(value) ? this.#mapDictionary(value, isShared) : (value ?? null);
  }

  /** Copies all that something refers to. */
  copyWaiting(): void {
    // In the order in which things refer to them, which is about that of the file.
    for (const number of this.#waiting) {
      const reference = new Reference(this.#numbers[number] ?? 0);
      const { value, stream } = this.pdf.object(number);
      const added = this.#added.get(number);
      if (stream) this.#copyStream(reference, stream);
      else if (!isDictionary(value)) this.#writer.write(reference, this.map(value));
      else if (MADE_ANEW.has(value['/Type'])) this.#writer.write(reference, null);
      else this.#writer.write(reference, { ...(this.map(value) as Dictionary), ...added });
    }
  }

  #copyStream(reference: Reference, stream: Stream): void {
    const dictionary = this.#mapDictionary(stream.dictionary, false, true);
    this.#writer.writeStream(reference, dictionary, this.pdf.reader, stream);
  }

  /** What is in an object is copied before it, so that the same objects refer to the same numbers; a circle stays one. */
  #share(old: Reference): Value {
    const { number } = old;
    if (!this.pdf.has(number)) return null;
    const known = this.#numbers[number] ?? 0;
    if (known !== 0) return new Reference(known);
    if (this.#open.has(number)) {
      const reference = this.#writer.allocate();
      this.#numbers[number] = reference.number;
      return reference;
    }
    const { value, stream } = this.pdf.object(number);
    if (isDictionary(value) && SINGULAR.has(value['/Type'])) return this.refer(old);
    if (this.#open.size >= MAX_DEPTH) throw new Error('resources are nested too deeply');
    this.#open.add(number);
    const mapped = isDictionary(value)
      ? this.#mapDictionary(value, true, stream !== undefined)
      : this.map(value, true);
    this.#open.delete(number);
    const reference = this.#end(number, mapped, stream);
    this.#numbers[number] = reference.number;
    return reference;
  }

  #end(number: number, mapped: Value, stream: Stream | undefined): Reference {
    const writer = this.#writer;
    const { reader } = this.pdf;
    // Something in it refers to it, and has got its number.
    const fixed = this.#numbers[number] ?? 0;
    if (fixed !== 0) {
      const reference = new Reference(fixed);
      if (stream) writer.writeStream(reference, mapped as Dictionary, reader, stream);
      else writer.write(reference, mapped);
      return reference;
    }
    if (stream) return writer.shareStream(mapped as Dictionary, reader, stream);
    if (!isDictionary(mapped)) return writer.share(mapped);
    const tagged = this.#withTag(mapped);
    const reference = writer.share(tagged);
    this.#noteTag(tagged, reference);
    return reference;
  }

  /**
   * Parts have different subsets of the same fonts by the same name, which one PDF may not have (9.6.4): so the tag is made of the
   * number of the font program.
   */
  #withTag(mapped: Dictionary): Dictionary {
    const key = mapped['/Type'] === '/FontDescriptor' ? '/FontName' : '/BaseFont';
    const name = mapped[key];
    if (!isName(name) || !SUBSET.test(name)) return mapped;
    const tag = this.#tagOf(mapped);
    return tag === undefined ? mapped : { ...mapped, [key]: name.replace(SUBSET, `/${tag}+`) };
  }

  #tagOf(mapped: Dictionary): string | undefined {
    const program = mapped['/FontFile'] ?? mapped['/FontFile2'] ?? mapped['/FontFile3'];
    if (program instanceof Reference) return tagOf(program.number);
    const descendants = mapped['/DescendantFonts'];
    const described = mapped['/FontDescriptor'] ?? (isArray(descendants) ? descendants[0] : undefined);
    return described instanceof Reference ? this.#tags.get(described.number) : undefined;
  }

  #noteTag(mapped: Dictionary, { number }: Reference): void {
    const tag = this.#tagOf(mapped);
    if (tag !== undefined) this.#tags.set(number, tag);
  }

  #mapDictionary(dictionary: Dictionary, isShared: boolean, isStream = false): Dictionary {
    const isElement = isName(dictionary['/S']) && dictionary['/P'] instanceof Reference;
    const result: Record<string, Value> = {};
    for (const key in dictionary) {
      const value = dictionary[key] ?? null;
      if (isStream && (key === '/Length' || key === '/DL')) continue;
      const special = this.#mapSpecial(key, value, dictionary, isElement);
      if (special !== undefined) result[key] = special;
      else if (key !== '/DR' || !this.renames.fonts)
        result[key] = this.map(value, isShared || SHARED.has(key));
    }
    return result;
  }

  /** Undefined for entries like others. */
  #mapSpecial(key: string, value: Value, dictionary: Dictionary, isElement: boolean): Value | undefined {
    const { renames } = this;
    switch (key) {
      case '/StructParent':
      case '/StructParents':
        return this.parentKey(this.pdf.get(value));
      case '/Dest':
        return this.mapDestination(value);
      case '/D':
        return dictionary['/S'] === '/GoTo' ? this.mapDestination(value) : undefined;
      case '/DA':
        return this.mapAppearance(value);
      case '/Headers':
        return dictionary['/O'] === '/Table' ? this.mapIds(value) : undefined;
    }
    if (!isElement) return undefined;
    switch (key) {
      case '/ID':
        return this.mapIds(value);
      case '/S':
        return isName(value) ? (renames.roles.get(value) ?? value) : undefined;
      case '/C':
        return renames.classes.size === 0 ? undefined : this.#mapClasses(value);
    }
    return undefined;
  }

  /** A number of the part's tree of parents, as the whole has it. @throws Error if it is none. */
  parentKey(value: Value): number {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > MAX_STRUCT_PARENT) {
      throw new Error('a number of the tree of parents is none');
    }
    const number = this.#firstParent + value;
    this.nextParent = Math.max(this.nextParent, number + 1);
    return number;
  }

  /** A destination by name gets its new name; others refer to their pages. */
  mapDestination(value: Value): Value {
    const found = this.pdf.get(value);
    const key = found instanceof PdfString ? found.bytes : found;
    if (typeof key !== 'string') return this.map(value);
    return new PdfString(this.renames.destinations.get(key) ?? key.replace(/^\//, ''));
  }

  /** How a field looks: with the font's new name. */
  mapAppearance(value: Value): Value | undefined {
    const { fonts } = this.renames;
    const found = this.pdf.get(value);
    if (!fonts || !(found instanceof PdfString)) return undefined;
    const renamed = (written: string, name: string) => `/${fonts.get(name) ?? written.slice(1)}`;
    return new PdfString(found.bytes.replace(FONT_IN_APPEARANCE, renamed));
  }

  /** An identifier of an element, or an array of them. */
  mapIds(value: Value): Value {
    const found = this.pdf.get(value);
    if (isArray(found)) return found.map((item) => this.mapIds(item));
    return found instanceof PdfString ? new PdfString(this.renames.ids + found.bytes) : this.map(found);
  }

  #mapClasses(value: Value): Value {
    const found = this.pdf.get(value);
    if (isArray(found)) return found.map((item) => this.#mapClasses(item));
    return isName(found) ? (this.renames.classes.get(found) ?? found) : this.map(found);
  }
}

/** Six letters for each number. */
function tagOf(number: number): string {
  let tag = '';
  for (let rest = number; tag.length < TAG_LETTERS; rest = Math.floor(rest / LETTERS)) {
    tag = String.fromCharCode(0x41 + (rest % LETTERS)) + tag;
  }
  return tag;
}
