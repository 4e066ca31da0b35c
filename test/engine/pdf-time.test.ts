/** The time of a PDF, written into it. */
import t from 'tap';
import { setPdfTime } from '../../src/engine/pdf-time.ts';

const CLOCK = Date.UTC(2021, 4, 6, 7, 8, 9) / 1_000;
const end = (date: string, digit: string) =>
  `/CreationDate(D:${date}Z')>>\n/ID [ <${digit.repeat(32)}>\n<${digit.repeat(32)}> ]\n/DocChecksum /${digit.repeat(32)}\n>>`;

function set(text: string): string {
  const pdf = Buffer.from(text, 'latin1');
  setPdfTime(pdf, CLOCK);
  return pdf.toString('latin1');
}

t.test('PDFs that differ only in time and ids become equal', async (t) => {
  const one = set(`content ${end('20260102030405', 'A')}`);
  t.equal(set(`content ${end('20271112131415', '9')}`), one);
  const id = /<([0-9A-F]{32})>\n<\1> \]\n\/DocChecksum \/\1\n/.exec(one)?.[1];
  t.equal(one, `content ${end('20210506070809', 'X').replaceAll('X'.repeat(32), String(id))}`);
  t.notMatch(set(`contend ${end('20260102030405', 'A')}`), String(id), 'the id is of the content');
});

t.test('only the last dates and ids are replaced, and other forms stay', async (t) => {
  const inside = end('20010101010101', 'B');
  t.match(set(inside + end('20260102030405', 'A')), inside);
  for (const text of [
    '',
    'x',
    '/CreationDate(D:',
    '/CreationDate(D:2026)',
    '/CreationDate(D:no date here)',
    '/ID [ <A>',
  ])
    t.equal(set(text), text);
});

t.test('the metadata have it, too', async (t) => {
  const metadata = (date: string, title: string) =>
    `<x:xmpmeta><dc:date>\n<rdf:Seq>\n<rdf:li>${date}</rdf:li></rdf:Seq></dc:date><dc:title>${title}</dc:title>` +
    `<xmp:CreateDate>${date}</xmp:CreateDate><xmp:ModifyDate>${date}</xmp:ModifyDate></x:xmpmeta>`;
  const title = '2026-01-02T03:04:05Z';
  const picture = metadata('2001-01-01T01:01:01Z', 'of a picture');
  t.equal(
    set(picture + metadata('2026-01-02T03:04:05Z', title)),
    picture + metadata('2021-05-06T07:08:09Z', title),
  );
  const other = metadata('2026-01-02T03:04:05+01:00', title);
  t.equal(set(other), other, 'a time in another form stays');
  t.equal(set('<x:xmpmeta><xmp:CreateDate>'), '<x:xmpmeta><xmp:CreateDate>', 'metadata without end stay');
});
