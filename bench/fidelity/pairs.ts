/** The pairs to measure: a DOCX and Word's PDF of it. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface Pair {
  readonly name: string;
  readonly docx: string;
  readonly pdf: string;
}

/**
 * The folders `NAME/` with `in.docx` and `word.pdf`, in the folder or in its `pairs/`, by name. Missing files fail
 * when they are read.
 *
 * @throws Error if it is not a folder or contains no folders
 */
export async function findPairs(folder: string): Promise<Pair[]> {
  const inner = join(folder, 'pairs');
  const root = existsSync(inner) ? inner : folder;
  const entries = await readdir(root, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${root} cannot be read: ${error.code}`, { cause: error });
  });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  if (names.length === 0) {
    throw new Error(`${root} has no pairs: folders with in.docx and Word's word.pdf in them`);
  }
  return names
    .sort()
    .map((name) => ({ name, docx: join(root, name, 'in.docx'), pdf: join(root, name, 'word.pdf') }));
}
