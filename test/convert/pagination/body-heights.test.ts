/** Bodies that end lower than their document says. */
import t from 'tap';
import { withHigherBodies } from '../../../src/convert/pagination/body-heights.ts';
import { mainPart } from '../../support/documents.ts';
import { bodyOf, paragraph, renamed, text } from './support/parts.ts';

/** What is in the body then. */
const grown = (body: string, growth: readonly number[], libreOffice = '25.2.3.2') =>
  bodyOf(withHigherBodies(mainPart(body), growth, libreOffice));

t.test('the body of a section grows towards its footer', async (t) => {
  const margins = (bottom: number) => `<w:pgMar w:top="1440" w:bottom="${bottom}" w:footer="300"/>`;
  const section = (bottom: number) => `<w:sectPr>${margins(bottom)}</w:sectPr>`;
  const body = (one: number, other: number) =>
    paragraph(text('a'), section(one)) + paragraph(text('b')) + section(other);
  t.equal(grown(body(1440, 1134), [0, 0]), body(1440, 1134));
  t.equal(grown(body(1440, 1134), []), body(1440, 1134));
  t.equal(grown(body(1440, 1134), [35, 0]), body(740, 1134), 'by points');
  t.equal(grown(body(1440, 1134), [0, 10.01]), body(1440, 933), 'by twentieths of them, not less');
  const strict = (bottom: string) => `<w:sectPr><w:pgMar w:bottom="${bottom}"/></w:sectPr>`;
  t.equal(grown(strict('72pt'), [35]), strict('740'), 'whatever its unit');
  t.equal(grown(strict('much'), [35]), strict('much'), 'unless it has none');
  t.equal(grown('<w:sectPr/>', [35]), '<w:sectPr/>', 'one without margins stays');
  const odd = (bottom: number) =>
    `<w:sectPr w:x=">"><!--<w:pgMar w:bottom="9"/>--><w:pgMar w:x=">" w:bottom="${bottom}"/></w:sectPr>`;
  t.equal(grown(odd(1440), [35]), odd(740), 'with a > in a value and a tag in a comment');
  const changed = (bottom: number) =>
    `<w:sectPr><w:pgMar w:bottom="${bottom}"/><w:sectPrChange><w:sectPr><w:pgMar w:bottom="99"/></w:sectPr></w:sectPrChange></w:sectPr>`;
  t.equal(grown(changed(1440) + changed(1440), [0, 35]), changed(1440) + changed(740), 'that has changed');
  const negative = (bottom: number) => `<w:sectPr><w:pgMar w:bottom="${bottom}"/></w:sectPr>`;
  t.equal(grown(negative(-1440), [35]), negative(-740), 'also where the footer does not move it');
  const bare = (attributes: string) => paragraph(text('a'), `<w:sectPr${attributes}/>`);
  for (const attributes of ['', ' ', ' w:rsidR="00AA"', ' w:rsidR="00AA" ']) {
    const two = (bottom: number) => bare(attributes) + section(bottom);
    t.equal(grown(two(1440), [0, 35]), two(740), `behind a section that says nothing${attributes}`);
    t.equal(grown(two(1440), [35, 0]), two(1440));
  }
  const part = renamed('<w:sectPr><w:pgMar w:bottom="1440"/></w:sectPr>');
  t.match(withHigherBodies(part, [20], '25.2.3.2'), '<x:pgMar x:bottom="1040"/>', 'whatever its prefix is');
});

t.test('a grid of lines begins where it did', async (t) => {
  const body = (top: number, bottom: number, header = 0) =>
    `<w:sectPr><w:pgSz w:h="3620"/><w:pgMar w:top="${top}" w:bottom="${bottom}" w:header="${header}"/>` +
    '<w:docGrid w:type="lines" w:linePitch="300"/></w:sectPr>';
  // LibreOffice puts half of what is left of the body above the first line: 60 here, which begins at 1060.
  const before = body(1000, 1000);
  t.equal(grown(before, [2]), body(960, 960), 'at 960 + 100, and it ends 40 lower');
  t.equal(grown(before, [12]), body(1060, 760), 'with a step more: at 1060, and it ends 240 lower');
  t.equal(grown(before, [10.5]), body(911, 911), 'half a step is the most that there is above');
  t.equal(
    grown(body(1000, 1000, 560), [2]),
    body(980, 980, 560),
    'no higher than a header of a line lets it',
  );
  t.equal(grown(before, [2], '26.8.2.2'), body(1000, 960), 'where LibreOffice begins it at the top');
  t.equal(grown(body(-1000, 1000), [2]), body(-1000, 960), 'a margin that a header does not move');
});
