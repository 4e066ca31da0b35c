import t from 'tap';
import { Worker } from '../../src/redis/bullmq.ts';
import { blockingClient } from '../../src/redis/connect.ts';
import { Deliveries, KEPT_DELIVERIES } from '../../src/webhooks/deliveries.ts';
import { DELIVERIES, PREFIX } from '../../src/webhooks/delivery-queue.ts';
import { MAX_FORMERS } from '../../src/webhooks/secrets.ts';
import { messageId } from '../../src/webhooks/webhook.ts';
import { plainOutbound } from '../support/plain-outbound.ts';
import { verified } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { event, owner, testWebhooks } from './support.ts';

t.test('a message is signed, and comes once', async (t) => {
  const { webhooks, receiver, deliver, endpoint } = await testWebhooks(t);
  const { id: target, secret } = await endpoint('/a');
  await endpoint('/other', { events: ['key.expiring'] });
  await endpoint('/off', { enabled: false });
  const told = event('job_1');
  await webhooks.tell(owner, told);
  await webhooks.tell(owner, told);
  await deliver();
  await until('it is delivered', async () => (await webhooks.queue.counts()).delivered === 1);
  await webhooks.tell(owner, told);
  await until('the queue is empty', async () => (await webhooks.queue.waiting()).due === 0);
  t.equal(receiver.received.length, 1);
  const [message] = receiver.to('/a');
  if (!message) throw new Error('no message');
  t.same(verified(message, secret), {
    type: 'job.completed',
    timestamp: new Date(told.at).toISOString(),
    data: { id: 'job_1' },
  });
  const id = messageId(owner, told);
  t.match(message.headers, { 'webhook-id': id, 'content-type': 'application/json' });
  const [delivery] = await webhooks.deliveries.list({ ...owner, id: target }, 10);
  t.match(delivery, {
    id,
    type: 'job.completed',
    state: 'delivered',
    nextAttemptAt: null,
    attempts: [{ status: 204, failure: null }],
  });
  t.same(await webhooks.queue.waiting(), { due: 0, delayed: 0 });
});

t.test('what fails is tried again, in the order of the delays, until it is given up', async (t) => {
  const { webhooks, receiver, deliver, endpoint } = await testWebhooks(t);
  const { id: target } = await endpoint('/a');
  const answers = [500, 302, 404];
  receiver.answer = () => answers.shift() ?? 503;
  await deliver({ retryDelaysMs: [1, 1, 1, 1] });
  await webhooks.tell(owner, event('job_1'));
  const name = { ...owner, target, id: messageId(owner, event('job_1')) };
  await until('it has failed', async () => (await webhooks.deliveries.find(name))?.state === 'failed');
  const found = await webhooks.deliveries.find(name);
  t.same(
    found?.attempts.map(({ status }) => status),
    [500, 302, 404, 503, 503],
  );
  t.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1);
  t.equal(new Set(receiver.received.map(({ body }) => body)).size, 1);
  t.same(await webhooks.queue.counts(), { delivered: 0, failed: 4, abandoned: 1 });
  t.type((await webhooks.endpoints.find({ ...owner, id: target }))?.failingSince, 'number');

  receiver.answer = () => 200;
  t.equal(await webhooks.repeat(name), true, 'it can be sent again');
  await until('it is delivered', async () => (await webhooks.deliveries.find(name))?.state === 'delivered');
  t.equal((await webhooks.deliveries.find(name))?.attempts.length, 6);
  t.equal((await webhooks.endpoints.find({ ...owner, id: target }))?.failingSince, null);
  t.equal(await webhooks.repeat({ ...name, id: messageId(owner, event('job_2')) }), false);
});

