/**
 * Documents that are valid packages and attack through LibreOffice, sent to the built server: each gets its expected
 * answer within its budget, and reaches nothing. layers.test.ts tests which layer of defence stops which.
 */
import { rm } from 'node:fs/promises';
import t from 'tap';
import { burners, cases } from './support/all-cases.ts';
import { AttackedServer } from './support/attacked-server.ts';
import { benignPictures } from './support/benign-pictures.ts';
import { malformedFormats } from './support/cases/pictures.ts';

/** A selection of the documents that exhaust their budget; documents.soak.ts has all. */
const quickBurners = [
  '20,000 page breaks',
  'a PNG of 64 megapixels in one bit',
  'a header that includes itself and the document',
  '48 nested tables',
  'an SVG picture of huge dimensions',
];

t.test('documents that exhaust their budget', async (t) => {
  const attacked = await AttackedServer.start(t, { timeoutMs: 2_500, memoryMb: 512 });
  await attacked.send(
    t,
    burners.filter(({ name }) => quickBurners.includes(name)),
  );
  await attacked.isUntouched(t);
});

t.test('documents that attack', async (t) => {
  // Enough time for those that are converted, even on a busy machine.
  const attacked = await AttackedServer.start(t, { timeoutMs: 60_000, memoryMb: 512 });
  await attacked.send(t, cases);
  t.strictSame(
    malformedFormats.filter((extension) => !(extension in benignPictures)),
    ['tga', 'met'],
    'formats whose decoder is not shown to be reached',
  );
  await attacked.draws(t);
  await attacked.isUntouched(t);
});

t.teardown(() => rm('/tmp/platen-eps-ran', { force: true }));
