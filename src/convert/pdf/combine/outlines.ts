/** One outline (ISO 32000-1, 12.3.3): a bookmark for each part, above those of the part. */
import { type Dictionary, PdfString, Reference, type Value } from '../objects/values.ts';
import type { PartCopy } from './part-copy.ts';
import type { PdfWriter } from './pdf-writer.ts';

interface Item {
  readonly reference: Reference;
  readonly dictionary: Dictionary;
}

export class Outlines {
  readonly #writer: PdfWriter;
  readonly #root: Reference;
  #last: Item | undefined;
  #first: Reference | undefined;
  #shown = 0;

  constructor(writer: PdfWriter) {
    this.#writer = writer;
    this.#root = writer.allocate();
  }

  /** Adds a part. @param destination its first page. */
  add(copy: PartCopy, title: string, destination: Value): void {
    const { pdf } = copy;
    const reference = this.#writer.allocate();
    const outlines = pdf.catalog['/Outlines'];
    copy.replace(outlines, reference);
    const own = pdf.dictionary(outlines);
    const [first, last] = [own['/First'], own['/Last']];
    const count = pdf.number(own['/Count']) ?? 0;
    const hasKids = first instanceof Reference && last instanceof Reference;
    if (hasKids) this.#shown += Math.max(0, count);
    this.#shown += 1;
    this.#end(reference);
    this.#first ??= reference;
    this.#last = {
      reference,
      dictionary: {
        '/Title': PdfString.of(title),
        '/Parent': this.#root,
        '/Dest': destination,
        ...(this.#last && { '/Prev': this.#last.reference }),
        ...(hasKids && { '/First': copy.refer(first), '/Last': copy.refer(last), '/Count': count }),
      },
    };
  }

  /** For the catalogue. */
  write(): Reference {
    this.#end(undefined);
    const ends = this.#first && this.#last && { '/First': this.#first, '/Last': this.#last.reference };
    this.#writer.write(this.#root, { '/Type': '/Outlines', ...ends, '/Count': this.#shown });
    return this.#root;
  }

  /** Writes the last item, as what follows it is known. */
  #end(next: Reference | undefined): void {
    if (!this.#last) return;
    const { reference, dictionary } = this.#last;
    this.#writer.write(reference, { ...dictionary, ...(next && { '/Next': next }) });
  }
}