t.test('a repetition that fails half-way loses no message', async (t) => {
  const { webhooks, receiver, deliver, endpoint } = await testWebhooks(t);
  const { id: target } = await endpoint('/a');
  await webhooks.tell(owner, event('job_1'));
  await webhooks.tell(owner, event('job_2'));
  const [first, second] = ['job_1', 'job_2'].map((job) => ({
    ...owner,
    target,
    id: messageId(owner, event(job)),
  }));
  if (!first || !second) throw new Error('no names');
  const fail = () => Promise.reject(new Error('Command timed out'));
  const { queue, deliveries } = webhooks;
  const { add } = queue;
  queue.add = fail;
  await t.rejects(webhooks.repeat(first), /timed out/);
  queue.add = add;
  const { repeat } = deliveries;
  deliveries.repeat = fail;
  await t.rejects(webhooks.repeat(second), /timed out/);
  deliveries.repeat = repeat;
  await deliver();
  await until('the queue is empty', async () => (await queue.waiting()).due === 0);
  const messages = () => receiver.received.map(({ headers }) => headers['webhook-id']);
  t.same(new Set(messages()), new Set([first.id, second.id]));
  for (const name of [first, second]) t.match(await deliveries.find(name), { state: 'delivered' });
  const before = messages().length;
  t.equal(await webhooks.repeat(second), true);
  await until('it is sent again', () => messages().length === before + 1);
  t.equal(messages().at(-1), second.id);
});

t.test('no answer is a failure', async (t) => {
  const { webhooks, receiver, deliver, endpoint } = await testWebhooks(t);
  const { id: silent } = await endpoint('/silent');
  const { id: closed } = await endpoint('/', { url: 'http://127.0.0.1:1/' });
  receiver.answer = () => undefined;
  await deliver({ retryDelaysMs: [], timeoutMs: 50 });
  await webhooks.tell(owner, event('job_1'));
  await until('both have failed', async () => (await webhooks.queue.counts()).abandoned === 2);
  t.match(await webhooks.deliveries.list({ ...owner, id: silent }, 10), [
    { state: 'failed', attempts: [{ status: null, failure: 'timeout' }] },
  ]);
  t.match(await webhooks.deliveries.list({ ...owner, id: closed }, 10), [
    { state: 'failed', attempts: [{ status: null, failure: 'unreachable' }] },
  ]);
});

t.test('a failure of this machine is no attempt, and is tried again', async (t) => {
  const { webhooks, receiver, deliver, endpoint, messages } = await testWebhooks(t);
  const { id: target } = await endpoint('/a');
  let failures = 0;
  const outbound = {
    ...plainOutbound,
    post: (...request: Parameters<typeof plainOutbound.post>) =>
      ++failures === 1
        ? Promise.reject(new Error('no connection can be made: EMFILE'))
        : plainOutbound.post(...request),
  };
  await deliver({ retryDelaysMs: [] }, outbound);
  await webhooks.tell(owner, event('job_1'));
  await until('it is delivered', async () => (await webhooks.queue.counts()).delivered === 1);
  t.equal(receiver.received.length, 1);
  t.match(await webhooks.deliveries.list({ ...owner, id: target }, 10), [
    { state: 'delivered', attempts: [{ status: 204, failure: null }] },
  ]);
  t.equal((await webhooks.deliveries.list({ ...owner, id: target }, 10))[0]?.attempts.length, 1);
  t.same(await webhooks.queue.counts(), { delivered: 1, failed: 0, abandoned: 0 });
  t.equal(messages.filter((message) => message === 'a webhook could not be sent').length, 1);
});

