/** Options of a PDF, as other programs see them: its pages, its encryption, its order, its watermark. */
import { execFile } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PNG } from 'pngjs';
import t, { type Test } from 'tap';
import { accessibleDocx } from '../../support/accessible-document.ts';
import { violations } from '../../support/conformance.ts';
import { docx } from '../../support/documents.ts';
import { reportedDocx } from '../../support/report-documents.ts';
import { form } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { isError } from '../support/assertions.ts';
import { pdfText } from '../support/pdf.ts';
import { send } from '../support/requests.ts';
import { key, server } from './server.ts';

const run = promisify(execFile);

const page = (words: string) => `<w:p><w:r><w:br w:type="page"/><w:t>${words}</w:t></w:r></w:p>`;
/** A document of five pages, with Word's marks where they begin. */
const marked = (words: string) =>
  `<w:p><w:r><w:br w:type="page"/></w:r><w:r><w:lastRenderedPageBreak/><w:t>${words}</w:t></w:r></w:p>`;
const properties = '<Application>Microsoft Office Word</Application><Pages>5</Pages>';
const first = '<w:p><w:r><w:t>page 1</w:t></w:r></w:p>';
const five = {
  plain: reportedDocx({ body: first + [2, 3, 4, 5].map((n) => page(`page ${n}`)).join('') }),
  marked: reportedDocx({ body: first + [2, 3, 4, 5].map((n) => marked(`page ${n}`)).join(''), properties }),
};

async function convert(document: Buffer, query: string, fields: Readonly<Record<string, string>> = {}) {
  const body = form(document);
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return send(server, `/v1/convert?${query}`, { key, body });
}

/** The PDF in a file of the test. */
async function pdfFile(t: Test, document: Buffer, query: string, fields = {}): Promise<string> {
  const { status, body } = await convert(document, query, fields);
  t.equal(status, 200, body.toString('latin1', 0, 300));
  const file = join(t.testdir(), 'document.pdf');
  await writeFile(file, body);
  return file;
}

t.test('pages', async (t) => {
  for (const [name, document] of Object.entries(five)) {
    for (const [pages, expected, warning] of [
      ['1-3,5', [1, 2, 3, 5], null],
      ['4-', [4, 5], null],
      ['2,9', [2], 'PAGES_CLAMPED;pages=1'],
    ] as const) {
      const { headers, body } = await convert(document, `pages=${pages}`);
      const text = (await pdfText(body)).split('\f').map((each) => each.trim());
      t.strictSame(
        text,
        expected.map((n) => `page ${n}`),
        `${name} ${pages}`,
      );
      t.equal(headers.get('x-conversion-pages'), String(expected.length));
      t.equal(headers.get('x-conversion-warnings'), warning);
    }
    const { message } = isError(t, await convert(document, 'pages=6-'), 'INVALID_PARAMETER', 400, name);
    t.equal(message, 'The document has 5 pages, and the parameter pages asks for none of them.');
  }
});

t.test('linearize', async (t) => {
  const file = await pdfFile(t, five.marked, 'linearize=true');
  const { stdout } = await run('qpdf', ['--check', file]);
  t.match(stdout, 'File is linearized');
  t.notMatch(stdout, 'WARNING');
  t.match(await pdfText((await convert(docx(), 'linearize=true&title=x')).body), 'Hello from Platen.');
});

t.test('an accessible PDF', async (t) => {
  for (const query of [
    'pdfua=true',
    'pdfua=true&pdfa=2b',
    'pdfua=true&pdfa=3b',
    'pdfua=true&linearize=true',
  ]) {
    const file = await pdfFile(t, accessibleDocx(), query);
    t.strictSame(await violations(file, 'ua'), [], query);
    const level = /pdfa=(2b|3b)/.exec(query)?.[1] as '2b' | '3b' | undefined;
    if (level) t.strictSame(await violations(file, level), [], `${query}: as PDF/A`);
  }
});

t.test('both kinds of metadata in a PDF agree', async (t) => {
  const keywords = 'R&D, "a <b>"; c';
  const texts = `title=${encodeURIComponent('R&D <1>')}&keywords=${encodeURIComponent(`${keywords}\uffff`)}`;
  for (const query of ['pdfua=true', 'pdfua=true&linearize=true', 'pdfua=true&pdfa=2b', 'pdfa=1b']) {
    const file = await pdfFile(t, docx(), `${query}&${texts}`);
    const { stdout: xmp } = await run('pdfinfo', ['-meta', file]);
    t.match(xmp, '>R&amp;D &lt;1&gt;</rdf:li>', query);
    t.match(xmp, '<pdf:Keywords>R&amp;D, "a &lt;b&gt;"; c\ufffd</pdf:Keywords>', query);
    const { stdout: info } = await run('pdfinfo', [file]);
    t.match(info, /^Title: +R&D <1>$/m, query);
    t.match(info, new RegExp(`^Keywords: +${keywords}\ufffd$`, 'm'), query);
  }
});

