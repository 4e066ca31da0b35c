/**
 * How much documents that are slow to read delay others: the serving thread's event loop, `/health/live`, and a customer's pages,
 * first alone, and then beside attackers who send such documents four at a time.
 *
 *   npm run bench:attacks [-- SECONDS]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { rawUpload } from '../test/e2e/support/requests.ts';
import { attacks } from '../test/support/growing-documents/attacks.ts';
import { type RawAnswer, sendClosed } from '../test/support/raw-clients.ts';
import { Server } from '../test/support/server.ts';
import { onePage } from './documents.ts';
import { median, percentile, round } from './statistics.ts';

const ATTACKERS = 4;
const CUSTOMERS = 2;
/** Different bytes, as the same document would be refused as poison. */
const VARIANTS = 50;
const PROBE = 'probe';
const PROBE_PAUSE_MS = 10;
const WARM_UP_MS = 20_000;
/** Between two looks at the event loop, which the metric includes. */
const TIMER_MS = 10;

/** The maximum of the event loop's delay, and its 99th percentile, since the last call; in milliseconds. */
async function eventLoopDelay(server: Server): Promise<{ readonly p99: number; readonly most: number }> {
  const token = await readFile(join(server.dataDir, 'operator-token'), 'utf8');
  const headers = { authorization: `Bearer ${token.trim()}` };
  const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
  const value = (name: string) => {
    const found = new RegExp(`^nodejs_eventloop_lag_${name}_seconds(?:{[^}]*})? (\\S+)`, 'm').exec(text)?.[1];
    if (found === undefined) throw new Error(`the server has no metric of the event loop's ${name}`);
    return round(Math.max(0, Number(found) * 1_000 - TIMER_MS));
  };
  return { p99: value('p99'), most: value('max') };
}

/** Milliseconds of requests for `/health/live`, one every 10 ms, until the process is asked for them. */
async function probe(url: string): Promise<void> {
  const times: number[] = [];
  process.on('message', () => {
    process.send?.(times.splice(0));
  });
  for (;;) {
    const start = performance.now();
    await (await fetch(`${url}/health/live`)).text();
    times.push(performance.now() - start);
    await delay(PROBE_PAUSE_MS);
  }
}

async function timesOf(prober: ChildProcess): Promise<number[]> {
  prober.send('times');
  const [times] = (await once(prober, 'message')) as [number[]];
  return times;
}

async function measure(milliseconds: number): Promise<void> {
  const server = await Server.start({ env: { LOG_LEVEL: 'info', WORK_DIR: '' } });
  const prober = fork(fileURLToPath(import.meta.url), [PROBE, server.url]);
  try {
    const newKey = async (id: string) => {
      await server.createAccount({ id, name: id, plan: 'enterprise' });
      return (await server.createKey({ account: id })).key;
    };
    const pages = [rawUpload(await newKey('customer'), onePage().content)];
    const customers = { clients: CUSTOMERS, milliseconds };
    await sendClosed(server.url, pages, { ...customers, milliseconds: WARM_UP_MS });
    const row = async (attack?: string) => {
      const key = attack && (await newKey(attack));
      const build = attack === undefined ? undefined : attacks[attack];
      const documents = build && Array.from({ length: VARIANTS }, (_, n) => withNumber(build(), n));
      await eventLoopDelay(server);
      await timesOf(prober);
      const sending = documents?.map((document) => rawUpload(String(key), document));
      const attacking =
        sending && sendClosed(server.url, sending, { clients: ATTACKERS, milliseconds, pauseMs: 0 });
      const answers = await sendClosed(server.url, pages, customers);
      const { p99, most } = await eventLoopDelay(server);
      const live = await timesOf(prober);
      const attacked = (await attacking) ?? [];
      return {
        'event loop p99': p99,
        'event loop most': most,
        'live p99': round(percentile(live, 0.99)),
        'live most': round(Math.max(...live)),
        'page median': round(median(answers.map(({ ms }) => ms))),
        'pages failed': answers.filter(({ status }) => status !== 200).length,
        attacks: outcomes(attacked),
      };
    };
    const rows: Record<string, Awaited<ReturnType<typeof row>>> = { alone: await row() };
    for (const attack of Object.keys(attacks)) rows[attack] = await row(attack);
    console.log('milliseconds');
    console.table(rows);
  } finally {
    prober.kill();
    await server.stop();
  }
}

/** The same document with other bytes: a ZIP archive may have a comment at its end. */
function withNumber(document: Buffer, number: number): Buffer {
  const comment = Buffer.from(String(number));
  const own = Buffer.concat([document, comment]);
  own.writeUInt16LE(comment.length, document.length - 2);
  return own;
}

function outcomes(answers: readonly RawAnswer[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
}

const [argument = '20', url = ''] = process.argv.slice(2);
if (argument === PROBE) await probe(url);
else await measure(Number(argument) * 1_000);
