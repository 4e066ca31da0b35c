import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import t from 'tap';
import { PlatenError } from '../../../src/errors.ts';
import * as documents from '../../support/documents.ts';
import { noise } from '../../support/noise.ts';
import { contentTypes, officePackage, XML } from '../../support/office-package.ts';
import { zip } from '../../support/zip.ts';
import { type Accepted, accepts, fileOf, openDescriptors, openPreflight } from '../support/preflight.ts';

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

const accepted: readonly Accepted[] = [
  ['an ordinary document', () => documents.docx()],
  ['a strict document', () => documents.strictDocx()],
  ['a document with pictures', () => documents.imageDocx(2, 50)],
  ['a document of 25 MB', () => documents.docxOfSize(25 * 1_048_576)],
  ['a document of 2,000 parts', () => documents.docxWithEntries(2_000)],
  ['a document whose main part only the engine can judge', () => documents.malformedDocx()],
  [
    'a document whose main part has another name',
    () => zip(officePackage({ name: 'doc/Main.xml', type: WORD, data: '<x/>' })),
  ],
  [
    'a document whose main part has its type from its extension',
    () => {
      const types = `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="XML" ContentType="${WORD}"/></Types>`;
      return documents.docxWithParts({ '[Content_Types].xml': types });
    },
  ],
  [
    'content types in UTF-16',
    () => {
      const types = contentTypes('word/document.xml', WORD).replace('UTF-8', 'UTF-16');
      const entries = officePackage({ name: 'word/document.xml', type: WORD, data: '<x/>' }).slice(1);
      const utf16 = Buffer.from(`\ufeff${types}`, 'utf16le');
      return zip([{ name: '[Content_Types].xml', data: utf16 }, ...entries]);
    },
  ],
  [
    'a document without compression',
    () => {
      const parts = officePackage({ name: 'word/document.xml', type: WORD, data: '<x/>' });
      return zip(parts.map((part) => ({ ...part, stored: true })));
    },
  ],
  ['a document without package relationships', () => documents.docxWithParts({ '_rels/.rels': undefined })],
];

const preflight = openPreflight();
accepts(preflight, accepted);

t.test('no damage leads to anything but an answer of the catalogue', async (t) => {
  const whole = documents.docx();
  const path = fileOf(t, whole);
  const outcomes = new Set<string>();
  const judge = async (bytes: Buffer) => {
    await writeFile(path, bytes);
    const error = await preflight.check(path).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error !== undefined && !(error instanceof PlatenError)) throw error;
    outcomes.add(error?.code ?? 'accepted');
  };
  for (let length = 4; length < whole.length; length += 3) await judge(whole.subarray(0, length));
  const random = noise(whole.length);
  for (let position = 0; position < whole.length; position += 2) {
    const damaged = Buffer.from(whole);
    random.copy(damaged, position, position, position + 2);
    await judge(damaged);
  }
  t.ok(outcomes.has('CORRUPTED_FILE'));
  t.ok(outcomes.has('accepted'), 'some damage does not matter');
  t.equal(openDescriptors(path), 0, 'no descriptor is left open');
});

t.test('a failure of the system is not blamed on the document', async (t) => {
  const path = fileOf(t, documents.docx());
  await t.rejects(preflight.check(`${path}-missing`), { code: 'ENOENT' });
  symlinkSync(path, `${path}-link`);
  await t.rejects(preflight.check(`${path}-link`), { code: 'ELOOP' });
});

const corpus = resolve(import.meta.dirname, '../../../shared/corpus');
if (existsSync(join(corpus, 'index.tsv'))) {
  t.test('every real document that LibreOffice converts passes', async (t) => {
    const [, ...rows] = readFileSync(join(corpus, 'index.tsv'), 'utf8').trim().split('\n');
    for (const row of rows) {
      const fields = row.split('\t');
      const file = fields[0] ?? '';
      // A copy: what needs a print view is written in its place.
      const path = fileOf(t, readFileSync(join(corpus, file)));
      const error = await preflight.check(path).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (fields.at(-1) === 'converts') t.equal(error, undefined, file);
      else t.ok(error === undefined || error instanceof PlatenError, file);
    }
  });
}
