/** Endnotes at the end of their sections. */
import t from 'tap';
import {
  hasSectionEndnotes,
  withoutNotes,
  withSectionEndnotes,
} from '../../../src/convert/rules/section-endnotes.ts';
import { wordPart } from '../../support/report-documents.ts';

const atSections = '<w:endnotePr><w:pos w:val="sectEnd"/></w:endnotePr>';
const text = (inner: string) => `<w:r><w:t>${inner}</w:t></w:r>`;
const reference = (id: number) => `<w:r><w:endnoteReference w:id="${id}"/></w:r>`;
const note = (id: number, inner = '') =>
  `<w:endnote w:id="${id}"><w:p><w:r><w:endnoteRef/></w:r>${text(`note ${id}`)}</w:p>${inner}</w:endnote>`;
const section = (inner = '') => `<w:sectPr><w:cols/>${inner}</w:sectPr>`;
const ending = (inner: string, properties = section()) => `<w:p><w:pPr>${properties}</w:pPr>${inner}</w:p>`;
const LINE = '<w:r><w:rPr><w:strike/></w:rPr><w:tab/><w:tab/><w:tab/><w:tab/></w:r>';
const shown = (mark: string, id: number, properties = '') =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}<w:r><w:t>${mark}</w:t></w:r>${text(`note ${id}`)}</w:p>`;

/** The body of the main part, with a line that is only this. */
function moved(body: string, notes: string, settings = atSections) {
  const main = wordPart('document', `<w:body>${body}</w:body>`);
  const part = wordPart('endnotes', notes);
  const options = {
    settings: wordPart('settings', settings),
    tabStop: 720,
    linkId: (id: string) => `moved-${id}`,
  };
  const { changed } = withSectionEndnotes(main, part, options);
  return changed
    ?.slice(changed.indexOf('<w:body>') + '<w:body>'.length, changed.indexOf('</w:body>'))
    .replaceAll(/<w:p(?: xmlns[^>]*)?>(?:(?!<\/w:p>).)*<w:strike\/>(?:(?!<\/w:p>).)*<\/w:p>/gs, '|');
}

t.test('where the settings have them there', async (t) => {
  t.equal(hasSectionEndnotes(wordPart('settings', atSections)), true);
  t.equal(hasSectionEndnotes(wordPart('settings', atSections.replace('sectEnd', 'docEnd'))), false);
  t.equal(hasSectionEndnotes(wordPart('settings', atSections.replaceAll('endnotePr', 'x'))), false);
});

t.test('notes become paragraphs', async (t) => {
  const body = `<w:p>${reference(1)}</w:p>${ending(reference(2))}<w:p>${reference(3)}</w:p>${section()}`;
  const notes = note(1) + note(2) + note(3) + note(4);
  const mark = (number: string) => `<w:r><w:t>${number}</w:t></w:r>`;
  t.equal(
    moved(body, notes),
    `<w:p>${mark('i')}</w:p>${ending(mark('ii'), '')}|${shown('i', 1)}${shown('ii', 2, section())}` +
      `<w:p>${mark('iii')}</w:p>|${shown('iii', 3)}${section()}`,
    'the last one ends the section',
  );
  const anew = atSections.replace('</', '<w:numFmt w:val="decimal"/><w:numRestart w:val="eachSect"/></');
  t.match(moved(body, notes, anew), /note 2.*<w:t>1<\/w:t><\/w:r><w:r><w:t>note 3/s, 'numbered as they are');
  t.equal(
    moved(`<w:p/>${ending('')}<w:p>${reference(1)}</w:p>${section()}`, notes),
    undefined,
    'in the last',
  );
  t.equal(
    moved(ending(reference(1)) + ending(reference(1)), note(1)),
    `${ending(mark('i'), '')}|${shown('i', 1, section())}${ending(mark('ii'))}`,
    'a note of two references is shown once',
  );
  t.equal(
    moved(`${ending(reference(1))}<w:p>${reference(2)}</w:p>`, notes),
    `${ending(mark('i'), '')}|${shown('i', 1, section())}<w:p>${mark('ii')}</w:p>|${shown('ii', 2)}`,
    'the body ends the last section',
  );
  t.equal(moved(ending(reference(9)), notes), undefined, 'the body may end with a section');
  t.equal(moved(`${ending(reference(9))}<w:p/>`, notes), `${ending(mark('i'))}<w:p/>`, 'one that is missing');
});

t.test('sections', async (t) => {
  const waiting = ending(reference(1), section('<w:noEndnote/>')) + ending(reference(2)) + section();
  const changed = moved(waiting, note(1) + note(2)) ?? '';
  t.match(changed, /noEndnote.*\|.*note 1.*note 2/s, 'notes wait for a section that takes them');
  t.equal(changed.split('|').length, 2);
  const nested = `<w:pict><w:p>${text('box')}</w:p></w:pict>`;
  const body = ending(`<w:r>${nested}</w:r>${reference(1)}`) + section();
  t.match(moved(body, note(1)), /box.*<\/w:p>\|<w:p>/s, 'behind the paragraph, not the one in its box');
});

t.test('what notes are made of', async (t) => {
  const body = ending(reference(1)) + section();
  const last = (notes: string) => moved(body, notes)?.split('|')[1];
  t.equal(
    last(note(1, '<w:tbl/>')),
    `${shown('i', 1)}<w:tbl/>${ending('')}${section()}`,
    'no table ends a section',
  );
  t.equal(last(note(1, '<w:p/>')), `${shown('i', 1)}<w:p/>${ending('')}${section()}`);
  t.equal(
    last(note(1, '<w:p><w:pPr/></w:p>')),
    `${shown('i', 1)}<w:p><w:pPr>${section()}</w:pPr></w:p>${section()}`,
  );
  t.equal(
    last(note(1, '<w:p><w:pPr><w:jc/></w:pPr></w:p>')),
    `${shown('i', 1)}<w:p><w:pPr><w:jc/>${section()}</w:pPr></w:p>${section()}`,
  );
  const custom = ending('<w:r><w:endnoteReference w:customMarkFollows="1" w:id="1"/><w:t>*</w:t></w:r>');
  t.match(moved(custom + section(), note(1)), '<w:r><w:t>*</w:t></w:r>', 'a mark of its own');
  const linked = moved(body, note(1, '<w:p><w:hyperlink r:id="a" r:x=""/></w:p>')) ?? '';
  t.match(linked, '<w:hyperlink r:id="moved-a" r:x=""/>');
});

t.test('namespaces of the other part', async (t) => {
  const options = { settings: wordPart('settings', atSections), tabStop: 720, linkId: String };
  const main = wordPart('document', `<w:body>${ending(reference(1))}${section()}</w:body>`);
  const other = (declared: string) =>
    wordPart('endnotes', note(1)).replace('<w:endnotes ', `<w:endnotes ${declared} `);
  t.match(
    withSectionEndnotes(main, other('xmlns:x="x"'), options).changed,
    '<w:document xmlns:x="x" xmlns:w=',
  );
  const known = main.replace('<w:document ', '<w:document xmlns:x="y" ');
  t.match(
    withSectionEndnotes(known, other('xmlns:x="y"'), options).changed,
    '<w:document xmlns:x="y" xmlns:w=',
  );
  const two = `<w:endnote w:id="1"><w:tbl><w:tr/></w:tbl><w:p><w:r><w:endnoteRef/></w:r></w:p></w:endnote>`;
  const { changed: moved } = withSectionEndnotes(known, other('xmlns:x="x"').replace(note(1), two), options);
  t.match(moved, '<w:document xmlns:x="y" xmlns:w=', 'another one in the main part');
  t.match(
    moved,
    `<w:tbl xmlns:x="x"><w:tr/></w:tbl><w:p xmlns:x="x"><w:pPr><w:sectPr xmlns:x="y"><w:cols/></w:sectPr></w:pPr><w:r><w:t>i</w:t></w:r></w:p>`,
    'is declared for each paragraph and table, and as it was for the section',
  );
  const foreign = other('').replaceAll('w:', 'x:').replace('xmlns:w=', 'xmlns:x=');
  t.match(
    withSectionEndnotes(known, foreign, options).changed,
    /<x:p xmlns:x="[^"]*main"><x:pPr><w:sectPr xmlns:x="y">.*<\/x:pPr><x:r><x:t>i<\/x:t><\/x:r>/,
    'also that of Word',
  );
});

t.test('endnotes that stay where they are', async (t) => {
  const options = { settings: wordPart('settings', atSections), tabStop: 720, linkId: String };
  const main = (properties: string) =>
    wordPart('document', `<w:body>${ending(reference(1), section(properties))}<w:p/></w:body>`);
  const restart = '<w:endnotePr><w:numRestart w:val="eachPage"/></w:endnotePr>';
  t.match(
    withSectionEndnotes(main(restart), wordPart('endnotes', note(1)), options),
    { count: 1, changed: undefined },
    'by page',
  );
  const many = note(1, '<w:p/>'.repeat(50_000));
  const part = wordPart('endnotes', many).replace(' xmlns:w=', ` xmlns:y="${'y'.repeat(100)}" xmlns:w=`);
  const known = main('').replace('<w:document ', '<w:document xmlns:y="z" ');
  t.equal(withSectionEndnotes(known, part, options).changed, undefined, 'with very many declarations');
});

t.test('elements without the prefix of their attributes', async (t) => {
  const part = wordPart('endnotes', note(1))
    .replaceAll(/(<\/?)w:/g, '$1')
    .replace('<endnotes', '<endnotes xmlns="http://schemas.openxmlformats.org/wordprocessingml/2006/main"');
  const main = wordPart('document', `<w:body>${ending(reference(1))}<w:p/></w:body>`);
  const options = { settings: wordPart('settings', atSections), tabStop: 720, linkId: String };
  t.equal(withSectionEndnotes(main, part, options).changed, undefined, 'the notes have no id that is read');
});

t.test('the line above them', async (t) => {
  const body = ending(reference(1)) + section();
  const separator = (inner: string) =>
    `<w:endnote w:type="separator" w:id="0"><w:p><w:r>${inner}<w:separator/></w:r></w:p></w:endnote>${note(1)}`;
  const lineOf = (notes: string) => {
    const part = wordPart('endnotes', notes);
    const settings = wordPart('settings', atSections);
    return withSectionEndnotes(wordPart('document', `<w:body>${body}</w:body>`), part, {
      settings,
      tabStop: 720,
      linkId: String,
    }).changed;
  };
  t.match(lineOf(separator('<w:t>above</w:t>')), `<w:t>above</w:t></w:r>${LINE}`, "the document's own");
  t.match(lineOf(note(1)), `<w:spacing w:after="0"/></w:pPr><w:r></w:r>${LINE}`, "Word's");
  t.notMatch(lineOf(separator(`<w:t>${'a'.repeat(5_000)}</w:t>`)), 'aaa', 'one that is long');
});

t.test('the notes are no longer there', async (t) => {
  const separator = '<w:endnote w:type="separator" w:id="0"><w:p/></w:endnote>';
  t.equal(withoutNotes(wordPart('endnotes', separator + note(1))), wordPart('endnotes', separator));
});

t.test('many sections', async (t) => {
  const [count, options] = [150_000, { settings: '', tabStop: 720, linkId: String }];
  const main = wordPart(
    'document',
    `<w:body>${ending('').repeat(count)}${ending(reference(1))}<w:p/></w:body>`,
  );
  t.equal(withSectionEndnotes(main, wordPart('endnotes', note(1)), options).count, 1);
});
