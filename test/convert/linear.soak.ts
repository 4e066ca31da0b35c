/** The same as linear.slow.test.ts, with large documents, and with a document for each element that the code names. */
import t from 'tap';
import { growingDocuments } from '../support/growing-documents/all.ts';
import { namedElements } from '../support/growing-documents/elements.ts';
import { pdfKinds } from '../support/growing-documents/pdfs.ts';
import { assertLinear, grownBlocks } from './support/linear-time.ts';
import { MeasuredReading } from './support/measured-reading.ts';

/** How many times as large as in the quick test: documents of a megabyte or two. */
const LARGE = 5;
/** CPU time in milliseconds that a megabyte may take: what the slowest kinds take, which are nothing but tags, and half as much again. */
const MOST_MS_PER_MB = 2_000;
const MEGABYTE = 1_048_576;

t.test('large documents', { timeout: 3_600_000 }, async (t) => {
  const reading = new MeasuredReading(t, { counts: false });
  for (const { name, size, most = Number.POSITIVE_INFINITY } of [...growingDocuments, ...pdfKinds]) {
    const large = Math.floor(Math.min(LARGE * size, most / 2));
    const { cpuMs, inflatedBytes } = await assertLinear(t, reading, name, large);
    const megabytes = Math.max(1, inflatedBytes / MEGABYTE);
    t.ok(
      cpuMs < MOST_MS_PER_MB * megabytes,
      `${name}: ${Math.round(cpuMs / megabytes)} ms for each megabyte`,
    );
  }
});

t.test('each element that the code names', { timeout: 3_600_000 }, async (t) => {
  const reading = new MeasuredReading(t, { counts: true });
  for (const { name, size } of namedElements) {
    t.strictSame([...(await grownBlocks(t, reading, name, size))], [], name);
  }
});
