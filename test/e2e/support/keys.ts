/** Keys that do not exist. */
import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The text followed by its CRC-32 in six characters of base 62, as in every key. */
export function withChecksum(text: string): string {
  let checksum = '';
  for (let rest = crc32(text); checksum.length < 6; rest = Math.floor(rest / 62)) {
    checksum = DIGITS.charAt(rest % 62) + checksum;
  }
  return text + checksum;
}
