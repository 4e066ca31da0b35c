/** Builds the sample document from its readable parts in `src/kit/sample/`. */
import { createWriteStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { ZipFile } from 'yazl';

const parts = fileURLToPath(new URL('../src/kit/sample/', import.meta.url));

/** One date for all entries, the first that ZIP can express, so that the same parts give the same bytes. */
const entryOptions = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };

/**
 * Writes the package (ECMA-376 part 2). Sorting its parts by name happens to put `[Content_Types].xml` first,
 * where readers of a stream want it.
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
  for (const file of files.sort()) zip.addFile(file, path.relative(parts, file), entryOptions);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(outputFile));
}
