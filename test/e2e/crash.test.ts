/**
 * Servers that are killed in the middle of what they count: in the end the use is the number of the PDFs that were
 * delivered, and the ledger has one entry for each.
 *
 * CRASHES says how many servers are killed, at each step in turn.
 */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { docx, imageDocx } from '../support/documents.ts';
import { form, Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly, isError } from './support/assertions.ts';
import { writePlans } from './support/plans.ts';
import { startRedis } from './support/redis.ts';
import { bearer, convert, filePartHead, formEnd, multipart, send } from './support/requests.ts';

const CRASHES = Number(process.env.CRASHES ?? 7);
const PER_CRASH = 6;
/** Beyond the slowest conversion: nothing is in flight so long after a crash. */
const RANDOM_MS = 200;

const folder = await mkdtemp(join(tmpdir(), 'platen-crash-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
const redis = await startRedis(t);
const dataDir = join(folder, 'data');
const env = {
  REDIS_URL: redis.socket,
  PLANS_FILE: await writePlans(folder, { roomy: { perMonth: 1_000_000 } }),
  LOG_LEVEL: 'info',
  // What is reserved is free again after their sum.
  UPLOAD_TIMEOUT_MS: '2000',
  QUEUE_TIMEOUT_MS: '2000',
  CONVERT_TIMEOUT_MS: '3000',
  DELIVERY_TIMEOUT_MS: '2000',
};
/** A PDF of one piece, and one of several. */
const documents = [docx(), imageDocx(1, 260)];

/** A client that keeps count of what it got. */
class Client {
  readonly document: Buffer;
  readonly headers: Readonly<Record<string, string>> = { 'idempotency-key': randomUUID() };
  /** Resolves at the first byte of a PDF; never where none comes. */
  readonly begun: Promise<void>;
  /** Whether the whole PDF arrived. */
  readonly delivered: Promise<boolean>;

  constructor(server: Server, key: string, document: Buffer) {
    this.document = document;
    let begin = () => {};
    this.begun = new Promise((resolve) => {
      begin = resolve;
    });
    const { headers } = multipart([]);
    const call: ClientRequest = httpRequest(`${server.url}/v1/convert`, {
      method: 'POST',
      agent: false,
      headers: { ...headers, ...bearer(key), ...this.headers },
    });
    this.delivered = new Promise((resolve) => {
      call.once('error', () => resolve(false));
      call.once('response', (response) => {
        const expected = Number(response.headers['content-length']);
        let received = 0;
        response.on('data', (chunk: Buffer) => {
          received += chunk.length;
          begin();
          if (received === expected) resolve(response.statusCode === 200);
        });
        response.once('error', () => resolve(false));
        response.once('close', () => resolve(false));
      });
    });
    call.end(Buffer.concat([filePartHead, document, formEnd]));
  }
}

/** Watches what scripts run, from now on: resolves to a promise of the first run of this command. */
async function watchScripts(command: string): Promise<{ run: Promise<void> }> {
  const socket = connect(redis.socket);
  const lines = createInterface({ input: socket });
  const run = new Promise<void>((resolve) => {
    // As in: 1795246545.827 [0 lua] "ZADD" "platen:…"
    lines.on('line', (line) => {
      if (line.includes(` lua] "${command}" `)) resolve();
    });
  });
  const watching = once(lines, 'line');
  socket.write('MONITOR\r\n');
  await watching;
  return { run: run.finally(() => socket.destroy()) };
}

/** When a server is killed: as a script runs a command, or as clients see it. */
type Step = { readonly script: string } | ((clients: readonly Client[]) => Promise<unknown>);

const arrived = ({ delivered }: Client): Promise<boolean> => delivered;
const anyMoment = (): Promise<void> => delay(Math.random() * RANDOM_MS);

const steps: readonly Step[] = [
  // A conversion was admitted, and the server may not know it yet.
  { script: 'ZADD' },
  anyMoment,
  // The first PDF has begun to arrive; it has arrived; two have.
  (clients) => Promise.race(clients.map(({ begun }) => begun)),
  (clients) => Promise.race(clients.map(arrived)),
  (clients) =>
    Promise.race([clients.slice(0, 2), clients.slice(2, 4)].map((two) => Promise.all(two.map(arrived)))),
  // A settlement was written, and the server may not know it yet.
  { script: 'XADD' },
  anyMoment,
];

async function launch(): Promise<Server> {
  return Server.start({ env, dataDir });
}

t.test('the bill is the number of PDFs that were delivered', async (t) => {
  let server = await launch();
  await server.cli('accounts', 'create', '--id', 'acme', '--name', 'Acme', '--plan', 'roomy');
  const { key } = await server.cli<{ key: string }>(
    ...['keys', 'create', '--account', 'acme', '--name', 'test', '--env', 'live', '--type', 'sk'],
  );
  let delivered = 0;
  const sent: Client[] = [];
  for (let crash = 0; crash < CRASHES; crash++) {
    const step = steps[crash % steps.length] as Step;
    const watched = typeof step === 'object' ? await watchScripts(step.script) : undefined;
    const clients = Array.from(
      { length: PER_CRASH },
      (_, n) => new Client(server, key, documents[n % documents.length] as Buffer),
    );
    await (typeof step === 'object' ? watched?.run : step(clients));
    server.process.kill('SIGKILL');
    const outcomes = await Promise.all(clients.map(arrived));
    await server.ended();
    sent.push(...clients);
    delivered += outcomes.filter(Boolean).length;
    server = await launch();
  }
  t.comment(`${delivered} of ${sent.length} requests got their PDF`);
  t.ok(delivered > 0 && delivered < sent.length, 'some got their PDF, and some did not');

  interface Usage {
    readonly conversions: { readonly used: number };
    readonly days: readonly { readonly conversions: number }[];
  }
  const usage = async (): Promise<Usage> =>
    JSON.parse((await send(server, '/v1/usage', { method: 'GET', key })).body.toString()) as Usage;
  // What the last server left is settled at once, in the background.
  await until('all is settled', async () => (await usage()).conversions.used >= delivered);
  const { conversions, days } = await usage();
  t.equal(conversions.used, delivered, 'use');
  t.equal(
    days.reduce((sum, day) => sum + day.conversions, 0),
    delivered,
    'sum of the days',
  );
  const month = new Date().toISOString().slice(0, 7);
  const entries = await server.cli<{ requestId: string }[]>('usage', 'export', '--month', month);
  t.equal(new Set(entries.map(({ requestId }) => requestId)).size, delivered, 'ledger');
  t.equal(entries.length, delivered, 'each once');

  // Everyone comes again, whether they got their PDF or not: in the end each is billed once.
  for (const { document, headers } of sent) {
    await until('the key is free', async () => {
      const { status } = await send(server, '/v1/convert', { key, body: form(document), headers });
      return status === 200;
    });
  }
  await until('all is settled', async () => (await usage()).conversions.used >= sent.length);
  t.equal((await usage()).conversions.used, sent.length, 'use, after the retries');
  const retried = await server.cli<unknown[]>('usage', 'export', '--month', month);
  t.equal(retried.length, sent.length, 'ledger, after the retries');

  // With room for one more, one gets through as soon as the reservations of the dead have expired.
  const quota = sent.length + 1;
  await server.stop();
  await writePlans(folder, { roomy: { perMonth: quota } });
  server = await launch();
  await until(
    'the reservations expire',
    async () => (await convert(server, key, docx())).status === 200,
    60_000,
  );
  isError(t, await convert(server, key, docx()), 'QUOTA_EXCEEDED');
  t.equal((await usage()).conversions.used, quota);
  await endsCleanly(t, server);
});
