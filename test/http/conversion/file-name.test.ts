/** What a client reads from Content-Disposition (RFC 6266, RFC 8187). */
import { parse } from 'content-disposition';
import t from 'tap';
import { resultDisposition } from '../../../src/http/conversion/file-name.ts';

const pdfDisposition = (uploadName: string | undefined) => resultDisposition(uploadName, 'pdf');

/** The name a client saves under: `filename*` where there is one. */
function savedAs(uploadName: string | undefined): string | undefined {
  return parse(pdfDisposition(uploadName)).parameters.filename;
}

t.test('the base name of the upload, as a PDF', async (t) => {
  const cases: readonly (readonly [string | undefined, string])[] = [
    ['report.docx', 'report.pdf'],
    ['REPORT.DOCX', 'REPORT.pdf'],
    ['a.b.docx', 'a.b.pdf'],
    ['no extension', 'no extension.pdf'],
    ['report.docx.exe', 'report.docx.pdf'],
    [' spaced .docx', 'spaced.pdf'],
    ['semi;colon=.docx', 'semi;colon=.pdf'],
    ["it's.docx", "it's.pdf"],
    ['100%.docx', '100%.pdf'],
    ['%41%0d%0a.docx', '%41.pdf'],
    ['Uber %22x%22.docx', 'Uber x.pdf'],
    ['Übergröße.docx', 'Übergröße.pdf'],
    ['年度报告.docx', '年度报告.pdf'],
    ['Отчёт за май.docx', 'Отчёт за май.pdf'],
    ['🎉.docx', '🎉.pdf'],
    ['.hidden.docx', '.hidden.pdf'],
  ];
  for (const [upload, name] of cases) t.equal(savedAs(upload), name, JSON.stringify(upload));
});

t.test('a name where there is none', async (t) => {
  for (const upload of [
    undefined,
    '',
    ' ',
    '.docx',
    '.',
    '..',
    '...',
    '/',
    'folder/',
    '\\',
    '"".docx',
    '\n',
  ]) {
    t.equal(savedAs(upload), 'document.pdf', JSON.stringify(upload));
  }
});

t.test('path parts never get through', async (t) => {
  for (const upload of [
    '../../etc/report.docx',
    'C:\\Users\\me\\report.docx',
    '/report.docx',
    '..\\../report.docx',
  ]) {
    t.equal(savedAs(upload), 'report.pdf', upload);
  }
});

t.test('control characters, quotes, and what turns text around are dropped', async (t) => {
  const uploads = [
    're\nport.docx',
    're\r\nSet-Cookie: a=b\r\n\r\nport.docx',
    're\0port.docx',
    're"port".docx',
    'report\u202Excod.docx',
    're\u0085port\u2028.docx',
    're<script>port.docx',
    're\uD800port\uDFFF.docx',
  ];
  for (const [i, upload] of uploads.entries()) {
    const header = pdfDisposition(upload);
    t.match(header, /^[\x20-\x7e]+$/, `upload ${i}`);
    t.notMatch(savedAs(upload), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}"<>]/u, `upload ${i}`);
  }
  t.equal(savedAs('re\nport.docx'), 'report.pdf');
  t.equal(savedAs('re\uD800port\uDFFF.docx'), 'report.pdf');
});

t.test('every client gets a name in ASCII', async (t) => {
  const fallback = (upload: string) => /filename="?([^";]*)"?/.exec(pdfDisposition(upload))?.[1];
  t.equal(fallback('Café déjà.docx'), 'Cafe deja.pdf');
  t.equal(fallback('年度 2024.docx'), '__ 2024.pdf');
  t.equal(fallback('年度.docx'), 'document.pdf');
  t.equal(fallback('a＂b＼c.docx'), 'a_b_c.pdf', 'nor with what would end it');
  t.equal(fallback('．．／℀：＊.docx'), '.._a_c__.pdf', 'nor with parts of a path');
  t.match(pdfDisposition('年度.docx'), /; filename\*=UTF-8''%E5%B9%B4%E5%BA%A6\.pdf$/);
  t.equal(
    pdfDisposition('report.docx'),
    'attachment; filename="report.pdf"',
    'without filename* where it says the same',
  );
});

t.test('a very long name is cut, between characters', async (t) => {
  t.equal(savedAs(`${'x'.repeat(10_000)}.docx`), `${'x'.repeat(150)}.pdf`);
  t.equal(savedAs(`${'🎉'.repeat(10_000)}.docx`), `${'🎉'.repeat(150)}.pdf`);
  t.ok(pdfDisposition(`${'🎉'.repeat(10_000)}.docx`).length < 4_096);
});

t.test('the name of a picture', async (t) => {
  t.equal(resultDisposition('report.docx', 'png'), 'attachment; filename="report.png"');
  t.match(
    resultDisposition('年度.docx', 'png'),
    /filename="document\.png"; filename\*=UTF-8''%E5%B9%B4%E5%BA%A6\.png$/,
  );
});
