/** Reading the objects of PDFs in each form, compared with qpdf. */
import { execFile } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { Parser } from '../../../../src/convert/pdf/objects/parser.ts';
import { PdfObjects } from '../../../../src/convert/pdf/objects/pdf-objects.ts';
import {
  isArray,
  isDictionary,
  PdfString,
  Reference,
  type Value,
} from '../../../../src/convert/pdf/objects/values.ts';
import { TailReader } from '../../../../src/system/tail-reader.ts';
import { Sample } from '../../../pdf-rules/sample.ts';
import { pdfOf } from '../../../support/documents.ts';
import { PdfFile } from '../../../support/pdf-file.ts';
import { fileOf } from '../../support/preflight.ts';

const run = promisify(execFile);

function objectsOf(t: Test, path: string): PdfObjects {
  const fd = openSync(path, 'r');
  t.teardown(() => closeSync(fd));
  return new PdfObjects(TailReader.over(fd));
}

/** A value in the form of qpdf's JSON. */
function asQpdf(value: Value): unknown {
  if (value instanceof Reference) return String(value);
  if (value instanceof PdfString) return value.text;
  if (isArray(value)) return value.map(asQpdf);
  if (!isDictionary(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== '/Length');
  return Object.fromEntries(entries.map(([key, item]) => [key, asQpdf(item)]));
}

function withTexts(pdf: PdfFile, value: unknown): unknown {
  if (typeof value === 'string') return pdf.text(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => withTexts(pdf, item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== '/Length');
  return Object.fromEntries(entries.map(([key, item]) => [key, withTexts(pdf, item)]));
}

const forms = {
  'a table': [],
  'streams of objects and of cross-references': ['--object-streams=generate'],
  'two tables': ['--linearize'],
  'two streams of cross-references': ['--linearize', '--object-streams=generate'],
};

for (const [form, options] of Object.entries(forms)) {
  t.test(`a file with ${form} has the objects that qpdf finds`, async (t) => {
    const path = fileOf(t, new Sample('ua').bytes());
    if (options.length > 0) await run('qpdf', ['--replace-input', path, ...options]);
    const objects = objectsOf(t, path);
    const pdf = await PdfFile.read(path);
    let compared = 0;
    for (const reference of pdf.references) {
      const { value, stream } = objects.object(Number.parseInt(reference, 10));
      if (pdf.name(pdf.dictionary(reference)['/Type']) === '/XRef') continue;
      t.strictSame(asQpdf(value), withTexts(pdf, pdf.get(reference)), reference);
      if (stream) t.ok(objects.data(stream, 1_000_000).equals(pdf.streamData(reference)), reference);
      compared += 1;
    }
    t.ok(compared > 20);
    t.equal([...objects.pages()].length, pdf.pages.length);
    const [page] = objects.pages();
    t.strictSame(asQpdf(page?.dictionary ?? null), withTexts(pdf, pdf.pages[0]?.dictionary));
  });
}

t.test('an object that the engine refers to and forgot is missed where it is asked for', async (t) => {
  const objects = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>', '(a)', '(b)', '5'];
  const pdf = pdfOf(objects).toString('latin1');
  const places = [...pdf.matchAll(/^\d{10} 00000 n/gm)].slice(2, 4).map(([entry]) => entry);
  const forgotten = places.reduce((text, entry) => text.replace(entry, '4294967295 00000 n'), pdf);
  const read = objectsOf(t, fileOf(t, Buffer.from(forgotten, 'latin1')));
  t.equal(read.object(5).value, 5);
  for (const number of [3, 4]) t.throws(() => read.object(number), /beyond the end/);
});

t.test('the source of an object', async (t) => {
  const stream = '<</Length 6>>\nstream\nendobj\nendstream';
  const objects = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>', '( endobj)', stream];
  const pdf = pdfOf(objects);
  const read = objectsOf(t, fileOf(t, pdf));
  const text = '3 0 obj\n( endobj)\n';
  t.strictSame(read.source(3), { position: pdf.indexOf(text), text });
  t.throws(() => read.source(4), /not in the file by itself/);
  t.throws(() => read.source(9), /not in the file by itself/);
});

t.test('an update counts before what it replaces', async (t) => {
  const first = pdfOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>', '(old)']);
  const path = fileOf(t, first);
  const start = first.toString('latin1').match(/startxref\s+(\d+)/)?.[1];
  const object = '3 0 obj\n(new)\nendobj\n';
  const table = `xref\n3 1\n${String(first.length).padStart(10, '0')} 00000 n \n`;
  const trailer = `trailer\n<</Size 4/Root 1 0 R/Prev ${start}>>\nstartxref\n${first.length + object.length}\n%%EOF\n`;
  await writeFile(path, Buffer.concat([first, Buffer.from(object + table + trailer)]));
  t.equal(objectsOf(t, path).text(new Reference(3)), 'new');
});

t.test('names, strings and numbers in all spellings', (t) => {
  const value =
    '<</a#20b[+1 -.5 4. 00 1 0 R 2 0 true false null]/S(a\\(b\\)\\\nc\\101\\r\r\n(d))/H<4 1 4>/E()%c\n/U<FEFF20AC>/P<80A092>>>';
  const objects = objectsOf(
    t,
    fileOf(t, pdfOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>', value])),
  );
  const found = objects.dictionary(new Reference(3));
  t.strictSame(asQpdf(found['/a b'] ?? null), [1, -0.5, 4, 0, '1 0 R', 2, 0, true, false, null]);
  t.equal((found['/S'] as PdfString).bytes, 'a(b)cA\r\n(d)');
  t.equal((found['/H'] as PdfString).bytes, 'A@');
  t.equal(objects.text(found['/E']), '');
  t.equal(objects.text(found['/U']), '€');
  t.equal(objects.text(found['/P']), '•€™');
  t.end();
});

t.test('strings of all lengths, and more names than are kept', (t) => {
  const strings = Array.from({ length: 200 }, (_, length) =>
    String.fromCharCode(...Array.from({ length }, (_, index) => (7 * index + length) % 256)),
  );
  const names = Array.from({ length: 5_000 }, (_, index) => `/${'n'.repeat(index % 50)}${index}`);
  const hexadecimal = strings.map((text) => `<${Buffer.from(text, 'latin1').toString('hex')}>`).join('');
  const odd = '<A ><a><0g';
  const value = `<</S[${hexadecimal}${odd.slice(0, 7)}]/N[${names.join('')}]/T[${names.join('')}]>>`;
  const objects = objectsOf(
    t,
    fileOf(t, pdfOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>', value, `[${odd}>]`])),
  );
  const found = objects.dictionary(new Reference(3));
  t.strictSame(
    objects.array(found['/S']).map((item) => (item as PdfString).bytes),
    [...strings, '\xa0', '\xa0'],
  );
  t.strictSame(found['/N'], names);
  t.strictSame(found['/T'], names);
  t.throws(() => objects.object(4), /other characters/);
  t.end();
});

/** Microseconds; ten seconds of processor time end a reading. */
const MOST_US = 8_000_000;
const catalog = '<</Type/Catalog/Pages 2 0 R>>';
const pages = '<</Type/Pages/Kids[]/Count 0>>';
/** What a document under somebody's control might write, how it is read, and what is wrong. */
const hostile: readonly (readonly [string, () => Buffer, (objects: PdfObjects) => unknown, RegExp])[] = [
  ['nothing', () => Buffer.alloc(0), () => {}, /is empty/],
  ['half a file', () => pdfOf([catalog, pages]).subarray(0, 100), () => {}, /does not end/],
  [
    'a page tree that leads back to itself',
    () => pdfOf([catalog, '<</Type/Pages/Count 1/Kids[3 0 R]>>', '<</Type/Pages/Kids[2 0 R]>>']),
    (objects) => [...objects.pages()],
    /leads back/,
  ],
  [
    'a page that is there twice',
    () => pdfOf([catalog, '<</Type/Pages/Count 2/Kids[3 0 R 3 0 R]>>', '<</Type/Page>>']),
    (objects) => [...objects.pages()],
    /leads back/,
  ],
  [
    'a page tree that is too deep',
    () =>
      pdfOf([
        catalog,
        ...Array.from({ length: 100 }, (_, index) => `<</Type/Pages/Kids[${index + 3} 0 R]>>`),
        '<</Type/Page>>',
      ]),
    (objects) => [...objects.pages()],
    /too deep/,
  ],
  [
    'arrays in arrays',
    () => pdfOf([catalog, pages, '['.repeat(1_000_000)]),
    (objects) => objects.object(3),
    /nested too deeply/,
  ],
  [
    'an object without end',
    () => pdfOf([catalog, pages, `[${'0 '.repeat(9_000_000)}`]),
    (objects) => objects.object(3),
    /has no end/,
  ],
  [
    'a stream that is longer than the file',
    () => pdfOf([catalog, pages, '<</Length 999999999>>\nstream\nendstream']),
    (objects) => objects.object(3),
    /longer than its place/,
  ],
  [
    'a stream that reaches into the next object',
    () => pdfOf([catalog, pages, '<</Length 30>>\nstream\nendstream', '1', '2']),
    (objects) => objects.object(3),
    /longer than its place/,
  ],
  [
    'a stream that is longer than it says',
    () => pdfOf([catalog, pages, '<</Length 1>>\nstream\nabc\nendstream']),
    (objects) => objects.object(3),
    /does not have its length/,
  ],
  [
    'a length that leads back',
    () => pdfOf([catalog, pages, '<</Length 3 0 R>>\nstream\nendstream']),
    (objects) => objects.object(3),
    /leads back/,
  ],
  [
    'two objects at one position',
    () => {
      const text = pdfOf([catalog, pages, '1']).toString('latin1');
      const entries = [...text.matchAll(/\d{10} 00000 n/g)].map(([entry]) => entry);
      return Buffer.from(text.replace(entries[2] ?? '', entries[1] ?? ''), 'latin1');
    },
    () => {},
    /at one position/,
  ],
  [
    'more objects than there can be',
    () =>
      Buffer.from(
        pdfOf([catalog])
          .toString('latin1')
          .replace(/xref\n0 \d+/, 'xref\n0 4000001'),
      ),
    () => {},
    /too many objects/,
  ],
  [
    'a table of which there is little',
    () =>
      Buffer.from(
        pdfOf([catalog])
          .toString('latin1')
          .replace(/xref\n0 \d+/, 'xref\n0 3000000'),
      ),
    () => {},
    /cut off/,
  ],
  [
    'tables that lead to each other',
    () => {
      const text = pdfOf([catalog, pages]).toString('latin1');
      return Buffer.from(text.replace('/Root', `/Prev ${text.indexOf('xref\n0')}/Root`), 'latin1');
    },
    () => {},
    /lead back/,
  ],
  [
    'a reference to a reference, without end',
    () => pdfOf([catalog, pages, '4 0 R', '3 0 R']),
    (objects) => objects.get(new Reference(3)),
    /too many others/,
  ],
  [
    'a stream that is nothing but large when it is unpacked',
    () => {
      const blocks = '\x00\x00\x00\xff\xff'.repeat(400_000);
      const data = `\x78\x01${blocks}\x01\x00\x00\xff\xff\x00\x00\x00\x01`;
      return pdfOf([
        catalog,
        pages,
        `<</Filter/FlateDecode/Length ${data.length}>>\nstream\n${data}\nendstream`,
      ]);
    },
    (objects) => {
      const stream = objects.stream(new Reference(3));
      return stream && objects.data(stream, 1_000_000);
    },
    /longer than/,
  ],
];

for (const [what, build, read, message] of hostile) {
  t.test(`refuses ${what}, in time`, (t) => {
    const path = fileOf(t, build());
    const start = process.cpuUsage();
    t.throws(() => read(objectsOf(t, path)), { message });
    t.ok(process.cpuUsage(start).user < MOST_US);
    t.end();
  });
}

t.test('an object in a stream ends where the next one begins', async (t) => {
  const path = fileOf(t, new Sample('2b').bytes());
  const options = ['--object-streams=generate', '--stream-data=uncompress'];
  await run('qpdf', ['--replace-input', path, ...options]);
  const text = await readFile(path, 'latin1');
  await writeFile(path, text.replace(/^<<(?=.*\/Type \/Catalog)/m, '[['), 'latin1');
  t.throws(() => objectsOf(t, path));
});

t.test('numbers are those of JavaScript, whatever their form', (t) => {
  const texts = [
    '0',
    '7',
    '-7',
    '+7',
    '0.1',
    '-0.3',
    '.5',
    '-.5',
    '5.',
    '00012.50',
    '9999999999',
    '12345678901',
  ];
  for (const text of [...texts, '0.30000000000000004', '-123456.789', '841.889763779528']) {
    t.equal(new Parser(Buffer.from(`${text} `)).value(), Number(text), text);
  }
  for (const text of ['-', '.', '1.2.3', '1-2', '--1'])
    t.throws(() => new Parser(Buffer.from(`${text} `)).value(), { message: /where a value should be/ }, text);
  t.end();
});
