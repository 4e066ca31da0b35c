/** Whether a disk is full: what then fails is nobody's fault but ours. */
import { statfs } from 'node:fs/promises';

/** Less than this, and a document of any size may fail for want of it. */
const MIN_FREE_BYTES = 16_777_216;

/** Whether the file system of a folder has next to no space, or no file, left to give. */
export async function isFull(folder: string): Promise<boolean> {
  const about = await statfs(folder).catch(() => undefined);
  if (!about) return false;
  // Some file systems count no files.
  return about.bavail * about.bsize < MIN_FREE_BYTES || (about.files > 0 && about.ffree === 0);
}
