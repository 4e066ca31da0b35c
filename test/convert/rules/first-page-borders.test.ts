/** That borders of the first page of a section become lines in its first paragraph. */
import t from 'tap';
import { withFirstPageBorders } from '../../../src/convert/rules/first-page-borders.ts';
import { wordPart } from '../../support/report-documents.ts';

const EMU_PER_POINT = 12_700;
const A4 =
  '<w:pgSz w:w="11900" w:h="16840"/><w:pgMar w:top="1440" w:right="1200" w:bottom="1440" w:left="1200" w:header="700" w:footer="600"/>';
const both = { header: true, footer: true };
const everySide = ['top', 'left', 'bottom', 'right'];

interface Given {
  readonly from?: string;
  readonly display?: string;
  readonly kind?: string;
  readonly sides?: readonly string[];
}
const borders = ({
  from = 'page',
  display = 'firstPage',
  kind = 'single',
  sides = everySide,
}: Given = {}) => {
  const each = sides.map((side) => `<w:${side} w:val="${kind}" w:sz="16" w:space="20" w:color="FF0000"/>`);
  return `<w:pgBorders w:display="${display}" w:offsetFrom="${from}">${each.join('')}</w:pgBorders>`;
};
const section = (inner = '') => `<w:sectPr>${inner}${A4}</w:sectPr>`;
const text = '<w:r><w:t>a</w:t></w:r>';
const lastOf = (inner: string) =>
  wordPart('document', `<w:body><w:p>${text}</w:p>${section(inner)}</w:body>`);

/** Left, top, width and height of each line in points. */
function lines(xml: string): number[][] {
  const pattern =
    /<w:drawing>.*?<wp:posOffset>(\d+)<.*?<wp:posOffset>(\d+)<.*?<wp:extent cx="(\d+)" cy="(\d+)".*?<\/w:drawing>/g;
  return [...xml.matchAll(pattern)].map((found) =>
    found.slice(1).map((emu) => Math.round((Number(emu) / EMU_PER_POINT) * 10) / 10),
  );
}

t.test('they are where Word has them', async (t) => {
  const fromPage = withFirstPageBorders(lastOf(borders()), both);
  t.notMatch(fromPage, 'pgBorders');
  t.strictSame(lines(fromPage), [
    [21, 21, 553, 0],
    [21, 21, 0, 800],
    [21, 821, 553, 0],
    [574, 21, 0, 800],
  ]);
  const fromText = borders({ from: 'text', sides: ['top', 'bottom'] });
  t.strictSame(
    lines(withFirstPageBorders(lastOf(fromText), both)),
    [
      [60, 51, 475, 0],
      [60, 791, 475, 0],
    ],
    'from the text, without sides',
  );
  const withHeader = lastOf(`<w:headerReference/><w:footerReference/>${fromText}`);
  t.strictSame(
    lines(withFirstPageBorders(withHeader, both)),
    [
      [60, 14, 475, 0],
      [60, 833, 475, 0],
    ],
    'around header and footer',
  );
  t.strictSame(
    lines(withFirstPageBorders(withHeader, { header: false, footer: false })),
    [
      [60, 51, 475, 0],
      [60, 791, 475, 0],
    ],
    'not around them',
  );
  t.strictSame(
    lines(withFirstPageBorders(lastOf(borders({ kind: 'double', sides: ['left'] })), both)),
    [
      [21, 0, 0, 842],
      [25, 0, 0, 842],
    ],
    'two lines',
  );
});

t.test('they have their color and dashes, and are no content', async (t) => {
  const dashed = withFirstPageBorders(lastOf(borders({ kind: 'dashed' })), both);
  t.match(
    dashed,
    '<a:ln w="25400" cap="sq"><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill><a:prstDash val="dash"/>',
  );
  t.match(dashed, 'decorative xmlns:adec');
  t.match(
    withFirstPageBorders(lastOf(borders().replaceAll('FF0000', 'auto')), both),
    '<a:srgbClr val="000000"/>',
  );
  t.match(dashed, 'behindDoc="0"');
  const back = lastOf(borders().replace('<w:pgBorders', '<w:pgBorders w:zOrder="back"'));
  t.match(withFirstPageBorders(back, both), 'behindDoc="1"');
});

