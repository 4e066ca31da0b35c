/** The fonts of the real documents beside the checkout: as document-fonts.test.ts, for documents that nobody built for it. */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import t from 'tap';
import { missingGlyphs } from '../../bench/fidelity/glyphs.ts';
import { findPairs } from '../../bench/fidelity/pairs.ts';
import { isSince } from '../../src/engine/libreoffice-version.ts';
import { DocumentFonts, eachOf, isKnown } from './support/document-fonts.ts';

const shared = resolve(import.meta.dirname, '../../../shared');
const pairs = join(shared, 'fidelity');
const corpus = join(shared, 'corpus');

const fonts = await DocumentFonts.start(t);

/** Exceptions: fonts that become another one, by document. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  // A formula: LibreOffice sets those in fonts of its own choice.
  'docx4j/2010-sample1.docx': ['Cambria Math'],
  // Latin letters, which neither Word's fonts nor their stand-ins have.
  'docx4j/Word2007-fonts.docx': ['Latha', 'Raavi', 'Shruti', 'Tunga'],
  // Words on a curve, which are drawn as outlines.
  'docx4j/DrawingML_GraphicData_wps.docx': ['Calibri'],
  // A list of fonts in place of a name, of which 26.8 takes another one.
  ...(isSince(fonts.libreOffice, 26.8) && { 'docx4j/filenames.docx': ['Segoe UI'] }),
};

if (existsSync(pairs)) {
  t.test('the pairs with PDFs by Word', async (t) => {
    await eachOf(await findPairs(pairs), async ({ name, docx }) => {
      const converted = await fonts.convert(await readFile(docx));
      t.strictSame(await fonts.without(converted), [], name);
      t.strictSame(await missingGlyphs(converted.pdf), [], `${name}: glyphs`);
    });
  });
} else t.pass('there are no pairs here');

if (existsSync(corpus)) {
  // Only the first document with each font of the table: a font is replaced by itself, whatever others there are.
  t.test('the corpus', async (t) => {
    const seen = new Set<string>();
    const [, ...rows] = readFileSync(join(corpus, 'index.tsv'), 'utf8').trim().split('\n');
    const files = rows.filter((row) => row.endsWith('converts')).map((row) => row.split('\t')[0] ?? '');
    await eachOf(files, async (file) => {
      const prepared = await fonts.prepare(await readFile(join(corpus, file)));
      const { wanted } = prepared;
      const known = wanted.filter(isKnown);
      const isNew = known.some((font) => !seen.has(font));
      for (const font of known) seen.add(font);
      if (!isNew && !(file in elsewhere)) return;
      t.strictSame(
        await fonts.without(await fonts.finish(prepared)),
        elsewhere[file] ?? [],
        `${file} wants ${wanted.join(', ')}`,
      );
    });
  });
} else t.pass('there is no corpus here');
