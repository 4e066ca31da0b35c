/**
 * npm run bench:programs -- FOLDER: what documents that programs made keep. FOLDER has `index.tsv`: the columns `file` and `how to
 * check` name each document and what its PDF must show (checks.ts). Converts each by the service over HTTP, also with
 * `layout=engine`, and by plain soffice, and prints which are right. Exit code 1 if one of the service's is not.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { BenchService, NotConverted } from '../service.ts';
import { convertBySoffice } from '../soffice.ts';
import { type Outcome, unmetOf } from './checks.ts';

interface Program {
  readonly file: string;
  readonly check: string;
}

/** @throws Error if the list has no such columns. */
function readList(text: string): Program[] {
  const [head = '', ...rows] = text.trimEnd().split('\n');
  const columns = head.split('\t');
  const [file, check] = [columns.indexOf('file'), columns.indexOf('how to check')];
  if (file < 0 || check < 0) throw new Error('index.tsv has no columns "file" and "how to check"');
  return rows.map((row) => {
    const cells = row.split('\t');
    return { file: cells[file] ?? '', check: cells[check] ?? '' };
  });
}

async function byService(service: BenchService, docx: string, pdf: string): Promise<Outcome> {
  try {
    const converted = await service.pdf(await readFile(docx));
    await writeFile(pdf, converted.pdf);
    const { warnings } = await service.account(converted.requestId);
    return { pdf, warnings: warnings.map(({ code }) => code) };
  } catch (error) {
    if (error instanceof NotConverted) return { refusal: error.message };
    throw error;
  }
}

async function bySoffice(docx: string, pdf: string): Promise<Outcome> {
  const converted = await convertBySoffice(docx);
  if (!converted) return { refusal: 'no PDF' };
  await writeFile(pdf, converted);
  return { pdf, warnings: [] };
}

const [folder, ...more] = process.argv.slice(2);
if (!folder || more.length > 0) {
  console.error('Usage: npm run bench:programs -- FOLDER');
  process.exit(2);
}
const programs = readList(await readFile(join(folder, 'index.tsv'), 'utf8'));
const out = await mkdtemp(join(tmpdir(), 'platen-programs-'));
const service = await BenchService.start();
try {
  const right = { platen: 0, soffice: 0 };
  for (const { file, check } of programs) {
    const docx = resolve(folder, file);
    const plain = await unmetOf(check, await bySoffice(docx, join(out, 'soffice.pdf')));
    const unmet = await unmetOf(check, await byService(service, docx, join(out, 'platen.pdf')));
    if (plain.length === 0) right.soffice++;
    if (unmet.length === 0) right.platen++;
    const verdict = unmet.length === 0 ? 'right' : `wrong: ${unmet.join('; ')}`;
    console.log(`${file}: ${verdict}${plain.length === 0 ? '' : ' (plain soffice is wrong)'}`);
  }
  console.log(
    `\nLibreOffice ${service.libreOffice}: of ${programs.length} documents, ${right.platen} are right`,
  );
  console.log(`by plain soffice ${right.soffice}`);
  if (right.platen < programs.length) process.exitCode = 1;
} finally {
  await service.stop();
  await rm(out, { recursive: true });
}
