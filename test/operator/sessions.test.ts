/** Sessions on a real Redis whose clock the test sets. */
import t from 'tap';
import {
  IDLE_MS,
  LIFETIME_MS,
  MAX_SESSIONS,
  operatorSessions,
  Sessions,
} from '../../src/operator/sessions.ts';
import { OperatorToken } from '../../src/system/operator-token.ts';
import { log } from '../redis/support.ts';
import { startClockedRedis } from '../support/clocked-redis.ts';

const redis = await startClockedRedis(t);
const client = redis.connectPatiently();
const token = await OperatorToken.open('the-token-of-the-operator', '/', log);
const sessions = operatorSessions(client, token);
const browser = { address: '192.0.2.7', agent: 'a browser' };
const start = Date.now();

t.beforeEach(async () => {
  redis.setClock(start);
  await client.flushall();
});

t.test('a session lasts as long as it is used, and no longer than twelve hours', async (t) => {
  const { id, session } = await sessions.begin('', browser);
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
  const { id } = await sessions.begin('', browser);
  redis.setClock(start + IDLE_MS - 1);
  t.equal((await sessions.peek(id))?.idleUntil, start + IDLE_MS);
  redis.setClock(start + IDLE_MS);
  t.equal(await sessions.peek(id), undefined);
  t.equal(await sessions.use(id), undefined);
  redis.setClock(start + IDLE_MS + 1);
  t.strictSame(await client.keys('*'), [], 'nothing is left of it');
});

t.test('a Redis that is full knows it still, and has it last no longer', async (t) => {
  const { id } = await sessions.begin('', browser);
  await client.config('SET', 'maxmemory', 1);
  t.teardown(() => client.config('SET', 'maxmemory', 0));
  redis.setClock(start + IDLE_MS - 1);
  t.equal((await sessions.use(id))?.idleUntil, start + IDLE_MS);
  redis.setClock(start + IDLE_MS);
  t.equal(await sessions.use(id), undefined);
});

t.test('signing out ends it on every server', async (t) => {
  const { id } = await sessions.begin('', browser);
  const { id: other } = await sessions.begin('', browser);
  const elsewhere = operatorSessions(redis.connectPatiently(), token);
  t.ok(await elsewhere.use(id));
  await sessions.end(id);
  t.equal(await elsewhere.use(id), undefined);
  t.ok(await elsewhere.use(other));
});

t.test('another operator token ends the sessions of the one before', async (t) => {
  const { id } = await sessions.begin('', browser);
  const another = await OperatorToken.open('another-token-of-the-operator', '/', log);
  const renewed = operatorSessions(client, another);
  t.equal(await renewed.use(id), undefined);
});

t.test('Redis has neither the id nor the CSRF token', async (t) => {
  const { id, session } = await sessions.begin('', browser);
  const [key = ''] = await client.keys('*');
  const kept = key + JSON.stringify(await client.hgetall(key));
  t.notOk(kept.includes(id));
  t.notOk(kept.includes(session.csrfToken));
});

t.test('what is no id is no session', async (t) => {
  const { id } = await sessions.begin('', browser);
  for (const text of ['', 'x', `${id}x`, id.toUpperCase(), '__proto__', '*', `${id.slice(0, -1)} `]) {
    t.equal(await sessions.use(text), undefined, text);
    await sessions.end(text);
  }
  t.ok(await sessions.use(id));
});

t.test('sessions of people who are known are listed, and end by themselves or all at once', async (t) => {
  const keyOf = (subject: string) => (subject.startsWith('someone') ? `platen:{x}:${subject}` : undefined);
  const known = new Sessions(client, { keyOf });
  const first = await known.begin('someone', browser);
  t.match(first.session, { subject: 'someone' });
  redis.setClock(start + 1_000);
  const second = await known.begin('someone', { address: '192.0.2.8', agent: 'x'.repeat(1_000) });
  const other = await known.begin('someone-else', browser);
  const listed = await known.list('someone');
  t.match(listed, [
    {
      id: Sessions.listedIdOf(second.id),
      beganAt: start + 1_000,
      address: '192.0.2.8',
      agent: 'x'.repeat(200),
    },
    { id: Sessions.listedIdOf(first.id), beganAt: start, agent: 'a browser' },
  ]);
  t.equal(await known.use(listed[0]?.id ?? ''), undefined, 'what names it opens nothing');
  t.equal(await known.endListed('someone-else', listed[0]?.id ?? ''), false, 'not that of another');
  t.equal(await known.endListed('someone', listed[0]?.id ?? ''), true);
  t.equal(await known.use(second.id), undefined);
  t.ok(await known.use(first.id));
  t.equal(await known.use(first.id.replace('someone', 'someone-else')), undefined);
  await known.begin('someone', browser);
  await known.endAll('someone', first.id);
  t.equal((await known.list('someone')).length, 1, 'all but one');
  await known.endAll('someone');
  t.strictSame(await known.list('someone'), []);
  t.ok(await known.use(other.id), 'nobody else notices');
  await t.rejects(known.begin('nobody', browser), /cannot have sessions/);
});

t.test('the session whose last use is longest ago makes room for a new one', async (t) => {
  const ids: string[] = [];
  for (let i = 0; i < MAX_SESSIONS; i++) {
    redis.setClock(start + i);
    ids.push((await sessions.begin('', browser)).id);
  }
  await sessions.use(ids[0] ?? '');
  await sessions.begin('', browser);
  t.ok(await sessions.peek(ids[0] ?? ''));
  t.equal(await sessions.peek(ids[1] ?? ''), undefined);
  t.equal((await sessions.list('')).length, MAX_SESSIONS);
});
