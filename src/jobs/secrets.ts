/**
 * The passwords of a job: encrypted in the storage, with AES-256-GCM (NIST SP 800-38D), under a key of the job's own in its record.
 * Neither the storage nor Redis alone tells them. The key goes with the job's end.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { FormOptions } from '../shared/options/conversion-options.ts';

export type Secrets = Omit<FormOptions, 'attachments'>;

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
/** Random; each key encrypts once. */
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Secrets as they are kept, in base64. */
interface Sealed {
  /** For the job's record. */
  readonly key: string;
  /** For the storage: initialisation vector, tag and ciphertext. */
  readonly text: string;
}

/** Encrypts secrets, for the job with this id only. Undefined if there are none. */
export function seal(id: string, secrets: Secrets): Sealed | undefined {
  if (Object.keys(secrets).length === 0) return undefined;
  const [key, iv] = [randomBytes(KEY_BYTES), randomBytes(IV_BYTES)];
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(id));
  const ciphertext = [cipher.update(JSON.stringify(secrets)), cipher.final()];
  const text = Buffer.concat([iv, cipher.getAuthTag(), ...ciphertext]);
  return { key: key.toString('base64'), text: text.toString('base64') };
}

/** The secrets of the job with this id. @throws Error if they are not those that were encrypted for it under this key. */
export function unseal(id: string, { key, text }: Sealed): Secrets {
  const bytes = Buffer.from(text, 'base64');
  const [iv, rest] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES)];
  const decipher = createDecipheriv(CIPHER, Buffer.from(key, 'base64'), iv, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(id))
    .setAuthTag(rest.subarray(0, TAG_BYTES));
  const plain = [decipher.update(rest.subarray(TAG_BYTES)), decipher.final()];
  return JSON.parse(Buffer.concat(plain).toString());
}
