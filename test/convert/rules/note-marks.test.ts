/** Numbers of notes that begin anew, or are in another format, in a section; and marks of their own. */
import t from 'tap';
import { noteMarks, withNoteMarks } from '../../../src/convert/rules/note-marks.ts';
import type { NoteKind } from '../../../src/convert/rules/note-order.ts';
import { countUnwrittenNotes } from '../../../src/convert/rules/note-references.ts';
import { wordPart } from '../../support/report-documents.ts';

const properties = '<w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr>';
const run = (inner: string) => `<w:r>${properties}${inner}</w:r>`;
const reference = (id: number, kind = 'footnote') => run(`<w:${kind}Reference w:id="${id}"/>`);
const custom = (id: number, mark: string) =>
  run(`<w:footnoteReference w:customMarkFollows="1" w:id="${id}"/><w:t>${mark}</w:t>`);
const section = (inner = '', kind = 'footnote') => `<w:sectPr><w:${kind}Pr>${inner}</w:${kind}Pr></w:sectPr>`;
const ending = (inner: string, more = '') => `<w:p><w:pPr>${more}</w:pPr>${inner}</w:p>`;
const anew = '<w:numRestart w:val="eachSect"/>';
const format = (name: string) => `<w:numFmt w:val="${name}"/>`;
const note = (id: number, inner: string) => `<w:footnote w:id="${id}"><w:p>${inner}</w:p></w:footnote>`;

function marked(body: string, notes = '', settings = '', kind: NoteKind = 'footnote') {
  const [main, part] = [wordPart('document', `<w:body>${body}</w:body>`), wordPart('footnotes', notes)];
  const marks = noteMarks(main, wordPart('settings', settings), kind);
  const latin1 = (text: string) => Buffer.from(text).toString('latin1');
  const write = (xml: string, isMain: boolean) =>
    Buffer.from(
      withNoteMarks(latin1(xml), isMain, (each) => (each === kind ? marks : undefined)),
      'latin1',
    ).toString();
  return { marks: marks?.references, main: write(main, true), notes: write(part, false) };
}

t.test('numbers that begin anew in each section', async (t) => {
  const body = ending(reference(2) + reference(3), section(anew)) + ending(reference(4)) + section(anew);
  const { marks, main } = marked(body);
  t.strictSame(marks, ['1', '2', '1']);
  t.match(
    main,
    run('<w:footnoteReference w:customMarkFollows="1" w:id="4"/><w:t xml:space="preserve">1</w:t>'),
  );
  t.strictSame(
    marked(body.replaceAll(anew, ''), '', `<w:footnotePr>${anew}</w:footnotePr>`).marks,
    ['1', '2', '1'],
    'as the settings say',
  );
  t.strictSame(marked(body.replaceAll('eachSect', 'eachPage')).marks, undefined, 'LibreOffice knows pages');
  t.strictSame(marked(body.replaceAll('eachSect', 'continuous')).marks, undefined);
  t.strictSame(marked(ending(reference(2)) + section(anew)).marks, undefined, 'one section');
  const ends = ending(reference(2, 'endnote'), section(anew, 'endnote')) + ending(reference(3, 'endnote'));
  t.strictSame(marked(ends, '', '', 'endnote').marks, undefined, 'only in one section that is the first');
  t.strictSame(marked(ends + section(anew, 'endnote'), '', '', 'endnote').marks, ['i', 'i']);
});

