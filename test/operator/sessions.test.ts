/** Sessions on a real Redis whose clock the test sets. */
import t from 'tap';
import { IDLE_MS, LIFETIME_MS, Sessions } from '../../src/operator/sessions.ts';
import { OperatorToken } from '../../src/operator-token.ts';
import { log } from '../redis/support.ts';
import { startClockedRedis } from '../support/clocked-redis.ts';

const redis = await startClockedRedis(t);
const client = await redis.connect();
const token = await OperatorToken.open('the-token-of-the-operator', '/', log);
const sessions = new Sessions(client, token);
const start = Date.now();

t.beforeEach(async () => {
  redis.setClock(start);
  await client.flushall();
});

t.test('a session lasts as long as it is used, and no longer than twelve hours', async (t) => {
  const { id, session } = await sessions.begin();
  t.match(session, {
    now: start,
    beganAt: start,
    idleUntil: start + IDLE_MS,
    expiresAt: start + LIFETIME_MS,
  });
  let at = start;
  while (at + IDLE_MS - 1 < start + LIFETIME_MS) {
    at += IDLE_MS - 1;
    redis.setClock(at);
    const used = await sessions.use(id);
    t.equal(used?.idleUntil, Math.min(at + IDLE_MS, start + LIFETIME_MS));
    t.equal(used?.csrfToken, session.csrfToken);
  }
  redis.setClock(start + LIFETIME_MS - 1);
  t.ok(await sessions.use(id));
  redis.setClock(start + LIFETIME_MS);
  t.equal(await sessions.use(id), undefined);
});

t.test('one that is not used ends, and looking at it is no use of it', async (t) => {
  const { id } = await sessions.begin();
  redis.setClock(start + IDLE_MS - 1);
  t.equal((await sessions.peek(id))?.idleUntil, start + IDLE_MS);
  redis.setClock(start + IDLE_MS);
  t.equal(await sessions.peek(id), undefined);
  t.equal(await sessions.use(id), undefined);
  redis.setClock(start + IDLE_MS + 1);
  t.strictSame(await client.keys('*'), [], 'nothing is left of it');
});

t.test('a Redis that is full knows it still, and has it last no longer', async (t) => {
  const { id } = await sessions.begin();
  await client.config('SET', 'maxmemory', 1);
  t.teardown(() => client.config('SET', 'maxmemory', 0));
  redis.setClock(start + IDLE_MS - 1);
  t.equal((await sessions.use(id))?.idleUntil, start + IDLE_MS);
  redis.setClock(start + IDLE_MS);
  t.equal(await sessions.use(id), undefined);
});

t.test('signing out ends it on every server', async (t) => {
  const { id } = await sessions.begin();
  const { id: other } = await sessions.begin();
  const elsewhere = new Sessions(await redis.connect(), token);
  t.ok(await elsewhere.use(id));
  await sessions.end(id);
  t.equal(await elsewhere.use(id), undefined);
  t.ok(await elsewhere.use(other));
});

t.test('another operator token ends the sessions of the one before', async (t) => {
  const { id } = await sessions.begin();
  const renewed = new Sessions(client, await OperatorToken.open('another-token-of-the-operator', '/', log));
  t.equal(await renewed.use(id), undefined);
});

t.test('Redis has neither the id nor the CSRF token', async (t) => {
  const { id, session } = await sessions.begin();
  const [key = ''] = await client.keys('*');
  t.match(key, /^platen:operator:session:[0-9a-f]{64}$/);
  const kept = key + JSON.stringify(await client.hgetall(key));
  t.notOk(kept.includes(id));
  t.notOk(kept.includes(session.csrfToken));
});

t.test('what is no id is no session', async (t) => {
  const { id } = await sessions.begin();
  for (const text of ['', 'x', `${id}x`, id.toUpperCase(), '__proto__', '*', `${id.slice(0, -1)} `]) {
    t.equal(await sessions.use(text), undefined, text);
    await sessions.end(text);
  }
  t.ok(await sessions.use(id));
});
