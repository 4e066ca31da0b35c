/** Where the lines of East Asian text end, by the preflight and LibreOffice together. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { ColdEngine } from '../../src/engine/cold-engine.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { never, openPreflight } from '../convert/support/preflight.ts';
import { docxLeadingTo } from '../support/documents.ts';
import { createJob, startKit } from '../support/kit.ts';

const run = promisify(execFile);
const preflight = openPreflight(['docx']);
const kit = await startKit(t, { workers: 1 });

const NAMESPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
/** Width of the body, in letters of 10 points. */
const COLUMNS = 20;
const section =
  `<w:sectPr><w:pgSz w:w="${COLUMNS * 200 + 2000}" w:h="16838"/>` +
  '<w:pgMar w:top="1000" w:right="1000" w:bottom="1000" w:left="1000" w:header="500" w:footer="500"/></w:sectPr>';
const paragraph = (text: string, own = '') =>
  `<w:p><w:pPr>${own}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

interface Text {
  readonly font: string;
  readonly language: string;
  /** Of paragraphs. */
  readonly properties?: string;
  readonly compat?: string;
  readonly settings?: string;
  /** Of each paragraph. */
  readonly own?: readonly string[];
}

interface Place {
  readonly engine: Engine;
  /** Of its jobs. */
  readonly folder: string;
}

/** A document whose paragraphs are these, in letters of 10 points. */
function documentOf(
  texts: readonly string[],
  { font, language, properties = '', compat = '', settings = '', own = [] }: Text,
): Buffer {
  const fonts = `<w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:eastAsia="${font}"/>`;
  const defaults = `<w:rPr>${fonts}<w:sz w:val="20"/><w:lang w:val="en-US" w:eastAsia="${language}"/></w:rPr>`;
  return docxLeadingTo(
    { 'styles.xml': 'styles', 'settings.xml': 'settings' },
    {
      'word/styles.xml': `<w:styles ${NAMESPACE}><w:docDefaults><w:rPrDefault>${defaults}</w:rPrDefault><w:pPrDefault/></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="a"><w:name w:val="Normal"/><w:pPr>${properties}</w:pPr></w:style></w:styles>`,
      'word/settings.xml': `<w:settings ${NAMESPACE}>${settings}<w:compat>${compat}</w:compat></w:settings>`,
    },
    texts.map((text, index) => paragraph(text, own[index])).join('') + section,
  );
}

async function pdfOf(document: Buffer, { engine, folder }: Place = kit): Promise<string> {
  const job = await createJob(folder, document);
  const { compressesPunctuation, joinsScripts } = await preflight.check(join(job.folder, 'input.docx'));
  await engine.convert({ ...job, compressesPunctuation, joinsScripts }, never());
  return join(job.folder, 'output.pdf');
}

async function linesOf(document: Buffer, place: Place = kit): Promise<string[]> {
  const { stdout } = await run('pdftotext', ['-layout', await pdfOf(document, place), '-']);
  return stdout.split(/\s*\n\s*/).filter((line) => line.trim() !== '');
}

/** Whether the kit changes where LibreOffice narrows punctuation. */
const isWords = process.arch === 'x64' && (kit.engine.status().libreOffice ?? '').startsWith('25.2');

t.test(
  'full-width punctuation is narrower where the document says so, and the line then holds what Word adds',
  async (t) => {
    const engine = new ColdEngine();
    t.teardown(() => engine.stop());
    await engine.start();
    const text = '一、'.repeat(COLUMNS / 2 - 1);
    /** What follows, and what a line holds of it that is shorter by a share of a letter; LibreOffice would add all of it. */
    const cases = [
      { next: '二三四五', short: 0.4, added: '二三' },
      { next: '二三四五', short: 0.6, added: '二' },
      { next: '二三四五', short: 0, added: '二三' },
      { next: '二三。四五', short: 0.6, added: '二三。' },
      { next: '二三「四五', short: 0, added: '二三' },
    ];
    const documentWith = (control: string, begin = text) =>
      documentOf(
        cases.map(({ next }) => begin + next),
        {
          font: '宋体',
          language: 'zh-CN',
          settings: control && `<w:characterSpacingControl w:val="${control}"/>`,
          properties: '<w:jc w:val="both"/>',
          own: cases.map(({ short }) => `<w:ind w:right="${short * 200}"/>`),
        },
      );
    for (const control of ['', 'doNotCompress']) {
      const lines = await linesOf(documentWith(control));
      const added = lines.filter((line) => line.startsWith(text)).map((line) => line.slice(text.length));
      t.strictSame(
        added,
        cases.map(({ short }) => (short === 0 ? '二三' : '二')),
        control,
      );
    }
    for (const place of [kit, { engine, folder: kit.folder }]) {
      const lines = await linesOf(documentWith('compressPunctuation'), place);
      const added = lines.filter((line) => line.startsWith(text)).map((line) => line.slice(text.length));
      const expected = cases.map((each) => (isWords && place === kit ? each.added : each.next));
      t.strictSame(added, expected);
    }
    const red = '</w:t></w:r><w:r><w:rPr><w:color w:val="FF0000"/></w:rPr><w:t>';
    const kana = text.replace('一', 'の');
    const dot = text.replace('一、', '・一');
    for (const [begin, shown, isChinese] of [
      [dot, dot, true],
      [text.slice(0, 10) + red + text.slice(10), text, true],
      [kana, kana, false],
    ] as const) {
      const lines = await linesOf(documentWith('compressPunctuation', begin));
      const added = lines.filter((line) => line.startsWith(shown)).map((line) => line.slice(shown.length));
      const expected = cases.map((each) => (isWords && isChinese ? each.added : each.next));
      t.strictSame(added, expected, begin);
    }
  },
);

t.test('no punctuation beyond the end of a line, as in Word from 2013 on', async (t) => {
  const settings = '<w:themeFontLang w:val="en-US" w:eastAsia="ja-JP"/>';
  const full = 'あ'.repeat(COLUMNS);
  const document = documentOf([`${full}、いう`], { font: 'ＭＳ 明朝', language: 'ja-JP', settings });
  t.strictSame(await linesOf(document), [full.slice(1), 'あ、いう']);
});

t.test('Korean words are broken where the style says so', async (t) => {
  const text = { font: '맑은 고딕', language: 'ko-KR' };
  const words = `${'가'.repeat(COLUMNS - 2)} ${'나'.repeat(3)}`;
  const byWords = ['가'.repeat(COLUMNS - 2), '나나나'];
  t.strictSame(await linesOf(documentOf([words], text)), byWords);
  const off = { ...text, properties: '<w:wordWrap w:val="0"/>' };
  t.strictSame(await linesOf(documentOf([words], off)), [`${'가'.repeat(COLUMNS - 2)} 나`, '나나']);
});

t.test('blanks between hangul', async (t) => {
  const text = { font: '맑은 고딕', language: 'ko-KR' };
  const lengthOf = async (compat: string) => {
    const pdf = await pdfOf(documentOf(['가 나'], { ...text, compat }));
    const { stdout } = await run('pdftotext', ['-bbox', pdf, '-']);
    const [first = 0, last = 0] = [...stdout.matchAll(/<word xMin="([\d.]+)"/g)].map(([, x]) => Number(x));
    return Math.round((last - first - 10) * 10) / 100;
  };
  t.equal(await lengthOf(''), 0.35, 'that of the font');
  t.equal(await lengthOf('<w:balanceSingleByteDoubleByteWidth/>'), 0.5, 'half of a letter');
});

t.test('the gap between East Asian letters and others', async (t) => {
  const text = { font: '맑은 고딕', language: 'ko-KR' };
  const widthOf = async (properties: string) => {
    const pdf = await pdfOf(documentOf(['가A나5다'], { ...text, properties }));
    const { stdout } = await run('pdftotext', ['-bbox', pdf, '-']);
    const ends = [...stdout.matchAll(/xM(?:in|ax)="([\d.]+)"/g)].map(([, x]) => Number(x));
    return Math.max(...ends) - Math.min(...ends);
  };
  const gaps = await widthOf('');
  const none = await widthOf('<w:autoSpaceDE w:val="0"/><w:autoSpaceDN w:val="0"/>');
  const sizes = isWords ? [2.5] : [2.5, 2];
  t.ok(
    sizes.includes(Math.round((gaps - none) * 5) / 20),
    'a quarter of the size, or none where the style says so',
  );
  t.equal(await widthOf(''), gaps, 'in that document alone');
});
