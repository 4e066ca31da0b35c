/** `npm run bench:fidelity` on pairs of all kinds, through the real service. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import t from 'tap';
import { readCommandLine, UsageError } from '../../bench/fidelity/command-line.ts';
import { findPairs } from '../../bench/fidelity/pairs.ts';
import type { FidelityResults } from '../../bench/fidelity/results.ts';
import { docx } from '../support/documents.ts';
import { plainPdf } from '../support/plain-pdf.ts';
import { reportedDocx, reviewed } from '../support/report-documents.ts';

const run = promisify(execFile);
const PROGRAM = 'bench/fidelity/main.ts';

async function fidelity(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  try {
    const { stdout, stderr } = await run(process.execPath, ['--import=tsx', PROGRAM, ...args]);
    return { code: 0, stdout, stderr };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

t.test('what can be measured is, and what cannot is named', async (t) => {
  const word = plainPdf(['Hello from elsewhere', 'Page 2']);
  const folder = t.testdir({
    pairs: {
      // No font has a glyph for the private-use characters.
      'a <good> one': { 'in.docx': docx({ paragraphs: ['Hello \u{10fffd}\u{10fffc}'] }), 'word.pdf': word },
      'broken-docx': { 'in.docx': 'no document', 'word.pdf': word },
      'broken-pdf': { 'in.docx': docx(), 'word.pdf': word.subarray(0, 200) },
      empty: {},
      reviewed: { 'in.docx': reportedDocx(reviewed), 'word.pdf': plainPdf(['kept inserted deleted remark']) },
    },
  });
  const out = `${folder}/out`;
  const { code, stdout } = await fidelity(folder, '--out', out, '--times', '2', '--beside');
  t.equal(code, 1);
  t.match(stdout, /^failed: broken-docx: .*INVALID_FILE_TYPE/m);
  t.match(stdout, /^failed: broken-pdf: pdf/m);
  t.match(stdout, /^failed: empty: in.docx cannot be read: ENOENT$/m);
  const results = JSON.parse(await readFile(`${out}/results.json`, 'utf8')) as FidelityResults;
  t.strictSame(
    results.failures.map(({ name }) => name),
    ['broken-docx', 'broken-pdf', 'empty'],
  );
  t.match(results.documents, [
    {
      name: 'a <good> one',
      pages: { word: 2, ours: 1, same: false },
      words: 5,
      flow: 1 / 5,
      fonts: { word: [{ name: 'Helvetica', embedded: false }] },
    },
  ]);
  const [document] = results.documents;
  t.match(stdout, /^a <good> one +1 of 2 +20\.0 % +\d+\.\d % +\d+\.\d % +\d+\.\d % +2$/m);
  t.match(stdout, /^overall \(1\) +0\.0 % +20\.0 %/m);
  t.match(stdout, /^left out: reviewed: Word's PDF shows comments or deleted text$/m);
  t.strictSame(results.leftOut, [{ name: 'reviewed', reason: "Word's PDF shows comments or deleted text" }]);
  t.match(
    stdout,
    /^a <good> one:\n {2}lost +not found 80\.0 %, .*\n {2}layout +engine \(not-word\)\n {2}rewrites +none$/m,
  );
  t.match(document?.account, { pagination: { by: 'engine', reason: 'not-word' }, rewrites: [] });
  t.match(JSON.parse(await readFile(`${out}/times.json`, 'utf8')), [
    { pagination: 'engine: not-word', documents: 1, engine: { median: Number } },
  ]);
  t.match(stdout, /^engine: not-word +1 /m);
  t.match(
    stdout,
    /^a <good> one +1\/2 +20\.0 % +\d+\.\d % +1\/2 +20\.0 % .* 20\.0 %/m,
    'plain soffice, the engine, the default',
  );
  t.match(JSON.parse(await readFile(`${out}/beside.json`, 'utf8')), [
    {
      ways: {
        'plain soffice': { flow: 1 / 5 },
        'layout=engine': { cpuMs: Number },
        default: { cpuMs: Number },
      },
    },
  ]);
  t.equal(
    document?.missingGlyphs.reduce((sum, { count }) => sum + count, 0),
    2,
  );
  t.ok(document?.fonts.ours.every(({ embedded }) => embedded));
  t.ok((document?.likeness[0]?.similarity ?? 0) > 0);
  t.equal(document?.likeness[1]?.similarity, 0);

  const html = await readFile(`${out}/index.html`, 'utf8');
  t.match(html, 'a &#60;good&#62; one');
  t.notMatch(html, /https?:|<script/);
  const pictures = [...html.matchAll(/(?:src|href)="(documents[^"]+)"/g)].map(([, path]) => path ?? '');
  t.equal(pictures.length, 2 + 2 * 3);
  for (const path of pictures) t.ok(existsSync(`${out}/${decodeURIComponent(path)}`), path);

  const thumbnails = await readFile(`${out}/thumbnails.html`, 'utf8');
  t.match(
    thumbnails,
    /href="index.html#document-[^"]+"><img [^>]+\/1-word.png"[^>]*><img [^>]+\/1-ours.png"/,
  );

  const comparison = await fidelity('--compare', `${out}/results.json`, `${out}/results.json`);
  t.match(comparison, { code: 0, stdout: /nothing changed/ });
  t.match(await fidelity(folder, '--out', out), {
    code: 2,
    stderr: /is not empty\nUsage: /,
  });
});

t.test('a wrong command line says what is wrong', async (t) => {
  const empty = t.testdir({});
  for (const [args, message] of [
    [[], /^name one folder of pairs$/],
    [[empty, '--times', 'x'], /^--times is a number of rounds/],
    [[empty, '--beside', '--layout', 'word'], /^--beside needs the layout of the default/],
    [[empty, '--layout', 'x'], /^--layout is one of auto, word, engine$/],
    [['--nonsense'], /--nonsense/],
    [['--compare', 'one.json'], /^name two files/],
  ] as const) {
    t.throws(() => readCommandLine(args), { constructor: UsageError, message });
  }
});

t.test('a folder without pairs says so', async (t) => {
  const empty = t.testdir({});
  await t.rejects(findPairs(`${empty}/none`), { message: /none cannot be read: ENOENT/ });
  t.match(await fidelity(empty), { code: 1, stderr: /has no pairs/ });
});
