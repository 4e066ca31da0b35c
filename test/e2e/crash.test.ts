/**
 * Servers that are killed in the middle of what they count: in the end use and ledger have each PDF that was delivered,
 * once. Beside them they may have one for each kill, which has to prove itself: a delivery is noted in the journal
 * just before its last chunk is written, and a kill can fall between the two (see handover.test.ts, which makes it).
 *
 * CRASHES says how many servers are killed, at each step in turn.
 */

import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
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
import { CountingClient } from './support/counting-client.ts';
import { writePlans } from './support/plans.ts';
import { startRedis } from './support/redis.ts';
import { convert, send } from './support/requests.ts';

const CRASHES = Number(process.env.CRASHES ?? 7);
const PER_CRASH = 6;
/** The longest last chunk of a PDF. */
const LAST_BYTES = 1_024;
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
type Step = { readonly script: string } | ((clients: readonly CountingClient[]) => Promise<unknown>);

const arrived = ({ delivered }: CountingClient): Promise<boolean> => delivered;
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

/** The requests whose deliveries the journal of a server that was killed has, without those that it withdrew. */
async function notedDeliveries(): Promise<Set<string>> {
  const noted = new Set<string>();
  const names = await readdir(join(dataDir, 'journal'), { recursive: true });
  for (const name of names.filter((each) => each.endsWith('.jsonl'))) {
    const text = await readFile(join(dataDir, 'journal', name), 'utf8');
    for (const line of text.split('\n').filter(Boolean)) {
      const { reservation, withdrawn } = JSON.parse(line) as {
        reservation?: { requestId: string };
        withdrawn?: string;
      };
      if (reservation) noted.add(reservation.requestId);
      if (withdrawn !== undefined) noted.delete(withdrawn);
    }
  }
  return noted;
}

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
  /** Noted, and not written: the instant that no order of the two would close. */
  const cutOff: string[] = [];
  const sent: CountingClient[] = [];
  for (let crash = 0; crash < CRASHES; crash++) {
    const step = steps[crash % steps.length] as Step;
    const watched = typeof step === 'object' ? await watchScripts(step.script) : undefined;
    const clients = Array.from(
      { length: PER_CRASH },
      (_, n) => new CountingClient(server, key, documents[n % documents.length] as Buffer),
    );
    await (typeof step === 'object' ? watched?.run : step(clients));
    server.process.kill('SIGKILL');
    const outcomes = await Promise.all(clients.map(arrived));
    await server.ended();
    sent.push(...clients);
    delivered += outcomes.filter(Boolean).length;
    const noted = await notedDeliveries();
    const noWhole = clients.filter(({ requestId }, n) => !outcomes[n] && noted.has(String(requestId)));
    t.ok(noWhole.length <= 1, 'both are done in one turn of the event loop, so at most one is cut off');
    for (const { requestId, missing = 0 } of noWhole) {
      t.ok(missing > 0 && missing <= LAST_BYTES, `${requestId} lacks its last chunk and nothing else`);
      cutOff.push(String(requestId));
    }
    server = await launch();
  }
  t.comment(`${delivered} of ${sent.length} requests got their PDF; ${cutOff.length} lack the last chunk`);
  t.ok(delivered > 0 && delivered < sent.length, 'some got their PDF, and some did not');

  interface Usage {
    readonly conversions: { readonly used: number };
    readonly days: readonly { readonly conversions: number }[];
  }
  const usage = async (): Promise<Usage> =>
    JSON.parse((await send(server, '/v1/usage', { method: 'GET', key })).body.toString()) as Usage;
  // What the last server left is settled at once, in the background.
  const billed = delivered + cutOff.length;
  await until('all is settled', async () => (await usage()).conversions.used >= billed);
  const { conversions, days } = await usage();
  t.equal(conversions.used, billed, 'use');
  t.equal(
    days.reduce((sum, day) => sum + day.conversions, 0),
    billed,
    'sum of the days',
  );
  const month = new Date().toISOString().slice(0, 7);
  const entries = await server.cli<{ requestId: string }[]>('usage', 'export', '--month', month);
  const whole = sent.filter(({ missing }) => missing === 0).map(({ requestId }) => String(requestId));
  t.strictSame(
    entries.map(({ requestId }) => requestId).sort(),
    [...whole, ...cutOff].sort(),
    'the ledger has who got the PDF, and who lacks the last chunk, each once',
  );

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
