/**
 * The walk through the WordprocessingML of a part, for the rules that change it and those who count in it. It decides once what the
 * prefix is, what nobody reads, and where properties are that may be written anew.
 */
import { type Bytes, fromBytes } from '../text/bytes.ts';
import { deletions, propertyChanges } from './change-elements.ts';
import { Edits, withEdits } from './edits.ts';
import { attributeOf, isOn, qualified, visitMarkup, wordPrefixOf } from './markup.ts';
import { ParagraphProperties } from './paragraph-properties.ts';

/** Pictures, shapes and objects. An alternative between two of them counts as a `drawing`. */
export const drawings: readonly string[] = ['drawing', 'pict', 'object'];
const ALTERNATIVES = 'mc:AlternateContent';

/** Where an element is, or the place for one; its start is its end then. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** What a walk reads. */
interface WalkOptions {
  /** Local names. */
  readonly elements: readonly string[];
  /** Local names of those that it leaves out, with their content. */
  readonly passesOver?: readonly string[];
  /** Elements of other namespaces, by their names in the part. */
  readonly others?: ReadonlyMap<string, string>;
  /** Names, as the walk gives them, of those whose text it reads; of all by default. */
  readonly texts?: readonly string[];
  /** Whether it reads all that it does not name, too. */
  readonly readsAll?: boolean;
  /** Whether it reads what is deleted, too: that counts where changes are shown. */
  readonly readsDeletions?: boolean;
}

/** A start tag. */
export class Element {
  /** The name as written, with its prefix. */
  readonly name: string;
  /** The name that the walk gives it; undefined for what it does not name. */
  readonly local: string | undefined;
  /** As written; see `attributeOf`. */
  readonly attributes: string;
  readonly isEmpty: boolean;
  /** Range of the tag in the part. */
  readonly start: number;
  readonly end: number;
  readonly #w: string;

  constructor(
    name: string,
    local: string | undefined,
    attributes: string,
    isEmpty: boolean,
    start: number,
    end: number,
    w: string,
  ) {
    this.name = name;
    this.local = local;
    this.attributes = attributes;
    this.isEmpty = isEmpty;
    this.start = start;
    this.end = end;
    this.#w = w;
  }

  /** An attribute of WordprocessingML, as its bytes. */
  value(name = 'val'): string | undefined {
    return attributeOf(this.attributes, this.#w + name);
  }

  /** The same as text, empty where there is none. */
  text(name?: string): string {
    return fromBytes(this.value(name) ?? '');
  }

  /** Whether the property, which may be switched off, is on. */
  get isOn(): boolean {
    return isOn(this.attributes, `${this.#w}val`);
  }
}

/** A class that walks through a part says which elements it reads, and what it does with them. */
export abstract class BodyWalk {
  protected readonly xml: Bytes;
  /** The prefix of WordprocessingML, with its colon, also of what is added. */
  protected readonly w: string;
  /** What is to be changed, in any order. */
  protected readonly edits = new Edits();
  /** What the walk calls the elements that it is told of, by their names; undefined for what it passes over. */
  readonly #names: ReadonlyMap<string, string | undefined>;
  readonly #readsAll: boolean;
  readonly #texts: readonly string[] | undefined;

  constructor(xml: Bytes, options: WalkOptions) {
    const {
      elements,
      passesOver = [],
      others = new Map(),
      readsAll = false,
      readsDeletions,
      texts,
    } = options;
    this.xml = xml;
    this.w = wordPrefixOf(xml);
    const [drawing = ''] = drawings;
    const over = qualified(this.w, [...propertyChanges, ...(readsDeletions ? [] : deletions), ...passesOver]);
    const names = new Map<string, string | undefined>([...others, ...qualified(this.w, elements)]);
    if (elements.includes(drawing)) names.set(ALTERNATIVES, drawing);
    if (passesOver.includes(drawing)) over.set(ALTERNATIVES, drawing);
    for (const name of over.keys()) names.set(name, undefined);
    this.#names = names;
    this.#readsAll = readsAll;
    this.#texts = texts;
  }

  /** The start of an element. @returns true to pass over what is in it. */
  protected abstract open(element: Element): unknown;
  /** The end of an element that is not empty, passed over or not. */
  protected close?(local: string | undefined, start: number, end: number, name: string): void;
  /** Text, with its references as they are written. */
  protected text?(start: number, end: number): void;

  /** Goes through the part, in linear time. */
  walk(): this {
    const { w } = this;
    const [names, texts] = [this.#names, this.#texts];
    // A variable: it takes long to find a member that all kinds of walks have.
    let isText = texts === undefined;
    const isPassedOver = (name: string, local: string | undefined) => local === undefined && names.has(name);
    const isOfText = (local: string | undefined) => local !== undefined && texts?.includes(local);
    visitMarkup(this.xml, {
      names: this.#readsAll ? undefined : names,
      open: (name, attributes, isEmpty, start, end) => {
        const local = names.get(name);
        if (isPassedOver(name, local)) return true;
        if (isOfText(local)) isText = !isEmpty;
        return this.open(new Element(name, local, attributes, isEmpty, start, end, w));
      },
      close: (name, start, end) => {
        const local = names.get(name);
        if (isPassedOver(name, local)) return;
        if (isOfText(local)) isText = false;
        this.close?.(local, start, end, name);
      },
      ...(this.text && {
        text: (_, start, end) => {
          if (isText) this.text?.(start, end);
        },
      }),
    });
    return this;
  }

  /** The part as changed. */
  edited(): Bytes {
    return withEdits(this.xml, this.edits);
  }

  /** Properties of a paragraph that may be changed; undefined where they declare a namespace, which would be lost. */
  protected propertiesAt({ start, end }: Place): ParagraphProperties | undefined {
    return ParagraphProperties.of(this.xml.slice(start, end), this.w);
  }
}
