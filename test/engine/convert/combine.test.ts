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
import { differences, readPart } from '../../support/combined-contents.ts';
import { violations } from '../../support/conformance.ts';
import { docx } from '../../support/documents.ts';
import { levelsOf, never, RecordingLog, startKit, temporaryFolder } from '../../support/kit.ts';
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
    const own = await Promise.all(parts.map((part) => readPart(part.path, part.title)));
    t.strictSame(await differences(path, own), []);
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
