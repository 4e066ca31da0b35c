/** The text of items stands at a default tab stop where they clear that of their list. */
import t from 'tap';
import { Styles } from '../../../src/convert/document/styles.ts';
import { noTheme } from '../../../src/convert/document/theme.ts';
import { withClearedTabs } from '../../../src/convert/rules/cleared-tabs.ts';
import type { DocumentStyles } from '../../../src/convert/rules/document-styles.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const tab = (position: number, kind = 'left') => `<w:tab w:val="${kind}" w:pos="${position}"/>`;
const clear = (...positions: number[]) => positions.map((each) => tab(each, 'clear')).join('');
const list = '<w:numPr><w:numId w:val="1"/></w:numPr>';
const tabs = (stops: string) => `<w:tabs>${stops}</w:tabs>`;
const inStyle = (stops: string, properties = list) =>
  `<w:styles ${W}><w:style w:styleId="Item"><w:pPr>${properties}${tabs(stops)}</w:pPr></w:style><w:style w:styleId="Stops"><w:pPr>${tabs(tab(9000))}</w:pPr></w:style></w:styles>`;
const inParagraph = (stops: string, properties = list, before = '') =>
  `<w:document ${W}><w:p><w:pPr>${properties}${tabs(stops)}${before}</w:pPr></w:p></w:document>`;
const change = (xml: string, stylesPart = inStyle('')) =>
  withClearedTabs(
    xml,
    { fonts: new Styles(stylesPart, noTheme), paragraphStyle: (id) => id } as DocumentStyles,
    720,
  );

t.test('default stops before the one that is cleared', async (t) => {
  const stops = tab(720) + tab(1440);
  t.equal(change(inStyle(clear(1569)), inStyle(clear(1569))), inStyle(stops + clear(1569)));
  t.equal(change(inParagraph(clear(360, 1440))), inParagraph(tab(720) + clear(360, 1440)));
  const item = '<w:pStyle w:val="Item"/>';
  t.equal(change(inParagraph(clear(1569), item)), inParagraph(stops + clear(1569), item));
  const old = `<w:pPrChange><w:pPr>${tabs(tab(9))}</w:pPr></w:pPrChange>`;
  t.equal(change(inParagraph(clear(800), list, old)), inParagraph(tab(720) + clear(800), list, old));
});

t.test('what is left alone', async (t) => {
  for (const [xml, why] of [
    [inParagraph(clear(720)), 'no default stop before it'],
    [inParagraph(clear(1569) + tab(9000)), 'a stop of its own'],
    [inParagraph(clear(1569), `<w:pStyle w:val="Stops"/>${list}`), 'a stop of its style'],
    [inParagraph(clear(1569), ''), 'no item'],
    [
      inParagraph(clear(1569), '<w:pStyle w:val="Item"/><w:numPr><w:numId w:val="0"/></w:numPr>'),
      'none any more',
    ],
    [inParagraph(clear(99_999)), 'a stop beyond the page'],
    [inParagraph('<w:tab w:val="clear"/>'), 'no place'],
  ] as const)
    t.equal(change(xml), xml, why);
});
