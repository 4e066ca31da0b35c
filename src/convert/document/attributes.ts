/** The attributes of a tag, as a visitor of markup gets them: one by one, or with other values. */
import { visitAttributes } from './markup.ts';

export interface Attribute {
  /** As written, with its prefix. */
  readonly name: string;
  /** As written, with its quotation marks. */
  readonly quoted: string;
  /** As written, without them; it may have references. */
  readonly value: string;
  /** Where the value begins in the attributes. */
  readonly valueAt: number;
}

/** The attributes in order, up to what is not well-formed. */
export function attributesIn(attributes: string): Attribute[] {
  const found: Attribute[] = [];
  visitAttributes(attributes, (start, nameEnd, valueStart, valueEnd) => {
    found.push({
      name: attributes.slice(start, nameEnd),
      quoted: attributes.slice(valueStart - 1, valueEnd + 1),
      value: attributes.slice(valueStart, valueEnd),
      valueAt: valueStart,
    });
    return true;
  });
  return found;
}

/**
 * The attributes with other values.
 *
 * @param otherOf gets a name and a value as written. It returns the new value without quotation marks, or undefined to
 * remove the attribute.
 */
export function withValues(
  attributes: string,
  otherOf: (name: string, value: string) => string | undefined,
): string {
  let written = '';
  let done = 0;
  visitAttributes(attributes, (start, nameEnd, valueStart, valueEnd) => {
    const value = attributes.slice(valueStart, valueEnd);
    const other = otherOf(attributes.slice(start, nameEnd), value);
    if (other === value) written += attributes.slice(done, valueEnd + 1);
    else if (other !== undefined) written += `${attributes.slice(done, valueStart - 1)}"${other}"`;
    done = valueEnd + 1;
    return true;
  });
  return written + attributes.slice(done);
}
