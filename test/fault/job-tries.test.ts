/** A file of a job whose servers are killed while they convert it: after the third, it ends. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { endsCleanly } from '../e2e/support/assertions.ts';
import { runningJob } from '../e2e/support/processes.ts';
import { multipart, send } from '../e2e/support/requests.ts';
import { docx, slowDocx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'platen-'));
t.teardown(() => rm(dataDir, { recursive: true, force: true }));

/** The next server with the same data. */
async function start(): Promise<Server> {
  const server = await Server.start({ dataDir, env: { WORKERS: '1' } });
  t.teardown(() => server.stop('SIGKILL'));
  return server;
}

let server = await start();
const { key } = await server.createKey();
const take = async (data: Buffer): Promise<string> => {
  const headers = ['Content-Disposition: form-data; name="file"; filename="report.docx"'];
  const { status, body } = await send(server, '/v1/jobs', { key, ...multipart([{ headers, data }]) });
  t.equal(status, 202);
  return JSON.parse(body.toString()).id;
};
const find = async (id: string) => {
  const { body } = await send(server, `/v1/jobs/${id}`, { method: 'GET', key });
  return JSON.parse(body.toString());
};
const ended = async (id: string) => {
  await until('the job ends', async () => (await find(id)).state === 'completed');
  return find(id);
};

t.test('three servers are killed under a file; the fourth fails it, and converts others', async (t) => {
  const id = await take(slowDocx());
  for (let kill = 1; kill <= 3; kill++) {
    await runningJob(server);
    t.match(await find(id), { files: [{ state: 'running' }] }, `kill ${kill}`);
    await server.stop('SIGKILL');
    server = await start();
  }
  const { counts, files } = await ended(id);
  t.strictSame(counts, { queued: 0, running: 0, succeeded: 0, failed: 1, canceled: 0 });
  t.match(files[0], { number: 1, state: 'failed', pdf: null });
  t.strictSame(files[0].error, {
    code: 'CONVERSION_FAILED',
    message:
      'The conversion broke off 3 times, each time without a result. Simplify the document, or contact support.',
  });
  t.match((await ended(await take(docx()))).files, [{ state: 'succeeded', error: null }]);
  const month = new Date().toISOString().slice(0, 7);
  const bill = (await server.cliText('usage', 'export', '--month', month)).trim().split('\n');
  t.equal(bill.length, 2, 'a heading, and the file that has a PDF');
  await endsCleanly(t, server);
});
