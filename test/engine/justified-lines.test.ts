/** Which words the lines of justified paragraphs hold. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { docxLeadingTo } from '../support/documents.ts';
import { createJob, kitEngine, never } from '../support/kit.ts';

const run = promisify(execFile);
const { engine, folder, log } = await kitEngine(t, { workers: 1 });
const ready = log.next('kit ready');
await engine.start();
const { libreOffice, mends } = await ready;
/** Whether the kit changes this build of LibreOffice. */
const isWords = process.arch === 'x64' && String(libreOffice).startsWith('25.2');

const NAMESPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
/** Width of each letter and blank, in twips: Liberation Mono with 10 points. */
const LETTER = 120;
const BODY = 120 * LETTER;

interface Line {
  /** What the line may hold after `count` words of four letters. */
  readonly next: string;
  readonly count: number;
  /** By how much of their width blanks are narrower with the first word of `next`. */
  readonly shrinking: number;
  /** The part of `next` that Word adds. */
  readonly added: string;
}

/**
 * Word adds a word if blanks shrink by a quarter at most, and by half of what they would otherwise grow by at most. Without a
 * word of n letters after `count` words they grow by (1 + n − count × shrinking) / (count − 1) of their width.
 */
const lines: readonly Line[] = [
  { next: 'b', count: 8, shrinking: 0.07, added: 'b' },
  { next: 'b', count: 8, shrinking: 0.11, added: '' },
  { next: 'b', count: 8, shrinking: 0.2, added: '' },
  { next: 'bbbb', count: 8, shrinking: 0.2, added: 'bbbb' },
  { next: 'bbbb', count: 8, shrinking: 0.24, added: '' },
  { next: 'bbbbbbbb', count: 8, shrinking: 0.24, added: 'bbbbbbbb' },
  { next: 'bbbbbbbb', count: 8, shrinking: 0.27, added: '' },
  { next: 'b b', count: 16, shrinking: 0.0375, added: 'b' },
];

interface Text {
  readonly alignment?: string;
  readonly mode?: number;
  /** Of `next`, which is a portion of its own with them. */
  readonly properties?: string;
}

function paragraph({ next, count, shrinking }: Line, { alignment = 'both', properties = '' }: Text): string {
  const [word = ''] = next.split(' ');
  const width = Math.round((count * 5 + word.length - count * shrinking) * LETTER);
  const runs = [
    ['', 'aaaa '.repeat(count)],
    [properties, next],
    ['', ` ${'c'.repeat(20)}`],
  ].map(([own, text]) => `<w:r><w:rPr>${own}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`);
  return `<w:p><w:pPr><w:ind w:right="${BODY - width}"/><w:jc w:val="${alignment}"/></w:pPr>${runs.join('')}</w:p>`;
}

/** What the first line of each paragraph holds after the words of four letters. */
async function additions(text: Text = {}): Promise<string[]> {
  const font = '<w:rFonts w:ascii="Liberation Mono" w:hAnsi="Liberation Mono"/><w:sz w:val="20"/>';
  const mode = `<w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${text.mode ?? 15}"/>`;
  const document = docxLeadingTo(
    { 'styles.xml': 'styles', 'settings.xml': 'settings' },
    {
      'word/styles.xml': `<w:styles ${NAMESPACE}><w:docDefaults><w:rPrDefault><w:rPr>${font}</w:rPr></w:rPrDefault></w:docDefaults></w:styles>`,
      'word/settings.xml': `<w:settings ${NAMESPACE}><w:compat>${mode}</w:compat></w:settings>`,
    },
    lines.map((line) => paragraph(line, text)).join('') +
      `<w:sectPr><w:pgSz w:w="${BODY + 2000}" w:h="16838"/><w:pgMar w:top="1000" w:right="1000" w:bottom="1000" w:left="1000"/></w:sectPr>`,
  );
  const job = await createJob(folder, document);
  await engine.convert(job, never());
  const { stdout } = await run('pdftotext', ['-layout', join(job.folder, 'output.pdf'), '-']);
  const first = stdout.split('\n').filter((line) => line.includes('aaaa'));
  return first.map((line) => line.replaceAll('aaaa', '').trim().replaceAll(/ +/g, ' '));
}

const none = lines.map(() => '');

t.test('the log says which code the kit changed', async (t) => {
  for (const mend of ['justified-lines', 'punctuation']) t.equal((mends as string[]).includes(mend), isWords);
});

t.test('a word that exceeds a justified line is added where Word adds it', async (t) => {
  for (const properties of ['', '<w:b/>']) {
    const all = await additions({ properties });
    t.equal(all.length, lines.length);
    for (const [index, { next, added, shrinking }] of lines.entries()) {
      const others = isWords || shrinking > 0.25 ? [] : ['', next];
      t.ok([added, ...others].includes(all[index] ?? ''), `${next}, ${shrinking}: ${all[index]}`);
    }
  }
});

t.test('no blank shrinks in other paragraphs, or in documents of Word 2010', async (t) => {
  t.strictSame(await additions({ alignment: 'left' }), none);
  t.strictSame(await additions({ mode: 14 }), none);
});
