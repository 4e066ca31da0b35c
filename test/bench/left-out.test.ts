/** Which pairs are not counted, and why. */
import { writeFile } from 'node:fs/promises';
import t, { type Test } from 'tap';
import { parsePdfDate, reasonToLeaveOut } from '../../bench/fidelity/left-out.ts';
import { readText } from '../../src/cli/compare/words.ts';
import { docxWithParts, mainPart } from '../support/documents.ts';
import { plainPdf } from '../support/plain-pdf.ts';
import { reportedDocx, reviewed } from '../support/report-documents.ts';

const saved = (modified: string) =>
  docxWithParts({
    'word/document.xml': mainPart('<w:p/>'),
    'docProps/core.xml': `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dcterms="http://purl.org/dc/terms/"><dcterms:modified>${modified}</dcterms:modified></cp:coreProperties>`,
  });

/** Of a pair whose PDFs say this. */
async function reason(t: Test, docx: Buffer, word: string, ours: string, created?: string) {
  const folder = t.testdir();
  const [theirs, own] = [`${folder}/word.pdf`, `${folder}/ours.pdf`];
  await writeFile(theirs, plainPdf([word], { created }));
  await writeFile(own, plainPdf([ours]));
  return reasonToLeaveOut(docx, { path: theirs, text: await readText(theirs) }, await readText(own));
}

t.test('a PDF that shows what a print leaves out', async (t) => {
  const document = reportedDocx(reviewed);
  const shown = "Word's PDF shows comments or deleted text";
  t.equal(await reason(t, document, 'kept inserted', 'kept inserted'), undefined);
  t.equal(await reason(t, document, 'kept inserteddeleted remark', 'kept inserted'), shown);
  t.equal(await reason(t, document, 'kept inserted deleted', 'kept inserted'), shown);
  t.equal(await reason(t, document, 'kept deleted', 'kept deleted'), undefined, 'the text has the same word');
  t.equal(await reason(t, reportedDocx({}), 'Text remark', 'Text'), undefined, 'a document without marks');
});

t.test('a PDF with a markup area is scaled', async (t) => {
  const words = (scale: number) => {
    const word = (text: string, xMin: number) => ({ text, page: 1, xMin, xMax: xMin + 50 * scale });
    const list = [word('kept', 0), word('inserted', 60), word('much', 120)];
    return { pages: 1, words: list.map((each) => ({ ...each, yMin: 0, yMax: 10 })) };
  };
  const path = `${t.testdir({ 'word.pdf': plainPdf(['any']) })}/word.pdf`;
  const scaled = { path, text: words(0.75) };
  t.equal(
    await reasonToLeaveOut(reportedDocx(reviewed), scaled, words(1)),
    "Word's PDF has a markup area: its text is scaled to 75 %",
  );
  t.equal(await reasonToLeaveOut(reportedDocx({}), scaled, words(1)), undefined);
  const narrower = { path, text: words(0.9) };
  t.equal(await reasonToLeaveOut(reportedDocx(reviewed), narrower, words(1)), undefined);
});

t.test('a PDF that is older than its document and says something else', async (t) => {
  const document = saved('2020-01-02T03:04:00Z');
  const [before, after] = ["D:20200101120400+09'00'", "D:20200102120400+09'00'"];
  const [one, other] = ['one two three four', 'one two three five'];
  t.equal(
    await reason(t, document, one, other, before),
    "Word's PDF is 1440 minutes older than the document, and only 75 % of the text is in both",
  );
  t.match(await reason(t, document, one, `${one} five`, before), /80 %/, 'text that was added');
  t.equal(await reason(t, document, one, one, before), undefined, 'saved again');
  t.equal(await reason(t, document, one, other, after), undefined);
  t.equal(await reason(t, document, one, other), undefined, 'nobody knows when it was made');
  t.equal(await reason(t, saved('?'), one, other, before), undefined);
});

t.test('a PDF of another state of its document', async (t) => {
  const words = Array.from({ length: 20 }, (_, i) => `word${'abcdefghijklmnopqrst'[i]}`);
  const document = reportedDocx({ body: `<w:p><w:r><w:t>${words.join(' ')}</w:t></w:r></w:p>` });
  const ours = words.join('\n');
  const with3 = [...words.slice(3), 'Other', 'State', 'Here'].join('\n');
  t.equal(await reason(t, document, with3, ours), "15 % of the words in Word's PDF are not in the document");
  t.equal(await reason(t, document, [...words.slice(1), 'Other'].join('\n'), ours), undefined, 'a word');
  t.equal(await reason(t, document, ours, words.slice(5).join('\n')), undefined, 'what our PDF lacks');
  t.equal(await reason(t, document, 'Other State Here', ours), undefined, 'too few to tell');
});

t.test('dates as pdfinfo writes them', async (t) => {
  const date = (text: string) => parsePdfDate(`Title: x\nCreationDate:    ${text}\nPages: 1\n`);
  t.equal(date('2020-01-02T03:04:05+01'), Date.UTC(2020, 0, 2, 2, 4, 5));
  t.equal(date('2020-01-02T03:04:05-03:30'), Date.UTC(2020, 0, 2, 6, 34, 5));
  t.equal(date('2020-01-02T03:04:05Z'), Date.UTC(2020, 0, 2, 3, 4, 5));
  t.equal(date('2020-01-02T03:04:05'), Date.UTC(2020, 0, 2, 3, 4, 5));
  t.equal(date('yesterday'), undefined);
});
