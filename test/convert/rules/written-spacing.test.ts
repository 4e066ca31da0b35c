/** Space between items of lists that is said not to be that of a web page. */
import t from 'tap';
import { LayoutStyles } from '../../../src/convert/rules/layout-styles.ts';
import { withWrittenSpacing } from '../../../src/convert/rules/written-spacing.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const document = (inner: string) => `<w:document ${W}><w:body>${inner}</w:body></w:document>`;
const p = (spacing: string, style = '') =>
  `<w:p><w:pPr>${style && `<w:pStyle w:val="${style}"/>`}<w:spacing ${spacing}/></w:pPr></w:p>`;
const styles = {
  styles: new LayoutStyles(
    `<w:styles ${W}><w:style w:styleId="Web"><w:pPr><w:spacing w:beforeAutospacing="1"/></w:pPr></w:style></w:styles>`,
  ),
  paragraphStyle: (id: string) => id,
};

t.test('the attribute goes where no style says otherwise', async (t) => {
  const part = document(
    p('w:before="240" w:beforeAutospacing="0" w:after="0" w:afterAutospacing="off"') +
      p("w:beforeAutospacing='false' w:before='60'", 'Other'),
  );
  t.equal(
    withWrittenSpacing(part, styles),
    document(p('w:before="240" w:after="0"') + p("w:before='60'", 'Other').replace('spacing  ', 'spacing ')),
  );
});

t.test('others stay as they are', async (t) => {
  const part = document(
    p('w:before="240" w:beforeAutospacing="0"', 'Web') + p('w:beforeAutospacing="1"') + p('w:after="0"'),
  );
  t.equal(withWrittenSpacing(part, styles), part);
});
