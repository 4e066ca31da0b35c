/**
 * node --import=tsx bench/convert.ts: many documents in one go, by `platen convert`, by `soffice --convert-to` and as by unoserver.
 *
 * DOCUMENTS (default 1,000) are those of the corpus beside the checkout or of CORPUS_DIR, again and again, and without one built
 * ones. Each way starts what it needs and has the documents as files, as many in a call as it takes. The ways take turns, ROUNDS
 * (default 3) times, every other time in reverse. Prints Markdown: medians, and the least number of PDFs that a way made.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { main } from '../test/cli/support.ts';
import { repeated } from './documents.ts';
import { startAll } from './line-converter.ts';
import { cpuMs, useBelow } from './processes.ts';
import { table } from './report.ts';
import { readDocuments } from './soak/documents.ts';
import { median, round } from './statistics.ts';
import { startWarmSoffice } from './warm-soffice.ts';

const DOCUMENTS = Number(process.env.DOCUMENTS ?? 1_000);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const WARM_UPS = 4;
const LONGEST_MS = 3_600_000;
/** LibreOffice takes 247 files a call: it leaves out the others, says nothing, and exits with 0. */
const SOFFICE_FILES = 240;
/** PDFs in one call. */
const COUNTED_TOGETHER = 200;

/** The cost of a way, from before its start until its last PDF. */
interface Run {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly pdfs: number;
  readonly pages: number;
}

/** Converts files into a folder, each under its own name. @param finished is called before anything is stopped. */
type Way = (files: readonly string[], out: string, finished: () => Promise<void>) => Promise<void>;

const cores = cpus().length;
const folder = await mkdtemp(join(tmpdir(), 'platen-bench-convert-'));
const ways: Readonly<Record<string, Way>> = {
  [`\`platen convert\`, ${cores} workers`]: async (files, out, finished) => {
    const env = { DATA_DIR: join(folder, 'data') };
    await run(process.execPath, [main, 'convert', ...files, '--out', out, '--workers', `${cores}`], env);
    await finished();
  },
  '`soffice --convert-to`': async (files, out, finished) => {
    await runSoffice(files, out, 0);
    await finished();
  },
  [`the same, ${cores} calls at a time`]: async (files, out, finished) => {
    const part = (n: number) => files.filter((_, index) => index % cores === n);
    await Promise.all(Array.from({ length: cores }, (_, n) => runSoffice(part(n), out, n)));
    await finished();
  },
  'one soffice as by unoserver': (files, out, finished) => runUnoservers(1, files, out, finished),
  [`${cores} soffices as by unoserver`]: (files, out, finished) => runUnoservers(cores, files, out, finished),
};

