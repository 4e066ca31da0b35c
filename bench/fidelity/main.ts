/**
 * npm run bench:fidelity -- PAIRS_DIR: how near the service's PDFs come to Word's own. Converts the `in.docx` of
 * each pair through the service over HTTP and holds the PDF against `word.pdf`.
 *
 * Prints a table, and writes JSON and our PDFs to bench/results/fidelity. Exit code 1 when a pair could not be
 * measured, 2 when the command line is wrong. docs/fidelity.md says what the figures mean.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BenchService } from '../service.ts';
import { measurePairs } from './measure.ts';
import { findPairs } from './pairs.ts';
import { type FidelityResults, overall } from './results.ts';
import { textReport } from './text-report.ts';

const USAGE = 'npm run bench:fidelity -- PAIRS_DIR [--out FOLDER]';

class UsageError extends Error {}

async function main(): Promise<void> {
  const { folder, out } = readArguments();
  const pairs = await findPairs(folder);
  const pdfs = join(out, 'pdf');
  await rm(pdfs, { recursive: true, force: true });
  await mkdir(pdfs, { recursive: true });
  const service = await BenchService.start();
  try {
    const { documents, failures } = await measurePairs(pairs, (docx) => service.pdf(docx), pdfs);
    const results: FidelityResults = {
      libreOffice: service.libreOffice,
      at: new Date().toISOString(),
      overall: overall(documents),
      documents,
      failures,
    };
    await writeFile(join(out, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
    console.log(textReport(results));
    if (failures.length > 0) process.exitCode = 1;
  } finally {
    await service.stop();
  }
}

function readArguments(): { folder: string; out: string } {
  const options = { out: { type: 'string' } } as const;
  const { values, positionals } = parse(() => parseArgs({ options, allowPositionals: true }));
  const [folder, ...more] = positionals;
  if (!folder || more.length > 0) throw new UsageError('name one folder of pairs');
  const out = values.out ?? fileURLToPath(new URL('../results/fidelity', import.meta.url));
  return { folder: resolve(folder), out: resolve(out) };
}

function parse<T>(parsed: () => T): T {
  try {
    return parsed();
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

try {
  await main();
} catch (error) {
  const { message } = error as Error;
  console.error(error instanceof UsageError ? `${message}\nUsage: ${USAGE}` : message);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
