/**
 * The text of an API key: `svc_{test|live}_{pk|sk}_{random}`, where `random` is 32 random bytes in base 62
 * followed by the CRC-32 of everything before it. Mistyped keys are refused without asking Redis, and secret scanners can
 * recognise keys.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { encodeBase62 } from './base62.ts';

export type Environment = 'test' | 'live';
export type KeyType = 'pk' | 'sk';

interface KeyKind {
  readonly environment: Environment;
  readonly type: KeyType;
}

const RANDOM_BYTES = 32;
/** 62^43 > 2^256 and 62^6 > 2^32. */
const RANDOM_WIDTH = 43;
const CHECKSUM_WIDTH = 6;
const PATTERN = /^svc_(test|live)_(pk|sk)_[0-9A-Za-z]{49}$/;

/** A new key. */
export function generateKey(kind: KeyKind): string {
  return formatKey(kind, randomBytes(RANDOM_BYTES));
}

/** A fresh salt for `deriveKey`, in hexadecimal. */
export function generateSalt(): string {
  return randomBytes(RANDOM_BYTES).toString('hex');
}

/**
 * The successor of a key: HMAC-SHA-256 (RFC 2104) of a salt under the key's text. It can be derived again from both, and not
 * from one alone.
 */
export function deriveKey(kind: KeyKind, predecessor: string, salt: string): string {
  return formatKey(kind, createHmac('sha256', predecessor).update(salt).digest());
}

function formatKey({ environment, type }: KeyKind, random: Buffer): string {
  const text = encodeBase62(BigInt(`0x${random.toString('hex')}`), RANDOM_WIDTH);
  const body = `svc_${environment}_${type}_${text}`;
  return body + checksum(body);
}

/** The kind of a key; undefined if its form or checksum is wrong. */
export function parseKey(text: string): KeyKind | undefined {
  const match = PATTERN.exec(text);
  if (!match) return undefined;
  const body = text.slice(0, -CHECKSUM_WIDTH);
  if (checksum(body) !== text.slice(-CHECKSUM_WIDTH)) return undefined;
  return { environment: match[1] as Environment, type: match[2] as KeyType };
}

/** SHA-256 of the key in hexadecimal, all that is stored. 256 random bits need no salt. */
export function hashKey(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A short form for display: `svc_live_sk_…a1B2`. */
export function displayKey(text: string): string {
  return `${text.slice(0, 'svc_live_sk_'.length)}…${text.slice(-4)}`;
}

function checksum(body: string): string {
  return encodeBase62(BigInt(crc32(body)), CHECKSUM_WIDTH);
}
