/** Writes a PDF object by object (ISO 32000-1, 7.5), and what is the same only once. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import type { TailReader } from '../../../system/tail-reader.ts';
import type { Stream } from '../objects/pdf-objects.ts';
import { type Dictionary, Reference, type Value, written } from '../objects/values.ts';
import { copyFile, type NewObject } from '../replace-objects.ts';

/** Size of the pieces in which streams are copied, and of what is kept before it is written. */
const PIECE_BYTES = 1_048_576;
/** As many as any standard of archives permits (ISO 19005-1, 6.1.12), halved: their positions are in memory. */
const MAX_OBJECTS = 4_000_000;
/** Most objects that are compared with new ones; the first of a PDF are fonts and pictures. */
const MAX_SHARED = 200_000;
/** The last position that a table of cross-references can say. */
const MAX_POSITION = 9_999_999_999;
const ID_BYTES = 16;

export class PdfWriter {
  readonly #fd: number;
  /** What is not written yet. */
  readonly #pending = Buffer.allocUnsafe(PIECE_BYTES);
  #pendingBytes = 0;
  /** Of the next byte. */
  #position = 0;
  /** Positions of objects by number. */
  #positions = new Float64Array(1_024);
  #count = 1;
  /** Objects that others may share, by the digest of their content. */
  readonly #shared = new Map<string, number>();
  /** Of all that was written; of streams, their digests. */
  readonly #digest = createHash('sha256');
  readonly #piece = Buffer.allocUnsafe(PIECE_BYTES);

  /**
   * @param path of the file, which must not exist. The creator closes the writer.
   * @param version such as `1.7`.
   * @throws Error if it cannot be made.
   */
  constructor(path: string, version: string) {
    this.#fd = openSync(path, 'wx');
    this.#append(`%PDF-${version}\n%äöüß\n`);
  }

  /** A number for an object that is written later. @throws Error if there are too many. */
  allocate(): Reference {
    const number = this.#count;
    if (number >= MAX_OBJECTS) throw new Error('there are too many objects');
    this.#count += 1;
    return new Reference(number);
  }

  /** Writes an object without a stream. */
  write(reference: Reference, value: Value): void {
    this.#begin(reference);
    this.#append(`${written(value).trimStart()}\nendobj\n`);
  }

  /** Writes an object that got no number yet. */
  add(value: Value): Reference {
    const reference = this.allocate();
    this.write(reference, value);
    return reference;
  }

  /** Writes a stream. */
  writeData(reference: Reference, dictionary: Dictionary, data: Buffer): void {
    this.#begin(reference);
    this.#append(`${written({ ...dictionary, '/Length': data.length })}\nstream\n`);
    this.#append(data.toString('latin1'));
    this.#append('\nendstream\nendobj\n');
  }

  /** Copies a stream. @param dictionary without its length. */
  writeStream(reference: Reference, dictionary: Dictionary, reader: TailReader, stream: Stream): void {
    this.#copyStream(reference, dictionary, reader, stream, this.#hashOf(reader, stream));
  }

