/** Combining what the engine writes: the whole has what its parts have, in every kind of PDF. */
import { execFile } from 'node:child_process';
import { closeSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { Converter } from '../../../src/convert/converter.ts';
import { type CombinedPart, combinePdfs } from '../../../src/convert/pdf/combine/combine.ts';
import { Workspaces } from '../../../src/convert/workspace.ts';
import { Queue } from '../../../src/queue/queue.ts';
import type { ConversionOptions } from '../../../src/shared/options/conversion-options.ts';
import { openReaders } from '../../convert/support/preflight.ts';
import { accessibleDocx } from '../../support/accessible-document.ts';
import { documentWithEverything } from '../../support/archive-documents.ts';
import { violations } from '../../support/conformance.ts';
import { docx } from '../../support/documents.ts';
import { levelsOf, never, RecordingLog, startKit, temporaryFolder } from '../../support/kit.ts';
import { contentsOf, type PdfContents } from '../../support/pdf-contents.ts';
import { preflightErrors } from '../../support/pdfbox.ts';
import { convertIn } from '../../support/queue.ts';

const run = promisify(execFile);
const LONG_MS = 60_000;
const readers = openReaders();
const { engine } = await startKit(t);

/** Converts documents as the service does. */
async function partsOf(
  t: Test,
  documents: Readonly<Record<string, Buffer>>,
  options: ConversionOptions,
): Promise<CombinedPart[]> {
  const queue = new Queue({ workers: 1, limit: 1, timeoutMs: LONG_MS });
  const converter = new Converter({ readers, engine, queue, timeoutMs: LONG_MS });
  const workspaces = await Workspaces.open(await temporaryFolder(t), 100, new RecordingLog().log);
  t.teardown(() => workspaces.close());
  const folder = await temporaryFolder(t);
  const parts: CombinedPart[] = [];
  for (const [name, document] of Object.entries(documents)) {
    const workspace = workspaces.create();
    await writeFile(workspace.input, document);
    const { fd, reader, bytes } = await convertIn(converter, workspace, never(), { options });
    const path = join(folder, `${name}.pdf`);
    await writeFile(path, reader.read(0, bytes));
    closeSync(fd);
    parts.push({ path, name: `${name}.docx`, title: `Title of ${name}` });
  }
  return parts;
}

const documents = {
  accessible: accessibleDocx(),
  everything: documentWithEverything(),
  short: docx({ paragraphs: ['A short one'] }),
  again: accessibleDocx({ title: 'The same again' }),
};

/**
 * Poppler draws the mark of a checked box itself. It does not find its own font where a field has a list of fonts, as
 * LibreOffice's fields do, and those of the whole do not.
 */
const MARK = '✘\n';

async function text(path: string): Promise<string> {
  return (await run('pdftotext', [path, '-'])).stdout.replaceAll(MARK, '');
}

/** Compares the whole with its parts. */
async function isWhole(t: Test, path: string, parts: readonly CombinedPart[], firstPages: readonly number[]) {
  const { stderr } = await run('qpdf', ['--check', path]);
  t.equal(stderr, '', 'qpdf has nothing to say');
  t.equal(await text(path), (await Promise.all(parts.map((part) => text(part.path)))).join(''), 'the text');
  let tagged = 0;
  for (const [index, part] of parts.entries()) {
    const page = (firstPages[index] ?? 0) - 1;
    const [own, whole] = [await contentsOf(part.path), await contentsOf(path, page)];
    t.strictSame(whole.contradictions, []);
    t.strictSame(
      tagsIn(whole, own.tags.length > 0 ? tagged++ : -1),
      normal(own.tags, true),
      `${part.name}: tags`,
    );
    if (whole.outline.length > 0) {
      const bookmark = { title: part.title, target: { page: 0 }, kids: own.outline };
      t.match(whole.outline[index], bookmark, `${part.name}: bookmarks`);
    }
    t.strictSame(whole.links.slice(page, page + own.links.length), own.links, `${part.name}: links`);
    const prefix = `${part.name.replace('.docx', '')}.`;
    const fields = whole.fields.filter(({ name }) => name.startsWith(prefix));
    const expected = own.fields.map((field) => ({ ...field, name: prefix + field.name }));
    t.strictSame(fields, expected, `${part.name}: fields`);
  }
}

/** The tags of a part in those of the whole; one without tags has none there. */
function tagsIn({ tags }: PdfContents, index: number): unknown {
  const kid = tags[0]?.kids[index];
  return kid === undefined ? [] : normal([kid], true);
}

/** Without what the combination is to change: the language of the document, and what identifiers begin with. */
function normal(value: unknown, isTop = false): unknown {
  if (Array.isArray(value)) return value.map((item) => normal(item, isTop));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => {
    if (key === 'language' && isTop) return [key, undefined];
    if (key === 'id') return [key, typeof item === 'string' ? item.replace(/^\d{4}-/, '') : item];
    return [key, normal(item)];
  });
  return Object.fromEntries(entries);
}

const kinds: readonly (readonly [string, ConversionOptions])[] = [
  ['an ordinary PDF', {}],
  ['a PDF with fields', { formFields: true }],
  ['an untagged PDF without bookmarks', { tagged: false, bookmarks: false }],
  ['PDF/UA', { pdfua: true }],
  ['PDF/A and PDF/UA', { pdfua: true, pdfa: '2b' }],
  ...levelsOf(engine).map((pdfa) => [`PDF/A-${pdfa}`, { pdfa }] as const),
];

for (const [kind, options] of kinds) {
  t.test(`${kind} of several documents`, async (t) => {
    const parts = await partsOf(t, documents, options);
    const path = join(await temporaryFolder(t), 'whole.pdf');
    const { pdfa, pdfua = false, bookmarks } = options;
    const asked = { pdfa, pdfua, bookmarks, title: 'Größe & more' };
    const { pages, firstPages } = combinePdfs(parts, path, asked);
    t.strictSame(firstPages, [1, 2, 3, 4]);
    t.equal(pages, 4);
    await isWhole(t, path, parts, firstPages);
    const again = `${path}.again`;
    combinePdfs(parts, again, asked);
    t.ok((await readFile(path)).equals(await readFile(again)), 'the same bytes');
    const info = (await run('pdfinfo', [path])).stdout;
    t.match(info, /^Title: +Größe & more$/m);
    if (options.pdfa) t.strictSame(await violations(path, options.pdfa), []);
    if (options.pdfua) {
      // What the documents lack; but the whole has a title.
      const own = await Promise.all(parts.map((part) => violations(part.path, 'ua')));
      const demands = (found: typeof own) =>
        found
          .flat()
          .map(({ demand }) => demand)
          .filter((demand) => demand !== 'The metadata have a title.')
          .sort();
      t.strictSame(demands([await violations(path, 'ua')]), demands(own));
    }
    if (options.pdfa === '1b') {
      const errors = await preflightErrors(t, { whole: await readFile(path) });
      t.strictSame(errors, { whole: [] }, 'a validator finds nothing wrong');
    }
  });
}
