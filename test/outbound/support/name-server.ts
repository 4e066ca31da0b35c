/** A name server on loopback that says what the test tells it to. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Test } from 'tap';

const HEADER_BYTES = 12;
const A = 1;
const AAAA = 28;

/** The addresses of a name; undefined: no answer at all. */
export type Zone = (name: string, family: 4 | 6) => readonly string[] | undefined;

/**
 * Answers questions of the types A and AAAA.
 *
 * @returns its address, and the names that were asked for.
 */
export async function startNameServer(
  t: Pick<Test, 'teardown'>,
  zone: Zone,
): Promise<{ readonly address: string; readonly asked: string[] }> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, end } = readName(query);
    const type = query.readUInt16BE(end);
    const family = type === AAAA ? 6 : 4;
    asked.push(`${family} ${name}`);
    const addresses = type === A || type === AAAA ? zone(name, family) : [];
    if (!addresses) return;
    const head = Buffer.from(query.subarray(0, HEADER_BYTES));
    // A response, recursion available; NXDOMAIN if there is none.
    head.writeUInt16BE(addresses.length > 0 ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(addresses.length, 6);
    head.writeUInt32BE(0, 8);
    const answers = addresses.map((each) => record(type, each));
    socket.send(Buffer.concat([head, query.subarray(HEADER_BYTES, end + 4), ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString());
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}

/** A resource record that points at the question's name, to be kept for no time. */
function record(type: number, address: string): Buffer {
  const data = type === A ? Buffer.from(address.split('.').map(Number)) : bytesOf6(address);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc000 + HEADER_BYTES, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function bytesOf6(address: string): Buffer {
  const [front = '', back] = address.split('::');
  const groups = (text = '') => text.split(':').filter((group) => group !== '');
  const missing = 8 - groups(front).length - groups(back).length;
  const all = [...groups(front), ...Array<string>(missing).fill('0'), ...groups(back)];
  return Buffer.concat(
    all.map((group) => {
      const bytes = Buffer.alloc(2);
      bytes.writeUInt16BE(Number.parseInt(group, 16));
      return bytes;
    }),
  );
}
