/**
 * Writes what is made from the contract: the OpenAPI documents to openapi/openapi.json, openapi/operator.json and
 * openapi/console.json, the sections of docs/guide/errors.md, and the table of docs/guide/warnings.md.
 *
 * With --release, the first also becomes the document of the last release, with which later ones must be compatible.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { buildConsoleDocument, buildDocument, buildOperatorDocument } from '../src/http/reference/openapi.ts';
import { withSections } from './errors-page.ts';
import { jsonText } from './json-text.ts';
import { withTable } from './warnings-page.ts';

const root = new URL('../', import.meta.url);

const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as { version: string };
await write('openapi/openapi.json', await buildDocument(version));
await write('openapi/operator.json', await buildOperatorDocument(version));
await write('openapi/console.json', await buildConsoleDocument(version));
if (process.argv.includes('--release')) await write('openapi/released.json', await buildDocument(version));
const errors = 'docs/guide/errors.md';
await writeText(errors, withSections(await readFile(new URL(errors, root), 'utf8')));
const warnings = 'docs/guide/warnings.md';
await writeText(warnings, withTable(await readFile(new URL(warnings, root), 'utf8')));

function write(file: string, document: object): Promise<void> {
  return writeText(file, jsonText(document));
}

async function writeText(file: string, text: string): Promise<void> {
  await writeFile(new URL(file, root), text);
  console.log(file);
}
