import t, { type Test } from 'tap';
import { CheckedSettlement } from '../../src/billing/checked-settlement.ts';
import { limitKeys } from '../../src/billing/redis-keys.ts';
import { Usage } from '../../src/billing/usage.ts';
import { nextEvent, startRedis } from '../redis/support.ts';
import { until } from '../support/until.ts';
import { AT, figures, liveKey, MONTH, reservation } from './samples.ts';

/** Never, unless a test asks for it. */
const never = { afterMs: 3_600_000, everyMs: 3_600_000 };

async function open(t: Test, times = never) {
  const { server, client } = await startRedis(t);
  const warnings: unknown[] = [];
  const log = {
    debug: () => {},
    info: () => {},
    warn: (line: unknown, msg?: unknown) => warnings.push({ ...(line as object), msg }),
    error: (line: unknown) => warnings.push(line),
  };
  const settlement = new CheckedSettlement(client, { log, times });
  t.teardown(() => settlement.close());
  const usage = new Usage(client);
  const billed = async () => {
    const ids: string[] = [];
    for await (const { requestId } of usage.ledger('acme', MONTH)) ids.push(requestId);
    return ids.sort();
  };
  return { server, client, settlement, usage, billed, warnings };
}

t.test('what Redis lost is settled again, once', async (t) => {
  const { client, settlement, usage, billed, warnings } = await open(t);
  const test = { ...liveKey, environment: 'test' } as const;
  for (const id of ['req_1', 'req_2']) await settlement.settle(reservation(id), figures);
  await settlement.settle(reservation('req_3', { key: test }), figures);
  await settlement.settle(reservation('req_4', { at: AT + 31 * 86_400_000 }), figures);
  // A failover after the first one.
  await client.flushall();
  await settlement.settle(reservation('req_5'), figures);
  await settlement.check(performance.now());
  t.strictSame(await billed(), ['req_1', 'req_2', 'req_5']);
  t.match(await usage.month('acme', 'live', MONTH), { used: 3, days: [{ conversions: 3, pages: 9 }] });
  t.match(await usage.month('acme', 'live', '2099-12'), { used: 1 });
  t.match(await usage.month('acme', 'test', MONTH), { used: 1 });
  t.equal(settlement.restored, 4);
  t.strictSame(warnings[0], {
    reqId: 'req_1',
    account: 'acme',
    key: liveKey.id,
    environment: 'live',
    at: new Date(AT).toISOString(),
    ...figures,
    msg: 'Redis lost a settlement, and has it again',
  });

  await settlement.check(performance.now());
  t.equal(settlement.restored, 4);
  t.strictSame(await billed(), ['req_1', 'req_2', 'req_5']);
  // It is lost a second time.
  await client.flushall();
  await settlement.settle(reservation('req_6'), figures);
  await settlement.check(performance.now());
  t.strictSame(await billed(), ['req_6'], 'what was checked is not kept');
});

t.test('what is lost together with its idempotency key counts once per document', async (t) => {
  const { client, settlement, billed } = await open(t);
  const options = { idempotencyKey: 'a'.repeat(64) };
  const document = { ...figures, document: 'a' };
  await settlement.settle(reservation('req_1', options), document);
  await client.flushall();
  // The client repeats its request.
  await settlement.settle(reservation('req_2', options), document);
  await settlement.check(performance.now());
  t.strictSame(await billed(), ['req_2']);
});

t.test('only what is old enough is checked, from time to time', async (t) => {
  const { client, settlement, billed } = await open(t, { afterMs: 0, everyMs: 10 });
  await settlement.settle(reservation('req_1'), figures);
  const between = performance.now();
  await settlement.settle(reservation('req_2'), figures);
  await client.flushall();
  await settlement.check(between);
  t.strictSame(await billed(), ['req_1']);
  settlement.start();
  await until('the other one is checked', () => settlement.restored === 2);
  t.strictSame(await billed(), ['req_1', 'req_2']);
});

t.test('while Redis is away, checks wait', async (t) => {
  const { server, client, settlement, billed } = await open(t);
  await settlement.settle(reservation('req_1'), figures);
  await client.flushall();
  const [away, back] = [nextEvent(client, 'reconnecting'), nextEvent(client, 'ready')];
  process.kill(server.pid, 'SIGKILL');
  await away;
  await t.rejects(settlement.check(performance.now()));
  t.equal(settlement.restored, 0);
  await back;
  await settlement.check(performance.now());
  t.strictSame(await billed(), ['req_1']);
});

t.test('a server that ends checks the rest', async (t) => {
  const { client, settlement, billed } = await open(t);
  settlement.start();
  await settlement.settle(reservation('req_1'), figures);
  await client.del(limitKeys.settled('acme', 'live', MONTH), limitKeys.ledger('acme', MONTH));
  await settlement.close();
  t.strictSame(await billed(), ['req_1']);
});
