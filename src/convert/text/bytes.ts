/** The two ways in which the content of a part is a string. The compiler lets nobody give the one for the other. */

declare const way: unique symbol;
/**
 * UTF-8 with a character for each byte, as rules read and write a part: ASCII is ASCII, and what no rule touches stays as it is. What
 * is cut out of it, such as a name, is understood once it is decoded.
 */
export type Bytes = string & { readonly [way]?: 'bytes' };
/** Decoded, as those read a part who only want to know what it says. */
export type Text = string & { readonly [way]?: 'text' };

/** The bytes of a part. */
export function bytesIn(part: Buffer): Bytes {
  return part.toString('latin1');
}

/** The bytes of a text. */
export function toBytes(text: string): Bytes {
  return bytesIn(Buffer.from(text));
}

/** The part with these bytes. */
export function partOf(bytes: Bytes): Buffer {
  return Buffer.from(bytes, 'latin1');
}

/** How many bytes a character has in UTF-8. @param first the first of them. */
export function characterLength(first: number): number {
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

const BEYOND_ASCII = /[\u0080-\uffff]/;

/** The text whose bytes these are: all of a part, or a piece of one. ASCII, as most pieces are, is its own bytes. */
export function fromBytes(bytes: string): string {
  return BEYOND_ASCII.test(bytes) ? Buffer.from(bytes, 'latin1').toString() : bytes;
}
