import { createHash } from 'node:crypto';
import { readdir, readlink } from 'node:fs/promises';
import { ReplyError } from 'ioredis';
import t, { type Test } from 'tap';
import { limitKeys } from '../../../src/accounts/billing/redis-keys.ts';
import { OUTPUT_NAME } from '../../../src/engine/engine.ts';
import { PlatenError } from '../../../src/errors.ts';
import type { Jobs } from '../../../src/jobs/jobs.ts';
import { createAccount as create } from '../../../src/operations/accounts.ts';
import { isDelivered, isError } from '../../e2e/support/assertions.ts';
import { writePlans } from '../../e2e/support/plans.ts';
import { convert, send } from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import { Service } from '../../support/service.ts';
import { StubEngine } from '../../support/stub-engine.ts';
import { until } from '../../support/until.ts';
import { ask, ended, readBody } from './support.ts';

const engine = new StubEngine();
const PLANS_FILE = await writePlans(t.testdir(), {
  one: { perMonth: 1, features: ['all'] },
  narrow: { perMonth: 2, maxJobs: 1, features: ['all'] },
});
const service = await Service.start(t, { engine, env: { PLANS_FILE } });
const { redis } = service.services;
const jobs = service.services.jobs as Jobs;

/** An account; by default with one conversion a month. */
async function createAccount(plan = 'one') {
  const { id } = await service.perform(create, { body: { name: 'Test', plan } });
  const { key } = await service.createKey({ account: id });
  const reserved = async () => {
    const months = await redis.hgetall(limitKeys.months(id, 'live'));
    return Object.entries(months).reduce(
      (sum, [name, n]) => sum + (/^reserved/.test(name) ? Number(n) : 0),
      0,
    );
  };
  const used = async () => {
    const { body } = await send(service, '/v1/usage', { method: 'GET', key });
    return JSON.parse(body.toString()).conversions.used;
  };
  const listed = async () => readBody<{ jobs: { id: string }[] }>(await ask(service, key, '')).jobs;
  return { id, key, reserved, used, listed };
}

/** Holds up the next call of a method until it may go on, or fail. */
function holdUp<Name extends PropertyKey>(
  t: Test,
  object: Record<Name, (...args: never[]) => Promise<unknown>>,
  name: Name,
  failure?: Error,
) {
  const call = object[name];
  const restore = () => Reflect.deleteProperty(object, name);
  t.teardown(restore);
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    const held = async (...args: never[]) => {
      restore();
      resolve();
      await gate;
      if (failure) throw failure;
      return call.apply(object, args);
    };
    Object.assign(object, { [name]: held });
  });
  return { reached, go };
}

async function objects(): Promise<string[]> {
  const names: string[] = [];
  for await (const name of jobs.storage.list('jobs/')) names.push(name);
  return names.sort();
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** PDFs that this process has open. */
async function openPdfs(): Promise<string[]> {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(links)).filter((path) => path.includes(`${OUTPUT_NAME} `));
}

const prefers = (prefer: string, idempotencyKey?: string) => ({
  prefer,
  ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
});

/** Sends a document. @returns leaves before the answer, and resolves when the service has seen it. */
function sendAndLeave(account: { readonly id: string; readonly key: string }, prefer: string) {
  const client = new AbortController();
  const options = { headers: prefers(prefer), signal: client.signal };
  const left = convert(service, account.key, docx(), options).catch(() => undefined);
  return async () => {
    client.abort();
    await left;
    await service.logged('request', (line) => line.clientLeft === true && line.account === account.id);
  };
}

t.test('a conversion goes on if its job cannot be shown', async (t) => {
  const { key, listed, used } = await createAccount();
  const { documents } = engine.status();
  const release = engine.hold();
  const showing = holdUp(t, jobs.records, 'find', new Error('Redis is away'));
  showing.go();
  isError(
    t,
    await convert(service, key, docx(), { headers: prefers('respond-async, wait=0') }),
    'SERVICE_UNAVAILABLE',
  );
  release();
  const [job] = await listed();
  t.match(await ended(service, key, job?.id ?? ''), { state: 'completed' });
  t.equal(engine.status().documents, documents + 1, 'converted once');
  t.equal(await used(), 1);
  await until('its folder is gone', async () => (await service.jobs()).length === 0);
});

