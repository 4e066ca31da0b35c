/** Preflight, the validator of PDF/A-1b that comes with Apache PDFBox. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { temporaryFolder } from './kit.ts';

const run = promisify(execFile);

/** The validator and what it needs of other packages. */
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
 * What keeps each of these PDFs from being PDF/A-1b. One JVM looks at all of them: it takes longer to start than to look.
 *
 * @param pdfs by a name without a folder.
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
  await run('java', [`-Dpdfbox.fontcache=${home}`, '-cp', classPath, ...validator]);
  const report = await readFile(`${folder}.preflight.xml`, 'utf8');
  const found = report.split('<preflight ').slice(1).map(errorsOf);
  if (found.length !== Object.keys(pdfs).length) throw new Error('the validator has not looked at all');
  return Object.fromEntries(found);
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
