/** The process of {@link MeasuredReading}. */
import { Session } from 'node:inspector/promises';
import { growingDocuments } from '../../support/growing-documents/all.ts';
import { attacks } from '../../support/growing-documents/attacks.ts';
import { namedElements } from '../../support/growing-documents/elements.ts';
import { pdfKinds } from '../../support/growing-documents/pdfs.ts';
import type { Measured, Order } from './measured-reading.ts';
import { type Reading, readDocument, readPdf } from './whole-reading.ts';

const [folder = '', isCounted] = process.argv.slice(2);
const documents = new Map(
  [...growingDocuments, ...namedElements, ...attackKinds()].map((each) => [each.name, each]),
);
const pdfs = new Map(pdfKinds.map((each) => [each.name, each]));
/** The code that reads. */
const CODE =
  /\/src\/convert\/((?:(?:document|rules|pagination|text|fonts|report|pdf)\/[\w-]+|package\/(?:xml-scanner|part|tag|data-bindings|style-limits|image-size|xml|relationships))\.ts)$/;

function attackKinds() {
  return Object.entries(attacks).map(([name, of]) => ({ name, size: 1, of, shown: {} }));
}

const session = new Session();
if (isCounted === 'true') {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}

/** How often each block ran since this was asked last, and the block around it. A function is a block. */
async function takeCounts(): Promise<Pick<Measured, 'counts' | 'around'>> {
  const counts = new Map<string, number>();
  const around = new Map<string, string>();
  if (isCounted !== 'true') return { counts, around };
  const { result } = await session.post('Profiler.takePreciseCoverage');
  for (const { url, functions } of result) {
    const file = CODE.exec(url)?.[1];
    if (file === undefined) continue;
    for (const { functionName, ranges } of functions) {
      const open: { place: string; endOffset: number }[] = [];
      for (const [index, { startOffset, endOffset, count }] of ranges.entries()) {
        const place = `${file} ${functionName || 'function'} ${index === 0 ? '' : 'block '}at ${startOffset}`;
        counts.set(place, (counts.get(place) ?? 0) + count);
        while ((open.at(-1)?.endOffset ?? endOffset) < endOffset) open.pop();
        const outer = open.at(-1);
        if (outer) around.set(place, outer.place);
        open.push({ place, endOffset });
      }
    }
  }
  return { counts, around };
}

async function measure({ name, size }: Order): Promise<Measured> {
  const document = documents.get(name);
  const bytes = document?.of(size) ?? pdfs.get(name)?.of(size);
  if (!bytes) throw new Error(`there is no ${name}`);
  // No collection of what earlier documents left: it throws optimised code away, and reading then takes three times as long.
  let reading: Reading = { rewrites: [], refusal: undefined };
  let mistake: string | undefined;
  const before = process.cpuUsage();
  try {
    reading = document ? await readDocument(folder, bytes, document.shown) : await readPdf(folder, bytes);
  } catch (error) {
    mistake = error instanceof Error ? error.stack : String(error);
  }
  const { user, system } = process.cpuUsage(before);
  const inflatedBytes = document ? inflatedSize(bytes) : bytes.length;
  return { ...reading, cpuMs: (user + system) / 1_000, inflatedBytes, mistake, ...(await takeCounts()) };
}

/** Of all parts, by the directory of the archive (APPNOTE.TXT, 4.3.12). */
function inflatedSize(archive: Buffer): number {
  let size = 0;
  for (
    let at = archive.indexOf('PK\x01\x02', 0, 'latin1');
    at >= 0;
    at = archive.indexOf('PK\x01\x02', at + 46, 'latin1')
  )
    size += archive.readUInt32LE(at + 24);
  return size;
}

process.on('message', async (order: Order) => {
  process.send?.(await measure(order));
});
