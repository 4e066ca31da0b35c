/**
 * npm run bench:fidelity -- PAIRS_DIR [--out FOLDER] [--layout auto|word|engine] [--times ROUNDS]: compares the service's PDFs with Word's.
 * Converts the `in.docx` of each pair through the service over HTTP and compares the PDF with `word.pdf`. Prints a
 * table and causes, and writes JSON, an HTML report and the PDFs to a new folder in bench/results/fidelity, or to
 * FOLDER. With --clones, LIST.tsv names the pairs, see lists.ts. With --times it also converts each document ROUNDS times with and
 * without Word's pages, and prints how long they take. With --beside it measures `layout=engine` and plain soffice as well. With
 * --changed it converts what programs make of each `in.docx`, and prints pages beside those of the engine alone; that needs no
 * `word.pdf`. With --compare BEFORE.json AFTER.json it prints what got better and worse between two runs. Exit code 1
 * if a pair could not be measured, 2 for a wrong command line. docs/fidelity.md explains the figures.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BenchService } from '../service.ts';
import { besideReport, measureBeside } from './beside.ts';
import { changedReport, measureChanged } from './changed.ts';
import { type Measuring, readCommandLine, USAGE, UsageError } from './command-line.ts';
import { compareRuns, readResults } from './comparison.ts';
import { htmlReport, thumbnailsPage } from './html-report.ts';
import { extractPairs } from './lists.ts';
import { measurePairs } from './measure.ts';
import { findPairs } from './pairs.ts';
import { type FidelityResults, overall, overallHalves } from './results.ts';
import { textReport } from './text-report.ts';
import { measureTimes, timesReport } from './times.ts';

async function main(): Promise<void> {
  const command = readCommandLine(process.argv.slice(2));
  if ('compare' in command) {
    const [before, after] = command.compare;
    console.log(compareRuns(await readResults(before), await readResults(after)));
    return;
  }
  if ('changed' in command) return measureChangedFolder(resolve(command.changed));
  const name = new Date().toISOString().replaceAll(':', '.');
  const out = command.out ?? fileURLToPath(new URL(`../results/fidelity/${name}`, import.meta.url));
  await measureFolder(resolve(command.folder), resolve(out), command);
}

async function measureChangedFolder(folder: string): Promise<void> {
  const pairs = await findPairs(folder);
  const service = await BenchService.start();
  try {
    console.log(changedReport(await measureChanged(pairs, service)));
  } finally {
    await service.stop();
  }
}

async function measureFolder(
  folder: string,
  out: string,
  { clones, layout, rounds, isBeside }: Pick<Measuring, 'clones' | 'layout' | 'rounds' | 'isBeside'>,
): Promise<void> {
  await mkdir(out, { recursive: true });
  if ((await readdir(out)).length > 0) throw new UsageError(`${out} is not empty`);
  const pairs =
    clones === undefined
      ? await findPairs(folder)
      : await extractPairs(folder, resolve(clones), join(out, 'pairs'));
  const service = await BenchService.start();
  try {
    const documentsFolder = join(out, 'documents');
    const { documents, leftOut, failures } = await measurePairs(pairs, service, documentsFolder, layout);
    const results: FidelityResults = {
      libreOffice: service.libreOffice,
      at: new Date().toISOString(),
      overall: overall(documents),
      halves: overallHalves(documents),
      documents,
      leftOut,
      failures,
    };
    await writeFile(join(out, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
    await writeFile(join(out, 'index.html'), await htmlReport(results));
    await writeFile(join(out, 'thumbnails.html'), await thumbnailsPage(results));
    console.log(`${textReport(results)}\n\nSee ${join(out, 'index.html')} and results.json beside it.`);
    if (failures.length > 0) process.exitCode = 1;
    if (documents.length === 0) return;
    if (isBeside) {
      const beside = await measureBeside(pairs, documents, service, documentsFolder);
      await writeFile(join(out, 'beside.json'), `${JSON.stringify(beside, null, 2)}\n`);
      console.log(`\n${besideReport(beside)}`);
    }
    if (rounds === 0) return;
    const times = await measureTimes(pairs, documents, rounds, service);
    await writeFile(join(out, 'times.json'), `${JSON.stringify(times, null, 2)}\n`);
    console.log(`\n${timesReport(times)}`);
  } finally {
    await service.stop();
  }
}

try {
  await main();
} catch (error) {
  const { message } = error as Error;
  console.error(error instanceof UsageError ? `${message}\nUsage: ${USAGE}` : message);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
