/**
 * What LibreOffice shows only with packages beside Writer's, whose data its sandbox lets it read: formulas, words broken
 * where their language allows, and numbers in words.
 */
import t from 'tap';
import { docxLeadingTo, docxWithParts, mainPart } from '../support/documents.ts';
import { createJob, never, pdfText, startKit } from '../support/kit.ts';
import { numberedListsDocx } from '../support/numbered-lists.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';

const { engine, folder } = await startKit(t, { workers: 1 });

async function textOf(document: Buffer): Promise<string> {
  const job = await createJob(folder, document);
  await engine.convert(job, never());
  return pdfText(job);
}

t.test('a formula is shown', async (t) => {
  const run = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
  const fraction = `<m:f><m:num>${run('dy')}</m:num><m:den>${run('dx')}</m:den></m:f>`;
  const body = `<w:p><m:oMath ${M}>${fraction}${run('=2πr')}</m:oMath></w:p>`;
  const text = await textOf(docxWithParts({ 'word/document.xml': mainPart(body) }));
  for (const part of ['dy', 'dx', 'π']) t.match(text, part);
});

/** Words of a language, in a column that the longer ones hardly fit in. */
const words: readonly (readonly [string, string])[] = [
  ['de-DE', 'Donaudampfschifffahrtsgesellschaft'],
  ['en-US', 'internationalization'],
  ['en-GB', 'internationalisation'],
  ['fr-FR', 'anticonstitutionnellement'],
  ['es-ES', 'electroencefalografista'],
  ['it-IT', 'precipitevolissimevolmente'],
  ['pt-BR', 'inconstitucionalissimamente'],
  ['nl-NL', 'verzekeringsmaatschappijen'],
  ['pl-PL', 'konstantynopolitańczykowianeczka'],
  ['ru-RU', 'достопримечательность'],
  ['sv-SE', 'ansvarsförsäkringsbolaget'],
  ['da-DK', 'ansvarsforsikringsselskab'],
  ['nb-NO', 'ansvarsforsikringsselskap'],
  ['cs-CZ', 'nejneobhospodařovatelnější'],
];

/** In each language short words that leave some of their line free, and the long one, in a narrow column. */
const column = (automatic: boolean): Buffer =>
  docxLeadingTo(
    { 'settings.xml': 'settings' },
    { 'word/settings.xml': `<w:settings ${W}>${automatic ? '<w:autoHyphenation/>' : ''}</w:settings>` },
    words
      .map(
        ([language, word]) =>
          `<w:p><w:r><w:rPr><w:sz w:val="22"/><w:lang w:val="${language}"/></w:rPr>` +
          `<w:t>${language}: ${`abc ${word} `.repeat(6)}</w:t></w:r></w:p>`,
      )
      .join('') +
      '<w:sectPr><w:pgSz w:w="4800" w:h="30000"/><w:pgMar w:top="720" w:right="720" w:bottom="720" w:left="720"/></w:sectPr>',
  );

/** The languages in which a line ends within a word. */
const broken = (text: string): string[] =>
  text
    .split(/(?=\b[a-z]{2}-[A-Z]{2}: )/)
    .flatMap((part) => (/\p{L}[-\u00ad]\n/u.test(part) ? [part.slice(0, 5)] : []));

t.test('words are broken where the document asks for it', async (t) => {
  t.strictSame(
    broken(await textOf(column(true))),
    words.map(([language]) => language),
  );
  t.strictSame(broken(await textOf(column(false))), [], 'and nowhere else');
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