t.test('an endpoint may say when it wants the next attempt, within bounds', async (t) => {
  const { webhooks, receiver, deliver, endpoint } = await testWebhooks(t);
  const { id: target } = await endpoint('/a');
  let retryAfter = '3600';
  receiver.answer = (_, response) => {
    response.writeHead(503, { 'retry-after': retryAfter }).end();
    return undefined;
  };
  await deliver({ retryDelaysMs: [1_000], maxRetryAfterMs: 7_200_000 });
  const nextIn = async (cause: string) => {
    const before = Date.now();
    await webhooks.tell(owner, event(cause));
    const name = { ...owner, target, id: messageId(owner, event(cause)) };
    await until('it was tried', async () => (await webhooks.deliveries.find(name))?.attempts.length === 1);
    return Number((await webhooks.deliveries.find(name))?.nextAttemptAt) - before;
  };
  const HOUR_MS = 3_600_000;
  const within = (value: number, least: number, most: number) =>
    t.ok(value >= least && value <= most, `${value}`);
  within(await nextIn('1'), HOUR_MS, 1.3 * HOUR_MS);
  retryAfter = '999999';
  within(await nextIn('2'), 2 * HOUR_MS, 2.5 * HOUR_MS);
  retryAfter = new Date(Date.now() + HOUR_MS).toUTCString();
  within(await nextIn('3'), HOUR_MS - 2_000, 1.3 * HOUR_MS);
  retryAfter = 'soon';
  within(await nextIn('4'), 1_000, 0.1 * HOUR_MS);
  await until('they wait for their time', async () => {
    const { due, delayed } = await webhooks.queue.waiting();
    // The last one only for a second.
    return due === 0 && delayed >= 3;
  });
});

t.test('410 disables an endpoint, and what waits for it ends', async (t) => {
  const { webhooks, receiver, deliver, endpoint, messages } = await testWebhooks(t);
  const { id } = await endpoint('/a');
  receiver.answer = () => 410;
  await deliver({ perEndpoint: 1 });
  await webhooks.tell(owner, event('job_1'));
  await until(
    'it is disabled',
    async () => (await webhooks.endpoints.find({ ...owner, id }))?.enabled === false,
  );
  t.match(await webhooks.endpoints.find({ ...owner, id }), { disabledReason: 'gone', disabledAt: Number });
  t.match(await webhooks.deliveries.list({ ...owner, id }, 10), [
    { state: 'failed', attempts: [{ status: 410 }] },
  ]);
  t.ok(messages.includes('a webhook endpoint was disabled'));
  await webhooks.tell(owner, event('job_2'));
  t.equal((await webhooks.deliveries.list({ ...owner, id }, 10)).length, 1, 'nothing more is sent to it');
  await webhooks.endpoints.change({ ...owner, id }, { enabled: true });
  t.match(await webhooks.endpoints.find({ ...owner, id }), {
    enabled: true,
    disabledReason: null,
    disabledAt: null,
    failingSince: null,
  });
});

t.test('an endpoint that fails for too long is disabled', async (t) => {
  const { webhooks, receiver, deliver, endpoint } = await testWebhooks(t);
  const { id } = await endpoint('/a');
  receiver.answer = () => 500;
  await deliver({ retryDelaysMs: [1, 1, 1], maxFailingMs: 1 });
  await webhooks.tell(owner, event('job_1'));
  await until(
    'it is disabled',
    async () => (await webhooks.endpoints.find({ ...owner, id }))?.enabled === false,
  );
  t.match(await webhooks.endpoints.find({ ...owner, id }), { disabledReason: 'failing' });
  t.match(await webhooks.deliveries.list({ ...owner, id }, 10), [{ state: 'failed', nextAttemptAt: null }]);
});

t.test('failures with a long time between them are not one', async (t) => {
  const { redis, webhooks, receiver, deliver, endpoint } = await testWebhooks(t);
  const { id } = await endpoint('/a');
  receiver.answer = () => 500;
  await deliver({ retryDelaysMs: [], maxFailingMs: 1_000_000 });
  await redis.hset(`platen:{acme}:live:webhook:${id}`, 'failingSince', 1, 'failedAt', 2);
  await webhooks.tell(owner, event('job_1'));
  await until('it has failed', async () => (await webhooks.queue.counts()).abandoned === 1);
  const found = await webhooks.endpoints.find({ ...owner, id });
  t.equal(found?.enabled, true);
  t.ok(Number(found?.failingSince) > 1);
  await webhooks.endpoints.change({ ...owner, id }, { description: 'other', url: receiver.url('/a') });
  t.not((await webhooks.endpoints.find({ ...owner, id }))?.failingSince, null);
  await webhooks.endpoints.change({ ...owner, id }, { url: receiver.url('/b') });
  t.equal((await webhooks.endpoints.find({ ...owner, id }))?.failingSince, null, 'another URL begins anew');
});

