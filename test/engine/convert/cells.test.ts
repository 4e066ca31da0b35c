/** What LibreOffice prints of cells of tables. */
import { execFile } from 'node:child_process';
import { closeSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inflateSync } from 'node:zlib';
import t from 'tap';
import { Converter } from '../../../src/convert/converter.ts';
import { Workspaces } from '../../../src/convert/workspace.ts';
import { Queue } from '../../../src/queue/queue.ts';
import type { ConversionOptions } from '../../../src/shared/options/conversion-options.ts';
import { openReaders } from '../../convert/support/preflight.ts';
import { docxLeadingTo } from '../../support/documents.ts';
import { never, RecordingLog, startKit, temporaryFolder } from '../../support/kit.ts';
import { convertIn } from '../../support/queue.ts';
import { reportedDocx } from '../../support/report-documents.ts';

const exec = promisify(execFile);
const LONG_MS = 60_000;
const readers = openReaders();
const { engine } = await startKit(t);
const workspaces = await Workspaces.open(await temporaryFolder(t), 10, new RecordingLog().log);
t.teardown(() => workspaces.close());
const converter = new Converter({
  readers,
  engine,
  queue: new Queue({ workers: 1, limit: 1, timeoutMs: LONG_MS }),
  timeoutMs: LONG_MS,
});

async function convert(body: string, options: ConversionOptions = {}, document = reportedDocx({ body })) {
  const workspace = workspaces.create();
  await writeFile(workspace.input, document);
  const { fd, report } = await convertIn(converter, workspace, never(), { options });
  const pdf = readFileSync(fd);
  closeSync(fd);
  await workspace.dispose();
  return { pdf, report };
}

/** A Windows metafile (MS-EMF) of lines, each with a hundred points. */
function metafile(lines: number): Buffer {
  const numbers = (...values: readonly number[]) => {
    const bytes = Buffer.alloc(4 * values.length);
    for (const [at, value] of values.entries()) bytes.writeInt32LE(value, 4 * at);
    return bytes;
  };
  const points = Buffer.alloc(400);
  for (let at = 0; at < 200; at += 1) points.writeInt16LE((at * 7_919) % 9_000, 2 * at);
  const [box, length] = [[0, 0, 9_000, 9_000], 28 + points.length] as const;
  const line = Buffer.concat([numbers(87, length, ...box, 100), points]);
  const size = 88 + lines * line.length + 20;
  const header = numbers(
    ...[1, 88, ...box, ...box, 0x464d4520, 0x10000, size, lines + 2, 1, 0, 0, 0, 1_000, 1_000, 200, 200],
  );
  const end = numbers(14, 20, 0, 16, 20);
  return Buffer.concat([header, ...Array.from({ length: lines }, () => line), end]);
}

t.test('lines go through the cell, in any kind of PDF', async (t) => {
  const cell = (borders: string) =>
    `<w:tc><w:tcPr><w:tcW w:w="3000" w:type="dxa"/><w:tcBorders>${borders}</w:tcBorders></w:tcPr><w:p/></w:tc>`;
  const grid = '<w:tblGrid><w:gridCol w:w="3000"/><w:gridCol w:w="3000"/></w:tblGrid>';
  const row = `<w:tr><w:trPr><w:trHeight w:val="1000" w:hRule="exact"/></w:trPr>${cell('<w:tl2br w:val="single" w:sz="8" w:color="FF0000"/>')}${cell('<w:tr2bl w:val="single" w:sz="4" w:color="00FF00"/>')}</w:tr>`;
  const body = `<w:tbl><w:tblPr><w:tblLayout w:type="fixed"/></w:tblPr>${grid}${row}</w:tbl><w:p/>`;
  for (const options of [{}, { pdfa: '2b' }, { linearize: true }] as const) {
    const { pdf, report } = await convert(body, options);
    const contents = [...pdf.toString('latin1').matchAll(/stream\r?\n/g)].flatMap(
      ({ index, 0: { length } }) => {
        try {
          return [inflateSync(pdf.subarray(index + length)).toString('latin1')];
        } catch {
          return [];
        }
      },
    );
    const lines = contents.flatMap((content) => [
      ...content.matchAll(/(\S+ \S+ \S+) RG (\S+) w (\S+) (\S+) m (\S+) (\S+) l S/g),
    ]);
    const found = new Map(
      lines.map(([, colour, width, left, from, right, to]) => [
        colour,
        { width, wide: Number(right) - Number(left), high: Number(from) - Number(to) },
      ]),
    );
    const [red, green] = [found.get('1.00000 0.00000 0.00000'), found.get('0.00000 1.00000 0.00000')];
    t.match(red, { width: '1' });
    t.match(green, { width: '0.5' });
    t.ok(Math.abs((red?.wide ?? 0) - 150) < 1, 'as wide as its cell');
    t.ok(Math.abs((red?.high ?? 0) - 50) < 1, 'down');
    t.ok(Math.abs((green?.high ?? 0) + 50) < 1, 'up');
    t.strictSame(report.omitted, []);
  }
});

