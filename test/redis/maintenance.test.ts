import t from 'tap';
import { connectRedis } from '../../src/redis/connect.ts';
import { Maintenance } from '../../src/redis/maintenance.ts';
import { log, startRedis } from './support.ts';

t.test('it is on and off for every server at once', async (t) => {
  const { server, client } = await startRedis(t);
  const other = await connectRedis({ target: server.socketPath, log });
  t.teardown(other.close);
  const here = new Maintenance(client);
  const there = new Maintenance(other.client);
  t.equal(await there.since(), undefined);
  const before = Date.now();
  await here.turnOn();
  const since = Date.parse((await there.since()) ?? '');
  t.ok(since >= before && since <= Date.now());
  await there.turnOff();
  t.equal(await here.since(), undefined);
  await there.turnOff();
  t.equal(await here.since(), undefined, 'off is off');
});

t.test('on twice is on since the first time', async (t) => {
  const { client } = await startRedis(t);
  const maintenance = new Maintenance(client);
  await maintenance.turnOn();
  const since = await maintenance.since();
  while (new Date().toISOString() === since) await client.ping();
  await maintenance.turnOn();
  t.equal(await maintenance.since(), since);
});

t.test('a notice for customers, which may change; and what an earlier version kept', async (t) => {
  const { client } = await startRedis(t);
  const maintenance = new Maintenance(client);
  await maintenance.turnOn({ reason: 'a move', until: '2999-01-01T00:00:00.000Z' });
  const first = await maintenance.state();
  t.match(first, { reason: 'a move', until: '2999-01-01T00:00:00.000Z' });
  await maintenance.turnOn();
  t.same(await maintenance.state(), { since: first?.since, reason: null, until: null });
  await client.set('platen:maintenance', '2026-11-21T08:00:00.000Z');
  t.same(await maintenance.state(), { since: '2026-11-21T08:00:00.000Z', reason: null, until: null });
});

t.test('without Redis nobody knows', async (t) => {
  const { client } = await startRedis(t);
  client.disconnect();
  await t.rejects(new Maintenance(client).since(), Error);
});
