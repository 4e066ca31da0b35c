/** Documents by URL: taken by a service with a stub for the engine, fetched by egress in the same process, from loopback. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { type Egress, type EgressOptions, openEgress } from '../../src/egress/egress.ts';
import { fetchDocument } from '../../src/egress/fetches.ts';
import { FetchedBytes } from '../../src/jobs/fetched-bytes.ts';
import { HeldAccounts } from '../../src/jobs/held-accounts.ts';
import type { JobRef } from '../../src/jobs/job.ts';
import { objectNames, putFetched, putRequest, putSource, readFetched } from '../../src/jobs/job-objects.ts';
import type { FetchEntry } from '../../src/jobs/job-queues.ts';
import type { Jobs } from '../../src/jobs/jobs.ts';
import { type Outbound, OutboundError } from '../../src/outbound/outbound.ts';
import { Slots } from '../../src/redis/slots.ts';
import { FolderStore } from '../../src/storage/folder-store.ts';
import { isError } from '../e2e/support/assertions.ts';
import { send } from '../e2e/support/requests.ts';
import { ask, ended, type JobBody, readBody } from '../http/jobs/support.ts';
import { endLongAgo, newJob } from '../jobs/support.ts';
import { log, patientClient } from '../redis/support.ts';
import { docx } from '../support/documents.ts';
import { Receiver, verified } from '../support/receiver.ts';
import { Service } from '../support/service.ts';
import { StubEngine } from '../support/stub-engine.ts';
import { until } from '../support/until.ts';

const document = docx();
let isHanging = true;
/** Answers that have begun and do not end, however long a test takes. */
const hanging: ServerResponse[] = [];
const host = createServer(({ url = '' }, response) => {
  if (!isHanging || !url.startsWith('/hang')) {
    response.end(document);
    return;
  }
  hanging.push(response);
  const drip = setInterval(() => response.write(' '), 1_000);
  response.once('close', () => clearInterval(drip));
}).listen(0, '0.0.0.0');
await once(host, 'listening');
t.teardown(() => {
  host.close();
  host.closeAllConnections();
});
const at = (path: string, name = '127.0.0.1') =>
  `http://${name}:${(host.address() as AddressInfo).port}${path}`;

const engine = new StubEngine();
const service = await Service.start(t, { engine, env: { EGRESS_ALLOW_HTTP: 'true' } });
const jobs = service.services.jobs as Jobs;
const { key } = await service.createKey();
const redis = patientClient(t, { socketPath: service.redis });
const held = new HeldAccounts(redis);

/** Of one fetch. */
const bounds = {
  slots: new Slots({ places: 1, bounds: {}, promote: async () => false }),
  bytes: new FetchedBytes(redis),
  limits: { timeoutMs: 1, maxBytes: 1, maxJobBytes: 1 },
};
t.teardown(() => bounds.slots.close());

async function open(t: Test, options: EgressOptions = {}): Promise<Egress> {
  const { config } = service.services;
  const own = { ...config, egressAllowNetworks: ['127.0.0.0/8'] };
  const openStorage = async () => FolderStore.open(join(service.dataDir, 'objects'));
  const egress = await openEgress(own, log, { openStorage, ...options });
  t.teardown(() => egress.close());
  await until('it gives a sign of life', () => service.services.pulse.isAlive());
  return egress;
}

interface PostOptions {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly by?: string;
}

