/** How a server drains and ends; plans.test.ts ends one that still starts. */
import { once } from 'node:events';
import t from 'tap';
import { docx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { isError, isPdf } from './support/assertions.ts';
import { runningJob } from './support/processes.ts';
import { answerTo, convert, filePartHead, get, openConnection, openUpload } from './support/requests.ts';

t.test('two signals at once, under load and with idle clients', async (t) => {
  const server = await Server.start({ env: { WORKERS: '1', DRAIN_DELAY_MS: '4000' } });
  const { key } = await server.createKey();
  // The first keeps the others waiting until it continues. It runs long enough to be stopped in time.
  const pages = 600;
  const first = convert(server, key, docx({ pages }));
  const { child } = await runningJob(server);
  process.kill(child, 'SIGSTOP');
  const others = Array.from({ length: 7 }, (_, i) =>
    convert(server, key, docx({ paragraphs: [`No. ${i}`] })),
  );
  const silent = openConnection(server);
  await once(silent, 'connect');
  const upload = openUpload(server, '/v1/convert', { key });
  const idle = answerTo(upload);
  upload.write(filePartHead);
  const trickle = setInterval(() => upload.write('x'), 400);
  upload.once('close', () => clearInterval(trickle));
  await until('all are admitted', async () => (await server.jobs()).length === 9);
  // As Ctrl-C under npm sends them; they count as one. The kernel would merge two equal signals.
  server.process.kill('SIGINT');
  const ended = server.stop('SIGTERM');
  await until('it is not ready', async () => (await get(server, '/health/ready')).status === 503);
  const late = convert(server, key, docx({ paragraphs: ['Sent before the balancer knew'] }));
  isError(t, await get(server, '/health/ready'), 'SERVICE_UNAVAILABLE');
  isError(t, await get(server, '/v1/health'), 'SERVICE_UNAVAILABLE');
  t.equal((await get(server, '/health/live')).status, 200);
  process.kill(child, 'SIGCONT');
  await isPdf(t, await first, /^Page 1\s.*\sPage 600$/s, pages);
  for (const [i, answer] of others.entries()) await isPdf(t, await answer, `No. ${i}`);
  await isPdf(t, await late, 'Sent before the balancer knew');
  t.equal((await late).headers.get('connection'), 'close', 'clients are to connect to another server');
  // Without our handling, Node would wait 15 seconds for its first request.
  if (!silent.destroyed) await once(silent.resume(), 'close', { signal: AbortSignal.timeout(10_000) });
  const refused = await idle;
  isError(t, refused, 'SERVICE_UNAVAILABLE');
  t.equal(refused.headers.get('connection'), 'close');
  t.strictSame(await ended, { code: 0, signal: null, leftovers: [] });
});

t.test('the rest of refused uploads is not waited for', async (t) => {
  const server = await Server.start({ env: { WORKERS: '1' } });
  t.teardown(() => server.stop('SIGKILL'));
  const refused = async (bytes = 1_000_000) => {
    const socket = openConnection(server).on('error', () => {});
    const type = 'Content-Type: multipart/form-data; boundary=test-boundary';
    const head = ['POST /v1/convert HTTP/1.1', 'Host: localhost', type, `Content-Length: ${bytes}`, '', ''];
    socket.write(Buffer.concat([Buffer.from(head.join('\r\n')), filePartHead]));
    const [answer] = await once(socket, 'data');
    t.match(String(answer), /^HTTP\/1\.1 401 .*MISSING_AUTH/s);
    t.notMatch(String(answer), /^connection: close/im, 'it might go on with this connection');
    return socket;
  };
  const [silent, slow, late] = [await refused(), await refused(), await refused(filePartHead.length + 1)];
  // At intervals too short to count as silence.
  const trickle = setInterval(() => slow.write('x'), 100);
  slow.once('close', () => clearInterval(trickle));
  // They have 15 seconds as long as the server serves.
  const inTime = { signal: AbortSignal.timeout(10_000) };
  const closed = [silent, slow, late].map((socket) => once(socket.resume(), 'close', inTime));
  const ended = server.stop('SIGTERM');
  await server.logged('draining');
  late.write('x');
  await Promise.all(closed);
  t.strictSame(await ended, { code: 0, signal: null, leftovers: [] });
});
