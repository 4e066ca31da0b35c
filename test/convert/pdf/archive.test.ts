/** What is mended in a PDF/A before it is verified. */
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { completePdf } from '../../../src/convert/pdf/complete.ts';
import { verifyPdf } from '../../../src/convert/pdf/verify.ts';
import type { PdfaLevel } from '../../../src/shared/options/pdfa.ts';
import { pdfOf } from '../../support/documents.ts';

/** What follows `eexec` in a Type 1 font program. */
function encrypted(text: string): Buffer {
  const plain = Buffer.from(`\0\0\0\0${text}`, 'latin1');
  let key = 55_665;
  return plain.map((byte) => {
    const cipher = byte ^ (key >> 8);
    key = ((cipher + key) * 52_845 + 22_719) & 0xffff;
    return cipher;
  }) as Buffer;
}

/** A program with these glyphs, each of which looks like the start of another. */
const glyphs = (names: readonly string[], count = names.length): string =>
  `/Private 9 dict dup begin\n2 index /CharStrings ${count} dict dup begin\n` +
  `${names.map((name) => `/${name} 9 RD /x 9 RD \n ND\n`).join('')}end\n`;

const CLEAR = '%!FontType1-1.0: F 001.003\ncurrentfile eexec\n';

/** The dictionary and the data of a program. */
function program(secret: string): { dictionary: string; data: Buffer } {
  const [clear, hidden] = [Buffer.from(CLEAR), encrypted(secret)];
  const dictionary = `/Filter/FlateDecode/Length1 ${clear.length}/Length2 ${hidden.length}/Length3 0`;
  return { dictionary, data: deflateSync(Buffer.concat([clear, hidden])) };
}

interface Parts {
  readonly font?: ReturnType<typeof program>;
  /** Behind what every descriptor has. */
  readonly descriptor?: string;
  readonly subtype?: string;
  /** The list of fonts. */
  readonly fonts?: string;
  /** Objects from number 13 on. */
  readonly others?: readonly string[];
  /** The metadata as an object; a stream of `xmp` by default. */
  readonly metadata?: string;
  readonly xmp?: string;
  readonly info?: string;
}

const DATE = '2026-01-02T03:04:05Z';
const xmpWith = (inner: string, date = DATE): string =>
  '<pdfaid:part>1</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>' +
  `${inner}<xmp:CreateDate>${date}</xmp:CreateDate>`;

/** A PDF that says it is PDF/A-1b, with a font. */
function archive({ font = program(glyphs(['A'])), descriptor = '', subtype = 'Type1', ...more }: Parts = {}) {
  const xmp = Buffer.from(more.xmp ?? xmpWith('')).toString('latin1');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R/OutputIntents[4 0 R]/Metadata 5 0 R>>',
    '<</Type/Pages/Resources 6 0 R/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R>>',
    '<</Type/OutputIntent/S/GTS_PDFA1>>',
    more.metadata ?? `<</Type/Metadata/Subtype/XML/Length ${xmp.length}>>\nstream\n${xmp}\nendstream`,
    '<</Font 7 0 R>>',
    `<<${more.fonts ?? '/F1 8 0 R'}>>`,
    `<</Type/Font/Subtype/${subtype}/BaseFont/AAAAAA+F/FontDescriptor 9 0 R>>`,
    `<</Type/FontDescriptor/FontName/AAAAAA+F\n/FontFile 10 0 R\n${descriptor}>>`,
    `<</Length 11 0 R${font.dictionary}>>\nstream\n${font.data.toString('latin1')}\nendstream`,
    String(font.data.length),
    `<<${more.info ?? ''}/CreationDate(D:20260102030405Z')>>`,
    ...(more.others ?? []),
  ];
  return pdfOf(objects, '/Info 12 0 R');
}

/** The PDF as it is then, which is still one and says what it is. */
async function completed(
  t: Test,
  pdf: Buffer,
  level: PdfaLevel | undefined = '1b',
  keywords?: string,
): Promise<string> {
  const path = join(t.testdir(), 'out.pdf');
  await writeFile(path, pdf);
  const file = await open(path, 'r+');
  try {
    completePdf(file.fd, { pdfa: level, isAnchored: false, keywords });
    if (level === '1b') t.equal(verifyPdf(file.fd, level).pages, 1);
  } finally {
    await file.close();
  }
  return readFile(path, 'latin1');
}

t.test('the glyphs of a Type 1 font are listed', async (t) => {
  const font = program(glyphs(['.notdef', 'A', 'cid123', 'a\\b', 'grave']));
  const pdf = archive({ font });
  const text = await completed(t, pdf);
  t.match(text, '/FontFile 10 0 R\n/CharSet(/A/cid123/a\\\\b/grave)\n>>\nendobj', 'all but .notdef');
  t.equal(text.split('\nxref\n').length, 2, 'there is one table');
  t.equal(text.slice(0, pdf.indexOf('xref')), pdf.toString('latin1', 0, pdf.indexOf('xref')));
  t.equal(await completed(t, Buffer.from(text, 'latin1')), text, 'once');
});

t.test('what needs no mending stays as it is', async (t) => {
  const untouched = async (parts: Parts, level?: PdfaLevel) => {
    const pdf = archive(parts);
    t.equal(await completed(t, pdf, level), pdf.toString('latin1'), JSON.stringify(parts).slice(0, 60));
  };
  await untouched({ descriptor: '/CharSet(/A)' });
  await untouched({ subtype: 'TrueType' });
  await untouched({}, '2b');
  await untouched({}, '3b');
});