const post = (body: unknown, { query = '', headers = {}, by = key }: PostOptions = {}) =>
  send(service, `/v1/jobs${query}`, {
    key: by,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** The keys of the storage, without the check of those who opened it. */
async function objects(prefix = 'jobs/'): Promise<string[]> {
  const keys: string[] = [];
  for await (const each of jobs.storage.list(prefix)) keys.push(each);
  return keys;
}

/** The keys that upkeep leaves of a job that ended long ago. */
async function objectsOfEnded(id: string): Promise<string[]> {
  const job = await jobs.queues.ownerOf(id);
  if (!job) throw new Error('no job');
  await endLongAgo(redis, job);
  await jobs.lookAfter(job);
  return objects(objectNames.all(id));
}

t.test('without egress, they are refused at once', async (t) => {
  const refused = await post({ files: [{ url: at('/a.docx') }] });
  isError(t, refused, 'SERVICE_UNAVAILABLE');
  t.equal(refused.headers.get('retry-after'), '60');
  t.same(await objects(), []);
});

t.test('http:// is refused at once where it is not allowed', async (t) => {
  const strict = await Service.start(t, { engine });
  const { key: own } = await strict.createKey();
  const body = JSON.stringify({ files: [{ url: at('/a.docx') }] });
  const headers = { 'content-type': 'application/json' };
  const { message } = isError(
    t,
    await send(strict, '/v1/jobs', { key: own, headers, body }),
    'INVALID_PARAMETER',
  );
  t.match(message, /files\.0\.url.*https/);
});

t.test('with one', async (t) => {
  await open(t);

  t.test('what is sent is checked at once', async (t) => {
    const url = at('/a.docx');
    const files = [{ url }];
    const bad: [unknown, RegExp, PostOptions?][] = [
      [{}, /files is missing/],
      [{ files: [] }, /files must be a list of 1 to 100/],
      [{ files: Array.from({ length: 101 }, () => ({ url })) }, /files must be a list of 1 to 100/],
      [{ files: [{}] }, /files\.0\.url is missing/],
      [{ files: [{ url, other: 1 }] }, /not known/],
      [{ files: [{ url: 'file:///etc/passwd' }] }, /files\.0\.url.*https/],
      [{ files: [{ url }, { url: 'https://user:password@example.com/' }] }, /files\.1\.url.*password/],
      [{ files: [{ url: `https://example.com/\r\nX: y` }] }, /files\.0\.url/],
      [{ files, options: { pdfa: 'x' } }, /options\.pdfa must be/],
      [{ files, options: { bookmarks: 'false' } }, /options\.bookmarks must be true or false/],
      [{ files, options: { pages: '3-1' } }, /pages/],
      [{ files, options: { userPassword: '' } }, /userPassword/],
      [{ files, options: { pdfa: '2b', userPassword: 'x' } }, /userPassword/],
      [{ files, options: { attachment: 'x' } }, /not known/],
      [{ files, metadata: { order: 7 } }, /metadata/],
      [{ files, webhooks: 1 }, /not known/],
      [{ files }, /Send the options in the body/, { query: '?pdfa=2b' }],
    ];
    for (const [body, message, options] of bad) {
      t.match(isError(t, await post(body, options), 'INVALID_PARAMETER').message, message);
    }
    for (const body of ['', '{', '{"__proto__":{"a":1}}']) {
      t.match(isError(t, await post(body), 'INVALID_REQUEST').message, /not valid JSON/, body);
    }
    for (const body of ['null', '[]']) t.equal((await post(body)).status, 400, body);
    for (const type of [
      'APPLICATION/JSON',
      'application/json;charset=utf-8',
      'application/json ; a=b',
      'application/json,text/plain',
      'application/json a',
      'application/jsonx',
      'application/vnd.api+json',
    ]) {
      const { status } = await post('{"files":7}', { headers: { 'content-type': type } });
      t.equal(status, 400, type);
    }
    isError(t, await post(`"${'a'.repeat(600_000)}"`), 'INVALID_REQUEST');
    const { id: account } = await service.createAccount('small', 'free');
    const small = await service.createKey({ account });
    const refused = await post({ files }, { by: small.key });
    isError(t, refused, 'FEATURE_NOT_IN_PLAN');
    t.same(await objects(), [], 'nothing of them stays');
  });

  t.test('names and secrets', async (t) => {
    const job = readBody(
      await post({
        files: [
          { url: at('/folder/%C3%9Cbersicht.docx?token=hidden') },
          { url: at('/a.docx'), name: '../../etc/"passwd"\r\nX: y.docx' },
          { url: at('/') },
          { url: at('/%ff%2f..%2fb.docx') },
        ],
        options: { title: 'Hidden', ownerPassword: 'hidden', allow: 'print' },
        metadata: { order: '7' },
      }),
    );
    t.match(job, { metadata: { order: '7' }, options: { title: 'given', ownerPassword: 'given' } });
    t.same(
      job.files.map(({ name }) => name),
      ['Übersicht.docx', 'passwdX y.docx', null, '%ff%2f..%2fb.docx'],
    );
    const known: string[] = [];
    for (const name of await redis.keys('*')) {
      if ((await redis.type(name)) === 'hash') known.push(JSON.stringify(await redis.hgetall(name)));
    }
    t.notMatch(known.join('\n'), /hidden/i, 'Redis knows neither addresses nor passwords');
    t.match((await ended(service, key, job.id)).counts, { succeeded: 4 });
    t.equal((await objectsOfEnded(job.id)).length, 4, 'only the PDFs stay');
  });

  t.test('the same job under one Idempotency-Key', async (t) => {
    const headers = { 'idempotency-key': 'order-7' };
    const body = { files: [{ url: at('/a.docx') }], options: { pdfa: '2b' } };
    const first = readBody(await post(body, { headers }));
    t.equal(readBody(await post(body, { headers })).id, first.id);
    const other = { ...body, files: [{ url: at('/b.docx') }] };
    isError(t, await post(other, { headers }), 'IDEMPOTENCY_KEY_REUSED');
    await ended(service, key, first.id);
  });

  t.test('a job that is cancelled while it is fetched leaves nothing', async (t) => {
    const { id } = readBody<JobBody>(await post({ files: [{ url: at('/hang') }] }));
    await until('it is asked for', () => hanging.length > 0);
    t.match(readBody(await ask(service, key, `/${id}/cancel`, 'POST')), { counts: { canceled: 1 } });
    hanging.pop()?.end(document);
    await until('the fetch has ended', async () => (await jobs.queues.fetchCounts()).active === 0);
    t.match(await ended(service, key, id), { state: 'canceled', counts: { canceled: 1 } });
    t.same(await objectsOfEnded(id), []);
  });

  t.test('hosts that hang do not hold all places', async (t) => {
    const { id: account } = await service.createAccount('other', 'pro');
    const { key: other } = await service.createKey({ account });
    const files = Array.from({ length: 12 }, (_, n) => ({ url: at(`/hang/${n}`) }));
    const { id } = readBody(await post({ files }));
    await until('one host has all that it may have', () => hanging.length === 4);
    const elsewhere = readBody(await post({ files: [{ url: at('/a.docx', '127.0.0.2') }] }));
    t.match(await ended(service, key, elsewhere.id), { counts: { succeeded: 1 } });
    const more = Array.from({ length: 3 }, (_, n) => ({ url: at(`/hang/${n}`, '127.0.0.3') }));
    const { id: slow } = readBody(await post({ files: more }));
    await until('the account has all that it may have', () => hanging.length === 5);
    const others = readBody(await post({ files: [{ url: at('/a.docx') }] }, { by: other }));
    t.match(await ended(service, other, others.id), { counts: { succeeded: 1 } });
    t.equal(hanging.length, 5);
    // What waits follows as soon as there is room, long before the time for which it was put off.
    isHanging = false;
    for (const response of hanging.splice(0)) response.destroy();
    t.match(await ended(service, key, id), { counts: { succeeded: 12 } });
    t.match(await ended(service, key, slow), { counts: { succeeded: 3 } });
  });

  t.test('webhooks leave here', async (t) => {
    const receiver = await Receiver.start(t);
    const { webhooks } = service.services;
    const { account } = await service.createKey();
    const settings = { url: receiver.url('/hook?token=1'), description: '', enabled: true };
    const owner = { account, environment: 'live' } as const;
    const added = await webhooks.endpoints.add(owner, { ...settings, events: ['job.completed'] });
    const { id } = readBody<JobBody>(await post({ files: [{ url: at('/a.docx') }] }));
    await until('its end is told', () => receiver.received.length === 1);
    const [message] = receiver.to('/hook?token=1');
    if (!message || !added) throw new Error('not told');
    t.match(verified(message, added.secret), { type: 'job.completed', data: { id } });
    t.equal(message.headers['user-agent'], 'Platen');
    await until('it is counted', async () => (await webhooks.queue.counts()).delivered === 1);
    await until('it has left the queue', async () => (await webhooks.queue.waiting()).due === 0);
    const { body } = await scrape();
    t.match(body.toString(), /^platen_webhook_attempts_total\{outcome="delivered"\} 1$/m);
    t.match(body.toString(), /^platen_webhooks_waiting\{state="due"\} 0$/m);
  });

  t.test('the metrics', async (t) => {
    const { pulse } = service.services;
    await until('it has told', async () => Number((await pulse.counts()).fetched) > 4);
    const { body } = await scrape();
    t.match(body.toString(), /^platen_egress_up 1$/m);
    t.match(body.toString(), /^platen_egress_fetches_total\{outcome="fetched"\} [1-9]/m);
    t.match(body.toString(), /^platen_egress_documents\{state="waiting"\} 0$/m);
  });
});

t.test('the documents of a job have a bound together', async (t) => {
  const egress = await open(t, { maxJobBytes: 2.5 * document.length });
  const files = ['/a.docx', '/b.docx', '/c.docx'].map((path) => ({ url: at(path) }));
  const { id } = readBody(await post({ files }));
  const job = await ended(service, key, id);
  t.match(job.counts, { succeeded: 2, failed: 1 });
  const message = 'The documents of the job are larger than 0 MB together. Send this one in another job.';
  t.same(
    job.files.flatMap(({ error }) => error ?? []),
    [{ code: 'FETCH_FAILED', message }],
  );
  t.match(await ended(service, key, readBody(await post({ files: files.slice(1) })).id), {
    counts: { succeeded: 2 },
  });
  await egress.close();
  t.equal(await redis.exists(`platen:{jobs}:bytes:${id}`), 1);
  t.equal((await ask(service, key, `/${id}`, 'DELETE')).status, 204);
  t.equal(await redis.exists(`platen:{jobs}:bytes:${id}`), 0);

  const bytes = new FetchedBytes(redis);
  const file = (n: number) => ({ account: 'acme', environment: 'live', id: 'job_1', n }) as const;
  for (let time = 0; time < 3; time++) t.ok(await bytes.take(file(1), 60, 100), 'again, it counts once');
  t.notOk(await bytes.take(file(2), 41, 100));
  t.ok(await bytes.take(file(2), 40, 100));
  t.notOk(await bytes.take(file(3), 1, 100));
});

t.test('a fetch that is lost is queued again, and only then', async (t) => {
  const job = await taken('/lost.docx');
  await jobs.queues.removeFiles([{ ...job, n: 1 }]);
  for (let look = 0; look < 2; look++) {
    await jobs.lookAfter(job);
    t.match(await jobs.queues.fetchCounts(), { waiting: 1 });
  }
  const egress = await open(t);
  await until('it is converted', async () => (await jobs.records.find(job))?.state === 'completed');
  t.match(await jobs.records.find(job), { files: [{ state: 'succeeded', bytes: document.length }] });
  await egress.close();
});

t.test('what a process that died has fetched is not fetched again', async (t) => {
  const job = await taken('/document.docx');
  const file = { ...job, n: 1 };
  await jobs.queues.removeFiles([file]);
  await jobs.storage.put(objectNames.document(job.id, 1), document);
  await putFetched(jobs.storage, file, { bytes: document.length, sha256: 'a'.repeat(64) });
  const outbound = { download: () => Promise.reject(new Error('asked')) } as unknown as Outbound;
  const { workspaces } = service.services;
  const { queues, storage } = jobs;
  const options = { outbound, storage, queues, held, workspaces, log, ...bounds };
  const entry = { data: { ...file, waited: 0 }, attemptsMade: 0, stalledCounter: 1 } as FetchEntry;
  await fetchDocument(entry, { ...options, counted: (outcome) => t.fail(outcome) });
  await until('it is converted', async () => (await jobs.records.find(job))?.state === 'completed');
  t.match(await jobs.records.find(job), { counts: { succeeded: 1 } });
  await fetchDocument(entry, { ...options, counted: (outcome) => t.equal(outcome, 'unwanted') });
});

t.test('nothing is fetched for an account that is suspended', async (t) => {
  const job = await taken('/held.docx');
  const file = { ...job, n: 1 };
  await jobs.queues.removeFiles([file]);
  await held.set('acme', true);
  const outbound = { download: () => Promise.reject(new Error('asked')) } as unknown as Outbound;
  const { workspaces } = service.services;
  const { queues, storage } = jobs;
  const options = { outbound, storage, queues, held, workspaces, log, ...bounds };
  const entry = { data: { ...file, waited: 0 }, attemptsMade: 0, stalledCounter: 0 } as FetchEntry;
  await fetchDocument(entry, { ...options, counted: (outcome) => t.equal(outcome, 'unwanted') });
  t.match(await jobs.records.find(job), { counts: { queued: 1 } }, 'it goes on waiting');
  t.match(await jobs.queues.fetchCounts(), { waiting: 0 });
  await jobs.lookAfter(job);
  t.equal(await held.has('acme'), false, 'the account itself does not say so');
  t.match(await jobs.queues.fetchCounts(), { waiting: 1 });
  await jobs.remove(job);
});

t.test('a host that may yet answer is asked three times', async (t) => {
  const attempts = async (error: Error, attemptsMade: number, stalledCounter = 0) => {
    const job = await taken('/never.docx');
    const file = { ...job, n: 1 };
    await jobs.queues.removeFiles([file]);
    const outbound = { download: () => Promise.reject(error) } as unknown as Outbound;
    const entry = { data: { ...file, waited: 0 }, attemptsMade, stalledCounter } as FetchEntry;
    const { workspaces } = service.services;
    const counts: string[] = [];
    const counted = (outcome: string) => counts.push(outcome);
    const options = {
      outbound,
      storage: jobs.storage,
      queues: jobs.queues,
      held,
      workspaces,
      log,
      ...bounds,
      counted,
    };
    const outcome = await fetchDocument(entry, options).then(
      () => 'told',
      () => 'again',
    );
    if (outcome === 'told') {
      await until('the file fails', async () => (await jobs.records.find(job))?.state === 'completed');
      t.match(await jobs.records.find(job), { files: [{ error: { code: 'FETCH_FAILED' } }] });
    } else {
      t.equal(await readFetched(jobs.storage, file), undefined);
      await jobs.remove(job);
    }
    return [outcome, ...counts];
  };
  const failure = (...of: ConstructorParameters<typeof OutboundError>) => new OutboundError(...of);
  const away = failure('unreachable', 'away');
  t.same(await attempts(away, 0), ['again', 'retried']);
  t.same(await attempts(away, 1), ['again', 'retried']);
  t.same(await attempts(away, 2), ['told', 'failed']);
  t.same(await attempts(failure('timeout', 'late'), 0), ['again', 'retried']);
  t.same(await attempts(failure('status', 'busy', 503), 0), ['again', 'retried']);
  t.same(await attempts(failure('status', 'busy', 429), 0), ['again', 'retried']);
  t.same(await attempts(failure('status', 'missing', 404), 0), ['told', 'failed']);
  t.same(await attempts(failure('forbidden', 'no'), 0), ['told', 'failed']);
  t.same(await attempts(failure('size', 'large'), 0), ['told', 'failed']);
  t.same(await attempts(new Error('no space left'), 5), ['again', 'retried'], 'our own failures pass');
  t.same(await attempts(new Error('not tried'), 0, 4), ['told', 'failed'], 'it killed the process');
});

async function scrape() {
  const token = await readFile(join(service.dataDir, 'operator-token'), 'utf8');
  return send(service, '/metrics', { method: 'GET', key: token.trim() });
}

/** A job of one document that is to be fetched. */
async function taken(path: string): Promise<JobRef> {
  const job = await jobs.announce({ account: 'acme', environment: 'live' });
  await putRequest(jobs.storage, job.id, { options: {}, secrets: {}, attachments: [] });
  await putSource(jobs.storage, { ...job, n: 1 }, { url: at(path) });
  await jobs.take(newJob({ ...job, files: [{ name: null, bytes: null, sha256: null }] }));
  return job;
}
