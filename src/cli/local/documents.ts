/** The documents in folders. */
import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { OperatorError } from '../../errors.ts';
import type { DocumentType } from '../../shared/document-types.ts';

/** Bounds what commands keep in memory. */
export const MAX_DOCUMENTS = 100_000;
/** Word's owner file of an open document: no document, whatever its extension. */
const OWNER_FILE = /^~\$/;

export const LOST_NAME = 'Its name is not UTF-8, so it cannot be opened. Rename it.';

/** Whether the path of something that cannot be opened was not UTF-8: Node reads a replacement character then. */
export const isNameLost = (path: string): boolean => path.includes('\ufffd');

/** Whether a file's name, without its folder, is that of a document of these types. */
export function isDocumentName(name: string, types: readonly DocumentType[]): boolean {
  return !OWNER_FILE.test(name) && types.some((type) => extname(name).toLowerCase() === `.${type}`);
}

/**
 * The documents of these types in a folder and the folders in it, as paths relative to it, in order. Symbolic links are
 * not followed.
 *
 * @param refuse is told of a folder in it that cannot be read; by default, that is thrown.
 * @throws OperatorError if it cannot be read, or has no documents or too many.
 */
export async function findDocuments(
  folder: string,
  types: readonly DocumentType[],
  most: number = MAX_DOCUMENTS,
  refuse = (_inner: string, error: OperatorError): void => {
    throw error;
  },
): Promise<string[]> {
  const found: string[] = [];
  const left = [''];
  for (let inner = left.pop(); inner !== undefined; inner = left.pop()) {
    const path = join(folder, inner);
    const entries = await readdir(path, { withFileTypes: true }).catch((cause: NodeJS.ErrnoException) => {
      const reason = isNameLost(path) ? 'its name is not UTF-8' : cause.code;
      const error = new OperatorError(`the folder ${path} cannot be read: ${reason}`, { cause });
      if (inner === '') throw error;
      refuse(inner, error);
      return [];
    });
    for (const entry of entries) {
      const name = join(inner, entry.name);
      if (entry.isDirectory()) left.push(name);
      if (entry.isFile() && isDocumentName(entry.name, types)) found.push(name);
    }
    if (found.length > most) {
      throw new OperatorError(`${folder} has more than ${most} documents: name a part of them at a time`);
    }
  }
  if (found.length === 0) {
    throw new OperatorError(
      `${folder} has no documents: files that end in ${types.map((type) => `.${type}`).join(', ')}`,
    );
  }
  return found.sort();
}
