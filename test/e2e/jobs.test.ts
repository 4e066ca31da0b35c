/** A job on two servers that share a Redis and a bucket of S3: the first one is killed while it converts. */
import { createHash } from 'node:crypto';
import t from 'tap';
import { docx, slowDocx } from '../support/documents.ts';
import { S3Server } from '../support/s3-server.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly } from './support/assertions.ts';
import { runningJob } from './support/processes.ts';
import { startRedis } from './support/redis.ts';
import { bearer, multipart, send } from './support/requests.ts';

const FILES = 6;

const redis = await startRedis(t);
const s3 = await S3Server.start(t);
const env = {
  REDIS_URL: redis.socket,
  S3_BUCKET: s3.bucket,
  S3_ENDPOINT: s3.endpoint,
  S3_PATH_STYLE: 'true',
  WORKERS: '1',
  ...s3.credentials,
};
async function start(): Promise<Server> {
  const server = await Server.start({ env });
  t.teardown(() => server.stop('SIGKILL'));
  return server;
}

const doomed = await start();
const { key } = await doomed.createKey();
let survivor: Server;

/** The first one has a thousand pages: its server has it when it is killed. */
const files = Array.from({ length: FILES }, (_, index) => ({
  headers: ['Content-Disposition: form-data; name="file"; filename="report.docx"'],
  data: index === 0 ? slowDocx(-5_000) : docx({ pages: 3 }),
}));
const ask = async (path: string) => {
  const { body } = await send(survivor, `/v1/jobs${path}`, { method: 'GET', key });
  return JSON.parse(body.toString());
};

t.test('each file ends once and is billed once, although its server is killed', async (t) => {
  const taken = await send(doomed, '/v1/jobs', { key, ...multipart(files) });
  t.equal(taken.status, 202);
  const { id } = JSON.parse(taken.body.toString());
  await runningJob(doomed);
  await doomed.stop('SIGKILL');
  survivor = await start();
  let job: Record<string, unknown> & { state?: string } = {};
  await until('the job ends', async () => {
    job = await ask(`/${id}`);
    return job.state === 'completed';
  });
  t.match(job.counts, { succeeded: FILES, failed: 0 });
  const month = new Date().toISOString().slice(0, 7);
  const stdout = await survivor.cliText('usage', 'export', '--month', month);
  const rows = stdout.trim().split('\n').slice(1);
  t.same(
    rows.map((row) => row.split(',')[0]).sort(),
    Array.from({ length: FILES }, (_, index) => `${id}.${index + 1}`).sort(),
    'one row of the bill for each file',
  );
  for (const n of [1, FILES]) {
    const redirected = await fetch(`${survivor.url}/v1/jobs/${id}/files/${n}`, {
      headers: bearer(key),
      redirect: 'manual',
    });
    t.equal(redirected.status, 303);
    const pdf = Buffer.from(await (await fetch(String(redirected.headers.get('location')))).arrayBuffer());
    const files = job.files as { pdf: { sha256: string } }[];
    t.equal(createHash('sha256').update(pdf).digest('hex'), files[n - 1]?.pdf.sha256);
    const direct = await send(survivor, `/v1/jobs/${id}/files/${n}?redirect=false`, { method: 'GET', key });
    t.equal(direct.status, 200);
    t.ok(direct.body.equals(pdf), 'the same, without a redirect');
  }
  await send(survivor, `/v1/jobs/${id}`, { method: 'DELETE', key });
  await until('nothing is left of it but who looks after it', async () => {
    const names = await redis.client.keys(`*${id}*`);
    return names.every((name) => name.startsWith('platen:{jobs}:upkeep'));
  });
});

t.test('and the other one stops cleanly', async (t) => endsCleanly(t, survivor));
