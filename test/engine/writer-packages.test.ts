/**
 * What LibreOffice shows only with packages beside Writer's, whose data its sandbox lets it read: formulas and numbers in
 * words. hyphenation.test.ts has the words that are broken where their language allows.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { openPreflight } from '../convert/support/preflight.ts';
import { docxWithParts, mainPart } from '../support/documents.ts';
import { createJob, never, pdfText, startKit } from '../support/kit.ts';
import { numberedListsDocx } from '../support/numbered-lists.ts';

const M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';

const { engine, folder } = await startKit(t, { workers: 1 });

/** @param isRead whether the preflight reads the document first. */
async function textOf(document: Buffer, isRead = false): Promise<string> {
  const job = await createJob(folder, document);
  if (isRead) await openPreflight(['docx']).check(join(job.folder, 'input.docx'));
  await engine.convert(job, never());
  return pdfText(job);
}

/** How far words are below the top of their page, in points. */
async function topsOf(document: Buffer, words: readonly string[]): Promise<number[]> {
  const job = await createJob(folder, document);
  await openPreflight(['docx']).check(join(job.folder, 'input.docx'));
  await engine.convert(job, never());
  const { stdout } = await promisify(execFile)('pdftotext', ['-bbox', join(job.folder, 'output.pdf'), '-']);
  return words.map((word) => Number(new RegExp(`yMin="([0-9.]+)"[^>]*>${word}<`).exec(stdout)?.[1]));
}

t.test('a formula is shown', async (t) => {
  const run = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
  const fraction = `<m:f><m:num>${run('dy')}</m:num><m:den>${run('dx')}</m:den></m:f>`;
  const body = `<w:p><m:oMath ${M}>${fraction}${run('=2πr')}</m:oMath></w:p>`;
  const text = await textOf(docxWithParts({ 'word/document.xml': mainPart(body) }));
  for (const part of ['dy', 'dx', 'π']) t.match(text, part);
});

t.test('a superscript makes its line little higher', async (t) => {
  const size = 24;
  const font = '<w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman"/>';
  const sized = `<w:rPr>${font}<w:sz w:val="${2 * size}"/></w:rPr>`;
  const words = (text: string) => `<w:r>${sized}<w:t xml:space="preserve">${text} </w:t></w:r>`;
  const run = (text: string) => `<m:r>${sized}<m:t>${text}</m:t></m:r>`;
  const power = `<m:sSup><m:e>${run('x')}</m:e><m:sup>${run('n')}</m:sup></m:sSup>`;
  const lines = [words('one'), words('two'), `${words('three')}<m:oMath ${M}>${power}</m:oMath>`];
  const spacing = '<w:pPr><w:spacing w:before="0" w:after="0"/></w:pPr>';
  const body = lines.map((line) => `<w:p>${spacing}${line}</w:p>`).join('');
  const [one = 0, two = 0, three = 0] = await topsOf(docxWithParts({ 'word/document.xml': mainPart(body) }), [
    'one',
    'two',
    'three',
  ]);
  const more = (three - two - (two - one)) / size;
  t.ok(more > 0 && more < 0.03, `${more} em: with LibreOffice's own distance 0.05`);
});

t.test('a formula has no red question marks, whatever its text', async (t) => {
  const run = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
  const formulas = [
    ...['=5', 'a=', '|x|=a', 'x&lt;=y', 'size or over', '[0;1)', 'R&amp;D#{1}', '"', '\\', '-'].map(run),
    `<m:f><m:num/><m:den>${run('q')}</m:den></m:f>`,
    `<m:eqArr><m:e>${run('r&amp;=s+t')}</m:e><m:e>${run('u&amp;=v')}</m:e></m:eqArr>`,
    `<m:nary><m:naryPr><m:chr m:val="⋃"/></m:naryPr><m:sub>${run('i')}</m:sub><m:sup/><m:e>${run('A')}</m:e></m:nary>`,
    `<m:d><m:dPr><m:begChr m:val="]"/><m:endChr m:val=""/></m:dPr><m:e>${run('z')}</m:e></m:d>`,
  ];
  const body = formulas.map((each) => `<w:p><m:oMath ${M}>${each}</m:oMath></w:p>`).join('');
  const text = (await textOf(docxWithParts({ 'word/document.xml': mainPart(body) }), true)).replace(
    /\s/g,
    '',
  );
  t.notMatch(text, /[¿❑]/);
  for (const each of [
    '=5',
    'a=',
    '|x|=a',
    'x<=y',
    'sizeorover',
    '[0;1)',
    'R&D#{1}',
    '∖',
    'r=s+t',
    'u=v',
    ']z',
  ])
    t.ok(text.includes(each), each);
});

/** The number 1 in words and as an ordinal, by language. */
const firsts: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['en-US', { ordinalText: 'First', cardinalText: 'One', ordinal: '1st' }],
  ['de-DE', { ordinalText: 'Erste', cardinalText: 'Eins', ordinal: '1.' }],
  ['fr-FR', { ordinalText: 'Premier', cardinalText: 'Un', ordinal: '1ᵉʳ' }],
  ['es-ES', { ordinalText: 'Primero', cardinalText: 'Uno', ordinal: '1.º' }],
  ['ru-RU', { ordinalText: 'Первый', cardinalText: 'Один', ordinal: '1-й' }],
  ['sv-SE', { ordinalText: 'Förste', cardinalText: 'Ett', ordinal: '1:a' }],
  ['zh-CN', { ordinalText: '第一', cardinalText: '一', ordinal: '1.' }],
];

t.test('the numbers of lists are words where the document asks for it', async (t) => {
  const lists = firsts.flatMap(([language, words]) =>
    Object.keys(words).map((format) => ({ format, language, numbers: [1] })),
  );
  const lines = (await textOf(numberedListsDocx(lists))).split(/\s*\n\s*/).filter(Boolean);
  t.strictSame(
    lines.map((line) => line.replaceAll(/\s+/g, ' ')),
    firsts.flatMap(([language, words]) =>
      Object.entries(words).map(([format, word]) => `${word}| ${format} ${language}`),
    ),
  );
});