t.test('they are in the first paragraph of the section that is no frame', async (t) => {
  const frame = `<w:p><w:pPr><w:framePr/></w:pPr>${text}</w:p>`;
  const end = (inner: string, own = '') => `<w:p><w:pPr>${own}${section(inner)}</w:pPr>${text}</w:p>`;
  const places: Readonly<Record<string, readonly [before: string, behind: string]>> = {
    'with text': ['<w:p>', `${text}</w:p>${section(borders())}`],
    'with properties': ['<w:p><w:pPr><w:jc/></w:pPr>', `${text}</w:p>${section(borders())}`],
    'with empty properties': ['<w:p><w:pPr/>', `${text}</w:p>${section(borders())}`],
    'in a table': ['<w:tbl><w:tr><w:tc><w:p>', `${text}</w:p></w:tc></w:tr></w:tbl>${section(borders())}`],
    'behind a frame': [`${frame}<w:p>`, `${text}</w:p>${section(borders())}`],
    'which ends the section': [`<w:p><w:pPr>${section(borders())}</w:pPr>`, `${text}</w:p>${section()}`],
    'of the second section': [`${end('')}<w:p>`, `${text}</w:p>${section(borders())}`],
  };
  for (const [name, [before, behind]] of Object.entries(places)) {
    const changed = withFirstPageBorders(wordPart('document', `<w:body>${before}${behind}</w:body>`), both);
    const expected = wordPart('document', `<w:body>${before}<w:r/>${behind}</w:body>`);
    t.equal(
      changed.replace(/<w:r><w:drawing>.*<\/w:drawing><\/w:r>/, '<w:r/>'),
      expected.replace(borders(), ''),
      name,
    );
  }
  const empty = wordPart(
    'document',
    `<w:body><w:p w:x="1"/><w:p>${text}</w:p>${section(borders())}</w:body>`,
  );
  t.match(withFirstPageBorders(empty, both), '<w:p w:x="1"><w:r><w:drawing>');
});

t.test('others stay', async (t) => {
  const ends = `<w:p><w:pPr>${section(borders({ sides: ['top'] }))}</w:pPr></w:p>`;
  const many = withFirstPageBorders(wordPart('document', `<w:body>${ends.repeat(1_010)}</w:body>`), both);
  t.equal(many.split('<w:pgBorders').length - 1, 10, 'those of the sections behind the first thousand');
  const firstEnd = `<w:p><w:pPr>${section()}</w:pPr></w:p>`;
  for (const each of [
    lastOf(borders({ display: 'allPages' })),
    lastOf('<w:pgBorders w:display="firstPage"/>'),
    lastOf(`<w:sectPrChange><w:sectPr>${borders()}</w:sectPr></w:sectPrChange>`),
    wordPart('document', `<w:body>${section(borders())}</w:body>`),
    wordPart(
      'document',
      `<w:body>${firstEnd}<w:p/>${section(`<w:type w:val="continuous"/>${borders()}`)}</w:body>`,
    ),
  ])
    t.equal(withFirstPageBorders(each, both), each);
});

t.test('those of all pages but the first are covered there', async (t) => {
  const part = lastOf(borders({ display: 'notFirstPage', kind: 'double' }));
  const covered = withFirstPageBorders(part, both);
  t.match(covered, borders({ display: 'notFirstPage', kind: 'double' }), 'they stay for the others');
  t.strictSame(lines(covered), [
    [23, 23, 549, 0],
    [23, 23, 0, 796],
    [23, 819, 549, 0],
    [572, 23, 0, 796],
  ]);
  t.match(
    covered,
    /<a:ln w="88900" cap="sq"><a:solidFill><a:srgbClr val="FFFFFF"\/>/,
    'by more than both lines',
  );
  const colored = part.replace('<w:body>', '<w:background w:color="00FF00"/><w:body>');
  t.equal(withFirstPageBorders(colored, both), colored, 'not on colored pages');
});
