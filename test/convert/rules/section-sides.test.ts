/** Sections that begin on an even or an odd page. */
import t from 'tap';
import { withoutSides } from '../../../src/convert/rules/section-sides.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const main = (body: string) => `<w:document ${W}><w:body>${body}</w:body></w:document>`;
const type = (value: string) => `<w:type w:val="${value}"/>`;
const section = (content: string) => `<w:sectPr>${content}<w:cols w:space="425"/></w:sectPr>`;
const ending = (content: string) => `<w:p><w:pPr>${section(content)}</w:pPr></w:p>`;

t.test('an odd first one is like any other', async (t) => {
  const document = main(ending(type('oddPage')) + section(type('oddPage')));
  t.equal(
    withoutSides(document),
    main(ending(type('nextPage')) + section(type('oddPage'))),
    'the second stays',
  );
});

t.test('an even first one keeps its number', async (t) => {
  const [next, two] = [type('nextPage'), '<w:pgNumType w:start="2"/>'];
  for (const [before, after] of [
    [type('evenPage'), two + next],
    [
      `${type('evenPage')}<w:pgNumType w:fmt="lowerRoman"/>`,
      `${next}<w:pgNumType w:start="2" w:fmt="lowerRoman"/>`,
    ],
    [`${type('evenPage')}<w:pgNumType w:start="7"/>`, `${next}<w:pgNumType w:start="7"/>`],
  ] as const)
    t.equal(withoutSides(main(section(before))), main(section(after)), before);
});

t.test('page numbers that begin anew have their side', async (t) => {
  const numbered = (side: string, start: number) =>
    main(`${ending('')}${section(`${type(side)}<w:pgNumType w:start="${start}"/>`)}`);
  for (const [side, start] of [
    ['oddPage', 1],
    ['oddPage', 27],
    ['evenPage', 2],
    ['evenPage', 10],
  ] as const)
    t.equal(withoutSides(numbered(side, start)), numbered('nextPage', start), `${side} ${start}`);
  for (const [side, start] of [
    ['oddPage', 2],
    ['evenPage', 1],
    ['nextPage', 1],
  ] as const)
    t.equal(withoutSides(numbered(side, start)), numbered(side, start), `${side} ${start}`);
});

t.test('what stays as it is', async (t) => {
  const changes = `<w:sectPrChange w:id="1" w:author="A"><w:sectPr>${type('oddPage')}</w:sectPr></w:sectPrChange>`;
  for (const body of [
    section(type('nextPage')) + section(type('oddPage')),
    section(changes) + section(type('oddPage')),
    `<w:sectPr/>${section(type('oddPage'))}`,
    '<w:p><w:r><w:t>oddPage</w:t></w:r></w:p>',
  ])
    t.equal(withoutSides(main(body)), main(body), body);
});