try {
  const files = await writeDocuments();
  const runs = new Map<string, Run[]>();
  for (const way of Object.values(ways)) await measure(way, files.slice(0, WARM_UPS));
  for (let n = 0; n < ROUNDS; n += 1) {
    const turns = Object.entries(ways);
    for (const [name, way] of n % 2 === 0 ? turns : turns.reverse()) {
      const result = await measure(way, files);
      // Printed at once, as later steps may fail.
      console.error(JSON.stringify({ name, ...result }));
      runs.set(name, [...(runs.get(name) ?? []), result]);
    }
  }
  console.log(report(runs));
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** @returns the paths of the documents. */
async function writeDocuments(): Promise<string[]> {
  const all = await readDocuments(process.env.CORPUS_DIR || undefined);
  const sound = all.filter(({ expected = 'PDF' }) => expected === 'PDF');
  const inputs = join(folder, 'in');
  await mkdir(inputs);
  let bytes = 0;
  const files: string[] = [];
  for (const [index, { content }] of repeated(sound, DOCUMENTS).entries()) {
    const file = join(inputs, `${String(index + 1).padStart(5, '0')}.docx`);
    await writeFile(file, content);
    bytes += content.length;
    files.push(file);
  }
  console.error(`${files.length} documents, ${sound.length} different ones, ${round(bytes / 1e6)} MB`);
  return files;
}

async function measure(way: Way, files: readonly string[]): Promise<Run> {
  const out = await mkdtemp(join(folder, 'out-'));
  const before = cpuMs(await useBelow(process.pid));
  const began = performance.now();
  let used: Pick<Run, 'seconds' | 'cpuSeconds'> | undefined;
  await way(files, out, async () => {
    const seconds = round((performance.now() - began) / 1_000);
    used = { seconds, cpuSeconds: round((cpuMs(await useBelow(process.pid)) - before) / 1_000) };
  });
  if (!used) throw new Error('a way that does not finish');
  const counted = await countPages(out);
  await rm(out, { recursive: true });
  return { ...used, ...counted };
}

/** The PDFs in a folder that have pages, and the sum of these pages. */
async function countPages(out: string): Promise<Pick<Run, 'pdfs' | 'pages'>> {
  const paths = (await readdir(out)).map((name) => join(out, name));
  let [pdfs, pages] = [0, 0];
  for (let from = 0; from < paths.length; from += COUNTED_TOGETHER) {
    const listed = await run('mutool', ['pages', ...paths.slice(from, from + COUNTED_TOGETHER)]);
    const numbers = [...listed.matchAll(/<page pagenum="(\d+)"/g)].map(([, number]) => number);
    pages += numbers.length;
    pdfs += numbers.filter((number) => number === '1').length;
  }
  return { pdfs, pages };
}

/** One call after another. @param profile its number: each soffice needs its own. */
async function runSoffice(files: readonly string[], out: string, profile: number): Promise<void> {
  const installation = pathToFileURL(join(folder, `profile-${profile}`));
  const args = [
    '--headless',
    `-env:UserInstallation=${installation}`,
    '--convert-to',
    'pdf',
    '--outdir',
    out,
  ];
  for (let from = 0; from < files.length; from += SOFFICE_FILES) {
    await run('soffice', [...args, ...files.slice(from, from + SOFFICE_FILES)]);
  }
}

async function runUnoservers(
  count: number,
  files: readonly string[],
  out: string,
  finished: () => Promise<void>,
): Promise<void> {
  const converters = await startAll(count, () => startWarmSoffice('unoserver'));
  try {
    const queue = files.values();
    const convertThem = async (converter: (typeof converters)[number]) => {
      for (const file of queue)
        await converter.convertFile(file, join(out, `${basename(file, '.docx')}.pdf`));
    };
    await Promise.all(converters.map(convertThem));
    await finished();
  } finally {
    await Promise.all(converters.map((converter) => converter.stop()));
  }
}

/** The output of a program. Failed conversions are noticed later. */
async function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_MS,
  });
  const [printed, said, [code]] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  if (code !== 0) console.error(`${program} ended with ${code}: ${said.slice(-2_000)}`);
  return printed;
}

function report(runs: ReadonlyMap<string, readonly Run[]>): string {
  const [platen] = runs.values();
  const of = (each: readonly Run[] = [], value: (run: Run) => number) => median(each.map(value));
  const ratio = (each: readonly Run[], value: (run: Run) => number) =>
    `${round(of(each, value) / of(platen, value))} ×`;
  const rows = [...runs].map(([name, each]) => [
    name,
    `${Math.round(of(each, ({ seconds }) => seconds))}`,
    ratio(each, ({ seconds }) => seconds),
    `${Math.round(of(each, ({ cpuSeconds }) => cpuSeconds))}`,
    ratio(each, ({ cpuSeconds }) => cpuSeconds),
    `${Math.min(...each.map(({ pdfs }) => pdfs))}`,
    `${of(each, ({ pages }) => pages)}`,
  ]);
  const head = [
    `${DOCUMENTS} documents`,
    'time, s',
    'of Platen',
    'CPU time, s',
    'of Platen',
    'PDFs',
    'pages',
  ];
  return table(head, rows);
}
