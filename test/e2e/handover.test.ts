/**
 * A server that is killed at each instant around the last bytes of a PDF: who has the PDF, and who is billed. The
 * instants are in docs/operators.md, and made by test/support/last-chunk.c.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { docx } from '../support/documents.ts';
import { form, Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly, isPdf } from './support/assertions.ts';
import { CountingClient } from './support/counting-client.ts';
import { startRedis } from './support/redis.ts';
import { send } from './support/requests.ts';

const run = promisify(execFile);
const source = fileURLToPath(new URL('../support/last-chunk.c', import.meta.url));
/** The longest last chunk. */
const LAST_BYTES = 1_024;

const folder = await mkdtemp(join(tmpdir(), 'platen-handover-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
const library = join(folder, 'last-chunk.so');
await run('gcc', ['-Wall', '-Wextra', '-O1', '-shared', '-fPIC', '-o', library, source]);
const redis = await startRedis(t);
const dataDir = join(folder, 'data');
const env = { REDIS_URL: redis.socket };

interface Instant {
  readonly dieAfter: string;
  /** Whether the client has the whole PDF, and whether its account is billed. */
  readonly has: boolean;
  readonly billed: boolean;
}

const instants: readonly Instant[] = [
  { dieAfter: 'note', has: false, billed: true },
  { dieAfter: 'chunk', has: true, billed: true },
  { dieAfter: 'withdrawal', has: false, billed: false },
  { dieAfter: 'late-chunk', has: true, billed: false },
];

async function ledger(server: Server): Promise<string[]> {
  const month = new Date().toISOString().slice(0, 7);
  const entries = await server.cli<{ requestId: string }[]>('usage', 'export', '--month', month);
  return entries.map(({ requestId }) => requestId);
}

t.test('the instants around the last chunk', async (t) => {
  let key: string | undefined;
  const clients = new Map<string, CountingClient>();
  for (const { dieAfter, has } of instants) {
    const server = await Server.start({
      dataDir,
      env: { ...env, LD_PRELOAD: library, DIE_AFTER: dieAfter },
    });
    key ??= (await server.createKey()).key;
    const client = new CountingClient(server, key, docx());
    clients.set(dieAfter, client);
    t.equal(await client.delivered, has, `${dieAfter}: whether the PDF arrived whole`);
    if (!has) {
      const { missing = 0 } = client;
      t.ok(
        missing > 0 && missing <= LAST_BYTES,
        `${dieAfter}: all but the last chunk did (${missing} missing)`,
      );
    }
    t.match(await server.ended(), { signal: 'SIGKILL' });
  }

  const server = await Server.start({ dataDir, env });
  const expected = instants.filter(({ billed }) => billed).map((instant) => clients.get(instant.dieAfter));
  const ids = expected.map((client) => String(client?.requestId)).sort();
  await until('all is settled', async () => (await ledger(server)).length >= ids.length);
  // What a server inherits it settles in order, so that nothing comes after the last.
  t.strictSame((await ledger(server)).sort(), ids, 'who is billed');

  // Who was billed without the whole PDF gets it with the same key, for nothing.
  for (const client of expected) {
    if (!client || key === undefined) throw new Error('nobody was billed');
    const { document, headers } = client;
    await isPdf(
      t,
      await send(server, '/v1/convert', { key, body: form(document), headers }),
      'Hello from Platen.',
    );
  }
  await endsCleanly(t, server);
  const next = await Server.start({ dataDir, env });
  t.strictSame((await ledger(next)).sort(), ids, 'nobody is billed twice');
  await endsCleanly(t, next);
});