t.test('a dead endpoint does not fill Redis', async (t) => {
  const { redis, webhooks, receiver, deliver, endpoint } = await testWebhooks(t);
  const { id: target } = await endpoint('/a');
  const few = new Deliveries(redis, { messages: 2, bytes: 100 });
  const names = ['1', '2', '3'].map((cause) => ({ ...owner, target, id: messageId(owner, event(cause)) }));
  for (const name of names) await few.add({ ...name, type: 'job.completed', body: '{}' });
  const states = async () => (await few.list({ ...owner, id: target }, 10)).map(({ state }) => state).sort();
  t.same(await states(), ['failed', 'pending', 'pending']);
  const large = { ...owner, target: (await endpoint('/b')).id, type: 'job.completed' } as const;
  for (const id of ['msg_1', 'msg_2']) await few.add({ ...large, id, body: 'x'.repeat(60) });
  t.equal((await few.find({ ...large, id: 'msg_2' }))?.state, 'failed', 'of large ones fewer wait');
  for (const name of names) await webhooks.repeat(name);
  await deliver();
  await until('all are delivered', () => receiver.received.length === 3);
  await until('that is noted', async () => (await states()).every((state) => state === 'delivered'));
  t.equal(await redis.exists(`platen:{acme}:live:webhook:${target}:pending`), 0);
  for (let n = 0; n < KEPT_DELIVERIES; n++)
    await few.add({ ...owner, target, id: `msg_${n}`, type: 'job.completed', body: '{}' });
  t.equal((await few.list({ ...owner, id: target }, 1_000)).length, KEPT_DELIVERIES);
  t.equal(await few.find(names[0] ?? { ...owner, target, id: '' }), undefined, 'the oldest are dropped');
});

t.test('a changed URL has nothing to do with how the former one answers', async (t) => {
  const { webhooks, receiver, deliver, endpoint } = await testWebhooks(t);
  const { id } = await endpoint('/a');
  receiver.answer = (_, response) => {
    void webhooks.endpoints.change({ ...owner, id }, { url: receiver.url('/b') }).then(() => {
      response.writeHead(410).end();
    });
    return undefined;
  };
  await deliver();
  await webhooks.tell(owner, event('job_1'));
  await until('it has ended', async () => (await webhooks.queue.counts()).abandoned === 1);
  t.match(await webhooks.endpoints.find({ ...owner, id }), { enabled: true, failingSince: null });
});

t.test('a changed URL has not failed yet', async (t) => {
  const { redis, webhooks, receiver, endpoint } = await testWebhooks(t);
  const { id } = await endpoint('/a');
  await redis.hset(`platen:{acme}:live:webhook:${id}`, 'failingSince', 1, 'failedAt', Date.now());
  const failingSince = async (url: string) => {
    await webhooks.endpoints.change({ ...owner, id }, { url });
    return (await webhooks.endpoints.find({ ...owner, id }))?.failingSince;
  };
  t.equal(await failingSince(receiver.url('/a')), 1, 'the same one has');
  t.equal(await failingSince(receiver.url('/b')), null);
});

t.test('former secrets sign after rotations', async (t) => {
  const { redis, webhooks, receiver, deliver, endpoint } = await testWebhooks(t);
  const { id, secret } = await endpoint('/a');
  const again = await webhooks.endpoints.rotate({ ...owner, id });
  const next = await webhooks.endpoints.rotate({ ...owner, id });
  await deliver();
  await webhooks.tell(owner, event('job_1'));
  await until('it is delivered', () => receiver.received.length === 1);
  const [message] = receiver.received;
  if (!message || next === undefined) throw new Error('no message');
  t.same(verified(message, secret), verified(message, next), 'who repeats a rotation loses none');
  t.same(verified(message, String(again)), verified(message, next));
  t.throws(() => verified(message, 'whsec_AAAA'));
  const name = `platen:{acme}:live:webhook:${id}`;
  const formers = async () => String(await redis.hget(name, 'formers')).split(' ');
  await redis.hset(name, 'formers', `${again} 1 ${secret} 9999999999999`);
  await webhooks.endpoints.rotate({ ...owner, id });
  t.match(await formers(), [next, /^\d{13}$/, secret, '9999999999999'], 'one that has ended is dropped');
  for (let n = 0; n < MAX_FORMERS; n++) await webhooks.endpoints.rotate({ ...owner, id });
  t.equal((await formers()).length, 2 * MAX_FORMERS);
  t.equal((await webhooks.endpoints.destination({ ...owner, id }))?.secrets.length, MAX_FORMERS + 1);
  t.equal(await webhooks.endpoints.rotate({ ...owner, id: 'wh_none' }), undefined);
});

