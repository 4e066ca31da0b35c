/** Opens an encrypted package in its place. */
import { closeSync, constants, openSync } from 'node:fs';
import { TailReader } from '../../system/tail-reader.ts';
import { CompoundFile } from '../package/compound.ts';
import { decrypted, PACKAGE } from '../package/decryption.ts';
import { COMPOUND_FILE } from '../package/foreign-file.ts';
import { writeFileWhole } from '../package/whole-file.ts';

/**
 * Replaces the compound file at `path` by the package in it; leaves other files as they are.
 *
 * @throws PlatenError `PASSWORD_PROTECTED`, `CORRUPTED_FILE`, `SERVICE_UNAVAILABLE`
 */
export async function decryptFile(path: string, password: string): Promise<void> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const reader = TailReader.over(fd);
    const head = reader.read(0, COMPOUND_FILE.length);
    if (head.toString('latin1') !== COMPOUND_FILE) return;
    const file = CompoundFile.open(reader);
    if (file.bytesOf(PACKAGE) === undefined) return;
    await writeFileWhole(path, (target) => {
      for (const piece of decrypted(file, password)) target.writeFile(piece);
    });
  } finally {
    closeSync(fd);
  }
}
