/** Documents that burn their budget: they are remembered, and who sends them is the one who waits. */
import t from 'tap';
import { isError, isPdf } from '../e2e/support/assertions.ts';
import { startRedis } from '../e2e/support/redis.ts';
import { answerTo, convert, filePartHead, formEnd, openUpload } from '../e2e/support/requests.ts';
import { docx, slowDocx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';

const redis = await startRedis(t);
const env = {
  REDIS_URL: redis.socket,
  WORKERS: '2',
  CONVERT_TIMEOUT_MS: '700',
  PUBLIC_PER_SECOND: '100',
  HEALTH_INTERVAL_MS: '600000',
};
const server = await Server.start({ env });
t.teardown(() => server.stop());
const forgetful = await Server.start({ env: { ...env, POISON_MEMORY_SECONDS: '0' } });
t.teardown(() => forgetful.stop());

/** A key of an account of its own. */
async function newKey(): Promise<string> {
  const { id } = await server.createAccount({ name: 'A', plan: 'enterprise' });
  return (await server.createKey({ account: id })).key;
}

const [poisoner, customer] = [await newKey(), await newKey()];

/** How many documents a server has given to its engine. */
const tried = ({ log }: Server) => log.filter(({ msg }) => msg === 'child started').length;

t.test(
  'CONVERSION_FAILED: a document that burned its budget is not tried again for the same sender',
  async (t) => {
    const poison = slowDocx();
    isError(t, await convert(server, poisoner, poison), 'CONVERSION_FAILED');
    const before = tried(server);
    const { message } = isError(t, await convert(server, poisoner, poison), 'CONVERSION_FAILED');
    t.match(message, /took longer than a conversion may last a moment ago.*10 minutes/);
    t.equal(tried(server), before, 'the engine was not asked');
    await isPdf(t, await convert(server, poisoner, docx()), 'Hello from Platen.');
    t.equal(tried(server), before + 1, 'another document of theirs is tried');
    isError(t, await convert(server, customer, poison), 'CONVERSION_FAILED');
    t.equal(tried(server), before + 2, 'so is theirs when another account sends it');
    isError(t, await convert(server, undefined, poison), 'CONVERSION_FAILED');
    t.equal(tried(server), before + 3, 'or a public client');
    isError(t, await convert(server, undefined, poison), 'CONVERSION_FAILED');
    t.equal(tried(server), before + 3, 'who is remembered as well');
    isError(t, await convert(forgetful, poisoner, poison), 'CONVERSION_FAILED');
    t.equal(tried(forgetful), 2, 'with the memory off it is tried: the probe, and this');
  },
);

t.test('the memory ends by itself', async (t) => {
  const keys = await redis.client.keys('platen:*poison*');
  t.equal(keys.length, 3, 'three documents');
  for (const key of keys) {
    const left = await redis.client.ttl(key);
    t.ok(left > 0 && left <= 600, `${left} s`);
    await redis.client.expire(key, 0);
  }
  const before = tried(server);
  isError(t, await convert(server, poisoner, slowDocx()), 'CONVERSION_FAILED');
  t.equal(tried(server), before + 1);
});

t.test('nor is a copy whose upload takes longer than it takes to learn of it', async (t) => {
  // Of an account that has no poison yet.
  const key = await newKey();
  const poison = slowDocx(7);
  const upload = openUpload(server, '/v1/convert', { key });
  upload.write(filePartHead);
  await until('it has been admitted', async () => (await server.jobs()).length === 1);
  isError(t, await convert(server, key, poison), 'CONVERSION_FAILED');
  const before = tried(server);
  upload.end(Buffer.concat([poison, formEnd]));
  const { message } = isError(t, await answerTo(upload), 'CONVERSION_FAILED');
  t.match(message, /a moment ago/);
  t.equal(tried(server), before);
});

t.test('copies that wait are not tried either', async (t) => {
  const before = tried(server);
  const poison = slowDocx(1);
  const answers = await Promise.all(Array.from({ length: 8 }, () => convert(server, poisoner, poison)));
  for (const answer of answers) isError(t, answer, 'CONVERSION_FAILED');
  t.ok(tried(server) - before <= 3, `${tried(server) - before} of 8`);
});

t.test('one account that sends poison in parallel does not keep another waiting', async (t) => {
  let burning = 4;
  const poison = Array.from({ length: burning }, async (_, n) => {
    const answer = await convert(server, poisoner, slowDocx(n + 2));
    burning--;
    return answer;
  });
  for (let n = 1; n <= 3; n++) {
    await isPdf(t, await convert(server, customer, docx({ paragraphs: [`Number ${n}`] })), `Number ${n}`);
  }
  t.ok(burning > 0, `${burning} of theirs still burn or wait`);
  for (const answer of await Promise.all(poison)) {
    const { status } = answer;
    isError(t, answer, status === 503 ? 'OVERLOADED' : 'CONVERSION_FAILED');
  }
  t.same([await server.jobs(), await forgetful.jobs()], [[], []], 'nothing is left of them');
});