t.test('its duration counts from its start', async (t) => {
  const { id: account, key } = await createAccount();
  const release = engine.hold();
  const taking = holdUp(t, jobs.records, 'take');
  const answer = convert(service, key, docx(), { headers: prefers('respond-async, wait=0') });
  await taking.reached;
  const reached = performance.now();
  const SOME_MS = 100;
  await until('some time has passed', () => performance.now() - reached > SOME_MS);
  taking.go();
  const { id } = readBody(await answer);
  release();
  await ended(service, key, id);
  const made = await jobs.records.made({ account, environment: 'live', id, n: 1 });
  t.ok(Number(made?.durationMs) >= SOME_MS, `${made?.durationMs} ms`);
});

t.test('a repetition leaves the job its reservation', async (t) => {
  const { id, key, reserved, used } = await createAccount();
  const release = engine.hold();
  const repeated = () => convert(service, key, docx(), { headers: prefers('respond-async, wait=0', 'K') });
  const first = readBody(await repeated());
  // As ten seconds later.
  t.equal(await redis.del(limitKeys.running(id, 'live', sha256('K'))), 1);
  t.equal(readBody(await repeated()).id, first.id);
  t.equal(await reserved(), 1);
  isError(t, await convert(service, key, docx()), 'QUOTA_EXCEEDED');
  release();
  t.match(await ended(service, key, first.id), { state: 'completed' });
  t.equal(await used(), 1);
  t.equal(await reserved(), 0);
});

t.test('an idempotency key of an open job is for its document alone', async (t) => {
  const { id, key, reserved, used } = await createAccount();
  const release = engine.hold();
  const first = readBody(
    await convert(service, key, docx(), { headers: prefers('respond-async, wait=0', 'K') }),
  );
  const running = limitKeys.running(id, 'live', sha256('K'));
  // As ten seconds later.
  t.equal(await redis.del(running), 1);
  const headers = { 'idempotency-key': 'K' };
  isError(t, await convert(service, key, docx({ pages: 2 }), { headers }), 'IDEMPOTENCY_KEY_REUSED');
  t.equal(await reserved(), 1, 'which stays with the job');
  const same = convert(service, key, docx(), { headers });
  await until('it is admitted', async () => (await redis.exists(running)) === 1);
  release();
  isDelivered(t, await same);
  t.match(await ended(service, key, first.id), { state: 'completed' });
  t.equal(await used(), 1);
  t.equal(await reserved(), 0);
});

t.test('a job that outlives its idempotency key keeps its reservation', async (t) => {
  const { id, key, reserved } = await createAccount('narrow');
  const release = engine.hold();
  const headers = prefers('respond-async, wait=0', 'K');
  t.equal((await convert(service, key, docx(), { headers })).status, 202);
  const ofKey = [limitKeys.job, limitKeys.reserved].map((name) => name(id, 'live', sha256('K')));
  const [known, held] = await Promise.all(ofKey.map((name) => redis.pttl(name)));
  t.ok(Number(held) > 0 && Number(held) <= Number(known), `${held} and ${known} ms`);
  // As a day later.
  await redis.del(limitKeys.running(id, 'live', sha256('K')), ...ofKey);
  const again = convert(service, key, docx(), { headers: { 'idempotency-key': 'K' } });
  await until('it is admitted', async () => (await reserved()) === 2);
  release();
  isDelivered(t, await again);
});

t.test('the reservation of a server that died is taken over, also after a job', async (t) => {
  const { id, key, reserved, used } = await createAccount();
  const [running, held] = [limitKeys.running, limitKeys.reserved].map((name) =>
    name(id, 'live', sha256('K')),
  );
  engine.failure = new PlatenError('CONVERSION_FAILED');
  const failed = await convert(service, key, docx(), { headers: prefers('respond-async', 'K') });
  await ended(service, key, readBody(failed).id);
  engine.failure = undefined;
  await until('nothing is reserved', async () => (await reserved()) === 0);
  const release = engine.hold();
  const send = async () => {
    await redis.del(running ?? '');
    const answer = convert(service, key, docx(), { headers: { 'idempotency-key': 'K' } });
    await until('it is admitted', async () => (await redis.exists(running ?? '')) === 1);
    return { answer, reservation: await redis.get(held ?? '') };
  };
  // As of a server that dies.
  const lost = await send();
  const again = await send();
  t.ok(again.reservation !== null && again.reservation !== lost.reservation);
  t.equal(await reserved(), 1);
  release();
  isDelivered(t, await lost.answer);
  isDelivered(t, await again.answer);
  t.equal(await used(), 1);
  t.equal(await reserved(), 0);
});