t.test('what the author left out is in the report', async (t) => {
  const document = accessibleDocx({ alternative: '', title: '', hasHeaderRow: false });
  const { headers } = await convert(document, 'pdfua=true&title=Given');
  const path = `/v1/conversions/${headers.get('x-request-id')}`;
  const report = JSON.parse((await send(server, path, { method: 'GET', key })).body.toString());
  t.match(report.accessibility, [
    { problem: 'no-header-row', number: 1, paragraph: 8 },
    { problem: 'no-alternative-text', number: 1, paragraph: 12 },
  ]);
  const broken = await violations(await pdfFile(t, document, 'pdfua=true'), 'ua');
  const clauses = new Set(broken.map(({ clause }) => clause));
  t.strictSame([...clauses].sort(), ['7.1', '7.3', '7.5'], 'and nothing else is wrong');
});

t.test('passwords', async (t) => {
  const file = await pdfFile(t, docx(), '', { userPassword: 'pässwort', ownerPassword: 'owner' });
  const { stderr } = await run('pdftotext', [file, '-']).catch((error: { stderr: string }) => error);
  t.match(stderr, 'Incorrect password');
  for (const flags of [
    ['-upw', 'pässwort'],
    ['-opw', 'owner'],
  ])
    t.match((await run('pdftotext', [...flags, file, '-'])).stdout, 'Hello from Platen.');
  const { stdout } = await run('qpdf', ['--password=pässwort', '--show-encryption', file]);
  t.match(stdout, 'R = 6');
  t.match(stdout, 'file encryption method: AESv3');
  await run('qpdf', ['--password=owner', '--check', file]);
});

t.test('no PDF stays open in the server', async (t) => {
  for (let n = 0; n < 3; n += 1) t.equal((await convert(docx(), 'linearize=true')).status, 200);
  const folder = `/proc/${server.pid}/fd`;
  const openPdfs = () => {
    const targets = readdirSync(folder).map((name) => {
      try {
        return readlinkSync(join(folder, name));
      } catch {
        return ''; // Closed since the folder was read.
      }
    });
    return targets.filter((target) => target.includes('.pdf')).length;
  };
  await until('every PDF is closed', () => openPdfs() === 0);
});

t.test('what a PDF allows', async (t) => {
  const rights = {
    'print high resolution': 'print',
    'extract for any purpose': 'copy',
    'modify other': 'modify',
    'modify annotations': 'annotate',
    'modify forms': 'fillForms',
    'modify document assembly': 'assemble',
  } as const;
  // No two rights are in the same ones of these.
  for (const allow of [
    'none',
    'print,modify,fillForms',
    'copy,modify,assemble',
    'annotate,fillForms,assemble',
  ]) {
    const file = await pdfFile(t, docx(), `allow=${allow}`, { ownerPassword: 'owner' });
    const { stdout } = await run('qpdf', ['--show-encryption', file]);
    for (const [line, right] of Object.entries(rights)) {
      const isAllowed = allow.split(',').includes(right);
      t.match(stdout, `${line}: ${isAllowed ? 'allowed' : 'not allowed'}`, `${allow}: ${right}`);
    }
    t.match(stdout, 'extract for accessibility: allowed', 'reading aloud');
  }
});

/** The box of the pixels of one colour, at 36 dots per inch. */
async function boxOf(pdf: string, isPart: (red: number, green: number, blue: number) => boolean) {
  const { stdout } = await run('pdftoppm', ['-r', '36', '-png', '-f', '1', '-l', '1', pdf], {
    encoding: 'buffer',
    maxBuffer: 16_777_216,
  });
  const { width, height, data } = PNG.sync.read(stdout);
  const xs: number[] = [];
  const ys: number[] = [];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = 4 * (y * width + x);
      if (!isPart(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0)) continue;
      xs.push(x);
      ys.push(y);
    }
  }
  return {
    width: Math.max(...xs) - Math.min(...xs),
    height: Math.max(...ys) - Math.min(...ys),
    found: xs.length,
  };
}

t.test('a watermark', async (t) => {
  const isRed = (red: number, green: number, blue: number) => red > green + 40 && red > blue + 40;
  const watermark = 'watermark=DRAFT&watermarkColor=ff0000';
  const none = await boxOf(await pdfFile(t, docx(), ''), isRed);
  t.equal(none.found, 0);
  const usual = await boxOf(await pdfFile(t, docx(), watermark), isRed);
  t.ok(usual.found > 100 && usual.height > 50 && usual.width > 50, JSON.stringify(usual));
  const flat = await boxOf(await pdfFile(t, docx(), `${watermark}&watermarkAngle=0&watermarkSize=40`), isRed);
  t.ok(flat.found > 10 && flat.height < 40 && flat.width > flat.height, JSON.stringify(flat));
  const archived = await boxOf(await pdfFile(t, docx(), `${watermark}&pdfa=2b`), isRed);
  t.ok(archived.found > 100, JSON.stringify(archived));
  const file = await pdfFile(t, accessibleDocx(), `${watermark}&pdfa=2b&pdfua=true`);
  for (const profile of ['2b', 'ua'] as const) t.strictSame(await violations(file, profile), [], profile);
});
