/** How a package is encrypted with a password, as its stream `EncryptionInfo` says ([MS-OFFCRYPTO] 2.3.4). */
import { damaged, unsupportedEncryption } from './refusal.ts';
import { visitElements } from './xml.ts';

/** Real ones have one or two kilobytes. */
export const MAX_INFO_BYTES = 65_536;
/**
 * Most hashes that make a key of a password. Office makes 100,000, or what an administrator sets; the standard allows ten
 * million, which take a processor more than ten seconds.
 */
const MAX_SPIN_COUNT = 1_000_000;
const MAX_SALT_BYTES = 64;
/** AlgIDHash of SHA-1, for which zero stands, too (2.3.2). */
const SHA1 = 0x8004;
/** Flags: AES, and a password (2.3.1). */
const AES_BY_PASSWORD = 0x24;
/** Of a value in base64: the longest is a hash, padded to blocks. */
const MAX_VALUE_BYTES = 256;

const ENCRYPTION = 'http://schemas.microsoft.com/office/2006/encryption';
const PASSWORD = 'http://schemas.microsoft.com/office/2006/keyEncryptor/password';

/** Sizes of a hash in bytes, by its name for Node. */
const hashBytes = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 } as const;
export type HashName = keyof typeof hashBytes;

/** Key sizes by AlgID (2.3.2); zero means what the flags say. */
const standardKeyBits: ReadonlyMap<number, number> = new Map([
  [0, 128],
  [0x660e, 128],
  [0x660f, 192],
  [0x6610, 256],
]);

/** AES in CBC mode (2.3.4.10). */
export interface AgileCipher {
  readonly keyBytes: number;
  readonly hash: HashName;
  readonly salt: Buffer;
}

/** Agile encryption, of Office 2010 and later. */
export interface AgileEncryption {
  readonly kind: 'agile';
  /** Of the package. */
  readonly data: AgileCipher;
  /** Of the package's key, by the password. */
  readonly password: AgileCipher & {
    readonly spinCount: number;
    readonly verifierInput: Buffer;
    readonly verifierHash: Buffer;
    readonly key: Buffer;
  };
}

/** Standard encryption, of Office 2007: AES in ECB mode, and SHA-1 (2.3.4.5). */
export interface StandardEncryption {
  readonly kind: 'standard';
  readonly keyBytes: number;
  readonly salt: Buffer;
  readonly verifier: Buffer;
  readonly verifierHash: Buffer;
}

type Encryption = AgileEncryption | StandardEncryption;

/**
 * Reads and bounds everything that the decryption uses.
 *
 * @throws PlatenError `CORRUPTED_FILE`; `PASSWORD_PROTECTED` for what is no password, or a kind that no Office writes.
 */
export function readEncryptionInfo(info: Buffer): Encryption {
  if (info.length < 8) throw broken('it is too short');
  const [major, minor] = [info.readUInt16LE(0), info.readUInt16LE(2)];
  if (major === 4 && minor === 4) return readAgile(info.subarray(8));
  if (minor === 2 && major >= 2 && major <= 4) return readStandard(info);
  throw unsupportedEncryption();
}

type Attributes = ReadonlyMap<string, string>;

function readAgile(xml: Buffer): AgileEncryption {
  let data: Attributes | undefined;
  let password: Attributes | undefined;
  try {
    visitElements(withoutPadding(xml), {
      element({ namespace, name, attributes }) {
        if (namespace === ENCRYPTION && name === 'keyData') data ??= attributes;
        if (namespace === PASSWORD && name === 'encryptedKey') password ??= attributes;
      },
    });
  } catch (error) {
    throw broken(error);
  }
  if (!data) throw broken('it lacks keyData');
  // A certificate may open it, too, or only a certificate.
  if (!password) throw unsupportedEncryption();
  const spinCount = integer(password, 'spinCount');
  if (spinCount > MAX_SPIN_COUNT) throw unsupportedEncryption();
  return {
    kind: 'agile',
    data: readCipher(data),
    password: {
      ...readCipher(password),
      spinCount,
      verifierInput: blocks(password, 'encryptedVerifierHashInput'),
      verifierHash: blocks(password, 'encryptedVerifierHashValue'),
      key: blocks(password, 'encryptedKeyValue'),
    },
  };
}

/** Some writers fill the stream up with zeros. */
function withoutPadding(xml: Buffer): Buffer {
  const end = xml.lastIndexOf('>') + 1;
  return xml.subarray(end).every((byte) => byte === 0) ? xml.subarray(0, end) : xml;
}

function readCipher(attributes: Attributes): AgileCipher {
  const hash = attributes.get('hashAlgorithm')?.replace('-', '').toLowerCase() ?? '';
  const isKnown =
    attributes.get('cipherAlgorithm') === 'AES' &&
    attributes.get('cipherChaining') === 'ChainingModeCBC' &&
    integer(attributes, 'blockSize') === 16 &&
    Object.hasOwn(hashBytes, hash);
  if (!isKnown) throw unsupportedEncryption();
  const name = hash as HashName;
  if (integer(attributes, 'hashSize') !== hashBytes[name]) throw broken('a hash has another size');
  const salt = value(attributes, 'saltValue', MAX_SALT_BYTES);
  if (salt.length !== integer(attributes, 'saltSize')) throw broken('a salt has another size');
  return { keyBytes: keyBytesOf(integer(attributes, 'keyBits')), hash: name, salt };
}

function readStandard(info: Buffer): StandardEncryption {
  const headerBytes = info.length < 12 ? 0 : info.readUInt32LE(8);
  const verifierAt = 12 + headerBytes;
  if (headerBytes < 32 || verifierAt + 72 > info.length) throw broken('it is too short');
  if ((info.readUInt32LE(4) & AES_BY_PASSWORD) !== AES_BY_PASSWORD) throw unsupportedEncryption();
  const [algorithm, hash, keyBits] = [20, 24, 28].map((at) => info.readUInt32LE(at));
  const bits = standardKeyBits.get(Number(algorithm));
  if (bits === undefined || (hash !== SHA1 && hash !== 0)) throw unsupportedEncryption();
  if (keyBits !== bits && keyBits !== 0) throw broken('a key has another size');
  const verifier = info.subarray(verifierAt);
  if (verifier.readUInt32LE(0) !== 16) throw broken('a salt has another size');
  return {
    kind: 'standard',
    keyBytes: keyBytesOf(bits),
    salt: verifier.subarray(4, 20),
    verifier: verifier.subarray(20, 36),
    verifierHash: verifier.subarray(40, 72),
  };
}

function keyBytesOf(bits: number): number {
  if (![128, 192, 256].includes(bits)) throw unsupportedEncryption();
  return bits / 8;
}

function integer(attributes: Attributes, name: string): number {
  const written = attributes.get(name) ?? '';
  if (!/^\d{1,9}$/.test(written)) throw broken(`it lacks ${name}`);
  return Number(written);
}

/** Encrypted content: whole blocks of AES. */
function blocks(attributes: Attributes, name: string): Buffer {
  const bytes = value(attributes, name, MAX_VALUE_BYTES);
  if (bytes.length === 0 || bytes.length % 16 !== 0) throw broken(`${name} has another size`);
  return bytes;
}

function value(attributes: Attributes, name: string, mostBytes: number): Buffer {
  const written = attributes.get(name) ?? '';
  const bytes = Buffer.from(written.slice(0, 2 * mostBytes), 'base64');
  if (bytes.length === 0 || bytes.length > mostBytes) throw broken(`it lacks ${name}`);
  return bytes;
}

const broken = (cause: unknown) => damaged('damaged', new Error('the encryption information', { cause }));
