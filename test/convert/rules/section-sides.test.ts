/** Sections that begin on an even or an odd page. */
import t from 'tap';
import { withWordsSides } from '../../../src/convert/rules/section-sides.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const withoutSides = (xml: string) => withWordsSides(xml, { headers: true, margins: true });
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

t.test('a document whose first page has an even number', async (t) => {
  const references = (sides: readonly string[]) =>
    ['header', 'footer']
      .flatMap((kind) => sides.map((side) => `<w:${kind}Reference w:type="${side}" r:id="${kind}"/>`))
      .join('');
  const margins = (left: number, right: number, gutter = 0) =>
    `<w:pgMar w:top="9" w:right="${right}" w:left="${left}" w:gutter="${gutter}"/>`;
  const pages = [references(['default', 'even', 'first']), margins(1000, 600, 50)] as const;
  const numbered = (start: number | string) => `<w:pgNumType w:start="${start}"/>`;
  const before = (start: number | string, sides: string) =>
    main(ending(numbered(start) + pages.join('')) + section(sides));
  const after = (start: number, headers: string, margin: string, sides: string) =>
    main(ending(numbered(start) + headers + margin) + section(sides));
  const swapped = [references(['even', 'default', 'first']), margins(600, 1050)] as const;
  const none = { headers: false, margins: false };
  for (const start of [0, 2, 14])
    t.equal(
      withWordsSides(before(start, type('evenPage')), { headers: true, margins: true }),
      after(start, ...swapped, type('oddPage')),
      `begins with ${start}`,
    );
  const sides = before(2, type('oddPage'));
  t.equal(withWordsSides(sides, none), after(2, ...pages, type('evenPage')), 'pages that are alike');
  t.equal(
    withWordsSides(sides, { ...none, headers: true }),
    after(2, swapped[0], pages[1], type('evenPage')),
    'the same margins',
  );
  const odd = before(1, type('oddPage'));
  t.equal(withWordsSides(odd, { headers: true, margins: true }), odd, 'an odd first page');
  const unknown = before('', type('oddPage'));
  t.equal(withWordsSides(unknown, { headers: true, margins: true }), unknown, 'a number that is none');
});

t.test('margins that are mirrored by an even first page', async (t) => {
  const of = (attributes: string) =>
    main(`<w:sectPr><w:pgNumType w:start="2"/><w:pgMar ${attributes}/></w:sectPr>`);
  for (const [before, after] of [
    ['w:left="1in" w:right="2cm"', 'w:left="2cm" w:right="1in"'],
    ['w:left="1in" w:right="2cm" w:gutter="1pt"', 'w:left="2cm" w:right="1460" w:gutter="0"'],
    ['w:left="10"', 'w:left="10"'],
    ['w:right="10" w:gutter="5"', 'w:right="10" w:gutter="5"'],
  ] as const)
    t.equal(withWordsSides(of(before), { headers: false, margins: true }), of(after), before);
});

t.test('what is no section of a document with an even first page', async (t) => {
  const two = '<w:pgNumType w:start="2"/>';
  const old = '<w:sectPrChange><w:sectPr><w:pgMar w:left="1" w:right="2"/></w:sectPr></w:sectPrChange>';
  const body = main(`<w:ffData>${type('oddPage')}</w:ffData><w:p/><w:sectPr/>${section(two + old)}`);
  t.equal(withWordsSides(body, { headers: true, margins: true }), body);
});

t.test('what is no number is no even one', async (t) => {
  const part = (start: string) =>
    main(`<w:sectPr><w:headerReference w:type="even" r:id="e"/><w:pgNumType w:start="${start}"/></w:sectPr>`);
  for (const start of ['-2', 'x2', '']) t.equal(withoutSides(part(start)), part(start), start);
  t.not(withoutSides(part('2')), part('2'));
});
