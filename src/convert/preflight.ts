/** The preflight: decides by content, before any engine sees the file, that it is a DOCX. */
import { constants, open } from 'node:fs/promises';
import { PlatenError } from '../errors.ts';
import { foreignFile, HEAD_BYTES } from './preflight/foreign-file.ts';
import { refuseForeignPackage } from './preflight/foreign-package.ts';
import { requireDocument } from './preflight/main-part.ts';
import { Package } from './preflight/package.ts';
import { TailReader } from './tail-reader.ts';

const LOCAL_FILE_HEADER = Buffer.from('PK\x03\x04', 'latin1');

/** A rule looks at the opened package and throws a PlatenError where it is broken. */
type Rule = (opened: Package) => Promise<void>;

/** In this order: what the file is comes before what is wrong with it. */
const rules: readonly Rule[] = [refuseForeignPackage, refuseEncryptedEntries, requireDocument];

/**
 * Checks that the file at `path` is a DOCX that may be given to an engine, in bounded memory.
 *
 * @throws PlatenError INVALID_FILE_TYPE, CORRUPTED_FILE or PASSWORD_PROTECTED; the signal's reason when aborted.
 */
export async function preflight(path: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const reader = TailReader.over(file);
    const head = await reader.read(0, HEAD_BYTES);
    if (!head.subarray(0, LOCAL_FILE_HEADER.length).equals(LOCAL_FILE_HEADER)) {
      throw await foreignFile(head, reader);
    }
    const opened = await Package.open(reader, signal);
    for (const rule of rules) {
      signal.throwIfAborted();
      await rule(opened);
    }
  } finally {
    await file.close();
  }
}

async function refuseEncryptedEntries(opened: Package): Promise<void> {
  for (const entry of opened.entries()) {
    if (entry.isEncrypted()) throw new PlatenError('PASSWORD_PROTECTED');
  }
}
