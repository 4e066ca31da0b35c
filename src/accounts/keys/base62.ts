/** Base 62: numbers in digits, capitals and small letters, in that order. */

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * A natural number in base 62, padded with zeros on the left to `width` characters.
 *
 * @throws RangeError when it does not fit.
 */
export function encodeBase62(value: bigint, width: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = ALPHABET.charAt(Number(rest % 62n)) + text;
  if (value < 0n || text.length > width) throw new RangeError('a number does not fit into its base-62 width');
  return text.padStart(width, '0');
}
