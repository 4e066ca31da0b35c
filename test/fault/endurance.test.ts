/**
 * Many conversions leave nothing behind: descriptors, processes, folders and memory are as before.
 *
 * CONVERSIONS says how many.
 */
import t from 'tap';
import { endsCleanly } from '../e2e/support/assertions.ts';
import { docx, imageDocx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { convertAlone } from './support/load.ts';
import { residentBytes, restingState, untilAs } from './support/state.ts';

const CONVERSIONS = Number(process.env.CONVERSIONS ?? 60);
const CLIENTS = 4;
const MIB = 1_048_576;
/** With a first one that converts alone. */
const LEAST_KITS = 3;
/** Allowed growth of the server's memory, however many documents it converts: the heap fluctuates. */
const MAX_GROWTH_BYTES = 48 * MIB;

const server = await Server.start({
  // A fresh kit now and then, in the short form as well.
  env: { KIT_MAX_DOCUMENTS: String(Math.min(500, CONVERSIONS / 3)), LOG_LEVEL: 'info' },
});
const { key } = await server.createKey();
const documents = [docx(), docx({ pages: 3 }), imageDocx(1, 100)];

async function convertMany(count: number): Promise<void> {
  let left = count;
  const client = async () => {
    while (left-- > 0) {
      const { status, body } = await convertAlone(server, key, documents[left % documents.length] as Buffer);
      if (status !== 200) throw new Error(body.toString());
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

t.test(`${CONVERSIONS} conversions leave no trace`, async (t) => {
  // Warm-up of what is created once: connections, compiled code, heaps.
  await convertMany(CONVERSIONS / 5);
  const before = await restingState(server);
  const residentBefore = await residentBytes(server.pid);
  const kits = () => server.log.filter(({ msg }) => msg === 'kit ready').length;
  const started = performance.now();
  await convertMany(CONVERSIONS);
  const seconds = (performance.now() - started) / 1_000;
  // While a kit starts, the former one converts more documents than its number: on some machines nearly all.
  await until('kits are renewed meanwhile', async () => {
    if (kits() < LEAST_KITS) await convertMany(CLIENTS);
    return kits() >= LEAST_KITS;
  });
  const resident = await residentBytes(server.pid);
  await untilAs(before, server);
  t.comment({
    perSecond: CONVERSIONS / seconds,
    ...before,
    residentMiB: [residentBefore, resident].map((bytes) => Math.round(bytes / MIB)),
    kits: kits(),
  });
  t.ok(resident - residentBefore < MAX_GROWTH_BYTES, `${resident - residentBefore} bytes more`);
});

t.test('the server ends cleanly', (t) => endsCleanly(t, server));
