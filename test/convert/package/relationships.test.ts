/** Adding a relationship to the text of a part. */
import t from 'tap';
import { withRelationship } from '../../../src/convert/package/relationships.ts';

const TYPE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/settings';
const added = (prefix = '') => `<${prefix}Relationship Id="a.xml" Type="${TYPE}" Target="a.xml"/>`;
const withOneMore = (part: string) => withRelationship(Buffer.from(part), 'settings', 'a.xml')?.toString();

t.test('a relationship becomes the last', async (t) => {
  const first = '<Relationship Target="b>"/>';
  for (const [before, after] of [
    [`<Relationships>${first}</Relationships>`, `<Relationships>${first}${added()}</Relationships>`],
    ['<Relationships/>', `<Relationships>${added()}</Relationships>`],
    [
      '<?a?><p:Relationships x=">" /><!-- b -->',
      `<?a?><p:Relationships x=">" >${added('p:')}</p:Relationships><!-- b -->`,
    ],
    ['<p:Relationships></p:Relationships >', `<p:Relationships>${added('p:')}</p:Relationships >`],
    [
      '<Relationships><!-- </Relationships> --></Relationships><!-- </Relationships> -->',
      `<Relationships><!-- </Relationships> -->${added()}</Relationships><!-- </Relationships> -->`,
    ],
  ] as const)
    t.equal(withOneMore(before), after);
  t.match(withRelationship(undefined, 'settings', 'a.xml')?.toString(), `${added()}</Relationships>`);
});

t.test('what has none is left alone', async (t) => {
  for (const part of ['', '<Types/>', '<!-- <Relationships/> -->', '<Relationships>'])
    t.equal(withOneMore(part), undefined);
});
