/**
 * node --import=tsx bench/jobs.ts: jobs on two servers that share a Redis and S3, with one worker for every two cores each.
 *
 * 1. Cost: CPU time of a document in a job against one that is converted at once, of servers, kits and Redis.
 * 2. Latency: one and four clients that convert one document after the other: alone, beside a bare LibreOffice loop on each core
 *    in the idle class, which is what the machine itself costs, and beside the jobs of 10 accounts.
 * 3. Shares: how far accounts are apart while all of them have files that wait.
 *
 * FILES (default 10,000) are spread over 10 accounts, 100 files a job. The S3 server and the clients share the machine, so times
 * compare within one run only; beside the jobs, S3 is in the idle class.
 */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { startRedis } from '../test/e2e/support/redis.ts';
import { multipart, send } from '../test/e2e/support/requests.ts';
import { form, Server } from '../test/support/server.ts';
import { until } from '../test/support/until.ts';
import { onePage } from './documents.ts';
import { startAll } from './line-converter.ts';
import { startLoop } from './loop.ts';
import { runClients } from './parallel.ts';
import { parseStat } from './processes.ts';
import type { S3 } from './s3.ts';
import { median, percentile, round, summary } from './statistics.ts';

const FILES = Number(process.env.FILES ?? 10_000);
const ACCOUNTS = 10;
const FILES_A_JOB = Math.min(100, FILES / ACCOUNTS);
/** Documents of the measurement of costs. */
const COSTED = 400;
/** Clients at a time, and the documents of each number of them; each client pauses before a document. */
const CLIENTS = [1, 4];
const CONVERTED = 400;
const PAUSE_MS = 20;
const LONGEST_MS = 3_600_000;

const document = onePage();
const { content } = document;
const closers: (() => unknown)[] = [];
const scope = { teardown: (close: () => unknown) => void closers.unshift(close) } as Parameters<
  typeof startRedis
>[0];

