/**
 * Uploads that are cut off anywhere, from the first byte of the request to the last but one: nothing is left of them.
 *
 * UPLOADS says how many, SEED repeats a run.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import t from 'tap';
import { endsCleanly, isError } from '../e2e/support/assertions.ts';
import { writePlans } from '../e2e/support/plans.ts';
import { openConnection, rawUpload, send } from '../e2e/support/requests.ts';
import { docxOfSize } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { convertAlone } from './support/load.ts';
import { restingState, untilAs } from './support/state.ts';

const UPLOADS = Number(process.env.UPLOADS ?? 100);
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const CLIENTS = 8;
/** Room for uploads whose end the server has not noticed yet. */
const QUOTA = 3 * CLIENTS;

const folder = await mkdtemp(join(tmpdir(), 'platen-uploads-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
const server = await Server.start({
  env: {
    PLANS_FILE: await writePlans(folder, { narrow: { perMonth: QUOTA } }),
    HEALTH_INTERVAL_MS: '600000',
  },
});
const { id: account } = await server.createAccount({ id: 'acme', name: 'Acme', plan: 'narrow' });
const { key } = await server.createKey({ account });
const test = await server.createKey({ account, environment: 'test' });

/** Numbers from 0 to 1, the same for the same seed: a linear congruential generator (Numerical Recipes). */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

t.test(`${UPLOADS} uploads that are cut off leave nothing`, async (t) => {
  t.comment(`SEED=${SEED}`);
  const documents = [docxOfSize(4_000), docxOfSize(300_000)];
  const random = numbers(SEED);
  // Warm-up of what is created once.
  await Promise.all(documents.map((document) => convertAlone(server, test.key, document)));
  const before = await restingState(server);

  let left = UPLOADS;
  const client = async () => {
    while (left-- > 0) {
      const bytes = rawUpload(key, documents[left % documents.length] as Buffer);
      const part = bytes.subarray(0, Math.floor(random.next().value * bytes.length));
      const reset = random.next().value < 0.5;
      const socket = openConnection(server);
      // Any reaction of the server is fine.
      socket.resume().on('error', () => undefined);
      const closed = once(socket, 'close');
      await new Promise((resolve) => socket.write(part, resolve));
      if (reset) socket.resetAndDestroy();
      else socket.end();
      await closed;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  await untilAs(before, server);
  // By this answer the server has asked Redis to admit the last of them. What that reserved is released after all else.
  await send(server, '/v1/usage', { method: 'GET', key: test.key });
  const redis = new Redis(join(server.dataDir, 'redis/redis.sock'));
  t.teardown(() => redis.disconnect());
  const reservations = () => redis.zcard(`platen:{${account}}:live:reservations`);
  await until('nothing is reserved', async () => (await reservations()) === 0);

  const answers = await Promise.all(
    Array.from({ length: QUOTA }, () => convertAlone(server, key, documents[0] as Buffer)),
  );
  const statuses = answers.map(({ status }) => status);
  t.strictSame(statuses, new Array(QUOTA).fill(200), 'the whole quota is there');
  isError(t, await convertAlone(server, key, documents[0] as Buffer), 'QUOTA_EXCEEDED');
  const failures = server.log.filter(({ level }) => Number(level) >= 50);
  t.strictSame(failures, [], 'a client that leaves is never logged as an error of the server');
});

t.test('the server ends cleanly', (t) => endsCleanly(t, server));
