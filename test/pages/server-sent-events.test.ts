/** The events of a job as the page to try the service reads them. */
import t from 'tap';
import { readEvents } from '../../src/pages/try-it/server-sent-events.ts';

const text =
  'retry: 2000\n\nevent: job\ndata: {"name":"Äpfel"}\n\n: still here\n\nevent: job\ndata: {"n":2}\n\ndata: cut o';

async function read(pieces: Iterable<Uint8Array>): Promise<{ told: string[]; heard: number }> {
  const told: string[] = [];
  let heard = 0;
  const hear = () => {
    heard += 1;
  };
  await readEvents(ReadableStream.from(pieces), hear, (data) => told.push(data));
  return { told, heard };
}

t.test('however they arrive, events are whole', async (t) => {
  const bytes = new TextEncoder().encode(text);
  const expected = ['{"name":"Äpfel"}', '{"n":2}'];
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const { told, heard } = await read([bytes.subarray(0, cut), bytes.subarray(cut)]);
    t.strictSame({ told, heard }, { told: expected, heard: 2 }, `cut at ${cut}`);
  }
  t.strictSame((await read([...bytes].map((byte) => Uint8Array.of(byte)))).told, expected, 'byte by byte');
});

t.test('an answer without a body has none', async (t) => {
  await readEvents(null, t.fail, t.fail);
});
