/** Preflight, Apache PDFBox's validator of PDF/A-1b. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { readFontTable } from '../../scripts/fonts/table.mjs';
import { temporaryFolder } from './kit.ts';

const run = promisify(execFile);

/** The validator and its dependencies. */
const archives = [
  'preflight',
  'xmpbox',
  'pdfbox2',
  'fontbox2',
  'commons-logging',
  'javax.activation',
  'jaxb-api',
];

/**
 * Violations of PDF/A-1b in each of these PDFs. One JVM validates all, as its start takes longer than the validation.
 *
 * @param pdfs by file name.
 * @returns by the same names.
 */
export async function preflightErrors(
  t: Test,
  pdfs: Readonly<Record<string, Uint8Array>>,
): Promise<Record<string, string[]>> {
  const home = await temporaryFolder(t);
  const folder = join(home, 'pdf');
  await mkdir(folder);
  await Promise.all(Object.entries(pdfs).map(([name, pdf]) => writeFile(join(folder, name), pdf)));
  const classPath = archives.map((name) => `/usr/share/java/${name}.jar`).join(':');
  const validator = ['org.apache.pdfbox.preflight.Validator_A1b', 'xml', 'group', folder];
  // It runs for seconds only.
  const brief = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
  await run('java', [...brief, `-Dpdfbox.fontcache=${home}`, '-cp', classPath, ...validator]);
  const report = await readFile(`${folder}.preflight.xml`, 'utf8');
  const found = report.split('<preflight ').slice(1).map(errorsOf);
  if (found.length !== Object.keys(pdfs).length) throw new Error('the validator has not looked at all');
  return Object.fromEntries(found);
}

/**
 * Removes a known fault of LibreOffice 26.8: Noto CJK, and fonts made of its outlines, declare other widths than the PDF,
 * whose widths are right; see docs/engines.md.
 */
export function unexpectedErrors(errors: readonly string[], libreOffice: string): string[] {
  if (Number.parseFloat(libreOffice) < 26.8) return [...errors];
  const made = readFontTable()
    .made.filter(({ from }) => /NotoS\w+CJK/.test(String(from.Regular)))
    .map(({ family }) => family.replaceAll(' ', ''));
  const families = ['NotoS\\w+CJK\\w\\w', ...made];
  const known = new RegExp(
    `^3\\.1\\.6 Invalid Font definition, Width .* in the font program "[A-Z]{6}\\+(${families.join('|')})-(Regular|Bold)"`,
  );
  return errors.filter((error) => !known.test(error));
}

/** The name of a PDF and its errors, from its element of the report. */
function errorsOf(element: string): [string, string[]] {
  const name = /^name="([^"]*)"/.exec(element)?.[1] ?? '';
  const isValid = />true<\/isValid>/.test(element);
  const errors = [...element.matchAll(/<code>(.*?)<\/code>\s*<details>(.*?)<\/details>/gs)].map(
    ([, code, details]) => `${code} ${details}`,
  );
  if (isValid !== (errors.length === 0)) throw new Error(`the validator says nothing of use: ${element}`);
  return [name, errors];
}
