/** How near a font comes to one of Word's: the measurement that the table of stand-ins rests on. */
import { join } from 'node:path';
import t from 'tap';
import { type Candidate, candidatesOf } from '../../bench/fonts/candidates.ts';
import { nearness } from '../../bench/fonts/nearness.ts';
import { type ShownFont, shownFonts } from '../../bench/fonts/shown-fonts.ts';
import { docxWithParts, mainPart } from '../support/documents.ts';
import { createJob, never, startKit } from '../support/kit.ts';

const FONTS = '/usr/share/fonts/truetype';

const shown = (advances: Record<string, number>): ShownFont => ({
  name: 'Word',
  advances: new Map(Object.entries(advances)),
  line: undefined,
});
const font = (advances: Record<string, number>): Candidate => ({
  name: 'Free',
  family: 'Free',
  advance: (character) => advances[character],
  line: 1,
});

t.test('nearness', async (t) => {
  const word = shown({ a: 0.5, b: 0.5, c: 1 });
  t.match(nearness(word, font({ a: 0.5, b: 0.5, c: 1 })), {
    characters: 3,
    offBy: 0,
    scale: 1,
    scaledOffBy: 0,
  });
  t.match(
    nearness(word, font({ a: 1, b: 1, c: 2 })),
    { offBy: 1, scale: 0.5, scaledOffBy: 0 },
    'of half the size',
  );
  t.match(nearness(word, font({ a: 0.75, b: 0.25, c: 1 })), { offBy: 0.25, scale: 1, scaledOffBy: 0.25 });
  t.equal(nearness(word, font({ a: 0.5, b: 0.5 })), undefined, 'it lacks a third');
  t.equal(nearness(shown({}), font({})), undefined);
});

t.test('of a PDF whose font is known', async (t) => {
  const text = (line: string) =>
    `<w:p><w:r><w:rPr><w:rFonts w:ascii="Calibri"/></w:rPr><w:t>${line}</w:t></w:r></w:p>`;
  const { engine, folder } = await startKit(t, { workers: 1 });
  const job = await createJob(
    folder,
    docxWithParts({ 'word/document.xml': mainPart(text('Handgloves').repeat(4)) }),
  );
  await engine.convert(job, never());
  const [carlito, ...more] = await shownFonts([join(job.folder, 'output.pdf')]);
  t.strictSame(more, []);
  if (!carlito) throw new Error('the PDF has no font');
  t.strictSame([...carlito.advances.keys()].sort().join(''), 'Hadeglnosv');
  const [same] = await candidatesOf(join(FONTS, 'crosextra/Carlito-Regular.ttf'));
  const [other] = await candidatesOf(join(FONTS, 'dejavu/DejaVuSans-Bold.ttf'));
  if (!same || !other) throw new Error('a font has no face');
  t.strictSame([same.name, other.name], ['Carlito', 'DejaVu Sans Bold']);
  t.ok((nearness(carlito, same)?.offBy ?? 1) < 0.005);
  t.ok((nearness(carlito, other)?.offBy ?? 0) > 0.1);
  t.ok(Math.abs((carlito.line ?? 0) - same.line) < 0.02, `${carlito.line} and ${same.line}`);
});

t.test('what is no font has no faces', async (t) => {
  t.strictSame(await candidatesOf(import.meta.filename), []);
});
