/** Opens a package that is encrypted with a password ([MS-OFFCRYPTO] 2.3.4), piece by piece. */
import { createDecipheriv, createHash, hash as hashOnce, timingSafeEqual } from 'node:crypto';
import type { CompoundFile } from './compound.ts';
import {
  type AgileCipher,
  type AgileEncryption,
  type HashName,
  MAX_INFO_BYTES,
  readEncryptionInfo,
  type StandardEncryption,
} from './encryption-info.ts';
import { damaged, wrongPassword } from './refusal.ts';

/** The streams of an encrypted package. */
export const PACKAGE = 'EncryptedPackage';
const INFO = 'EncryptionInfo';

/** Bytes before the encrypted content: the size of the package. */
const SIZE_BYTES = 8;
/** Each has an initialisation vector of its own (2.3.4.15). */
const SEGMENT_BYTES = 4_096;
const BLOCK_BYTES = 16;
const STANDARD_SPIN_COUNT = 50_000;

/** What each key is for (2.3.4.11 to 2.3.4.13). */
const purposes = {
  verifierInput: Buffer.from('fea7d2763b4b9e79', 'hex'),
  verifierHash: Buffer.from('d7aa0f6d3061344e', 'hex'),
  key: Buffer.from('146e0be7abacd0d6', 'hex'),
};

/** Decrypts one segment of the package. */
type Segments = (segment: Buffer, index: number) => Buffer;

/**
 * The package inside a compound file, in pieces; it is not longer than the file.
 *
 * @throws PlatenError `PASSWORD_PROTECTED`, `CORRUPTED_FILE`
 */
export function* decrypted(file: CompoundFile, password: string): Generator<Buffer> {
  const infoBytes = file.bytesOf(INFO);
  if (infoBytes === undefined || infoBytes > MAX_INFO_BYTES) {
    throw damaged('damaged', 'it has no encryption information');
  }
  const encryption = readEncryptionInfo(file.read(INFO));
  const text = Buffer.from(password, 'utf16le');
  const decrypt = encryption.kind === 'agile' ? agile(encryption, text) : standard(encryption, text);
  let left: number | undefined;
  let index = 0;
  let rest: Buffer = Buffer.alloc(0);
  for (const piece of file.content(PACKAGE)) {
    rest = Buffer.concat([rest, piece]);
    if (left === undefined) {
      if (rest.length < SIZE_BYTES) continue;
      left = Number(rest.readBigUInt64LE());
      rest = rest.subarray(SIZE_BYTES);
    }
    const segments: Buffer[] = [];
    let done = 0;
    for (; left > 0 && rest.length - done >= SEGMENT_BYTES; done += SEGMENT_BYTES, index += 1) {
      const clear = decrypt(rest.subarray(done, done + SEGMENT_BYTES), index);
      segments.push(clear.subarray(0, left));
      left -= Math.min(left, clear.length);
    }
    rest = rest.subarray(done);
    if (segments.length > 0) yield Buffer.concat(segments);
    // A stream may be longer than its package; collecting the rest would take quadratic time.
    if (left === 0) return;
  }
  // The last segment is a whole number of blocks; behind them may be what fills a sector.
  const last = rest.subarray(0, rest.length - (rest.length % BLOCK_BYTES));
  if (left === undefined || left > last.length) throw damaged('damaged', 'the encrypted package breaks off');
  if (left > 0) yield decrypt(last, index).subarray(0, left);
}

function agile({ data, password: { spinCount, ...own } }: AgileEncryption, password: Buffer): Segments {
  const spun = spin(own.hash, own.salt, password, spinCount);
  const open = (purpose: Buffer, bytes: Buffer) => {
    const key = sized(hashOf(own.hash, spun, purpose), own.keyBytes);
    return decipher('cbc', key, sized(own.salt, BLOCK_BYTES), bytes);
  };
  const input = open(purposes.verifierInput, own.verifierInput).subarray(0, own.salt.length);
  const expected = hashOf(own.hash, input);
  const found = open(purposes.verifierHash, own.verifierHash).subarray(0, expected.length);
  if (!isSame(expected, found)) throw wrongPassword();
  const key = sized(open(purposes.key, own.key), data.keyBytes);
  return (segment, index) => decipher('cbc', key, vector(data, index), segment);
}

function vector({ hash, salt }: AgileCipher, segment: number): Buffer {
  return sized(hashOf(hash, salt, number(segment)), BLOCK_BYTES);
}

function standard(
  { salt, keyBytes, verifier, verifierHash }: StandardEncryption,
  password: Buffer,
): Segments {
  const spun = spin('sha1', salt, password, STANDARD_SPIN_COUNT);
  const final = hashOf('sha1', spun, number(0));
  // As CryptDeriveKey does (2.3.4.7).
  const halves = [0x36, 0x5c].map((pad) => {
    const padded = Buffer.alloc(64, pad);
    for (const [i, byte] of final.entries()) padded.writeUInt8(byte ^ pad, i);
    return hashOf('sha1', padded);
  });
  const key = Buffer.concat(halves).subarray(0, keyBytes);
  const expected = hashOf('sha1', decipher('ecb', key, null, verifier));
  const found = decipher('ecb', key, null, verifierHash).subarray(0, expected.length);
  if (!isSame(expected, found)) throw wrongPassword();
  return (segment) => decipher('ecb', key, null, segment);
}

/** Hashes again and again, so that guessing takes long (2.3.4.7 and 2.3.4.11). */
function spin(hash: HashName, salt: Buffer, password: Buffer, count: number): Buffer {
  let spun = hashOf(hash, salt, password);
  const next = Buffer.alloc(4 + spun.length);
  for (let i = 0; i < count; i += 1) {
    next.writeUInt32LE(i);
    spun.copy(next, 4);
    // Without an object for each hash, it takes two thirds of the time.
    spun = hashOnce(hash, next, 'buffer');
  }
  return spun;
}

function hashOf(name: HashName, ...parts: readonly Buffer[]): Buffer {
  const hash = createHash(name);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** The first bytes, or all with padding behind (2.3.4.11). */
function sized(bytes: Buffer, length: number): Buffer {
  const result = Buffer.alloc(length, 0x36);
  bytes.copy(result);
  return result;
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function decipher(mode: 'cbc' | 'ecb', key: Buffer, iv: Buffer | null, bytes: Buffer): Buffer {
  const cipher = createDecipheriv(`aes-${key.length * 8}-${mode}`, key, iv).setAutoPadding(false);
  return Buffer.concat([cipher.update(bytes), cipher.final()]);
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
