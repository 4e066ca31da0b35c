/** Diagonal lines in cells of tables, in the PDF. */
import { closeSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';
import t from 'tap';
import { Converter } from '../../../src/convert/converter.ts';
import { Workspaces } from '../../../src/convert/workspace.ts';
import { Queue } from '../../../src/queue/queue.ts';
import { openReaders } from '../../convert/support/preflight.ts';
import { never, RecordingLog, startKit, temporaryFolder } from '../../support/kit.ts';
import { convertIn } from '../../support/queue.ts';
import { reportedDocx } from '../../support/report-documents.ts';

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

t.test('lines go through the cell, in any kind of PDF', async (t) => {
  const cell = (borders: string) =>
    `<w:tc><w:tcPr><w:tcW w:w="3000" w:type="dxa"/><w:tcBorders>${borders}</w:tcBorders></w:tcPr><w:p/></w:tc>`;
  const grid = '<w:tblGrid><w:gridCol w:w="3000"/><w:gridCol w:w="3000"/></w:tblGrid>';
  const row = `<w:tr><w:trPr><w:trHeight w:val="1000" w:hRule="exact"/></w:trPr>${cell('<w:tl2br w:val="single" w:sz="8" w:color="FF0000"/>')}${cell('<w:tr2bl w:val="single" w:sz="4" w:color="00FF00"/>')}</w:tr>`;
  const body = `<w:tbl><w:tblPr><w:tblLayout w:type="fixed"/></w:tblPr>${grid}${row}</w:tbl><w:p/>`;
  for (const options of [{}, { pdfa: '2b' }, { linearize: true }] as const) {
    const workspace = workspaces.create();
    await writeFile(workspace.input, reportedDocx({ body }));
    const { fd, report } = await convertIn(converter, workspace, never(), options);
    const pdf = readFileSync(fd);
    closeSync(fd);
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
