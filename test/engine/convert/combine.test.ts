/** Combining what the engine writes: the whole has what its parts have, in every kind of PDF. */
import { execFile } from 'node:child_process';
import { closeSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { Combiner } from '../../../src/convert/combiner.ts';
import { Converter } from '../../../src/convert/converter.ts';
import { type CombinedPart, combinePdfs } from '../../../src/convert/pdf/combine/combine.ts';
import { Workspaces } from '../../../src/convert/workspace.ts';
import { type Place, Queue } from '../../../src/queue/queue.ts';
import type { ConversionOptions } from '../../../src/shared/options/conversion-options.ts';
import { openReaders } from '../../convert/support/preflight.ts';
import { accessibleDocx } from '../../support/accessible-document.ts';
import { documentWithEverything } from '../../support/archive-documents.ts';
import { differences, readPart } from '../../support/combined-contents.ts';
import { violations } from '../../support/conformance.ts';
import { docx } from '../../support/documents.ts';
import { levelsOf, never, RecordingLog, startKit, temporaryFolder } from '../../support/kit.ts';
import { preflightErrors } from '../../support/pdfbox.ts';
import { acme, convertIn } from '../../support/queue.ts';

const run = promisify(execFile);
const LONG_MS = 60_000;
const readers = openReaders();
const { engine, log } = await startKit(t);

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

/** A combiner with one worker, and what it takes. */
async function startCombiner(t: Test, { readers: own = readers, timeoutMs = 10 * LONG_MS } = {}) {
  const queue = new Queue({ workers: 1, limit: 100, timeoutMs: LONG_MS });
  const converter = new Converter({ readers: own, engine, queue, timeoutMs: LONG_MS });
  const combiner = new Combiner({ converter, readers: own, engine, workers: 1, timeoutMs });
  const workspaces = await Workspaces.open(await temporaryFolder(t), 100, new RecordingLog().log);
  t.teardown(() => workspaces.close());
  const content = docx();
  const create = async () => {
    const workspace = workspaces.create();
    await writeFile(workspace.input, content);
    return { workspace, name: null, bytes: content.length, sha256: undefined };
  };
  return { converter, combiner, workspaces, create, bytes: content.length };
}

t.test('of the PDFs that one sender asks for, one after another is made', async (t) => {
  const [wholes, documents] = [3, 8];
  const { converter, combiner, workspaces, create } = await startCombiner(t);
  const earlier = log.count('child started');
  const converted: number[] = [];
  const combine = async () => {
    const combination = {
      place: converter.admit(acme),
      documents: await Promise.all(Array.from({ length: documents }, create)),
      options: {},
      form: {},
    };
    const { fd, pages } = await combiner.combine(workspaces.create(), combination, never());
    converted.push(log.count('child started') - earlier);
    closeSync(fd);
    t.equal(pages, documents);
  };
  await Promise.all(Array.from({ length: wholes }, combine));
  // The PDF that lacks least has three of four turns; by equal turns, 22 of 24 documents would have to be converted.
  t.ok(Number(converted[0]) <= (wholes * documents * 2) / 3, `${converted}`);
});

t.test('a document that is laid out again overtakes none that came alone', async (t) => {
  const { converter, combiner, workspaces, create, bytes } = await startCombiner(t);
  const place = converter.admit(acme);
  const ranks: number[] = [];
  const another = (): Place => {
    const own = place.another();
    return {
      ...own,
      run: (task, rank, signal) => {
        ranks.push(rank);
        return own.run(task, rank, signal);
      },
    };
  };
  const documents = [await create(), await create()];
  const combination = { place: { ...place, another }, documents, options: {}, form: {} };
  const whole = { ...combination, pageNumbers: 'continuous' as const };
  closeSync((await combiner.combine(workspaces.create(), whole, never())).fd);
  t.equal(ranks.pop(), 0, 'the whole is made at once');
  t.ok(ranks.length > documents.length && ranks.every((rank) => rank >= bytes), `${ranks}`);
});

t.test('waiting to be read is no fault of the documents', async (t) => {
  const full = openReaders(t);
  // None of its processes becomes free.
  full.inspect = (_, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const { converter, combiner, workspaces, create } = await startCombiner(t, { readers: full, timeoutMs: 1 });
  const documents = [await create(), await create()];
  const combination = { place: converter.admit(acme), documents, options: {}, form: {} };
  await t.rejects(combiner.combine(workspaces.create(), combination, never()), {
    code: 'OVERLOADED',
    reason: 'timeout',
  });
});
