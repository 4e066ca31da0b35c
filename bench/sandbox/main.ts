/**
 * npm run bench:sandbox -- [FOLDER]...: whether the sandbox changes PDFs. Converts generated documents, and every
 * `.docx` below the folders, in a kit without the sandbox and in one with it, and compares text (pdftotext) and
 * rasterised pages (pdftoppm). Prints figures and each difference. Exit code 1 if a PDF differs, or if this system
 * lacks a layer that the service requires.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pino } from 'pino';
import { KitEngine } from '../../src/engine/kit-engine.ts';
import { checkSandbox } from '../../src/engine/sandbox.ts';
import { allLayers, buildOpenKit } from '../../test/support/kit-build.ts';
import { type Comparison, compare, isDifferent, type Verdict } from './comparison.ts';
import { builtDocuments, type ComparedDocument } from './documents.ts';

const log = pino({ level: 'error' });

const started = performance.now();
const folder = await mkdtemp(join(tmpdir(), 'platen-sandbox-'));
const engines: KitEngine[] = [];
try {
  const { program } = await buildOpenKit(folder, 'libreoffice', '-O2');
  const open = await start('open', await program(0));
  const confined = await start('confined', await program(allLayers));
  checkSandbox(confined.status().sandbox, 'required', log);
  const results: Comparison[] = [];
  const collections = [
    { name: 'built', documents: builtDocuments() },
    ...(await Promise.all(process.argv.slice(2).map(collection))),
  ];
  for (const { name, documents } of collections) {
    const compared: Comparison[] = [];
    for (const document of documents) compared.push(await compare(document, { open, confined }, folder));
    console.log(`${name}: ${figures(compared)}`);
    for (const one of compared) {
      if (one.difference !== undefined || one.verdict === 'unsteady') {
        console.log(`  ${one.name}: ${one.verdict}${one.difference ? `: ${one.difference}` : ''}`);
      }
    }
    results.push(...compared);
  }
  const active = confined.status().sandbox.flatMap((layer) => (layer.active ? [layer.name] : []));
  console.log(
    `LibreOffice ${open.status().libreOffice}; ${active.join(', ')}; ${Math.round((performance.now() - started) / 1000)} s`,
  );
  if (results.some(({ verdict }) => isDifferent(verdict))) process.exitCode = 1;
} finally {
  await Promise.all(engines.map((engine) => engine.stop()));
  await rm(folder, { recursive: true, force: true });
}

async function start(name: string, binary: string): Promise<KitEngine> {
  const engine = new KitEngine({
    folder: join(folder, name),
    workers: 1,
    jobMemoryBytes: 1_073_741_824,
    jobCpuMs: 60_000,
    maxDocuments: Number.MAX_SAFE_INTEGER,
    log,
    binary,
  });
  engines.push(engine);
  await engine.start();
  return engine;
}

async function collection(
  argument: string,
): Promise<{ name: string; documents: readonly ComparedDocument[] }> {
  const root = resolve(argument);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /\.docx$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const documents = await Promise.all(
    paths.map(async (path) => ({ name: relative(root, path), content: await readFile(path) })),
  );
  return { name: argument, documents };
}

function figures(compared: readonly Comparison[]): string {
  const counts = new Map<Verdict, number>();
  for (const { verdict } of compared) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const pages = compared.reduce((sum, one) => sum + one.pages, 0);
  const each = [...counts].map(([verdict, count]) => `${count} ${verdict}`);
  return `${compared.length} documents, ${pages} pages: ${each.join(', ')}`;
}
