/** Where the pages come from, and how they are written. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../run.mjs';

/** The folder of our own pages. */
export const own = join(root, 'src/pages');

/** The OpenAPI document that `npm run openapi` writes. */
export const openApi = join(root, 'openapi/openapi.json');

/**
 * Writes a file, and beside it the same compressed, with `.gz` behind its name.
 *
 * @param {string} path
 * @param {Buffer} content
 */
export function write(path, content) {
  writeFileSync(path, content);
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
}
