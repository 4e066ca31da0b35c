/** When a PDF is handed over to its bill: answers that wait for their turn on a pipelined connection. */
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { TailReader } from '../../../src/convert/tail-reader.ts';
import { deliveryOf } from '../../../src/http/conversion/delivery.ts';
import { temporaryFolder } from '../../redis/support.ts';
import { until } from '../../support/until.ts';

const SIZE = 5_000;
const delivery = { pages: 1, bytesIn: 1, bytesOut: SIZE, durationMs: 1 };

/** Two requests on one connection, of which the second is answered with a PDF before the first has its answer. */
async function pipelined(t: Test) {
  const path = join(await temporaryFolder(t), 'output.pdf');
  await writeFile(path, Buffer.alloc(SIZE, 'x'));
  const answers: ServerResponse[] = [];
  const server = createServer((_request, answer) => answers.push(answer));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  t.teardown(() => {
    client.destroy();
    server.close();
  });
  client.write('GET /1 HTTP/1.1\r\nhost: x\r\n\r\nGET /2 HTTP/1.1\r\nhost: x\r\n\r\n');
  await until('both requests are there', () => answers.length === 2);
  const [first, second] = answers as [ServerResponse, ServerResponse];

  const told: string[] = [];
  const bill = {
    handOver: () => void told.push('handed over'),
    takeBack: () => void told.push('taken back'),
  };
  const fd = openSync(path, 'r');
  const stream = deliveryOf({ fd, reader: TailReader.over(fd) }, second, bill, delivery);
  second.setHeader('content-length', SIZE);
  stream.pipe(second);
  await until('all but the last chunk waits', () => second.writableLength > SIZE - 2_000);
  // Whatever does not wait for the connection has happened by then.
  await new Promise(setImmediate);
  return { client, first, stream, told };
}

t.test('the last chunk of a PDF waits for the turn of its answer', async (t) => {
  const { client, first, stream, told } = await pipelined(t);
  t.strictSame(told, [], 'nothing is handed over before');
  let received = '';
  client.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  first.setHeader('content-length', 0).end();
  await until('it has arrived', () => received.endsWith('x'.repeat(SIZE)));
  t.strictSame(told, ['handed over'], 'and the system takes it at once');
  if (!stream.closed) await once(stream, 'close');
});

t.test('a connection that ends before that', async (t) => {
  const { client, stream, told } = await pipelined(t);
  client.destroy();
  stream.destroy();
  if (!stream.closed) await once(stream, 'close');
  t.strictSame(told, []);
});
