/** The attributes of a tag, as a visitor of markup is given them: each by itself, and changed. */

/** None is found in the value of another: each begins where the one before it ends. */
const ATTRIBUTE = /([ \t\r\n]+)([^ \t\r\n=]+)([ \t\r\n]*=[ \t\r\n]*)("[^"]*"|'[^']*')/gy;

export interface Attribute {
  /** As it is written, with its prefix. */
  readonly name: string;
  /** As it is written, with its quotation marks. */
  readonly quoted: string;
  /** As it is written, without them; it may have references. */
  readonly value: string;
  /** Where the value begins in the attributes. */
  readonly valueAt: number;
}

/** The attributes in their order, up to what is not well-formed. */
export function attributesIn(attributes: string): Attribute[] {
  return [...attributes.matchAll(ATTRIBUTE)].map((match) => {
    const [whole, , name = '', , quoted = ''] = match;
    const valueAt = match.index + whole.length - quoted.length + 1;
    return { name, quoted, value: quoted.slice(1, -1), valueAt };
  });
}

/**
 * The attributes with other values.
 *
 * @param otherOf is given names and values as they are written, and gives a value without quotation marks back, or undefined
 * for an attribute that goes.
 */
export function withValues(
  attributes: string,
  otherOf: (name: string, value: string) => string | undefined,
): string {
  return attributes.replace(ATTRIBUTE, (whole, space, name: string, equals, quoted: string) => {
    const value = quoted.slice(1, -1);
    const other = otherOf(name, value);
    if (other === undefined) return '';
    return other === value ? whole : `${space}${name}${equals}"${other}"`;
  });
}
