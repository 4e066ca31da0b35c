/**
 * node --import=tsx bench/jobs.ts: what customers wait for a page while others' jobs keep every worker busy, where a process converts
 * one document and where it converts up to 20 of one account. In turns (ROUNDS, default 3): four clients, each with a pause between
 * two documents, first alone, then beside the jobs of ACCOUNTS accounts. Prints Markdown: medians of the rounds.
 */
import { multipart, send } from '../test/e2e/support/requests.ts';
import { Server } from '../test/support/server.ts';
import { until } from '../test/support/until.ts';
import { onePage } from './documents.ts';
import { runClients } from './parallel.ts';
import { median, percentile, round } from './statistics.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const SETTINGS = ['1', '20'] as const;
const ACCOUNTS = 4;
const FILES_A_JOB = 100;
const JOBS_AN_ACCOUNT = 4;
const CLIENTS = 4;
const PAUSE_MS = 20;
const WARM_UPS = 100;
/** Of each measurement: few enough that the jobs go on until its end. */
const COUNT = 400;
const LONGEST_MS = 600_000;

const { content } = onePage();

/** Milliseconds at the client, and the files of jobs that ended meanwhile, a second. */
interface Result {
  readonly alone: readonly number[];
  readonly beside: readonly number[];
  readonly filesASecond: number;
}

const results = new Map<string, Result[]>(SETTINGS.map((setting) => [setting, []]));
for (let turn = 1; turn <= ROUNDS; turn += 1) {
  for (const [setting, measured] of results) measured.push(await measure(setting));
  console.error(`turn ${turn} of ${ROUNDS}`);
}

console.log(
  '| documents a process | alone, ms: median; p95 | beside jobs | times p95 alone | files of jobs a second |',
);
console.log('|---|---|---|---|---|');
for (const [setting, measured] of results) {
  const middle = (figure: (each: Result) => number) => round(median(measured.map(figure)));
  const p95 = (times: readonly number[]) => percentile(times, 0.95);
  const both = (times: 'alone' | 'beside') =>
    `${middle((each) => median(each[times]))}; ${middle((each) => p95(each[times]))}`;
  const ratio = middle(({ alone, beside }) => p95(beside) / p95(alone));
  const files = middle(({ filesASecond }) => filesASecond);
  console.log(`| ${setting} | ${both('alone')} | ${both('beside')} | ${ratio} | ${files} |`);
}

async function measure(setting: string): Promise<Result> {
  const server = await Server.start({ env: { WORK_DIR: '', DOCUMENTS_PER_CHILD: setting } });
  try {
    const { key } = await server.createKey();
    const part = {
      headers: ['Content-Disposition: form-data; name="file"; filename="report.docx"'],
      data: content,
    };
    const convert = async () => {
      const { status } = await send(server, '/v1/convert', { key, ...multipart([part]) });
      if (status !== 200) throw new Error(`the service answered ${status}`);
    };
    await runClients(convert, CLIENTS, WARM_UPS);
    const { times: alone } = await runClients(convert, CLIENTS, COUNT, PAUSE_MS);
    const keys: string[] = [];
    for (let n = 0; n < ACCOUNTS; n += 1) {
      const { id } = await server.createAccount({ name: `Account ${n}`, plan: 'enterprise' });
      keys.push((await server.createKey({ account: id })).key);
    }
    // One account after the other, the worst order for turns.
    for (const from of keys)
      for (let n = 0; n < JOBS_AN_ACCOUNT; n += 1) {
        const { status } = await send(server, '/v1/jobs', {
          key: from,
          ...multipart(Array(FILES_A_JOB).fill(part)),
        });
        if (status !== 202) throw new Error(`the service took no job: ${status}`);
      }
    const ended = async () => {
      const counts = await Promise.all(keys.map((from) => endedOf(server, from)));
      return counts.reduce((sum, count) => sum + count, 0);
    };
    const [before, started] = [await ended(), performance.now()];
    const { times: beside } = await runClients(convert, CLIENTS, COUNT, PAUSE_MS);
    const seconds = (performance.now() - started) / 1_000;
    const after = await ended();
    const all = ACCOUNTS * JOBS_AN_ACCOUNT * FILES_A_JOB;
    if (after === all) throw new Error('the jobs ended before the measurement');
    await until('the end of the jobs', async () => (await ended()) === all, LONGEST_MS);
    return { alone, beside, filesASecond: (after - before) / seconds };
  } finally {
    await server.stop();
  }
}

async function endedOf(server: Server, key: string): Promise<number> {
  const { body } = await send(server, '/v1/jobs?limit=50', { method: 'GET', key });
  const { jobs } = JSON.parse(body.toString()) as { jobs: { counts: { succeeded: number } }[] };
  return jobs.reduce((sum, { counts }) => sum + counts.succeeded, 0);
}
