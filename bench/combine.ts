/**
 * npm run bench:combine -- FOLDER: converts the documents of a folder, then makes one PDF of them in random order, again and again,
 * and compares it with theirs: text, tags, bookmarks, destinations, links and fields; `qpdf --check` must find nothing. Documents
 * that cannot be converted are left out. ROUNDS (default 200), COUNT (default 50 documents in a PDF) and SEED (default 1)
 * choose how much is done, and which. Prints Markdown; the exit code is 1 if anything differs.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { commandLog } from '../src/cli/command.ts';
import { inOrder } from '../src/cli/local/in-order.ts';
import { localConfig } from '../src/cli/local/local-config.ts';
import { LocalEngine } from '../src/cli/local/local-engine.ts';
import { type CombinedPart, combinePdfs } from '../src/convert/pdf/combine/combine.ts';
import { PlatenError } from '../src/errors.ts';
import { differences, type Part, readPart } from '../test/support/combined-contents.ts';
import { Chance } from './soak/random.ts';
import { median } from './statistics.ts';

interface Document extends CombinedPart {
  readonly alone: Part;
}

const number = (name: string, usual: number) => Number(process.env[name] ?? usual);
const [rounds, count, seed] = [number('ROUNDS', 200), number('COUNT', 50), number('SEED', 1)];
/** Fields are what parts can most easily take from each other. */
const options = { formFields: true };

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('which folder?');
const own = await mkdtemp(join(tmpdir(), 'platen-combine-'));
const config = await localConfig(process.env);
const { signal } = new AbortController();
const engine = await LocalEngine.start(config, commandLog(), signal);
try {
  const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.docx')).sort();
  const converted = await inOrder(paths, alone, { workers: config.workers, onProgress: () => {} });
  const documents = converted.filter((each) => each !== undefined);
  console.error(`${documents.length} of ${paths.length} documents can be converted`);
  const chance = new Chance(seed);
  const [times, pages, broken]: [number[], number[], string[]] = [[], [], []];
  let differing = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const chosen = chance.shuffled(documents).slice(0, count);
    const path = join(own, 'whole.pdf');
    const began = performance.now();
    const whole = combinePdfs(chosen, path, { pdfa: undefined, pdfua: false, title: 'Whole' });
    times.push(performance.now() - began);
    pages.push(whole.pages);
    const parts = chosen.map(({ alone }) => alone);
    const found = await differences(path, parts);
    await rm(path);
    console.error([`${round} of ${rounds}: ${whole.pages} pages`, ...found].join('\n  '));
    if (found.length === 0) continue;
    differing += 1;
    const names = chosen.map(({ name }, index) => `${index + 1} ${name}`).join(', ');
    broken.push(`PDF ${round} (${names})`, ...found.map((each) => `  - ${each}`));
  }
  console.log('| PDFs | documents in each | pages, median | time, ms, median | with a difference |');
  console.log('|---|---|---|---|---|');
  console.log(`| ${[rounds, count, median(pages), Math.round(median(times)), differing].join(' | ')} |`);
  for (const each of broken) console.log(each.startsWith(' ') ? each : `- ${each}`);
  if (differing > 0) process.exitCode = 1;
} finally {
  await engine.close();
  await rm(own, { recursive: true });
}

/** The document and its PDF; undefined if it has none. */
async function alone(path: string): Promise<Document | undefined> {
  const content = await readFile(join(folder as string, path));
  const [name, pdf] = [basename(path), join(own, `${path.replaceAll('/', '-')}.pdf`)];
  try {
    await engine.convert({ content, options }, (made) => writeFile(pdf, made), signal);
  } catch (error) {
    if (error instanceof PlatenError) return undefined;
    throw error;
  }
  return { path: pdf, name, title: name, alone: await readPart(pdf, name) };
}