const redis = await startRedis(scope);
try {
  const s3 = await startS3();
  const env = {
    REDIS_URL: redis.socket,
    S3_BUCKET: s3.bucket,
    S3_ENDPOINT: s3.endpoint,
    S3_PATH_STYLE: 'true',
    WORK_DIR: '',
    LOG_LEVEL: 'info',
    WORKERS: String(Math.max(1, Math.floor(cpus().length / 2))),
    KIT_MAX_DOCUMENTS: '1000000',
    ...s3.credentials,
  };
  // In production they share no processors, so their priorities must count against each other here.
  const servers = await Promise.all([1, 2].map(() => Server.start({ env, ownsSession: false })));
  for (const server of servers) scope.teardown(() => server.stop());
  const [first = fail(), second = fail()] = servers;
  const { key } = await first.createKey();

  let turn = 0;
  const convert = async () => {
    const server = turn++ % 2 === 0 ? first : second;
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${server.url}/v1/convert`, { method: 'POST', headers, body: form(content) });
    if (answer.status !== 200) throw new Error(await answer.text());
    await answer.arrayBuffer();
  };
  const take = async (from: string, files: number): Promise<string> => {
    const part = {
      headers: ['Content-Disposition: form-data; name="file"; filename="report.docx"'],
      data: content,
    };
    const server = turn++ % 2 === 0 ? first : second;
    const answer = await send(server, '/v1/jobs', { key: from, ...multipart(Array(files).fill(part)) });
    if (answer.status !== 202) throw new Error(answer.body.toString());
    return (JSON.parse(answer.body.toString()) as { id: string }).id;
  };
  const succeededOf = async (from: string): Promise<number> => {
    const { body } = await send(first, '/v1/jobs?limit=50', { method: 'GET', key: from });
    const { jobs } = JSON.parse(body.toString()) as { jobs: { counts: { succeeded: number } }[] };
    return jobs.reduce((sum, { counts }) => sum + counts.succeeded, 0);
  };
  const use = async (): Promise<number> => {
    const pids = [redis.child.pid, ...servers.flatMap((server) => [server.pid, kitOf(server)])];
    const uses = await Promise.all(
      pids.map(async (pid) => parseStat(await readFile(`/proc/${pid}/stat`, 'utf8'))),
    );
    return uses
      .flatMap(({ own, children }) => [own, children])
      .reduce((sum, { userMs, systemMs }) => sum + userMs + systemMs, 0);
  };

  const ended = async (from: string, files: number): Promise<void> =>
    until(`${files} files`, async () => (await succeededOf(from)) >= files, LONGEST_MS);

  await runClients(convert, 2, 80);
  await take(key, 20);
  await ended(key, 20);

  const before = await use();
  await runClients(convert, 2, COSTED);
  const between = await use();
  const { key: costed } = await first.createKey({
    account: (await first.createAccount({ name: 'Cost', plan: 'enterprise' })).id,
  });
  for (let n = 0; n < COSTED; n += 100) await take(costed, 100);
  await ended(costed, COSTED);
  const after = await use();
  const atOnce = (between - before) / COSTED;
  const inJobs = (after - between) / COSTED;

  const paused = async (clients: number): Promise<readonly number[]> => {
    const { times } = await runClients(convert, clients, CONVERTED, PAUSE_MS);
    return times;
  };
  const alone: (readonly number[])[] = [];
  for (const clients of CLIENTS) alone.push(await paused(clients));

  const loops = await startAll(cpus().length, () => startLoop({ isIdle: true }));
  for (const loop of loops) scope.teardown(() => loop.stop());
  let isBusy = true;
  const busy = loops.map(async (loop) => {
    while (isBusy) await loop.convert(document);
  });
  const besideLoops: (readonly number[])[] = [];
  for (const clients of CLIENTS) besideLoops.push(await paused(clients));
  isBusy = false;
  await Promise.all(busy);

  const accounts = await Promise.all(
    Array.from({ length: ACCOUNTS }, (_, n) =>
      first.createAccount({ name: `Account ${n}`, plan: 'enterprise' }),
    ),
  );
  const keys = await Promise.all(accounts.map(({ id }) => first.createKey({ account: id })));
  // One account after the other, the worst order for turns.
  for (const { key: from } of keys) {
    for (let left = FILES / ACCOUNTS; left > 0; left -= FILES_A_JOB) await take(from, FILES_A_JOB);
  }
  s3.takeOnlySpareTime();
  const counts = () => Promise.all(keys.map(({ key: from }) => succeededOf(from)));
  const beside: { readonly times: readonly number[]; readonly filesASecond: number }[] = [];
  for (const clients of CLIENTS) {
    const started = performance.now();
    const before = sum(await counts());
    const times = await paused(clients);
    const files = sum(await counts()) - before;
    beside.push({ times, filesASecond: files / ((performance.now() - started) / 1000) });
  }
  const countsAfter = await counts();
  const mean = sum(countsAfter) / ACCOUNTS;
  await Promise.all(keys.map(({ key: from }) => ended(from, FILES / ACCOUNTS)));

  console.log(
    JSON.stringify(
      {
        cpuMsADocument: { atOnce: round(atOnce), inJobs: round(inJobs), more: round(inJobs - atOnce) },
        convertedAtOnceMs: CLIENTS.map((clients, index) => {
          const { times, filesASecond } = beside[index] ?? fail();
          const before = alone[index] ?? fail();
          const control = besideLoops[index] ?? fail();
          return {
            clients,
            alone: summary(before),
            besideLoops: summary(control),
            besideJobs: summary(times),
            ratioOfLoops: ratio(control, before),
            ratioOfJobs: ratio(times, before),
            filesOfJobsASecond: round(filesASecond),
          };
        }),
        jobs: {
          files: FILES,
          accountsOffTheMeanPercent: round(
            (Math.max(...countsAfter.map((count) => Math.abs(count - mean))) / mean) * 100,
          ),
        },
      },
      null,
      2,
    ),
  );
} finally {
  for (const close of closers) await close();
}

function ratio(times: readonly number[], before: readonly number[]): { median: number; p95: number } {
  return {
    median: round(median(times) / median(before)),
    p95: round(percentile(times, 0.95) / percentile(before, 0.95)),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

function kitOf(server: Server): number {
  return Number(server.log.findLast(({ msg }) => msg === 'kit ready')?.kit);
}

function fail(): never {
  throw new Error('there is none');
}

/** S3 in a process of its own, so that its work does not delay the client that is measured. */
async function startS3(): Promise<S3 & { takeOnlySpareTime(): void }> {
  const child = fork(new URL('s3.ts', import.meta.url), { execArgv: ['--import=tsx'] });
  closers.unshift(() => child.disconnect());
  const [started] = await once(child, 'message');
  return {
    ...(started as S3),
    /** As on another machine: in the idle class, it takes no processor from what is measured. */
    takeOnlySpareTime() {
      execFileSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(child.pid)]);
    },
  };
}
