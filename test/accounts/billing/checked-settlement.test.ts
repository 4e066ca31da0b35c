import t, { type Test } from 'tap';
import { CheckedSettlement, type CheckTimes } from '../../../src/accounts/billing/checked-settlement.ts';
import { limitKeys } from '../../../src/accounts/billing/redis-keys.ts';
import { Usage } from '../../../src/accounts/billing/usage.ts';
import { nextEvent, startRedis } from '../../redis/support.ts';
import { until } from '../../support/until.ts';
import { AT, figures, liveKey, MONTH, reservation } from './samples.ts';

type Line = Readonly<Record<string, unknown>>;

/** @param times by default nothing is checked before the end. */
async function open(t: Test, times: CheckTimes = { afterMs: 3_600_000, everyMs: 3_600_000 }) {
  const { server, client } = await startRedis(t);
  const [warnings, errors]: [Line[], Line[]] = [[], []];
  const into = (lines: Line[]) => (fields: unknown, msg?: string) => lines.push({ ...(fields as Line), msg });
  const log = { debug: () => {}, info: () => {}, warn: into(warnings), error: into(errors) };
  const settlement = new CheckedSettlement(client, { log, times });
  t.teardown(() => settlement.close());
  const usage = new Usage(client);
  const billed = async (account = 'acme') => {
    const ids: string[] = [];
    for await (const { requestId } of usage.ledger(account, MONTH)) ids.push(requestId);
    return ids.sort();
  };
  return { server, client, settlement, usage, billed, warnings, errors };
}

const bill = (reqId: string) => ({
  reqId,
  account: 'acme',
  key: liveKey.id,
  environment: 'live',
  at: new Date(AT).toISOString(),
  ...figures,
});

t.test('a server that ends settles again what Redis lost, and nothing else', async (t) => {
  const { client, settlement, usage, billed, warnings, errors } = await open(t);
  const test = { ...liveKey, environment: 'test' } as const;
  for (const id of ['req_1', 'req_2', 'req_2']) await settlement.settle(reservation(id), figures);
  await settlement.settle(reservation('req_3', { key: test }), figures);
  await settlement.settle(reservation('req_4', { at: AT + 31 * 86_400_000 }), figures);
  await client.flushall();
  await settlement.settle(reservation('req_5'), figures);
  await settlement.close();
  t.strictSame(await billed(), ['req_1', 'req_2', 'req_5']);
  t.match(await usage.month('acme', 'live', MONTH), { used: 3, days: [{ conversions: 3, pages: 9 }] });
  t.match(await usage.month('acme', 'live', '2099-12'), { used: 1 });
  t.match(await usage.month('acme', 'test', MONTH), { used: 1 });
  t.equal(settlement.restored, 4);
  t.strictSame(warnings[0], { ...bill('req_1'), msg: 'Redis lost a settlement, and has it again' });
  t.equal(warnings.length, 4);
  t.strictSame(errors, []);
});

t.test('while a server runs, it checks from time to time, also what it settled again', async (t) => {
  const { client, settlement, billed } = await open(t, { afterMs: 0, everyMs: 10 });
  for (const times of [1, 2]) {
    await settlement.settle(reservation('req_1'), figures);
    // Redis gets it before the check, which waits for a timer.
    await client.flushall();
    await until('it is settled again', () => settlement.restored === times);
    t.strictSame(await billed(), ['req_1']);
  }
});

t.test('what is lost together with its idempotency key counts once per document', async (t) => {
  const { client, settlement, billed } = await open(t);
  const options = { idempotencyKey: 'a'.repeat(64) };
  const document = { ...figures, document: 'a' };
  await settlement.settle(reservation('req_1', options), document);
  await client.flushall();
  // The client repeats its request.
  await settlement.settle(reservation('req_2', options), document);
  await settlement.close();
  t.strictSame(await billed(), ['req_2']);
  t.equal(settlement.restored, 0);
});

t.test('an account whose records are damaged does not keep others from their bills', async (t) => {
  const { client, settlement, billed, errors } = await open(t);
  const accounts = Array.from({ length: 150 }, (_, n) => `account-${n}`);
  for (const account of accounts) {
    await settlement.settle(reservation(`req_${account}`, { key: { ...liveKey, account } }), figures);
  }
  await client.flushall();
  await client.set(limitKeys.settled('account-0', 'live', MONTH), 'no set');
  await settlement.close();
  t.equal(settlement.restored, accounts.length - 1);
  t.strictSame(await billed('account-149'), ['req_account-149']);
  t.strictSame(errors, []);
});

t.test('what a full Redis does not take again is logged as unbilled', async (t) => {
  const { client, settlement, billed, errors } = await open(t);
  await settlement.settle(reservation('req_1'), figures);
  await client.flushall();
  await client.config('SET', 'maxmemory', 1);
  await settlement.close();
  const { cause, ...line } = errors[0] ?? {};
  t.strictSame(line, { ...bill('req_1'), msg: 'a conversion is not known to be billed' });
  t.match(cause, /OOM/);
  t.strictSame(await billed(), []);
});

t.test('while Redis is away, checks wait; at the end the log says what was not checked', async (t) => {
  const { server, client, settlement, billed, warnings, errors } = await open(t, { afterMs: 0, everyMs: 10 });
  const [away, back] = [nextEvent(client, 'reconnecting'), nextEvent(client, 'ready')];
  await settlement.settle(reservation('req_1'), figures);
  const flushed = client.flushall();
  process.kill(server.pid, 'SIGSTOP');
  await until('a check fails', () => warnings.length > 0);
  t.match(warnings[0], { lost: 0, msg: 'settlements are checked again later' });
  process.kill(server.pid, 'SIGKILL');
  await Promise.allSettled([flushed, away]);
  await back;
  await until('it is settled again, or was not lost', async () => (await billed()).length === 1);

  const gone = await open(t);
  await gone.settlement.settle(reservation('req_2'), figures);
  process.kill(gone.server.pid, 'SIGSTOP');
  await gone.settlement.close();
  process.kill(gone.server.pid, 'SIGCONT');
  t.match(gone.warnings, [{ unchecked: 1, msg: 'settlements of the last minute are not checked' }]);
  t.strictSame([...errors, ...gone.errors], []);
});
