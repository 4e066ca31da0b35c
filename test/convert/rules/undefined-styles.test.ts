/** Items of lists keep their list where their style is not defined. */
import t from 'tap';
import { withoutUndefinedStyles } from '../../../src/convert/rules/undefined-styles.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const main = (body: string) => `<w:document ${W}><w:body>${body}</w:body></w:document>`;
const change = (body: string) => withoutUndefinedStyles(main(body), (id) => id === 'Known');
const item = (style: string, more = '') =>
  `<w:p><w:pPr>${style}<w:numPr><w:numId w:val="1"/></w:numPr>${more}</w:pPr></w:p>`;
const style = (id: string) => `<w:pStyle w:val="${id}"/>`;

t.test('references to styles', async (t) => {
  t.equal(change(item(style('Other'))), main(item('<w:_Style w:val="Other"/>')));
  t.equal(
    change(item('<w:pStyle w:val="Other"></w:pStyle>')),
    main(item('<w:_Style w:val="Other"></w:_Style>')),
  );
  const old = `<w:pPrChange><w:pPr>${style('Other')}<w:numPr/></w:pPr></w:pPrChange>`;
  for (const same of [
    item(style('Known')),
    item(''),
    `<w:p><w:pPr>${style('Other')}</w:pPr></w:p>`,
    item(style('Known'), old),
  ])
    t.equal(change(same), main(same));
  const last = item('<w:pStyle w:val="Other"/><w:pStyle w:val="Known"></w:pStyle>');
  t.equal(change(last), main(last), 'the last one counts');
  t.equal(change(item(style('Other'), old)), main(item('<w:_Style w:val="Other"/>', old)));
});
