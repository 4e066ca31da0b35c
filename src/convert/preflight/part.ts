/** What a part is by its content, whatever its name and its declared type say, and what is wrong with it. */

import { ImageScanner } from './image-size.ts';
import type { Allowance } from './limits.ts';
import type { XmlEncoding } from './xml-encoding.ts';
import { toBytes, XML_HEAD_BYTES, xmlEncoding } from './xml-encoding.ts';
import { type XmlFault, XmlScanner } from './xml-scanner.ts';

/** `package`: another ZIP archive. `compressed`: gzip, as compressed metafiles and SVG pictures are. */
export type PartKind = 'xml' | 'package' | 'compressed' | 'other';

const ZIP = 'PK\x03\x04';
const GZIP = '\x1f\x8b\x08';

/** Looks at a part that is written to it in pieces. */
export class PartScanner {
  readonly #allowance: Allowance;
  #head: Buffer | undefined = Buffer.alloc(0);
  #kind: PartKind = 'other';
  #encoding: XmlEncoding | undefined;
  #odd: Buffer = Buffer.alloc(0);
  readonly #xml = new XmlScanner();
  #image: ImageScanner | undefined;
  readonly #onXml: ((bytes: Buffer) => void) | undefined;

  /** @param onXml is given the markup of an XML part in an encoding in which ASCII is ASCII, piece by piece. */
  constructor(allowance: Allowance, onXml?: (bytes: Buffer) => void) {
    this.#allowance = allowance;
    this.#onXml = onXml;
  }

  /** Known when the part is at its end, or a kilobyte of it was written. */
  get kind(): PartKind {
    return this.#kind;
  }

  /** What is wrong with it as XML, so far. */
  get fault(): XmlFault | undefined {
    return this.#encoding?.fault ?? this.#xml.fault;
  }

  /** @throws PlatenError `CORRUPTED_FILE` when it is a picture of too many pixels. */
  write(piece: Buffer): void {
    if (this.#head === undefined) {
      this.#scan(piece);
      return;
    }
    this.#head = this.#head.length === 0 ? piece : Buffer.concat([this.#head, piece]);
    if (this.#head.length >= XML_HEAD_BYTES) this.end();
  }

  /** The part is at its end, or enough of it is there to tell what it is. */
  end(): void {
    const head = this.#head;
    if (head === undefined) return;
    this.#head = undefined;
    this.#encoding = xmlEncoding(head.subarray(0, XML_HEAD_BYTES));
    this.#image = ImageScanner.for(head, this.#allowance);
    const start = head.toString('latin1', 0, ZIP.length);
    if (this.#encoding) this.#kind = 'xml';
    else if (start === ZIP) this.#kind = 'package';
    else if (start.startsWith(GZIP)) this.#kind = 'compressed';
    this.#scan(head);
  }

  #scan(piece: Buffer): void {
    this.#image?.write(piece);
    if (!this.#encoding || this.#encoding.fault) return;
    if (this.#encoding.unit === 1) {
      this.#xml.write(piece);
      this.#onXml?.(piece);
      return;
    }
    const bytes = this.#odd.length > 0 ? Buffer.concat([this.#odd, piece]) : piece;
    const whole = bytes.length & ~1;
    this.#odd = Buffer.from(bytes.subarray(whole));
    const narrow = toBytes(bytes.subarray(0, whole), this.#encoding);
    this.#xml.write(narrow);
    this.#onXml?.(narrow);
  }
}
