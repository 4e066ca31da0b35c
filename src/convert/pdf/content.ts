/** The text of a content stream (ISO 32000-1, 7.8 and 9.4), in drawing order. */
import type { TextSketch } from '../text/sketch.ts';
import { type ToUnicode, utf16 } from './to-unicode.ts';

/** Characters that end a name, a number or an operator. */
const isDelimiter = new Uint8Array(256);
for (const code of Buffer.from('\0\t\n\f\r ()<>[]{}/%', 'latin1')) isDelimiter[code] = 1;
/** Values of hexadecimal digits; 255 for others. */
const digits = new Uint8Array(256).fill(255);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  digits[digit.charCodeAt(0)] = value;
  digits[digit.toUpperCase().charCodeAt(0)] = value;
}
/** Longest string: LibreOffice writes no longer ones, as it breaks lines. */
const MAX_CODES = 65_536;
/** Each letter is in this many groups; and this many groups cross the end of a text. */
const GROUPS_OF_LETTER = 3;
const GROUPS_AT_END = 2;
/** Most characters of a stream for each of its bytes; a letter takes two or more bytes, and stands for some characters. */
const MAX_CHARACTERS_OF_BYTE = 4;

/** A font of content streams. */
export interface CodedFont {
  /** Several fonts may have the same name: LibreOffice splits a font with many letters. */
  readonly name: string;
  readonly codes: ToUnicode;
}

export class ContentReader {
  readonly #bytes: Buffer;
  readonly #fonts: ReadonlyMap<string, CodedFont>;
  readonly #sketch: TextSketch;
  #at = 0;
  #font: CodedFont | undefined;
  /** The name of the text object's first font, and whether there was another one. */
  #firstName: string | undefined;
  #hasOtherFont = false;
  /** The last name, and the string codes since the last operator. */
  #name = '';
  #codes: number[] = [];
  /** Number of characters that its codes stood for. */
  #shown = 0;
  /** Depth of open marked content, and the level whose text replaces what it shows; 0 if none. */
  #marks = 0;
  #replaced = 0;
  #replacement: string | undefined;

  /** @param fonts by their names in the stream. */
  constructor(bytes: Buffer, fonts: ReadonlyMap<string, CodedFont>, sketch: TextSketch) {
    this.#bytes = bytes;
    this.#fonts = fonts;
    this.#sketch = sketch;
  }

  /** Reads all of it. To be called once. */
  read(): void {
    while (this.#at < this.#bytes.length) this.#readToken();
  }

  #readToken(): void {
    const code = this.#bytes[this.#at] ?? 0;
    switch (code) {
      case 0x3c:
        if (this.#bytes[this.#at + 1] === 0x3c) this.#at += 2;
        else this.#readHexadecimal();
        return;
      case 0x28:
        this.#readLiteral();
        return;
      case 0x2f:
        this.#at += 1;
        this.#name = this.#word();
        return;
      case 0x25:
        this.#at = this.#find('\n');
        return;
    }
    if (isDelimiter[code] === 1) this.#at += 1;
    else if (code < 0x40 && code !== 0x22 && code !== 0x27) this.#at = this.#wordEnd();
    else this.#operate(this.#word());
  }

  #wordEnd(): number {
    let at = this.#at;
    while (at < this.#bytes.length && isDelimiter[this.#bytes[at] ?? 0] === 0) at += 1;
    return at;
  }

  #word(): string {
    const start = this.#at;
    this.#at = this.#wordEnd();
    return this.#bytes.toString('latin1', start, this.#at);
  }

  #readHexadecimal(): void {
    if (this.#name === 'ActualText') {
      const end = this.#find('>');
      this.#replacement = utf16(this.#bytes.toString('latin1', this.#at + 1, end).replace(/^feff/i, ''));
      this.#name = '';
      this.#at = end + 1;
      return;
    }
    let high = -1;
    for (this.#at += 1; this.#at < this.#bytes.length; this.#at += 1) {
      const byte = this.#bytes[this.#at] ?? 0;
      if (byte === 0x3e) break;
      const digit = digits[byte] ?? 255;
      if (digit === 255) continue;
      if (high < 0) high = digit;
      else {
        this.#addCode(high * 16 + digit);
        high = -1;
      }
    }
    if (high >= 0) this.#addCode(high * 16);
    this.#at += 1;
  }

  #addCode(code: number): void {
    if (this.#codes.length < MAX_CODES) this.#codes.push(code);
  }

  /** Escapes are not decoded: LibreOffice never writes document text this way. */
  #readLiteral(): void {
    const start = this.#at + 1;
    let depth = 0;
    for (; this.#at < this.#bytes.length; this.#at += 1) {
      const code = this.#bytes[this.#at];
      if (code === 0x5c) this.#at += 1;
      else if (code === 0x28) depth += 1;
      else if (code === 0x29) depth -= 1;
      if (depth === 0) break;
    }
    for (const code of this.#bytes.subarray(start, this.#at)) this.#addCode(code);
    this.#at += 1;
  }

  #operate(operator: string): void {
    switch (operator) {
      case 'BT':
        this.#firstName = undefined;
        this.#hasOtherFont = false;
        break;
      case 'Tf':
        this.#font = this.#fonts.get(this.#name);
        break;
      case 'Tj':
      case 'TJ':
      case "'":
      case '"':
        if (this.#replaced === 0) this.#show();
        break;
      case 'BMC':
      case 'BDC':
        this.#beginMark();
        break;
      case 'EMC':
        if (this.#replaced === this.#marks) this.#replaced = 0;
        this.#marks = Math.max(0, this.#marks - 1);
    }
    if (this.#codes.length > 0) this.#codes = [];
    this.#replacement = undefined;
  }

  #beginMark(): void {
    this.#marks += 1;
    if (this.#replacement === undefined || this.#replaced > 0) return;
    this.#replaced = this.#marks;
    this.#sketch.add(this.#replacement);
  }

  #show(): void {
    const font = this.#font;
    if (!font) return;
    const isOther = this.#isOther(font.name);
    for (const code of this.#codes) {
      const text = font.codes.get(code);
      if (text === undefined) continue;
      this.#shown += text.length;
      if (this.#shown > MAX_CHARACTERS_OF_BYTE * this.#bytes.length)
        throw new Error('the letters of a font stand for too much text');
      this.#sketch.add(text);
      if (isOther) this.#sketch.uncertain += GROUPS_OF_LETTER * text.length;
    }
  }

  /** LibreOffice draws letters that a font lacks in another font, after all letters of the first one. */
  #isOther(name: string): boolean {
    this.#firstName ??= name;
    if (name === this.#firstName) return false;
    if (!this.#hasOtherFont) this.#sketch.uncertain += GROUPS_AT_END;
    this.#hasOtherFont = true;
    return true;
  }

  #find(mark: string): number {
    const at = this.#bytes.indexOf(mark, this.#at, 'latin1');
    return at < 0 ? this.#bytes.length : at;
  }
}
