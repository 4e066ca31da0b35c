/** What a part is by its content, whatever its name and declared type say, and its faults. */
import { type UndrawnFormat, undrawnFormat } from '../document/undrawn-formats.ts';
import type { DataBindings } from './data-bindings.ts';
import { ImageScanner } from './image-size.ts';
import { PlainXml } from './plain-xml.ts';
import { Styles } from './style-limits.ts';
import type { XmlEncoding } from './xml-encoding.ts';
import { mayBeXml, XML_HEAD_BYTES, xmlEncoding } from './xml-encoding.ts';
import { type XmlFault, XmlScanner } from './xml-scanner.ts';

/** `package`: another ZIP archive. `compressed`: gzip, as compressed metafiles and SVG pictures are. */
type PartKind = 'xml' | 'package' | 'compressed' | 'pdf' | 'other';

/** Faults of a part as XML. `doubtful`: it is none, but a lenient parser might take it for XML. */
export type PartFault = XmlFault | 'styles' | 'doubtful';

const PDF = '%PDF';
const ZIP = 'PK\x03\x04';
const GZIP = '\x1f\x8b\x08';

/** Examines a part that is written to it in pieces. */
export class PartScanner {
  #head: Buffer | undefined = Buffer.alloc(0);
  #kind: PartKind = 'other';
  #encoding: XmlEncoding | undefined;
  #plain: PlainXml | undefined;
  readonly #styles = new Styles();
  readonly #xml: XmlScanner;
  #image: ImageScanner | undefined;
  #undrawn: UndrawnFormat | undefined;
  #isDoubtful = false;
  readonly #onXml: ((bytes: Buffer) => void) | undefined;

  /**
   * @param wanted local names of elements that are looked for.
   * @param onXml receives the content of an XML part behind its declaration, as the engine gets it, in pieces.
   * @param bindings receives those of an XML part.
   */
  constructor(wanted: ReadonlySet<string>, onXml?: (bytes: Buffer) => void, bindings?: DataBindings) {
    this.#onXml = onXml;
    this.#xml = new XmlScanner((tag) => {
      this.#styles.read(tag);
      bindings?.read(tag);
    }, wanted);
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
    if (this.#isDoubtful) return ['doubtful'];
    return this.#styles.areBeyondLimits ? [...this.#xml.faults, 'styles'] : this.#xml.faults;
  }

  /** An XML part so far, as the engine gets it. */
  get plain(): PlainXml | undefined {
    return this.#plain;
  }

  /** Whether an XML part may have tracked changes, by what is read so far. */
  get mayHaveChange(): boolean {
    return this.#xml.mayHaveChange;
  }

  /** Those of the wanted names that elements of an XML part had so far. */
  get names(): ReadonlySet<string> {
    return this.#xml.names;
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
    if (this.#head.length >= XML_HEAD_BYTES) this.#begin(this.#head);
  }

  /** Call at the end of the part. */
  end(): void {
    if (this.#head !== undefined) this.#begin(this.#head);
    const rest = this.#plain?.end();
    if (rest?.length) this.#read(rest);
  }

  /** Decides its kind. */
  #begin(head: Buffer): void {
    this.#head = undefined;
    const first = head.subarray(0, XML_HEAD_BYTES);
    this.#encoding = xmlEncoding(first);
    this.#image = ImageScanner.for(head);
    const start = head.toString('latin1', 0, ZIP.length);
    if (this.#encoding) {
      this.#kind = 'xml';
      if (!this.#encoding.fault) this.#plain = new PlainXml(this.#encoding, first);
    } else if (start === PDF) this.#kind = 'pdf';
    else if (start === ZIP) this.#kind = 'package';
    else if (start.startsWith(GZIP)) this.#kind = 'compressed';
    else {
      this.#undrawn = undrawnFormat(first);
      this.#isDoubtful = mayBeXml(first);
    }
    this.#scan(head);
  }

  #scan(piece: Buffer): void {
    this.#image?.write(piece);
    if (this.#plain) this.#read(this.#plain.write(piece));
  }

  #read(plain: Buffer): void {
    this.#xml.write(plain);
    this.#onXml?.(plain);
  }
}