t.test('lines on a page of very many drawings are missing, which is told', async (t) => {
  const cell =
    '<w:tc><w:tcPr><w:tcBorders><w:tl2br w:val="single"/><w:tr2bl w:val="single"/></w:tcBorders></w:tcPr><w:p/></w:tc>';
  const picture =
    '<w:p><w:r><w:pict xmlns:v="urn:schemas-microsoft-com:vml"><v:shape style="width:200pt;height:200pt"><v:imagedata r:id="rId1"/></v:shape></w:pict></w:r></w:p>';
  const body = `<w:tbl><w:tr>${cell}</w:tr></w:tbl>${picture}`;
  const document = docxLeadingTo({ 'a.emf': 'image' }, { 'word/a.emf': metafile(6_000) }, body);
  for (const options of [{}, { linearize: true }] as const) {
    const { report } = await convert('', options, document);
    t.strictSame(report.omitted, [{ kind: 'diagonal-border', count: 2 }]);
  }
});

t.test('margins of 0 of a cell', async (t) => {
  const margins = (name: string, width: number) =>
    `<w:${name}>${['top', 'left', 'bottom', 'right'].map((side) => `<w:${side} w:w="${width}" w:type="dxa"/>`).join('')}</w:${name}>`;
  const cell = (more: string, text: string) =>
    `<w:tc><w:tcPr><w:tcW w:w="3000" w:type="dxa"/>${more}</w:tcPr><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
  const row = (more: string, text: string) => `<w:tr>${cell(more, text)}</w:tr>`;
  const own = margins('tcMar', 0);
  const rows = row('', 'usual') + row(own, 'own') + row(own, 'last');
  const { pdf } = await convert(
    `<w:tbl><w:tblPr><w:tblLayout w:type="fixed"/>${margins('tblCellMar', 400)}</w:tblPr><w:tblGrid><w:gridCol w:w="3000"/></w:tblGrid>${rows}</w:tbl><w:p/>`,
  );
  const path = join(await temporaryFolder(t), 'output.pdf');
  await writeFile(path, pdf);
  const { stdout } = await exec('pdftotext', ['-bbox', path, '-']);
  const place = (word: string) =>
    (new RegExp(`xMin="(.*?)" yMin="(.*?)".*>${word}<`).exec(stdout) ?? []).slice(1).map(Number);
  const [[usualLeft = 0, usualTop = 0], [left = 0, top = 0], [, lastTop = 0]] = [
    place('usual'),
    place('own'),
    place('last'),
  ] as const;
  t.equal(Math.round(usualLeft - left), 20, "take the place of the table's, at the left");
  t.ok(top - usualTop > 30, 'below which is the margin of the other row');
  t.ok(lastTop - top > 5 && lastTop - top < 20, 'and in height');
});
