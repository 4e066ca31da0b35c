/**
 * Writes the OpenAPI document to openapi/openapi.json.
 *
 * With --release it also becomes the document of the last release, with which later ones have to be compatible.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { buildDocument } from '../src/http/openapi.ts';

const root = new URL('../', import.meta.url);

const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as { version: string };
const text = `${JSON.stringify(await buildDocument(version), undefined, 2)}\n`;
const files = ['openapi/openapi.json'];
if (process.argv.includes('--release')) files.push('openapi/released.json');
for (const file of files) {
  await writeFile(new URL(file, root), text);
  console.log(file);
}
