/** A PDF under examination, as its own cross-references say: nothing is repaired. */
import type { TailReader } from '../../../system/tail-reader.ts';
import { PdfObjects, type Stream } from '../objects/pdf-objects.ts';
import { type Dictionary, Reference, type Value } from '../objects/values.ts';
import type { Patience } from './patience.ts';
import { Survey } from './survey.ts';

/** Longest stream that is read, unpacked: more than any font has. */
const MAX_STREAM_BYTES = 67_108_864;
/** Source bytes of the objects that are kept parsed, as most rules look at all of them. */
const MAX_KEPT_BYTES = 16_777_216;

/** A page, with the attributes that it inherits. */
export interface Page {
  readonly reference: Reference;
  readonly dictionary: Dictionary;
  readonly where: string;
}

export class CheckedPdf {
  /** The bytes of the file. */
  readonly reader: TailReader;
  readonly patience: Patience;
  readonly trailer: Dictionary;
  readonly catalog: Dictionary;
  readonly #objects: PdfObjects;
  /** Numbers of the streams but those of cross-references and objects. */
  readonly #streams: number[] = [];
  #pages: readonly Page[] | undefined;
  #survey: Survey | undefined;

  /** @throws Error if something in the file would have to be repaired; TooMuch. */
  constructor(reader: TailReader, patience: Patience) {
    this.patience = patience;
    this.#objects = new PdfObjects(reader, MAX_KEPT_BYTES);
    this.reader = reader;
    this.trailer = this.#objects.trailer;
    this.catalog = this.#objects.catalog;
    for (const number of this.#objects.numbers()) {
      patience.step();
      const { stream } = this.#objects.object(number);
      if (stream && !isForm(stream)) this.#streams.push(number);
    }
  }

  /** The value that a reference leads to; of a stream, its dictionary. */
  get(value: Value | undefined): Value {
    return this.#objects.get(value);
  }

  /** Empty if the value is none. */
  dictionary(value: Value | undefined): Dictionary {
    return this.#objects.dictionary(value);
  }

  /** Empty if the value is none. */
  array(value: Value | undefined): readonly Value[] {
    return this.#objects.array(value);
  }

  /** An array, or the value as the only item of one. */
  list(value: Value | undefined): readonly Value[] {
    return this.#objects.list(value);
  }

  number(value: Value | undefined): number | undefined {
    return this.#objects.number(value);
  }

  /** With its `/`. */
  name(value: Value | undefined): string | undefined {
    return this.#objects.name(value);
  }

  /** A text string. */
  text(value: Value | undefined): string | undefined {
    return this.#objects.text(value);
  }

  isStream(value: Value | undefined): value is Reference {
    return this.#objects.stream(value) !== undefined;
  }

  /** Unpacked; @throws Error if it is packed in another way than by Flate, is too long, or is no stream. */
  streamData(value: Value | undefined): Buffer {
    const stream = this.#objects.stream(value);
    if (!stream) throw new Error(`${value} is not a stream`);
    return this.#objects.data(stream, MAX_STREAM_BYTES);
  }

  /** Where an object is in the file, up to what follows it; undefined if it is in a stream of objects. */
  rangeOf(reference: Reference): { readonly start: number; readonly end: number } | undefined {
    return this.#objects.rangeOf(reference.number);
  }

  /** Bytes of the file, valid until the next call of any method. */
  bytes(position: number, length: number): Buffer {
    return this.#objects.bytes(position, length);
  }

  *references(): Generator<Reference> {
    for (const number of this.#objects.numbers()) yield new Reference(number);
  }

  /** All streams but those of cross-references and objects, which are form and no content. */
  *streams(): Generator<[reference: Reference, Dictionary, Stream]> {
    for (const number of this.#streams) {
      this.patience.step();
      const { stream } = this.#objects.object(number);
      if (stream) yield [new Reference(number), stream.dictionary, stream];
    }
  }

  /** Every value of the file. @throws TooMuch */
  get survey(): Survey {
    this.#survey ??= new Survey(this.#values());
    return this.#survey;
  }

  /** The pages in order. @throws Error as `PdfObjects.pages`. */
  get pages(): readonly Page[] {
    this.#pages ??= Array.from(this.#objects.pages(), ({ number, dictionary }, index) => ({
      reference: new Reference(number),
      dictionary,
      where: `page ${index + 1}`,
    }));
    return this.#pages;
  }

  *#values(): Generator<readonly [Reference | string, Value]> {
    for (const number of this.#objects.numbers()) {
      this.patience.step();
      const { value, stream } = this.#objects.object(number);
      if (!stream || !isForm(stream)) yield [new Reference(number), value];
    }
    yield ['trailer', this.trailer];
  }
}

/** Whether a stream has cross-references or objects. */
function isForm({ dictionary }: Stream): boolean {
  const type = dictionary['/Type'];
  return type === '/XRef' || type === '/ObjStm';
}
