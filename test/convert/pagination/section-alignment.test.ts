/** The room above sections whose text stands in the middle or at the bottom of their page. */
import t from 'tap';
import { withParagraphAnchors } from '../../../src/convert/pagination/paragraph-anchors.ts';
import { withAlignedSections } from '../../../src/convert/pagination/section-alignment.ts';
import type { PageLine } from '../../../src/convert/pdf/page-bottoms.ts';
import { mainPart } from '../../support/documents.ts';
import { bodyOf, paragraph, renamed, row, table, text } from './support/parts.ts';

const section = (alignment: string, more = '') =>
  `<w:sectPr><w:pgMar w:top="1440" w:bottom="1440"/>${more}<w:vAlign w:val="${alignment}"/></w:sectPr>`;

type Place = readonly [page: number, y: number];

/** What is in the body then: `{twips}` for each room, without anchors. */
function aligned(
  body: string,
  places: Record<string, Place>,
  lines: readonly (readonly PageLine[])[] = [],
  part = mainPart(body),
): string {
  const destinations = new Map(
    Object.entries(places).map(([name, [page, y]]) => [`platen-par-${name}`, { page, y }]),
  );
  const xml = withAlignedSections(withParagraphAnchors(part), destinations, (page) => lines[page] ?? []);
  return bodyOf(xml.replaceAll(/(<\/?|\s)x:/g, '$1w:'))
    .replace(/<w:bookmarkStart [^>]*platen-par[^>]*\/><w:bookmarkEnd [^>]*\/>/g, '')
    .replace(/<w:p><w:pPr><w:keepNext .*? w:line="(\d+)" w:lineRule="exact"\/><\/w:pPr><\/w:p>/g, '{$1}');
}

const rooms = (xml: string) => [...xml.matchAll(/\{(\d+)\}/g)].map(([, room]) => Number(room));
const at = (y: number, isArtifact = false): PageLine => ({ y, isArtifact });
const cover = paragraph(text('cover'), section('center'));
const last = paragraph(text('last')) + section('top');
const places = { '0': [0, 700], '0-end': [0, 700], '1': [1, 700], '1-end': [1, 700] } as const;

t.test(
  'half of the free height is above a text in the middle, almost all of it above one at the bottom',
  async (t) => {
    const lines = [[at(690), at(300, true)]];
    t.equal(
      aligned(cover + last, places, [[at(690)]]),
      `{6152}${cover.replace('<w:pPr>', '<w:pPr><w:pageBreakBefore w:val="0"/>')}${last}`,
      'from the baseline of 690 and a descent of 2.8 to the margin of 72',
    );
    const below = cover.replace('center', 'bottom');
    t.strictSame(rooms(aligned(below + last, places, [[at(690)]])), [12_244], 'less a slack of 3 points');
    t.strictSame(rooms(aligned(cover + last, places, lines)), [3_752], 'to a footer that is higher');
    t.strictSame(rooms(aligned(cover + last, places)), [6_140], 'an empty line');
    t.strictSame(
      rooms(aligned(cover + last, places, [[at(690)]], renamed(cover + last))),
      [6_152],
      'another prefix',
    );
  },
);

t.test('a break before the text is none behind the room', async (t) => {
  const broken = (style: string, pageBreak: string) =>
    paragraph(text('a'), `${style}${pageBreak}${section('center')}`);
  const none = '<w:pageBreakBefore w:val="0"/>';
  const style = '<w:pStyle w:val="a"/>';
  const [direct, ofStyle] = [broken(style, '<w:pageBreakBefore/>'), broken(style, '')];
  t.equal(aligned(direct + last, places), `{6140}${broken(style, none)}${last}`);
  t.equal(aligned(ofStyle + last, places), `{6140}${broken(style, none)}${last}`);
});

t.test('a table may come first, and an empty paragraph that the engine leaves out last', async (t) => {
  const cells = table(row(`<w:tc>${paragraph(text('cell'))}</w:tc>`));
  const end = `<w:p><w:pPr>${section('center')}</w:pPr></w:p>`;
  const moved = { ...places, '1': [1, 700], '1-end': [1, 700], '2': [1, 700], '2-end': [1, 700] } as const;
  const body = aligned(cells + end + last, moved, [[at(690)]]);
  t.match(body, /^\{6012\}<w:tbl>/, 'with the height of that paragraph');
});

t.test('sections that stay', async (t) => {
  const stays = (body: string, where: Record<string, Place>, message: string) =>
    t.strictSame(rooms(aligned(body, where)), [], message);
  stays(cover + last, { ...places, '0-end': [1, 400] }, 'on two pages');
  stays(cover + last, { ...places, '1': [0, 300] }, 'another one on its page');
  stays(cover + last, {}, 'the engine did not say where');
  stays(cover.replace('center', 'both') + last, places, 'between both edges');
  stays(paragraph(text('a'), section('center', '<w:cols w:num="2"/>')) + last, places, 'columns');
  const note = '<w:r><w:footnoteReference w:id="1"/></w:r>';
  stays(paragraph(text('a') + note, section('center')) + last, places, 'notes at its foot');
  stays(cover + last, { ...places, '0-end': [0, 60] }, 'a page that is full');
});
