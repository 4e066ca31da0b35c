/** Builds the sample document from its readable parts in `src/kit/sample/`. */
import { createWriteStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { ZipFile } from 'yazl';

const parts = fileURLToPath(new URL('../src/kit/sample/', import.meta.url));

/** The first date that ZIP can express, for all entries, so that the build is reproducible. */
export const zipEntryOptions = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };

/**
 * Writes the package (ECMA-376 part 2). Sorting parts by name puts `[Content_Types].xml` first, as streaming readers expect.
 *
 * @param {string} outputFile
 * @returns {Promise<void>}
 */
export async function buildSampleDocument(outputFile) {
  const entries = await readdir(parts, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  const zip = new ZipFile();
  for (const file of files.sort()) zip.addFile(file, path.relative(parts, file), zipEntryOptions);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(outputFile));
}