for (const prefer of ['respond-async', 'respond-async, wait=0']) {
  t.test(`${prefer}: a client that leaves while its document is stored gets no job`, async (t) => {
    const account = await createAccount();
    const before = await objects();
    const release = engine.hold();
    const storing = holdUp(t, jobs.storage, 'put');
    const leave = sendAndLeave(account, prefer);
    await storing.reached;
    await leave();
    storing.go();
    await until('its folder is gone', async () => (await service.jobs()).length === 0);
    t.strictSame(await account.listed(), []);
    t.strictSame(await objects(), before);
    await until('nothing is reserved', async () => (await account.reserved()) === 0);
    release();
    isDelivered(t, await convert(service, account.key, docx()));
  });

  t.test(`${prefer}: a job that is being taken keeps the reservation`, async (t) => {
    const account = await createAccount();
    const release = engine.hold();
    const taking = holdUp(t, jobs.records, 'take');
    const leave = sendAndLeave(account, prefer);
    await taking.reached;
    await leave();
    taking.go();
    await until('there is a job', async () => (await account.listed()).length === 1);
    t.equal(await account.reserved(), 1);
    isError(t, await convert(service, account.key, docx()), 'QUOTA_EXCEEDED');
    release();
    const [job] = await account.listed();
    t.match(await ended(service, account.key, job?.id ?? ''), { state: 'completed' });
    t.equal(await account.used(), 1);
    t.equal(await account.reserved(), 0);
  });
}

t.test('of two conversions under one idempotency key, the first to be taken is the job', async (t) => {
  const { id, key, reserved, used, listed } = await createAccount();
  const release = engine.hold();
  const taking = holdUp(t, jobs.records, 'take');
  const headers = prefers('respond-async, wait=0', 'K');
  const late = convert(service, key, docx(), { headers });
  await taking.reached;
  // As if its server hung for ten seconds.
  await redis.del(limitKeys.running(id, 'live', sha256('K')));
  const first = readBody(await convert(service, key, docx(), { headers }));
  release();
  t.match(await ended(service, key, first.id), { state: 'completed' });
  taking.go();
  t.match(readBody(await late), { id: first.id });
  t.strictSame(
    (await listed()).map((job) => job.id),
    [first.id],
  );
  t.equal(await used(), 1);
  t.equal(await reserved(), 0);
  await until('no PDF is open', async () => (await openPdfs()).length === 0);
  await until('its folder is gone', async () => (await service.jobs()).length === 0);
});

t.test('a job that is not taken leaves the reservation to be released', async (t) => {
  const account = await createAccount('narrow');
  const release = engine.hold();
  t.equal((await convert(service, account.key, docx(), { headers: prefers('respond-async') })).status, 202);
  const taking = holdUp(t, jobs.records, 'take');
  const leave = sendAndLeave(account, 'respond-async');
  await taking.reached;
  await leave();
  taking.go();
  await until('only the other job has one', async () => (await account.reserved()) === 1);
  t.equal((await account.listed()).length, 1);
  release();
});

t.test('a job that Redis refuses leaves the reservation to be released', async (t) => {
  const { key, reserved } = await createAccount();
  const taking = holdUp(t, jobs.records, 'take', new ReplyError('MISCONF Errors writing to the AOF file'));
  taking.go();
  const headers = prefers('respond-async', 'K');
  isError(t, await convert(service, key, docx(), { headers }), 'SERVICE_UNAVAILABLE');
  await until('nothing is reserved', async () => (await reserved()) === 0);
  t.equal((await convert(service, key, docx(), { headers })).status, 202, 'and the idempotency key is free');
});
