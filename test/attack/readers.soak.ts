/**
 * Documents whose main part, and one more part, are in every encoding of two-readings.ts: LibreOffice prints no word that our
 * reader does not see, but those that it makes itself.
 *
 * READERS_DOCUMENTS has folders with documents, separated by colons; without it, a few are built. READERS_STEP takes every n-th.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import t from 'tap';
import { fromBufferPromise } from 'yauzl';
import { docx, illustratedDocx } from '../support/documents.ts';
import { Readers } from './support/readers.ts';
import { decoded, replacing } from './support/two-readings.ts';

const FOLDERS = process.env.READERS_DOCUMENTS?.split(':') ?? [];
const STEP = Number(process.env.READERS_STEP ?? 1);

const readers = await Readers.start(t);

t.test('parts in every encoding', { timeout: 7_200_000 }, async (t) => {
  for await (const [name, document] of documents()) {
    const before = await readers.compare(document);
    if (before.refused) continue;
    const parts = await partsOf(document);
    const others = [...parts.keys()].filter(
      (part) => /^word\/.*\.xml$|\.rels$/.test(part) && !/document\.xml$/.test(part),
    );
    const main = [...parts.keys()].find((part) => /document\.xml$/.test(part)) ?? '';
    for (const [i, what] of Object.keys(decoded('')).entries()) {
      for (const part of new Set([main, others[i % others.length] ?? main])) {
        const text = parts.get(part)?.toString() ?? '';
        const changed = replacing(parts, part, decoded(text)[what] ?? '');
        const { unseen, showsPath } = await readers.compare(changed);
        t.strictSame(
          unseen.filter((word) => !before.unseen.includes(word)),
          [],
          `${name}: ${what} in ${part}`,
        );
        t.notOk(showsPath, `${name}: ${what} in ${part}: no path`);
      }
    }
  }
});

async function* documents(): AsyncGenerator<readonly [string, Buffer]> {
  if (FOLDERS.length === 0) {
    yield ['a page', docx()];
    yield ['pictures', illustratedDocx(3, ['Some text', 'more text'], 64)];
  }
  let count = 0;
  for (const folder of FOLDERS) {
    for (const name of (await readdir(folder, { recursive: true })).sort()) {
      if (!name.endsWith('.docx')) continue;
      count += 1;
      if (count % STEP === 0) yield [name, await readFile(join(folder, name))];
    }
  }
}

async function partsOf(document: Buffer): Promise<Map<string, Buffer>> {
  const parts = new Map<string, Buffer>();
  const zip = await fromBufferPromise(document);
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.endsWith('/'))
      parts.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return parts;
}