t.test('formats of sections', async (t) => {
  const body = (first: string, second: string) =>
    ending(reference(2), section(first)) + ending(reference(3)) + section(second);
  t.strictSame(marked(body(format('upperRoman'), format('chicago') + anew)).marks, ['I', '*']);
  t.strictSame(marked(body(format('upperRoman'), format('upperRoman'))).marks, undefined);
  t.strictSame(marked(body('<w:numStart w:val="5"/>', '')).marks, undefined);
  t.strictSame(marked(body(format('numberInDash'), format('numberInDash'))).marks, ['- 1 -', '- 2 -']);
  t.strictSame(marked(body(format('hindiCounting'), '')).marks, undefined, 'that nobody can write');
  t.strictSame(marked(body(format('hindiCounting'), format('upperRoman'))).marks, ['1', 'II'], 'are digits');
  const zeros = '<w:numFmt w:val="custom" w:format="001, 002, 003, ..."/>';
  t.strictSame(marked(body(zeros, zeros)).marks, ['001', '002'], 'digits behind zeros');
  const roman = '<w:numFmt w:val="custom" w:format="I, II, III, ..."/>';
  t.strictSame(marked(body(roman, roman)).marks, ['I', 'II'], 'custom ones with a name');
});

t.test('notes whose numbers nobody can write', async (t) => {
  const main = (inner: string) => wordPart('document', `<w:body>${inner}</w:body>`);
  const settings = (name: string) => wordPart('settings', `<w:footnotePr>${format(name)}</w:footnotePr>`);
  const body = ending(reference(2), section()) + ending(reference(3) + custom(4, '*'));
  t.equal(countUnwrittenNotes(main(body), settings('hindiCounting'), 'footnote'), 2);
  t.equal(countUnwrittenNotes(main(body), settings('upperRoman'), 'footnote'), 0);
  t.equal(countUnwrittenNotes(main(body), settings('hindiCounting'), 'endnote'), 0);
  t.equal(countUnwrittenNotes(main(body), wordPart('settings', ''), 'footnote'), 0);
  const byPage = ending(reference(2), section('<w:numRestart w:val="eachPage"/>'));
  t.equal(countUnwrittenNotes(main(byPage), settings('hindiCounting'), 'footnote'), 1);
});

t.test('marks of several characters', async (t) => {
  const numbers = format('numberInDash');
  const { main, notes } = marked(
    ending(reference(2)) + section(numbers),
    note(2, run('<w:footnoteRef/>')) + note(3, run('<w:footnoteRef/>')),
  );
  t.match(
    main,
    `<w:t xml:space="preserve">-</w:t></w:r><w:r>${properties}<w:t xml:space="preserve"> 1 -</w:t></w:r>`,
  );
  t.match(notes, note(2, run('<w:t xml:space="preserve"> 1 -</w:t><w:footnoteRef/>')));
  t.match(notes, note(3, run('<w:footnoteRef/>')), 'a note without a reference');
  const two = marked(ending(custom(2, '**')), note(2, run('<w:t>**</w:t>') + run('<w:t>a</w:t>')));
  t.match(two.main, '<w:t>*</w:t></w:r><w:r>');
  t.match(two.main, '<w:t xml:space="preserve">*\u2060</w:t>', 'with a joiner behind one character');
  t.match(two.notes, run('<w:footnoteRef/><w:t xml:space="preserve">*</w:t>') + run('<w:t>a</w:t>'));
});

t.test('marks of their own', async (t) => {
  const body = ending(reference(2) + custom(3, '†') + custom(4, '') + reference(5));
  const { marks, main, notes } = marked(body, note(3, run('<w:t>† a</w:t>')) + note(4, run('<w:t>b</w:t>')));
  t.strictSame(marks, [undefined, '†', undefined, undefined], 'count as none');
  t.match(main, custom(3, '†'));
  t.match(notes, note(3, run('<w:footnoteRef/><w:t xml:space="preserve"> a</w:t>')));
  t.match(notes, note(4, run('<w:t>b</w:t>')));
  const other = marked(ending(custom(2, '†')), note(2, run('<w:t>a</w:t>')));
  t.match(other.notes, note(2, run('<w:t>a</w:t>')), 'a note without its mark');
  const fallback = `<mc:Fallback>${custom(2, '†')}</mc:Fallback>`;
  t.strictSame(marked(ending(fallback)).marks, undefined, 'not in alternatives');
});