t.test('a URL of a job is signed with the default secret', async (t) => {
  const { webhooks, receiver, deliver } = await testWebhooks(t);
  const former = await webhooks.endpoints.rotateDefault(owner);
  const secret = await webhooks.endpoints.rotateDefault(owner);
  await webhooks.tell(owner, event('job_1'), { job: 'job_1', url: receiver.url('/of-a-job?token=1') });
  await deliver();
  await until('it is delivered', () => receiver.received.length === 1);
  const [message] = receiver.to('/of-a-job?token=1');
  if (!message) throw new Error('no message');
  t.same(verified(message, secret), verified(message, former));
  await until('it is noted', async () => {
    const [delivery] = await webhooks.deliveries.list({ ...owner, id: 'job_1' }, 10);
    return delivery?.state === 'delivered';
  });
});

t.test('a slow endpoint delays no other, and has a bounded number at a time', async (t) => {
  const { webhooks, receiver, deliver, endpoint } = await testWebhooks(t);
  const { id: slow } = await endpoint('/slow', { events: ['job.completed'] });
  const { id: fast } = await endpoint('/fast', { events: ['quota.warning'] });
  const held: (() => void)[] = [];
  receiver.answer = ({ path }, response) => {
    if (path !== '/slow') return 200;
    held.push(() => response.writeHead(200).end());
    return undefined;
  };
  await deliver({ concurrency: 4, perEndpoint: 2 });
  for (let n = 0; n < 20; n++) await webhooks.tell(owner, event(`slow ${n}`));
  await until('it has all that it may have', () => held.length === 2);
  await webhooks.tell(owner, { ...event('fast'), type: 'quota.warning' });
  await until('another is served', () => receiver.to('/fast').length === 1);
  t.equal(held.length, 2);
  t.equal((await webhooks.deliveries.list({ ...owner, id: fast }, 10)).length, 1);
  // What waits follows as soon as there is room, long before the time for which it was put off.
  const release = setInterval(() => held.shift()?.(), 10);
  t.teardown(() => clearInterval(release));
  await until('all have come', async () => (await webhooks.queue.counts()).delivered >= 21);
  const deliveries = await webhooks.deliveries.list({ ...owner, id: slow }, 50);
  t.equal(deliveries.filter(({ state }) => state === 'delivered').length, 20);
});

t.test('dead endpoints of an account delay no other account, and its own ones take turns', async (t) => {
  const { webhooks, receiver, deliver, endpoint } = await testWebhooks(t);
  const held: (() => void)[] = [];
  let isDead = true;
  receiver.answer = ({ path }, response) => {
    if (!isDead || !path.startsWith('/dead')) return 200;
    held.push(() => response.writeHead(200).end());
    return undefined;
  };
  const urgent = { events: ['quota.warning'] } as const;
  for (let n = 0; n < 10; n++) await endpoint(`/dead/${n}`, { events: ['job.completed'] });
  await deliver({ concurrency: 10, perAccount: 4, perEndpoint: 2, timeoutMs: 600_000 });
  for (let n = 0; n < 10; n++) await webhooks.tell(owner, event(`job_${n}`));
  await until('it has all that it may have', () => held.length === 4);

  const other = { account: 'other', environment: 'live' } as const;
  const settings = { url: receiver.url('/other'), description: '', enabled: true, ...urgent };
  await webhooks.endpoints.add(other, settings);
  await webhooks.tell(other, { ...event('other'), type: 'quota.warning' });
  await until('another account is told', () => receiver.to('/other').length === 1);
  t.equal(held.length, 4);

  await endpoint('/own', urgent);
  await webhooks.tell(owner, { ...event('own'), type: 'quota.warning' });
  await until('it waits', async () => (await webhooks.queue.waiting()).delayed === 97);
  for (let n = 0; receiver.to('/own').length === 0; n++) {
    const before = receiver.received.length;
    held.shift()?.();
    await until('the next one has its turn', () => receiver.received.length > before);
    // It loses its turn if the place is taken meanwhile: two may be woken for one.
    t.ok(n < 50, 'its turn comes before those of 90 that waited longer');
  }
  isDead = false;
  for (const release of held) release();
  await until('all have come', async () => (await webhooks.queue.counts()).delivered === 102);
});

