/** Pages as pictures, drawn by poppler in both engines. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PNG } from 'pngjs';
import t, { type Test } from 'tap';
import { compressBitmap } from '../../src/convert/pdf/bitmap.ts';
import { ColdEngine } from '../../src/engine/cold-engine.ts';
import { PICTURE_NAME, type PictureJob, UNFINISHED_NAME } from '../../src/engine/engine.ts';
import { never, startKit, temporaryFolder } from '../support/kit.ts';
import { plainPdf } from '../support/plain-pdf.ts';

const run = promisify(execFile);

type Wanted = Partial<Pick<PictureJob, 'page' | 'width' | 'height' | 'background'>>;

/** A job that draws a page of A4, unless something else is wanted. */
async function pictureJob(t: Test, pdf: Buffer, wanted: Wanted = {}): Promise<PictureJob> {
  // A blank must not end a path.
  const folder = join(await temporaryFolder(t), 'a job');
  await mkdir(folder);
  await writeFile(join(folder, UNFINISHED_NAME), pdf);
  return { id: 'job', folder, page: 1, width: 595, height: 842, background: 'white', ...wanted };
}

const { engine: kit } = await startKit(t);
const cold = new ColdEngine();
t.teardown(() => cold.stop());
await cold.start();

const fill = (colour: string) => `${colour} rg 0 0 300 842 re f`;
const two = plainPdf(['one', 'two'], { operators: [fill('1 0 0'), fill('0 0 1')] });
/** Red, green, blue and opacity of a pixel. */
const pixel = ({ data, width }: PNG, x: number, y: number) =>
  [0, 1, 2, 3].map((channel) => data[(y * width + x) * 4 + channel]);

for (const [name, engine] of Object.entries({ kit, cold })) {
  const draw = async (t: Test, pdf: Buffer, wanted?: Wanted) => {
    const job = await pictureJob(t, pdf, wanted);
    await engine.draw(job, never());
    if (job.background === 'white') await compressBitmap(job.folder, job);
    return readFile(join(job.folder, PICTURE_NAME));
  };

  t.test(`${name}: draws the page that is asked for`, async (t) => {
    for (const [page, colour] of [
      [1, [255, 0, 0, 255]],
      [2, [0, 0, 255, 255]],
    ] as const) {
      const picture = PNG.sync.read(await draw(t, two, { page }));
      t.strictSame([picture.width, picture.height], [595, 842]);
      t.strictSame(pixel(picture, 10, 800), colour);
      t.strictSame(pixel(picture, 590, 800), [255, 255, 255, 255], 'on white paper');
    }
  });

  t.test(`${name}: leaves out the paper`, async (t) => {
    const picture = PNG.sync.read(await draw(t, two, { background: 'transparent' }));
    t.strictSame(pixel(picture, 10, 800), [255, 0, 0, 255]);
    t.strictSame(pixel(picture, 590, 800)[3], 0);
  });

  t.test(`${name}: the size is exact`, async (t) => {
    const odd = plainPdf(['one'], { mediaBox: [0, 0, 612.35, 792.1] });
    for (const background of ['white', 'transparent'] as const)
      for (const [width, height] of [
        [16, 21],
        [1240, 1604],
        [1000, 1293],
        [333, 431],
        [1, 1],
      ] as const) {
        const picture = PNG.sync.read(await draw(t, odd, { width, height, background }));
        t.strictSame([picture.width, picture.height], [width, height], background);
      }
  });

  t.test(`${name}: the same bytes each time, and as pdftoppm draws`, async (t) => {
    const one = await draw(t, two, { page: 2 });
    t.ok((await draw(t, two, { page: 2 })).equals(one));
    const job = await pictureJob(t, two);
    const size = ['-scale-to-x', '595', '-scale-to-y', '842'];
    const file = join(job.folder, UNFINISHED_NAME);
    const limits = { encoding: 'buffer', maxBuffer: 1e8 } as const;
    const { stdout } = await run('pdftoppm', ['-png', '-singlefile', '-f', '2', ...size, file], limits);
    t.ok(PNG.sync.read(stdout).data.equals(PNG.sync.read(one).data));
  });

  t.test(`${name}: what is no PDF, or has no such page`, async (t) => {
    const failure = { code: 'CONVERSION_FAILED', reason: 'unexportable' };
    await t.rejects(draw(t, Buffer.from('%PDF-1.7\nnothing')), failure);
    await t.rejects(draw(t, two, { page: 3 }), failure);
  });

  t.test(`${name}: a client that leaves`, async (t) => {
    const job = await pictureJob(t, two);
    await t.rejects(engine.draw(job, AbortSignal.abort(new Error('left'))), { message: 'left' });
  });

  t.test(`${name}: the version`, async (t) => {
    const { stderr } = await run('pdftoppm', ['-v']);
    t.match(stderr, `pdftoppm version ${engine.status().poppler}\n`);
  });
}

/** A PDF whose page is drawn by transparency groups, each inside of the one before: each takes memory as the page does. */
function nestedGroups(count: number): Buffer {
  const group = '/Group << /S /Transparency /I true >>';
  const inner = (n: number) => `/Resources << /XObject << /X ${n} 0 R >> >>`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 1000] ${inner(5)} /Contents 4 0 R >>`,
    '<< /Length 5 >>\nstream\n/X Do\nendstream',
    ...Array.from({ length: count }, (_, i) => {
      const content = i === count - 1 ? '0 0 400 1000 re f' : '/X Do';
      return `<< /Type /XObject /Subtype /Form /BBox [0 0 400 1000] ${group} ${inner(6 + i)} /Length ${content.length} >>\nstream\n${content}\nendstream`;
    }),
  ];
  const body = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`).join('');
  // Without a table of objects, poppler looks for them.
  return Buffer.from(`%PDF-1.4\n${body}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\n%%EOF\n`);
}

t.test('a page that takes too much', async (t) => {
  const used = (cause: string) => ({ code: 'CONVERSION_FAILED', cause });
  const curves = Array.from({ length: 500_000 }, (_, i) => `0 ${i % 842} m 595 ${i % 700} 0 9 595 842 c S`);
  const slow = plainPdf(['paths'], { operators: [curves.join('\n')] });
  const hasty = await startKit(t, { workers: 1, jobCpuMs: 1_000 });
  const large = { width: 4_000, height: 5_657 };
  const spent = used('the document used up its cpu budget');
  await t.rejects(
    hasty.engine.draw(await pictureJob(t, slow, large), never()),
    spent,
    'half a million paths',
  );
  const small = await startKit(t, { workers: 1, jobMemoryBytes: 768 * 1_048_576 });
  const full = used('the document used up its memory budget');
  const wanted = await pictureJob(t, nestedGroups(20), { width: 4_000, height: 10_000 });
  await t.rejects(small.engine.draw(wanted, never()), full, 'twenty pictures of 40 million pixels');
  const huge = plainPdf(['five metres'], { mediaBox: [0, 0, 14_173, 14_173] });
  await t.resolves(kit.draw(await pictureJob(t, huge, { width: 4_000, height: 4_000 }), never()));
});

t.test('the kit goes on with the next document', async (t) => {
  const { pid } = kit.status();
  const job = await pictureJob(t, two);
  await kit.draw(job, never());
  t.equal(kit.status().pid, pid);
});
