/** Adding a relationship to the text of a part. */
import t from 'tap';
import { withoutRelationships, withRelationship } from '../../../src/convert/package/relationships.ts';

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

t.test('those of a type are left out', async (t) => {
  const other = '<Relationship Id="a" Type="x/core" Target="core.xml"/>';
  const own = '<Relationship Id="b" Type="http://a/b/core-properties" Target="c.xml"/>';
  const without = (part: string) => withoutRelationships(Buffer.from(part), 'core-properties').toString();
  for (const [before, after] of [
    [`<R>${own}${other}${own}</R>`, `<R>${other}</R>`],
    [`<p:R>${own.replace('<', '<p:').replace('/>', '>\n</p:Relationship >')}</p:R>`, '<p:R></p:R>'],
    [`<R>${other}<!-- ${own} --></R>`, `<R>${other}<!-- ${own} --></R>`],
    ['<R><Relationship Type="core-properties"/></R>', '<R><Relationship Type="core-properties"/></R>'],
    [own.replace('/>', '>'), ''],
    ['', ''],
  ] as const)
    t.equal(without(before), after);
});
