/** Line spacing that a style or a paragraph does not name, but the rule of it. */
import t from 'tap';
import { withInheritedLines } from '../../../src/convert/rules/inherited-lines.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const styles = (spacing: string) =>
  `<w:styles ${W}><w:style w:styleId="Title"><w:pPr><w:spacing ${spacing}/></w:pPr></w:style></w:styles>`;

t.test('a rule without a spacing goes', async (t) => {
  t.equal(withInheritedLines(styles('w:after="60" w:lineRule="auto"')), styles('w:after="60"'));
  t.equal(
    withInheritedLines(styles('w:after="60" w:lineRule="auto" w:before="0"')),
    styles('w:after="60" w:before="0"'),
  );
  const renamed = styles('w:lineRule="auto" w:after="60"')
    .replaceAll('w:', 'x:')
    .replace('xmlns:w', 'xmlns:x');
  t.notMatch(withInheritedLines(renamed), 'lineRule', 'whatever the prefix is');
});

t.test('others stay', async (t) => {
  for (const spacing of [
    'w:after="60" w:line="276" w:lineRule="auto"',
    'w:lineRule="exact" w:after="60"',
    'w:after="60"',
    'lineRule="auto" w:after="60"',
  ])
    t.equal(withInheritedLines(styles(spacing)), styles(spacing));
});
