/**
 * Measures the headers of a form's parts (RFC 2046, section 5.1.1): the multipart parser (@fastify/busboy 3.2.6) cuts those that are
 * too long, and goes on.
 */

/** Of a header: room for a file name of any length that file systems have, and more. */
export const MAX_PART_HEADER_BYTES = 16_384;
const HEADER_END = Buffer.from('\r\n\r\n');
const HYPHEN = 45;

export class PartHeaders {
  readonly #delimiter: Buffer;
  /** What may be the beginning of a delimiter, or of the end of a header. The first delimiter needs no line end before it. */
  #rest: Buffer = HEADER_END.subarray(0, 2);
  /** Bytes of the header so far; undefined outside of headers. */
  #bytes: number | undefined;
  #isClosed = false;

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /** Reads the next piece of the body. @returns whether a header is too long. */
  write(piece: Buffer): boolean {
    // Longer than any rest. Only this much is copied: an upload is large.
    const seamBytes = this.#delimiter.length + HEADER_END.length;
    const seam = Buffer.concat([this.#rest, piece.subarray(0, seamBytes)]);
    const end = this.#read(seam, 0);
    this.#rest =
      piece.length <= seamBytes
        ? seam.subarray(end)
        : piece.subarray(this.#read(piece, end - this.#rest.length));
    return Number(this.#bytes) > MAX_PART_HEADER_BYTES;
  }

  /** @returns where what is to be read with the next piece begins. */
  #read(data: Buffer, start: number): number {
    for (let from = start; ; ) {
      // Nobody reads what follows the last delimiter.
      this.#isClosed ||= this.#bytes === 0 && data[from] === HYPHEN && data[from + 1] === HYPHEN;
      if (this.#isClosed || Number(this.#bytes) > MAX_PART_HEADER_BYTES) return data.length;
      const isHeader = this.#bytes !== undefined;
      const wanted = isHeader ? HEADER_END : this.#delimiter;
      const at = data.indexOf(wanted, from);
      const end = at === -1 ? Math.max(from, data.length - wanted.length + 1) : at;
      if (this.#bytes !== undefined) this.#bytes += end - from;
      if (at === -1) return end;
      if (Number(this.#bytes) > MAX_PART_HEADER_BYTES) return data.length;
      this.#bytes = isHeader ? undefined : 0;
      // The line end of an empty content may be that of the header.
      from = isHeader ? at + 2 : at + wanted.length;
    }
  }
}

/** The boundary in a `Content-Type`, if it is written in one of the usual ways. */
export function boundaryOf(contentType = ''): string | undefined {
  const [, quoted, token] = /;\s*boundary=(?:"([^"\\]+)"|([^\s";]+))/i.exec(contentType) ?? [];
  return quoted ?? token;
}