t.test('a message goes first for whose endpoint fewer wait', async (t) => {
  const { webhooks, receiver, deliver, endpoint } = await testWebhooks(t);
  await endpoint('/many', { events: ['job.completed'] });
  await endpoint('/few', { events: ['quota.warning'] });
  for (let n = 0; n < 3; n++) await webhooks.tell(owner, event(`job_${n}`));
  await webhooks.tell(owner, { ...event('few'), type: 'quota.warning' });
  await deliver({ concurrency: 1 });
  await until('all have come', () => receiver.received.length === 4);
  t.same(
    receiver.received.map(({ path }) => path),
    ['/many', '/few', '/many', '/many'],
  );
});

t.test('another process takes over the deliveries of a dead one', async (t) => {
  const { redis, webhooks, receiver, deliver, endpoint } = await testWebhooks(t);
  await endpoint('/a');
  await webhooks.tell(owner, event('job_1'));
  const connection = await blockingClient(redis);
  t.teardown(() => connection.disconnect());
  const dying = new Worker(DELIVERIES, null, { connection, prefix: PREFIX, lockDuration: 100 });
  t.ok(await dying.getNextJob('dying'));
  await dying.close(true);
  await deliver({ stalledCheckMs: 100 });
  await until('it is delivered', () => receiver.received.length === 1);
});

t.test('whoever closes waits for what is on its way', async (t) => {
  const { webhooks, receiver, deliver, endpoint } = await testWebhooks(t);
  await endpoint('/a');
  let answer = () => {};
  receiver.answer = (_, response) => {
    answer = () => response.writeHead(200).end();
    return undefined;
  };
  const deliveries = await deliver();
  await webhooks.tell(owner, event('job_1'));
  await until('it is on its way', () => receiver.received.length === 1);
  const closed = deliveries.close();
  answer();
  await closed;
  t.same(await webhooks.queue.counts(), { delivered: 1, failed: 0, abandoned: 0 });
  t.same(await webhooks.queue.waiting(), { due: 0, delayed: 0 });
});

t.test('removed messages are not sent', async (t) => {
  const { redis, webhooks, receiver, deliver, endpoint } = await testWebhooks(t);
  const { id } = await endpoint('/a');
  await webhooks.tell(owner, event('job_1'), { job: 'job_1', url: receiver.url('/b') });
  await webhooks.tell(owner, event('job_2'));
  await webhooks.forget(owner, 'job_1');
  const names = await redis.keys('*');
  t.equal(
    names.filter(
      (name) => name.includes(messageId(owner, event('job_1'))) && !name.startsWith('platen:{webhooks}'),
    ).length,
    0,
  );
  await deliver();
  await until('the other is delivered', async () => (await webhooks.queue.counts()).delivered === 1);
  await until('the queue is empty', async () => (await webhooks.queue.waiting()).due === 0);
  t.equal(receiver.received.length, 1);
  t.equal(await webhooks.endpoints.remove({ ...owner, id }), true);
  t.equal(await webhooks.endpoints.remove({ ...owner, id }), false);
  t.same(await redis.keys('platen:{acme}*'), [], 'a removed endpoint leaves nothing');
});