t.test('a font program that cannot be read is none for archives', async (t) => {
  const cases: readonly (readonly [ReturnType<typeof program>, RegExp])[] = [
    [program('nothing'), /has no glyphs/],
    [program(glyphs(['A', 'B'], 3)), /fewer glyphs/],
    [{ ...program(''), data: Buffer.from('no stream') }, /incorrect header check/],
    [{ ...program(''), dictionary: '' }, /does not say where/],
    [{ ...program(''), dictionary: '/Filter/FlateDecode' }, /does not say where/],
  ];
  for (const [font, message] of cases) {
    await t.rejects(completed(t, archive({ font })), { message }, String(message));
  }
});

t.test('metadata say what the information dictionary says', async (t) => {
  const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase();
  const list = (name: string, kind: string, item: string) =>
    `<dc:${name}>\n <rdf:${kind}>\n  ${item}</rdf:li>\n </rdf:${kind}>\n</dc:${name}>`;
  const alternative = (name: string, value: string) =>
    list(name, 'Alt', `<rdf:li xml:lang="x-default">${value}`);
  const inner = (title: string) =>
    alternative('title', title) +
    list('creator', 'Seq', '<rdf:li>A') +
    alternative('description', 'S') +
    '<pdf:Keywords>K</pdf:Keywords>';
  const info = `/Title<FEFF${utf16('Ä & <$1>')}>/Author<FEFF${utf16('A')}>/Subject<FEFF${utf16('S')}>/Keywords<FEFF${utf16('K')}>`;
  const right = inner('Ä &amp; &lt;$1&gt;');
  for (const level of ['1b', '2b'] as const) {
    const wrong = xmpWith(inner('Ä &amp;amp; &amp;lt;$1&amp;gt;'), '2013-01-01T00:00:00Z');
    const text = await completed(t, archive({ info, xmp: wrong, descriptor: '/CharSet(/A)' }), level);
    const mended = Buffer.from(text.slice(text.lastIndexOf('5 0 obj')), 'latin1').toString();
    const xmp = xmpWith(right);
    t.match(mended, `/Length ${Buffer.byteLength(xmp)}>>\nstream\n${xmp}\nendstream\nendobj`, level);
  }
  const none = xmpWith('<dc:date><rdf:li>0000-00-00T00:00:00Z</rdf:li></dc:date>', '0000-00-00T00:00:00Z');
  t.match(
    await completed(t, archive({ xmp: none })),
    xmpWith(`<dc:date><rdf:li>${DATE}</rdf:li></dc:date>`),
    'a date that is none',
  );
});

t.test('a title may be about PDFs', async (t) => {
  for (const title of ['the end of an endobj', 'a\nendstream\nendobj\n']) {
    const text = await completed(
      t,
      archive({ xmp: xmpWith(`<dc:title>${title}</dc:title>`, '0000-00-00T00:00:00Z') }),
    );
    t.match(
      text.slice(text.lastIndexOf('5 0 obj')),
      `stream\n${xmpWith(`<dc:title>${title}</dc:title>`)}\nendstream\nendobj`,
    );
  }
});

t.test('a date has the offset of its place', async (t) => {
  const pdf = archive({ xmp: xmpWith('', '0000-00-00T00:00:00Z') }).toString('latin1');
  const inIndia = pdf
    .replace("20260102030405Z')>>", "20260102030405+05'30')>>")
    .replace(/startxref\n(\d+)/, (_, at) => `startxref\n${Number(at) + 5}`);
  t.match(await completed(t, Buffer.from(inIndia, 'latin1')), '<xmp:CreateDate>2026-01-02T03:04:05+05:30<');
  const without = archive().toString('latin1').replace('/CreationDate', '/CretaionDate');
  await t.rejects(completed(t, Buffer.from(without, 'latin1')), { message: /no \/CreationDate/ });
});

t.test('a PDF of a hostile process does not hold up the service', async (t) => {
  const metadata = 'stream\n'.repeat(500_000);
  await t.rejects(completed(t, archive({ metadata })), { message: /where a value should be/ });
  const font = program(`${glyphs(['A'])}${'\0'.repeat(8_000_000)}`);
  const fonts = '/F1 8 0 R'.repeat(100_000);
  await t.resolves(completed(t, archive({ font, fonts })), 'a font that is listed over and over');
  const objects = Array.from({ length: 20 }, (_, i) => i);
  const many = archive({
    font,
    fonts: objects.map((i) => `/F${i} ${20 + i} 0 R`).join(''),
    others: [
      ...Array.from({ length: 7 }, () => 'null'),
      ...objects.map((i) => `<</Subtype/Type1/FontDescriptor ${40 + i} 0 R>>`),
      ...objects.map(() => '<</FontFile 10 0 R>>'),
    ],
  });
  await t.rejects(completed(t, many), { message: /fonts have more than/ });
});

t.test('keywords that were asked for are in both places', async (t) => {
  const keywords = 'annual report; שלום & 🎉 $1';
  const pdf = archive({
    info: '/Keywords<FEFF006100640064>',
    xmp: xmpWith('<pdf:Keywords>add</pdf:Keywords>'),
    descriptor: '/CharSet(/A)',
  });
  const hexadecimal = Buffer.from(keywords, 'utf16le').swap16().toString('hex').toUpperCase();
  const text = Buffer.from(await completed(t, pdf, '2b', keywords), 'latin1').toString('utf8');
  t.match(text.slice(pdf.indexOf('xref')), `/Keywords<FEFF${hexadecimal}>`);
  t.match(text, '<pdf:Keywords>annual report; שלום &amp; 🎉 $1<');
  const without = archive({ descriptor: '/CharSet(/A)' });
  t.notMatch(await completed(t, without, '2b', keywords), '/Keywords', 'none where LibreOffice found none');
});
