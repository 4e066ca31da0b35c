/** Whether there is room for files. */
import { statfsSync } from 'node:fs';

/** Less is none, in bytes: what is written last may have been larger. */
const NO_ROOM_BYTES = 262_144;

/** Whether the file system of a folder has no room left. */
export function isFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < NO_ROOM_BYTES;
}
