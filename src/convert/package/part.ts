/** What a part is by its content, whatever its name and declared type say, and its faults. */

import { type UndrawnFormat, undrawnFormat } from '../document/undrawn-formats.ts';
import type { DataBindings } from './data-bindings.ts';
import { ImageScanner } from './image-size.ts';
import { Styles } from './style-limits.ts';
import type { XmlEncoding } from './xml-encoding.ts';
import { XML_HEAD_BYTES, xmlDecoder, xmlEncoding } from './xml-encoding.ts';
import { type XmlFault, XmlScanner } from './xml-scanner.ts';

/** `package`: another ZIP archive. `compressed`: gzip, as compressed metafiles and SVG pictures are. */
export type PartKind = 'xml' | 'package' | 'compressed' | 'pdf' | 'other';

/** Faults of a part as XML. */
export type PartFault = XmlFault | 'styles';

const PDF = '%PDF';
const ZIP = 'PK\x03\x04';
const GZIP = '\x1f\x8b\x08';

/** Examines a part that is written to it in pieces. */
export class PartScanner {
  #head: Buffer | undefined = Buffer.alloc(0);
  #kind: PartKind = 'other';
  #encoding: XmlEncoding | undefined;
  #decoder: ((bytes: Buffer) => Buffer) | undefined;
  readonly #styles = new Styles();
  readonly #xml: XmlScanner;
  #image: ImageScanner | undefined;
  #undrawn: UndrawnFormat | undefined;
  readonly #onXml: ((bytes: Buffer) => void) | undefined;

  /**
   * @param onXml receives the markup of an XML part in an ASCII-compatible encoding, in pieces.
   * @param bindings receives those of an XML part.
   */
  constructor(onXml?: (bytes: Buffer) => void, bindings?: DataBindings) {
    this.#onXml = onXml;
    this.#xml = new XmlScanner((tag) => {
      this.#styles.read(tag);
      bindings?.read(tag);
    });
  }

  /** Known at the end of the part, or after its first kilobyte. */
  get kind(): PartKind {
    return this.#kind;
  }

  /** The format, if it is a picture that the engine does not draw; known when the kind is. */
  get undrawn(): UndrawnFormat | undefined {
    return this.#undrawn;
  }

  /** Its faults as XML so far. */
  get faults(): PartFault[] {
    if (this.#encoding?.fault) return [this.#encoding.fault];
    return this.#styles.areBeyondLimits ? [...this.#xml.faults, 'styles'] : this.#xml.faults;
  }

  /** Nodes of an XML part so far, except plain text. */
  get nodes(): number {
    return this.#xml.nodes;
  }

  /** @throws PlatenError `CORRUPTED_FILE` if it is a picture with too many pixels. */
  write(piece: Buffer): void {
    if (this.#head === undefined) {
      this.#scan(piece);
      return;
    }
    this.#head = this.#head.length === 0 ? piece : Buffer.concat([this.#head, piece]);
    if (this.#head.length >= XML_HEAD_BYTES) this.end();
  }

  /** Call at the end of the part, or once its kind can be decided. */
  end(): void {
    const head = this.#head;
    if (head === undefined) return;
    this.#head = undefined;
    this.#encoding = xmlEncoding(head.subarray(0, XML_HEAD_BYTES));
    this.#image = ImageScanner.for(head);
    const start = head.toString('latin1', 0, ZIP.length);
    if (this.#encoding) {
      this.#kind = 'xml';
      this.#decoder = xmlDecoder(this.#encoding);
    } else if (start === PDF) this.#kind = 'pdf';
    else if (start === ZIP) this.#kind = 'package';
    else if (start.startsWith(GZIP)) this.#kind = 'compressed';
    else this.#undrawn = undrawnFormat(head.subarray(0, XML_HEAD_BYTES));
    this.#scan(head);
  }

  #scan(piece: Buffer): void {
    this.#image?.write(piece);
    if (!this.#encoding || this.#encoding.fault) return;
    const bytes = this.#decoder?.(piece) ?? piece;
    this.#xml.write(bytes);
    this.#onXml?.(bytes);
  }
}
