/** `npm run bench:fidelity` on pairs of all kinds, through the real service. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import t from 'tap';
import type { FidelityResults } from '../../bench/fidelity/results.ts';
import { docx } from '../support/documents.ts';

const run = promisify(execFile);
const PROGRAM = 'bench/fidelity/main.ts';

/** A PDF of one page of A4 for each text, in Helvetica at 72 points from the left and 700 from the bottom. */
function pdf(...texts: string[]): Buffer {
  const kids = texts.map((_, index) => `${4 + 2 * index} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${texts.length} /Kids [${kids}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...texts.flatMap((text, index) => {
      const content = `BT /F1 12 Tf 72 700 Td (${text}) Tj ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * index} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(
    `${body}${table}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
  );
}

async function fidelity(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  try {
    const { stdout, stderr } = await run(process.execPath, ['--import=tsx', PROGRAM, ...args]);
    return { code: 0, stdout, stderr };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

t.test('what can be measured is, and what cannot is named', async (t) => {
  const word = pdf('Hello from elsewhere', 'Page 2');
  const folder = t.testdir({
    pairs: {
      // No font has a glyph for the private-use characters.
      'a <good> one': { 'in.docx': docx({ paragraphs: ['Hello \u{10fffd}\u{10fffc}'] }), 'word.pdf': word },
      'broken-docx': { 'in.docx': 'no document', 'word.pdf': word },
      'broken-pdf': { 'in.docx': docx(), 'word.pdf': word.subarray(0, 200) },
      empty: {},
    },
  });
  const out = `${folder}/out`;
  const { code, stdout } = await fidelity(folder, '--out', out);
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
  t.match(stdout, /^a <good> one +1 of 2 +20\.0 %/m);
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

  const comparison = await fidelity('--compare', `${out}/results.json`, `${out}/results.json`);
  t.match(comparison, { code: 0, stdout: /nothing changed/ });
  t.match(await fidelity(folder, '--out', out), { code: 2, stderr: /is not empty/ });
});

t.test('a wrong command line says what is wrong', async (t) => {
  const empty = t.testdir({});
  t.match(await fidelity(), { code: 2, stderr: /^name one folder of pairs\nUsage: / });
  t.match(await fidelity('--nonsense'), { code: 2, stderr: /--nonsense/ });
  t.match(await fidelity('--compare', 'one.json'), { code: 2, stderr: /^name two files/ });
  t.match(await fidelity(`${empty}/none`), { code: 1, stderr: /none cannot be read: ENOENT/ });
  t.match(await fidelity(empty), { code: 1, stderr: /has no pairs/ });
});
