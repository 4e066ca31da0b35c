/** A first section that is said to begin on an even or an odd page. */
import t from 'tap';
import { mayBeginOnSide, withFirstSection } from '../../../src/convert/rules/first-section.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const main = (body: string) => `<w:document ${W}><w:body>${body}</w:body></w:document>`;
const type = (value: string) => `<w:type w:val="${value}"/>`;
const section = (content: string) => `<w:sectPr>${content}<w:cols w:space="425"/></w:sectPr>`;
const ending = (content: string) => `<w:p><w:pPr>${section(content)}</w:pPr></w:p>`;

t.test('an odd one is like any other', async (t) => {
  const document = main(ending(type('oddPage')) + section(type('oddPage')));
  t.ok(mayBeginOnSide(Buffer.from(document)));
  t.equal(withFirstSection(document), main(ending('') + section(type('oddPage'))), 'the second stays');
});

t.test('an even one keeps its number', async (t) => {
  for (const [before, after] of [
    ['', '<w:cols w:space="425"/><w:pgNumType w:start="2"/>'],
    [
      '<w:pgNumType w:fmt="lowerRoman"/>',
      '<w:pgNumType w:start="2" w:fmt="lowerRoman"/><w:cols w:space="425"/>',
    ],
    ['<w:pgNumType w:start="7"/>', '<w:pgNumType w:start="7"/><w:cols w:space="425"/>'],
  ] as const) {
    const changed = withFirstSection(main(section(type('evenPage') + before)));
    t.equal(changed, main(`<w:sectPr>${after}</w:sectPr>`), before);
  }
});

t.test('what stays as it is', async (t) => {
  const changes = `<w:sectPrChange w:id="1" w:author="A"><w:sectPr>${type('oddPage')}</w:sectPr></w:sectPrChange>`;
  for (const body of [
    section(type('nextPage')) + section(type('oddPage')),
    section(changes) + section(type('oddPage')),
    `<w:sectPr/>${section(type('oddPage'))}`,
    '<w:p><w:r><w:t>oddPage</w:t></w:r></w:p>',
  ])
    t.equal(withFirstSection(main(body)), main(body), body);
});
