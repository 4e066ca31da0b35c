/** Parts without comments, instructions and CDATA sections. */
import t from 'tap';
import { withoutSections } from '../../../src/convert/rules/xml-sections.ts';

const declaration = '<?xml version="1.0"?>';

t.test('what becomes of them', async (t) => {
  const cases = [
    [`${declaration}<a>x</a>`, `${declaration}<a>x</a>`],
    ['<a>b<!-- <c> -->d</a>', '<a>bd</a>'],
    ['<a>b<?p <c> ?>d</a>', '<a>bd</a>'],
    ['<a><![CDATA[b & <c>日]]]>d</a>', '<a>b &amp; &lt;c&gt;日]d</a>'],
    ['<a><!-- <![CDATA[ --><![CDATA[<!--]]></a>', '<a>&lt;!--</a>'],
    ['<a><!--b--><!--c--></a><!--d-->', '<a></a>'],
    ['<!DOCTYPE a><a/>', '<!DOCTYPE a><a/>'],
    ['<a><!--b--><!-- no end', '<a><!-- no end'],
    ['<a><!-->-->b</a>', '<a>b</a>'],
  ] as const;
  for (const [part, expected] of cases) t.equal(withoutSections(Buffer.from(part)).toString(), expected);
});

t.test('a part with none is not copied', async (t) => {
  const part = Buffer.from(`${declaration}<a>x</a>`);
  t.equal(withoutSections(part), part);
});

t.test('in linear time, however many there are', async (t) => {
  const many = withoutSections(Buffer.from(`<a>${'<!---->'.repeat(300_000)}</a>`));
  t.equal(many.toString(), '<a></a>');
  const endless = Buffer.from('<!--'.repeat(500_000));
  t.equal(withoutSections(endless), endless);
});
