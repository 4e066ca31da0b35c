/** Barcodes in fields, as shapes. */
import t from 'tap';
import { drawBarcode } from '../../../src/convert/rules/barcode-library.ts';
import { barcodeMarkup, type DrawBarcode } from '../../../src/convert/rules/barcodes.ts';

/** A drawing of 20 by 10 units: a line two units wide, and a triangle with a curved side. */
const svg =
  '<svg viewBox="0 0 20 10"><path stroke="#000000" stroke-width="2" d="M1 0L1 10" />' +
  '<path d="M4 0L8 0Q8 4 4 4Z" fill="#000000" /></svg>';

/** What the library is asked for, and the drawing. */
function drawn(code: string) {
  const asked: Parameters<DrawBarcode>[] = [];
  const markup = barcodeMarkup(code, 'w:', (...each) => {
    asked.push(each);
    return svg;
  });
  return { asked: asked[0], markup: markup ?? '' };
}
const textOf = (code: string) => drawn(`DISPLAYBARCODE ${code}`).asked?.[1].text;

t.test('what is asked for', async (t) => {
  const options = (code: string) => drawn(`DISPLAYBARCODE ${code}`).asked;
  t.strictSame(options('"a \\"b\\" \\\\c" qr'), ['QR', { text: 'a "b" \\c', scale: 1, eclevel: 'H' }]);
  t.strictSame(options('a QR \\q 0')?.[1].eclevel, 'L');
  t.strictSame(options('a QR \\q 4')?.[1].eclevel, 'H', 'no such level');
  t.match(options('a CODE128 \\h 1440 \\t'), ['CODE128', { includetext: true }]);
  t.equal(options('a CODE128 \\h 1440')?.[1].height?.toFixed(2), '33.87', 'an inch of 72 by three quarters');
  t.equal(options('a CODE128')?.[1].height?.toFixed(2), '16.93', 'half of it by default');
  t.equal(options('a JPPOST \\h 9')?.[1].height, undefined);
});

t.test('texts', async (t) => {
  t.equal(textOf('1234 NW7'), 'A1234A');
  t.equal(textOf('b12c NW7'), 'B12C');
  t.equal(textOf('*AB* CODE39'), 'AB');
  t.equal(textOf('4006381333932 EAN13'), '4006381333932');
  t.equal(textOf('4006381333932 EAN13 \\x'), '400638133393');
  t.equal(textOf('400638133393112 JAN13 \\p SUP2'), '4006381333931 12');
  t.equal(textOf('03600029145212345 UPCA \\p sup5 \\x'), '03600029145 12345');
});

t.test('what is drawn', async (t) => {
  const { markup } = drawn('DISPLAYBARCODE a<b CODE128 \\f 0x00ff7F');
  const point = (x: number, y: number) => `<a:pt x="${x * 20}" y="${y * 20}"/>`;
  const line = (x: number, y: number) => `<a:lnTo>${point(x, y)}</a:lnTo>`;
  t.match(
    markup,
    `<a:path w="400" h="200"><a:moveTo>${point(0, 0)}</a:moveTo>${line(2, 0)}${line(2, 10)}${line(0, 10)}<a:close/>` +
      `<a:moveTo>${point(4, 0)}</a:moveTo>${line(8, 0)}<a:quadBezTo>${point(8, 4)}${point(4, 4)}</a:quadBezTo><a:close/></a:path>`,
  );
  t.match(markup, '<wp:extent cx="190500" cy="95250"/>', 'a module is three quarters of a point wide');
  t.match(markup, 'descr="a&lt;b"');
  t.match(markup, /<a:srgbClr val="00FF7F"\/>/);
  t.match(
    drawn('DISPLAYBARCODE a QR').markup,
    '<wp:extent cx="381000" cy="190500"/>',
    'two units, four times',
  );
  t.match(drawn('DISPLAYBARCODE a QR \\s 50').markup, '<wp:extent cx="190500" cy="95250"/>');
  t.match(drawn('DISPLAYBARCODE a QR \\s 5').markup, '<wp:extent cx="381000"', 'too small a scale');
  const group = drawn('DISPLAYBARCODE a QR \\b 0xFFFF00').markup;
  t.match(group, /<wpg:wgp .*prst="rect".*val="FFFF00".*<a:custGeom>.*val="000000"/);
});

t.test('turned', async (t) => {
  const first = (turns: number) =>
    /<wp:extent ([^>]*)\/>.*<a:quadBezTo>(.*)<\/a:quadBezTo>/
      .exec(drawn(`DISPLAYBARCODE a CODE128 \\r ${turns}`).markup)
      ?.slice(1);
  const points = (...numbers: readonly number[]) =>
    `<a:pt x="${(numbers[0] ?? 0) * 20}" y="${(numbers[1] ?? 0) * 20}"/><a:pt x="${(numbers[2] ?? 0) * 20}" y="${(numbers[3] ?? 0) * 20}"/>`;
  const [wide, high] = ['cx="190500" cy="95250"', 'cx="95250" cy="190500"'];
  t.strictSame(first(0), [wide, points(8, 4, 4, 4)]);
  t.strictSame(first(1), [high, points(6, 8, 6, 4)]);
  t.strictSame(first(2), [wide, points(12, 6, 16, 6)]);
  t.strictSame(first(3), [high, points(4, 12, 4, 16)]);
});

t.test('the library draws each type', async (t) => {
  const texts = {
    ...{ QR: 'https://example.com/世界', CODE128: 'Abc 1', CODE39: 'AB-1', NW7: '1234', JPPOST: '15400233' },
    ...{ EAN13: '4006381333931', JAN13: '490123456789', EAN8: '96385074', JAN8: '4912345' },
    ...{ UPCA: '036000291452', UPCE: '01234565', ITF14: '10012345000017', CASE: '1001234500001' },
  };
  for (const [type, text] of Object.entries(texts))
    t.match(barcodeMarkup(`DISPLAYBARCODE "${text}" ${type} \\t`, 'w:', drawBarcode), /<a:close\/>/, type);
  t.match(
    barcodeMarkup('DISPLAYBARCODE 400638133393112 EAN13 \\p SUP2', 'w:', drawBarcode),
    /<a:close\/>/,
    'with a supplement',
  );
});

t.test('what nobody draws', async (t) => {
  for (const code of [
    'DISPLAYBARCODE 4006381333932 EAN13',
    'DISPLAYBARCODE text EAN8',
    'DISPLAYBARCODE text PDF417',
    'DISPLAYBARCODE text',
    `DISPLAYBARCODE ${'1'.repeat(8_000)} QR`,
  ])
    t.equal(barcodeMarkup(code, 'w:', drawBarcode), undefined, code.slice(0, 40));
});
