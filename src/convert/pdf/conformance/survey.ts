/** One look at every value of a PDF's objects, for the rules that look for something in any of them. */
import {
  type Dictionary,
  isArray,
  isDictionary,
  isName,
  type Reference,
  type Value,
} from '../objects/values.ts';
import { TooMuch } from './patience.ts';
import { Largest } from './sizes.ts';

/** Keys of dictionaries that rules look for, and kinds of colour spaces, which begin arrays. */
const SOUGHT = new Set(
  `/A /AA /OpenAction /Next /AF /EF /ActualText /Lang /BaseFont /FontName /RoleMap /CS /ExtGState /Intent /RI
/ICCBased /Separation /DeviceN`.split(/\s/),
);
/** Places that are kept: more than a reader should have to do with. */
const MAX_PLACES = 500_000;

/** A dictionary or array inside an object. */
export class Place<T extends Dictionary | readonly Value[] = Dictionary | readonly Value[]> {
  readonly value: T;
  readonly #parent: Place | undefined;
  readonly #key: string | Reference;

  constructor(value: T, parent: Place | undefined, key: string | Reference) {
    this.value = value;
    this.#parent = parent;
    this.#key = key;
  }

  /** Such as `object 5 0 R /Resources`. */
  get where(): string {
    if (!this.#parent) return typeof this.#key === 'string' ? this.#key : `object ${this.#key}`;
    return `${this.#parent.where} ${this.#key}`.trimEnd();
  }
}

export class Survey {
  readonly largest = new Largest();
  /** An element of each structure type. */
  readonly structureTypes = new Map<string, Place>();
  readonly #places = new Map<string, Place[]>();
  #left = MAX_PLACES;

  /** @throws TooMuch */
  constructor(objects: Iterable<readonly [Reference | string, Value]>) {
    for (const [name, value] of objects) this.#look(value, undefined, name);
  }

  /** The dictionaries with any of these keys. */
  having(...keys: readonly string[]): Iterable<Place<Dictionary>> {
    return this.#found(keys) as Set<Place<Dictionary>>;
  }

  /** The colour spaces of these kinds. */
  colourSpaces(...kinds: readonly string[]): Iterable<Place<readonly Value[]>> {
    return this.#found(kinds) as Set<Place<readonly Value[]>>;
  }

  #found(keys: readonly string[]): Set<Place> {
    return new Set(
      keys.flatMap((key) => {
        if (!SOUGHT.has(key)) throw new Error(`${key} is not looked for`);
        return this.#places.get(key) ?? [];
      }),
    );
  }

  #look(value: Value, parent: Place | undefined, key: string | Reference): void {
    if (isArray(value)) this.#lookAtArray(value, new Place(value, parent, key));
    else if (isDictionary(value)) this.#lookAtDictionary(value, new Place(value, parent, key));
    else if (!parent) this.largest.measure(value, new Place([], undefined, key));
  }

  #lookAtArray(items: readonly Value[], place: Place): void {
    const [kind] = items;
    if (isName(kind) && SOUGHT.has(kind)) this.#keep(kind, place);
    this.largest.measure(items, place);
    for (const item of items) {
      this.largest.measure(item, place);
      if (typeof item === 'object') this.#look(item, place, '');
    }
  }

  #lookAtDictionary(dictionary: Dictionary, place: Place): void {
    const isElement = dictionary['/Type'] === '/StructElem';
    const type = dictionary['/S'];
    if (isElement && isName(type) && !this.structureTypes.has(type)) this.structureTypes.set(type, place);
    let entries = 0;
    for (const key in dictionary) {
      const item = dictionary[key] as Value;
      entries += 1;
      this.largest.measure(key, place);
      this.largest.measure(item, place);
      // Of elements, they are attributes.
      if (SOUGHT.has(key) && !(isElement && key === '/A')) this.#keep(key, place);
      if (typeof item === 'object') this.#look(item, place, key);
    }
    this.largest.dictionary.note(entries, place);
  }

  #keep(key: string, place: Place): void {
    this.#left -= 1;
    if (this.#left < 0) throw new TooMuch('too much of the file has to be looked at');
    const known = this.#places.get(key);
    if (known) known.push(place);
    else this.#places.set(key, [place]);
  }
}