  /** As {@link add}, but the same value is written once. */
  share(value: Value): Reference {
    const text = written(value);
    return this.#shareAs(createHash('sha256').update(text).digest('base64'), (reference) =>
      this.write(reference, value),
    );
  }

  /** As {@link writeStream}, but the same stream is written once. */
  shareStream(dictionary: Dictionary, reader: TailReader, stream: Stream): Reference {
    const hash = this.#hashOf(reader, stream);
    const key = createHash('sha256')
      .update(`${hash}${written(dictionary)}`)
      .digest('base64');
    return this.#shareAs(key, (reference) => this.#copyStream(reference, dictionary, reader, stream, hash));
  }

  /** Writes an object of a file. Its text begins with its number. */
  writeObject(reference: Reference, object: NewObject): void {
    if (typeof object === 'string') {
      this.#note(reference);
      this.#append(`${object}endobj\n`);
      return;
    }
    this.#note(reference);
    this.#append(object.head);
    this.#flush();
    copyFile(object, this.#fd, this.#position);
    this.#position += object.bytes;
    this.#append(`${object.tail}endobj\n`);
  }

  /**
   * Writes the end. Nothing may follow.
   *
   * @param trailer without its size and identifier, which depends on all that was written.
   */
  end(trailer: Dictionary): void {
    this.#flush();
    const start = this.#position;
    const id = this.#digest
      .copy()
      .digest('hex')
      .slice(0, 2 * ID_BYTES)
      .toUpperCase();
    this.#append(`xref\n0 ${this.#count}\n0000000000 65535 f \n`);
    for (let number = 1; number < this.#count; number += 1) {
      const position = this.#positions[number] ?? 0;
      if (position === 0) throw new Error(`object ${number} was never written`);
      this.#append(`${String(position).padStart(10, '0')} 00000 n \n`);
    }
    const entries = written({ '/Size': this.#count, ...trailer }).slice(0, -2);
    this.#append(`trailer\n${entries}/ID[<${id}><${id}>]>>\nstartxref\n${start}\n%%EOF\n`);
    this.#flush();
  }

  close(): void {
    closeSync(this.#fd);
  }

  #shareAs(key: string, write: (reference: Reference) => void): Reference {
    const known = this.#shared.get(key);
    if (known !== undefined) return new Reference(known);
    const reference = this.allocate();
    if (this.#shared.size < MAX_SHARED) this.#shared.set(key, reference.number);
    write(reference);
    return reference;
  }

  #begin(reference: Reference): void {
    this.#note(reference);
    this.#append(`${reference.number} 0 obj\n`);
  }

  #note({ number }: Reference): void {
    if (number >= this.#positions.length) {
      const larger = new Float64Array(2 * Math.max(number, this.#positions.length));
      larger.set(this.#positions);
      this.#positions = larger;
    }
    if (this.#positions[number] !== 0) throw new Error(`object ${number} is written twice`);
    this.#positions[number] = this.#position;
  }

  /** @param text with a character for each byte. */
  #append(text: string): void {
    if (this.#pendingBytes + text.length > PIECE_BYTES) this.#flush();
    this.#position += text.length;
    if (text.length <= PIECE_BYTES) {
      this.#pendingBytes += this.#pending.write(text, this.#pendingBytes, 'latin1');
      return;
    }
    const bytes = Buffer.from(text, 'latin1');
    this.#digest.update(bytes);
    this.#position -= bytes.length;
    this.#write(bytes);
  }

  #flush(): void {
    const bytes = this.#pending.subarray(0, this.#pendingBytes);
    this.#pendingBytes = 0;
    this.#digest.update(bytes);
    this.#position -= bytes.length;
    this.#write(bytes);
  }

  #write(bytes: Buffer): void {
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.#fd, bytes, done, bytes.length - done, this.#position + done);
    }
    this.#position += bytes.length;
  }

  #copyStream(
    reference: Reference,
    dictionary: Dictionary,
    reader: TailReader,
    stream: Stream,
    hash: string,
  ): void {
    this.#begin(reference);
    this.#append(`${written({ ...dictionary, '/Length': stream.length })}\nstream\n`);
    this.#digest.update(hash);
    if (stream.length > 0) this.#flush();
    for (const piece of this.#pieces(reader, stream)) this.#write(piece);
    if (this.#position > MAX_POSITION) throw new Error('the PDF is too large');
    this.#append('\nendstream\nendobj\n');
  }

  #hashOf(reader: TailReader, stream: Stream): string {
    const hash = createHash('sha256');
    for (const piece of this.#pieces(reader, stream)) hash.update(piece);
    return hash.digest('base64');
  }

  *#pieces(reader: TailReader, { position, length }: Stream): Generator<Buffer> {
    for (let done = 0; done < length; ) {
      const wanted = Math.min(length - done, PIECE_BYTES);
      const piece = reader.readInto(this.#piece.subarray(0, wanted), position + done);
      if (piece.length < wanted) throw new Error('a stream is cut off');
      yield piece;
      done += wanted;
    }
  }
}
