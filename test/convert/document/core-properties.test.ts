/** The time that a document says of its last change. */
import t from 'tap';
import { missingTimes, readCoreProperties, timeOf } from '../../../src/convert/document/core-properties.ts';
import { KeptParts } from '../../../src/convert/document/kept-parts.ts';
import { CORE_NAME, coreLink, coreProperties, modified } from '../../support/core-properties.ts';
import { relationships } from '../../support/office-package.ts';

const FIXED = Date.UTC(2000, 0, 1) / 1_000;

function partsWith(core: string | undefined, links = [coreLink()]): KeptParts {
  const parts = new KeptParts('word/document.xml');
  parts.keep('_rels/.rels', [Buffer.from(relationships(links))]);
  if (core !== undefined) parts.keep(CORE_NAME.toLowerCase(), [Buffer.from(core)]);
  return parts;
}
/** The time of a document with this part. */
const time = (core: string | undefined, links?: string[]) => timeOf(partsWith(core, links));
const timeOfDate = (date: string) => time(coreProperties(modified(date)));

t.test('dates', async (t) => {
  for (const [date, expected] of [
    ['2021-05-06T07:08:09Z', '2021-05-06T07:08:09Z'],
    ['2021-05-06T07:08:09.9999999Z', '2021-05-06T07:08:09Z'],
    ['2021-05-06T07:08:09+02:00', '2021-05-06T05:08:09Z'],
    ['2021-12-31T23:30:00-05:30', '2022-01-01T05:00:00Z'],
    ['2021-05-06T07:08:09', '2021-05-06T07:08:09Z'],
    ['2021-05-06T07:08Z', '2021-05-06T07:08:00Z'],
    ['2021-05-06', '2021-05-06T00:00:00Z'],
    ['2021-05', '2021-05-01T00:00:00Z'],
    ['2021', '2021-01-01T00:00:00Z'],
    ['\n 2020-02-29T00:00:00Z ', '2020-02-29T00:00:00Z'],
    ['1970-01-01T00:00:01Z', '1970-01-01T00:00:01Z'],
    ['2099-12-31T23:59:59Z', '2099-12-31T23:59:59Z'],
  ] as const)
    t.equal(new Date(timeOfDate(date) * 1_000).toJSON(), expected.replace('Z', '.000Z'), date);
});

t.test('what is no date, or none that a PDF can have', async (t) => {
  for (const date of [
    ...['', 'yesterday', '21-05-06', '2021-5-6', '2021-02-29', '2021-13-01', '2021-00-10', '2021-04-31'],
    ...['2021-05-06T24:00:00Z', '2021-05-06T07:60:00Z', '2021-05-06T07:08:60Z', '2021-05-06T07:08:09+99:00'],
    ...['2021-05-06T07:08:09X', '2021-05-06 07:08:09', `2021-05-06T07:08:09.${'9'.repeat(99_999)}Z`],
    ...['1601-01-01T00:00:00Z', '1970-01-01T00:00:00Z', '2100-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
    ...['0000-00-00T00:00:00Z', '-2021-05-06', '20210506', '٢٠٢١-٠٥-٠٦', '9'.repeat(99_999)],
  ])
    t.equal(timeOfDate(date), FIXED, date.slice(0, 40));
});

t.test('parts without a date', async (t) => {
  const date = modified('2021-05-06');
  const at = Date.UTC(2021, 4, 6) / 1_000;
  t.equal(time(undefined), FIXED, 'no part');
  t.equal(time(undefined, []), FIXED, 'no link');
  t.equal(time(coreProperties(date), []), FIXED, 'a part without a link');
  t.equal(time(coreProperties(date), [coreLink(CORE_NAME, ' TargetMode="External"')]), FIXED, 'external');
  t.equal(time('PK'), FIXED, 'no XML');
  t.equal(time(coreProperties('<t:modified/>')), FIXED, 'an empty element');
  t.equal(time(coreProperties(`<d:title>${date}</d:title>`)), FIXED, 'inside another');
  t.equal(time(coreProperties(`${date}${modified('2022-01-01')}`)), at, 'two: the first');
  t.equal(time(coreProperties(`${modified('x')}${date}`)), FIXED, 'two: the first, which is none');
  t.equal(time(coreProperties(`${date}</c:x></c:y>`)), at, 'more ends than begin');
  t.equal(time(coreProperties(date).slice(0, -19)), at, 'no end');
});

t.test('the text of a property', async (t) => {
  const found = readCoreProperties(
    coreProperties(
      '<d:title> a &lt;b&gt; &#x5E9; </d:title><c:keywords><c:value>x</c:value>, y</c:keywords><d:title>2</d:title>',
    ),
  );
  t.strictSame(
    [...found],
    [
      ['title', 'a <b> ש'],
      ['keywords', 'x, y'],
    ],
  );
});

t.test('times that LibreOffice would not understand', async (t) => {
  const property = (name: string, value: string) =>
    `<dcterms:${name} xsi:type="dcterms:W3CDTF">${value}</dcterms:${name}>`;
  const missing = (core: string | undefined) => missingTimes(partsWith(core));
  const both = (created: string, changed: string) =>
    coreProperties(property('created', created) + property('modified', changed));
  const [early, late, none] = ['2020-02-03T04:05:06Z', '2021-05-06T07:08:09Z', '2000-01-01T00:00:00Z'];
  t.equal(missing(both(early, late)), undefined, 'as Word writes them');
  t.strictSame(missing(undefined), { created: none, modified: none });
  t.strictSame(missing(coreProperties(property('modified', late))), { created: late, modified: late });
  t.strictSame(missing(coreProperties(modified(late))), { created: late, modified: late }, 'without a type');
  t.strictSame(missing(both('2020-02-03', late)), { created: '2020-02-03T00:00:00Z', modified: late });
  t.strictSame(missing(both('1601-01-01T00:00:00', late)), { created: late, modified: late });
  t.strictSame(missing(both(early, '2150-01-01T00:00:00Z')), { created: early, modified: none });
});
