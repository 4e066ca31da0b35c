/** What `npm pack` makes, installed as docs/command-line.md says, away from the checkout: npm fetches what it depends on. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import t from 'tap';
import { docxWithParts, mainPart } from '../support/documents.ts';
import { pdfFonts, pdfText } from './support/pdf.ts';

const checkout = resolve(import.meta.dirname, '../..');
/** In a font that no package of Debian's brings. */
const document = mainPart(
  '<w:p><w:r><w:rPr><w:rFonts w:ascii="Montserrat"/></w:rPr><w:t>Hello package</w:t></w:r></w:p>',
);
const LONGEST_MS = 900_000;
const execute = promisify(execFile);

/** Runs npm. @returns what it prints. */
async function npm(folder: string, ...args: string[]): Promise<string> {
  const options = { cwd: folder, timeout: LONGEST_MS, maxBuffer: 64 * 1_048_576 };
  return (await execute('npm', [...args, '--loglevel=error'], options)).stdout;
}

t.test('the package converts where nothing else of Platen is', async (t) => {
  // Too large for a folder in memory.
  const folder = await mkdtemp('/var/tmp/platen-package-');
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await npm(checkout, 'pack', '--pack-destination', folder);
  const [name = ''] = await readdir(folder);
  const { version } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8'));
  t.equal(name, `platen-${version}.tgz`);
  const { stdout: listed } = await execute('tar', ['tzf', name], { cwd: folder, maxBuffer: 64 * 1_048_576 });
  const top = new Set(listed.split('\n').map((path) => path.split('/')[1] ?? ''));
  t.strictSame([...top].sort(), ['', 'LICENSE', 'README.md', 'dist', 'dist.fonts', 'package.json']);

  const prefix = join(folder, 'installed');
  await npm(
    folder,
    'install',
    '--global',
    `--prefix=${prefix}`,
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    name,
  );
  await rm(join(folder, name));
  const empty = join(folder, 'empty');
  await mkdir(empty);
  await writeFile(join(empty, 'a.docx'), docxWithParts({ 'word/document.xml': document }));
  const child = spawn(join(prefix, 'bin/platen'), ['convert', 'a.docx', '--out', 'pdfs'], {
    cwd: empty,
    env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_MS,
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  t.match({ code, stderr }, { code: 0, stderr: '' }, 'with the kit');
  const [line = ''] = stdout.split('\n');
  t.match(JSON.parse(line), {
    document: 'a.docx',
    result: 'converted',
    pdf: 'pdfs/a.pdf',
    pages: 1,
    warnings: [],
  });
  const pdf = await readFile(join(empty, 'pdfs/a.pdf'));
  t.equal(await pdfText(pdf), 'Hello package');
  t.match(await pdfFonts(pdf), [{ name: /Montserrat/, embedded: true }]);
});
