/**
 * Servers that are killed at any moment of what they count: in the end use and ledger have each PDF that was delivered,
 * once, and nothing that never had a PDF. test/e2e/billing.test.ts stops them at each step.
 *
 * CRASHES says how many servers are killed, at each step in turn; crash.soak.ts kills them at all steps.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { docx, imageDocx, malformedDocx } from '../support/documents.ts';
import { form, Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly, isError } from './support/assertions.ts';
import { CountingClient } from './support/counting-client.ts';
import { writePlans } from './support/plans.ts';
import { startRedis } from './support/redis.ts';
import { convert, send } from './support/requests.ts';

const CRASHES = Number(process.env.CRASHES ?? 3);
const PER_CRASH = 6;
/** Longer than the slowest conversion: by then, nothing is in flight after a crash. */
const RANDOM_MS = 200;

const folder = await mkdtemp(join(tmpdir(), 'platen-crash-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
const redis = await startRedis(t);
const dataDir = join(folder, 'data');
/** A PDF in one piece, one in several, and a document without a PDF. */
const malformed = malformedDocx();
const documents = [docx(), imageDocx(1, 260), malformed];
/** How many of the documents that are sent have a PDF. */
const MADE = (CRASHES * PER_CRASH * 2) / documents.length;
const env = {
  REDIS_URL: redis.socket,
  PLANS_FILE: await writePlans(folder, {
    roomy: { perMonth: 1_000_000 },
    // One more than the clients send.
    tight: { perMonth: MADE + 1 },
  }),
  LOG_LEVEL: 'info',
  // Reservations expire after the sum of these.
  UPLOAD_TIMEOUT_MS: '2000',
  QUEUE_TIMEOUT_MS: '2000',
  CONVERT_TIMEOUT_MS: '3000',
  DELIVERY_TIMEOUT_MS: '2000',
};

/** Watches the commands of scripts from now on: resolves to a promise of the first run of this one. */
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

/** When a server is killed: when a script runs a command, or by what clients have received of their PDFs. */
type Step = { readonly script: string } | ((clients: readonly CountingClient[]) => Promise<unknown>);

const arrived = ({ delivered }: CountingClient): Promise<boolean> => delivered;
const anyMoment = (): Promise<void> => delay(Math.random() * RANDOM_MS);

const steps: readonly Step[] = [
  // Two PDFs have arrived; the first has begun to arrive.
  (clients) =>
    Promise.race([clients.slice(0, 2), clients.slice(2, 4)].map((two) => Promise.all(two.map(arrived)))),
  (clients) => Promise.race(clients.map(({ begun }) => begun)),
  // A settlement was written, and the server may not know it yet.
  { script: 'XADD' },
  // A conversion was admitted, and the server may not know it yet.
  { script: 'ZADD' },
  anyMoment,
  (clients) => Promise.race(clients.map(arrived)),
  anyMoment,
];

async function launch(): Promise<Server> {
  return Server.start({ env, dataDir });
}

t.test('the bill has each PDF that was delivered, once, and nothing that never had a PDF', async (t) => {
  let server = await launch();
  const { id: account } = await server.createAccount({ id: 'acme', name: 'Acme', plan: 'roomy' });
  const { key } = await server.createKey({ account });
  const sent: CountingClient[] = [];
  for (let crash = 0; crash < CRASHES; crash++) {
    const step = steps[crash % steps.length] as Step;
    const watched = typeof step === 'object' ? await watchScripts(step.script) : undefined;
    const clients = Array.from(
      { length: PER_CRASH },
      (_, n) => new CountingClient(server, key, documents[n % documents.length] as Buffer),
    );
    const makers = clients.filter(({ document }) => document !== malformed);
    await (typeof step === 'object' ? watched?.run : step(makers));
    server.process.kill('SIGKILL');
    await Promise.all(clients.map(arrived));
    await server.ended();
    sent.push(...clients);
    server = await launch();
  }
  const whole = sent.filter(({ missing }) => missing === 0).map(({ requestId }) => String(requestId));
  t.ok(whole.length > 0 && whole.length < sent.length, 'some got their PDF, and some did not');

  interface Usage {
    readonly conversions: { readonly used: number };
    readonly days: readonly { readonly conversions: number }[];
  }
  interface Entry {
    readonly requestId: string;
    readonly bytesIn: number;
    readonly bytesOut: number;
  }
  const usage = async (): Promise<Usage> =>
    JSON.parse((await send(server, '/v1/usage', { method: 'GET', key })).body.toString()) as Usage;
  const month = new Date().toISOString().slice(0, 7);
  const ledger = () => server.cli<Entry[]>('usage', 'export', '--month', month);
  const isCounted = async (t: Test): Promise<readonly Entry[]> => {
    const [entries, { conversions, days }] = [await ledger(), await usage()];
    const ids = new Set(entries.map(({ requestId }) => requestId));
    t.equal(ids.size, entries.length, 'nobody is billed twice');
    t.equal(conversions.used, entries.length, 'use');
    t.equal(
      days.reduce((sum, day) => sum + day.conversions, 0),
      entries.length,
      'sum of the days',
    );
    const unmade = entries.filter(({ bytesIn, bytesOut }) => bytesOut === 0 || bytesIn === malformed.length);
    t.strictSame(unmade, [], 'nobody is billed without a PDF');
    return entries;
  };

  const first = await isCounted(t);
  const billed = new Set(first.map(({ requestId }) => requestId));
  t.strictSame(
    whole.filter((requestId) => !billed.has(requestId)),
    [],
    'whoever has a PDF is billed',
  );
  t.comment(`${whole.length} of ${sent.length} requests got their PDF, ${first.length} were billed`);

  // All clients repeat their request, whether or not they got their PDF: each is billed once.
  for (const { document, headers } of sent) {
    const expected = document === malformed ? 400 : 200;
    await until('the key is free', async () => {
      const { status } = await send(server, '/v1/convert', { key, body: form(document), headers });
      return status === expected;
    });
  }
  t.equal((await isCounted(t)).length, MADE, 'after the retries');

  // With a quota for one more, one gets through once the reservations of the dead servers have expired.
  await server.cliText('accounts', 'set-plan', account, 'tight');
  await until(
    'the reservations expire',
    async () => (await convert(server, key, docx())).status === 200,
    60_000,
  );
  isError(t, await convert(server, key, docx()), 'QUOTA_EXCEEDED');
  t.equal((await usage()).conversions.used, MADE + 1);
  await endsCleanly(t, server);
});
