/**
 * Servers and egress processes are killed at each step of a job and of its webhooks, and Redis, S3 and disks fail: each file
 * ends once and is billed once, each end is reported, nothing stays reserved or behind. A client repeats interrupted requests
 * under its idempotency key.
 *
 * KILLS is the number of processes to kill, at each step in turn; STEP selects steps by name.
 */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { limitKeys } from '../../src/accounts/billing/redis-keys.ts';
import { jobKeys } from '../../src/jobs/redis-keys.ts';
import { luaFiles } from '../../src/paths.ts';
import type { RedisClient } from '../../src/redis/connect.ts';
import { Script } from '../../src/redis/script.ts';
import { type EventType, messageId } from '../../src/webhooks/webhook.ts';
import { endsCleanly } from '../e2e/support/assertions.ts';
import { type HeldRedis, startHeldRedis, type Where } from '../e2e/support/held-redis.ts';
import { patiently } from '../e2e/support/patience.ts';
import { startRedis } from '../e2e/support/redis.ts';
import { type Answer, bearer, multipart, send } from '../e2e/support/requests.ts';
import { field } from '../http/jobs/support.ts';
import { docx, malformedDocx, slowDocx } from '../support/documents.ts';
import { type Received, Receiver, verified } from '../support/receiver.ts';
import { S3Server } from '../support/s3-server.ts';
import { form, Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { startEgress } from './support/egress.ts';
import { noSmallDisk, SmallDisk } from './support/small-disk.ts';

const KILLS = Number(process.env.KILLS ?? 64);
/** Beyond the minute after which upkeep looks, twice. */
const UPKEEP_MS = 240_000;
const ANY_MOMENT_MS = 800;
/** About the shortest time for which upkeep, a minute after a job's arrival, is not too late. */
const SHORT_RETENTION_HOURS = 0.02;

const redis = await startRedis(t);
const s3 = await S3Server.start(t);
const receiver = await Receiver.start(t);
const shared = {
  S3_BUCKET: s3.bucket,
  S3_ENDPOINT: s3.endpoint,
  S3_PATH_STYLE: 'true',
  EGRESS_ALLOW_HTTP: 'true',
  EGRESS_ALLOW_NETWORKS: '127.0.0.1/32',
  ...s3.credentials,
};

/** What a server sends to run a script: its text the first time, then its hash. */
function signsOf(name: keyof typeof luaFiles): string[] {
  let text = '';
  const recorder = { defineCommand: (_: string, { lua }: { lua: string }) => (text = lua) };
  new Script(recorder as unknown as RedisClient, luaFiles[name]);
  const [, summary = ''] = text.split('\n');
  return [summary, createHash('sha1').update(text).digest('hex')];
}

/** A process to be killed, and its proxy to Redis. */
interface Victim {
  readonly held: HeldRedis;
  kill(): Promise<unknown>;
}

interface ServerVictim extends Victim {
  readonly server: Server;
}

async function launch(more: Readonly<Record<string, string>> = {}): Promise<ServerVictim> {
  const held = await startHeldRedis(t, redis.socket);
  const env = {
    ...shared,
    REDIS_URL: held.socket,
    WORKERS: '1',
    UPLOAD_TIMEOUT_MS: '10000',
    HEALTH_INTERVAL_MS: '600000',
    ...more,
  };
  const server = await Server.start({ env });
  const kill = () => server.stop('SIGKILL');
  t.teardown(kill);
  return { server, held, kill };
}

async function launchEgress(): Promise<Victim> {
  const held = await startHeldRedis(t, redis.socket);
  const kill = await startEgress(t, { ...shared, REDIS_URL: held.socket });
  return { held, kill };
}

let victim = await launch();
let egress = await launchEgress();
const { key, account } = await victim.server.createKey();
const month = new Date().toISOString().slice(0, 7);

/** The paths that receive the ends of all jobs, and of jobs that name a URL. */
const [ALL, OWN] = ['/all', '/own'] as const;
const json = async (path: string, body: object = {}) => {
  const headers = { 'content-type': 'application/json' };
  const answer = await send(victim.server, path, { key, headers, body: JSON.stringify(body) });
  return JSON.parse(answer.body.toString()) as { secret: string };
};
const events = ['job.completed', 'job.canceled', 'job.expired'];
const secrets = {
  [ALL]: (await json('/v1/webhooks', { url: receiver.url(ALL), events })).secret,
  [OWN]: (await json('/v1/webhooks/secret')).secret,
};

/** A message that came, however often. */
interface Told {
  readonly type: EventType;
  readonly job: string;
  readonly bodies: Set<string>;
  times: number;
}
/** By where it came and its id. */
const told = new Map<string, Told>();
/** What was wrong with messages. */
const faults: string[] = [];
/** Gets the next new message; it returns the status of the answer. */
let nextMessage: ((response: ServerResponse) => number | undefined) | undefined;

const messageOf = (type: EventType, job: string) =>
  messageId({ account, environment: 'live' }, { type, cause: job });
const toldOf = (path: string, type: EventType, job: string) => told.get(`${path} ${messageOf(type, job)}`);

/** @returns how often it came. @throws Error if nobody signed it. */
function receive(message: Received): number {
  const { type, data } = verified(message, secrets[message.path as keyof typeof secrets]);
  const id = String(message.headers['webhook-id']);
  const [event, job] = [type as EventType, String(data.id)];
  if (id !== messageOf(event, job)) faults.push(`${id} is not the id of ${type} of ${job}`);
  const known = told.get(`${message.path} ${id}`) ?? { type: event, job, bodies: new Set(), times: 0 };
  known.bodies.add(message.body);
  told.set(`${message.path} ${id}`, known);
  return ++known.times;
}

receiver.answer = (message, response) => {
  try {
    if (receive(message) > 1 || !nextMessage) return 204;
  } catch (error) {
    faults.push((error as Error).message);
    return 400;
  }
  const answer = nextMessage;
  nextMessage = undefined;
  return answer(response);
};

/** Gets requests for documents, which are not answered while it is set. */
let onFetch: (() => void) | undefined;
const host = createServer(({ url = '' }, response) => {
  if (onFetch) onFetch();
  else response.end(quick[Number(url.slice(1))]);
}).listen(0, '127.0.0.1');
await once(host, 'listening');
t.teardown(() => {
  host.close();
  host.closeAllConnections();
});

const part = (data: Buffer) => ({
  headers: ['Content-Disposition: form-data; name="file"; filename="report.docx"'],
  data,
});
const quick = [docx(), malformedDocx(), docx({ pages: 3 })];
const slow = [slowDocx(-4_500), malformedDocx(), docx({ pages: 3 })];

const convert = (server: Server, [document]: readonly Buffer[], idempotencyKey: string) =>
  send(server, '/v1/convert', {
    key,
    body: form(document as Buffer),
    headers: { prefer: 'respond-async, wait=0', 'idempotency-key': idempotencyKey },
  });

const order = (server: Server, documents: readonly Buffer[], idempotencyKey: string) => {
  const { port } = host.address() as AddressInfo;
  const files = documents.map((_, n) => ({ url: `http://127.0.0.1:${port}/${n}` }));
  return send(server, '/v1/jobs', {
    key,
    body: JSON.stringify({ files, webhook: receiver.url(OWN) }),
    headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
  });
};

const post = (server: Server, documents: readonly Buffer[], idempotencyKey: string) => {
  const form = multipart([field('webhook', receiver.url(OWN)), ...documents.map(part)]);
  return send(server, '/v1/jobs', {
    key,
    ...form,
    headers: { ...form.headers, 'idempotency-key': idempotencyKey },
  });
};
const ask = (path: string, method = 'GET') =>
  patiently(() => send(victim.server, `/v1/jobs${path}`, { key, method }));

interface Job {
  readonly id: string;
  readonly state: string;
  readonly webhook: string | null;
  readonly counts: Readonly<Record<string, number>>;
  readonly files: readonly { readonly state: string; readonly pdf: { readonly sha256: string } | null }[];
}
const bodyOf = ({ body }: Answer) => JSON.parse(body.toString()) as Job;
const isOpen = ({ state }: Job) => ['queued', 'running'].includes(state);

interface Step {
  readonly name: string;
  /** Resolves when the process is to be killed. */
  readonly moment: (victim: Victim) => Promise<unknown>;
  /** Whether egress is killed, not the server. */
  readonly isOutside?: boolean;
  readonly documents?: readonly Buffer[];
  /** What a client does once the job is taken: a request that breaks off, and is repeated. */
  readonly request?: { readonly path: string; readonly method: string };
  /** Whether the request comes when the job has ended. */
  readonly isLate?: boolean;
  /** Whether only upkeep continues it, after a minute: the next server is killed before that. */
  readonly isForgotten?: boolean;
  /** Whether it is a conversion with `respond-async`, which already runs when it becomes a job. */
  readonly isConversion?: boolean;
  /** Whether its documents are sent by URL. */
  readonly isByUrl?: boolean;
  /** Whether another server runs when this one dies. */
  readonly isAccompanied?: boolean;
}

const redisAt =
  (where: Where, texts: readonly string[]) =>
  ({ held }: Victim) =>
    held.hold(where, ...texts);

/** At a request to S3 that is dropped, or whose answer is dropped. */
const s3At = (where: Where, method: string, address: RegExp) => () =>
  new Promise<void>((resolve) => {
    s3.intercept = (request: IncomingMessage, response, pass) => {
      if (request.method !== method || !address.test(decodeURIComponent(String(request.url)))) return pass();
      s3.intercept = (_request, _response, next) => next();
      if (where === 'before') return resolve();
      response.end = () => {
        resolve();
        return response;
      };
      return pass();
    };
  });

/** When a message is sent, which gets no answer. */
const whenSent = () =>
  new Promise<void>((resolve) => {
    nextMessage = () => {
      resolve();
      return undefined;
    };
  });

const whenFetched = () =>
  new Promise<void>((resolve) => {
    onFetch = resolve;
  });

const both = (name: string, texts: readonly string[], rest: Partial<Step> = {}): Step[] =>
  (['before', 'after'] as const).map((where) => ({
    name: `${where} ${name}`,
    moment: redisAt(where, texts),
    ...rest,
  }));

const steps: readonly Step[] = [
  { name: 'during the intake', moment: s3At('before', 'PUT', /\/in\/2\/document/) },
  ...both('it is taken', signsOf('takeJob'), { isForgotten: true }),
  ...both('its files are queued', ['"n":1}'], { isForgotten: true }),
  ...both('a file begins', signsOf('startFile')),
  { name: 'when the inputs are fetched', moment: s3At('after', 'GET', /\/in\/\d\/document/) },
  {
    name: 'while it converts',
    documents: slow,
    moment: () => victim.server.logged('child started', ({ job }) => String(job).length > 0),
  },
  { name: 'while a PDF is stored', moment: s3At('before', 'PUT', /\/out\//) },
  { name: 'when a PDF is stored', moment: s3At('after', 'PUT', /\/out\//) },
  ...both('a file is made', signsOf('makeFile')),
  ...both('a file is settled', signsOf('settle')),
  ...both('a file ends', signsOf('endFile')),
  { name: 'before a file is tidied', moment: s3At('before', 'GET', /(?=.*uploads)(?=.*prefix=).*\/in\//) },
  ...both('its entry leaves the queue', ['files:completed\r\n']),
  {
    name: 'while its archive is read',
    moment: s3At('before', 'GET', /\/out\//),
    request: { path: '/archive', method: 'GET' },
    isLate: true,
  },
  ...both('it is cancelled', signsOf('cancelJob'), {
    documents: slow,
    request: { path: '/cancel', method: 'POST' },
  }),
  ...both('it is deleted', signsOf('removeJob'), {
    documents: slow,
    request: { path: '', method: 'DELETE' },
  }),
  ...(['takeJob', 'makeFile', 'settle', 'endFile'] as const).flatMap((script) =>
    both(`a conversion runs ${script}`, signsOf(script), {
      isConversion: true,
      documents: [slowDocx(-5_000)],
    }),
  ),
  ...both('an ended job is deleted', signsOf('removeJob'), {
    request: { path: '', method: 'DELETE' },
    isLate: true,
  }),
  ...both('an ended job by URL is deleted', signsOf('removeJob'), {
    request: { path: '', method: 'DELETE' },
    isLate: true,
    isByUrl: true,
  }),
  { name: 'when it has ended and is not told', moment: redisAt('before', ['$4\r\ntold\r\n']) },
  ...both('its message is noted', signsOf('addDelivery')),
  ...both('its message is queued', ['"target":"wh_']),
  ...both('it counts as told', signsOf('noteTold')),
  { name: 'when a message is on its way', moment: whenSent, isOutside: true },
  { name: 'before a message is sent', moment: redisAt('before', ['$13\r\nnextAttemptAt']), isOutside: true },
  ...both('a message counts as delivered', signsOf('endAttempt'), { isOutside: true }),
  ...both('a message counts as refused', signsOf('endAttempt'), { isOutside: true }).map((step) => ({
    ...step,
    moment: (way: Victim) => {
      nextMessage = () => 503;
      return step.moment(way);
    },
  })),
  ...both('a message leaves the queue', ['deliveries:completed\r\n'], { isOutside: true }),
  { name: 'while a document is fetched', moment: whenFetched, isOutside: true, isByUrl: true },
  ...both('a fetched document is queued', ['"n":1}'], { isOutside: true, isByUrl: true }),
  {
    name: 'when a fetched document is stored',
    moment: s3At('after', 'PUT', /\/in\/\d\/fetched/),
    isOutside: true,
    isByUrl: true,
  },
  { name: 'at any moment', moment: () => delay(Math.random() * ANY_MOMENT_MS), isAccompanied: true },
];

/** The steps with this text in their names, for a closer look. */
const chosen = steps.filter(({ name }) => name.includes(process.env.STEP ?? ''));

/** Jobs that were taken and not deleted, by id, with the step at which a server died. */
const taken = new Map<string, string>();

/** Kills the process at the step, and repeats the client's interrupted request. */
async function round(t: Test, step: Step, isLetGo: boolean): Promise<void> {
  const { documents = quick, request } = step;
  const give = step.isConversion ? convert : step.isByUrl ? order : post;
  const idempotencyKey = randomUUID();
  const companion = step.isAccompanied ? await launch() : undefined;
  const broken: Promise<unknown>[] = [];
  const arm = () => {
    const moment = step.moment(step.isOutside ? egress : victim);
    moment.catch(() => {});
    return moment;
  };
  let moment: Promise<unknown>;
  if (request) {
    const { id } = bodyOf(await patiently(() => give(victim.server, documents, idempotencyKey)));
    if (step.isLate) await ended(id);
    moment = arm();
    const { path, method } = request;
    broken.push(send(victim.server, `/v1/jobs/${id}${path}`, { key, method }).catch(() => {}));
  } else {
    moment = arm();
    broken.push(give(victim.server, documents, idempotencyKey).catch(() => {}));
  }
  const isReached = await Promise.race([moment.then(() => true), delay(30_000, false)]);
  if (!isReached) t.comment(`${step.name}: it was not reached`);
  const dead = step.isOutside ? egress : victim;
  await dead.kill();
  s3.intercept = (_request, _response, pass) => pass();
  nextMessage = undefined;
  onFetch = undefined;
  // Held commands reach Redis late, or never.
  if (isLetGo) dead.held.letGo();
  await Promise.all(broken);
  if (step.isOutside) egress = await launchEgress();
  else victim = companion ?? (await launch());
  let answer = await patiently(() => give(victim.server, documents, idempotencyKey));
  await until(
    'nobody converts under the key any more',
    async () => {
      if (answer.status !== 409) return true;
      answer = await patiently(() => give(victim.server, documents, idempotencyKey));
      return false;
    },
    UPKEEP_MS,
  );
  t.equal(answer.status, 202, `${step.name}: the repetition is taken`);
  const { id } = bodyOf(answer);
  taken.set(id, step.name);
  if (request && request.method !== 'GET') await repeatRequest(t, step, id);
  if (!step.isForgotten && taken.has(id)) await ended(id);
}

async function repeatRequest(t: Test, { name, request }: Step, id: string): Promise<void> {
  if (!request) return;
  const repeated = await ask(`/${id}${request.path}`, request.method);
  t.ok(repeated.status < 300, `${name}: ${repeated.status}`);
  if (request.method === 'DELETE') taken.delete(id);
}

async function ended(id: string): Promise<Job> {
  let job: Job | undefined;
  await until(
    `the job ends: ${taken.get(id)}`,
    async () => {
      job = bodyOf(await ask(`/${id}`));
      return !isOpen(job);
    },
    UPKEEP_MS,
  );
  return job as Job;
}

/** Waits until the event is told to the endpoint, and to the job's URL if it has one. */
async function isTold(t: Test, id: string, type: EventType): Promise<void> {
  const { webhook, counts } = bodyOf(await ask(`/${id}`));
  const isOwn = webhook !== null && (type !== 'job.expired' || counts.succeeded === 0);
  for (const path of isOwn ? [ALL, OWN] : [ALL]) {
    const name = `${type} is told to ${path}: ${taken.get(id)}`;
    await until(name, () => toldOf(path, type, id) !== undefined, UPKEEP_MS);
    t.ok(toldOf(path, type, id), name);
  }
}

async function objects(): Promise<string[]> {
  const listing = await fetch(`${s3.endpoint}/${s3.bucket}?list-type=2&prefix=jobs/&max-keys=1000`);
  return [...(await listing.text()).matchAll(/<Key>(.*?)<\/Key>/g)].map(([, name = '']) => name);
}

const entries = () => redis.client.keys('platen:{jobs}:files:job_*');
const reserved = () => redis.client.zcard(limitKeys.reservations(account, 'live'));

async function billed(): Promise<string[]> {
  const rows = await redis.client.xrange(limitKeys.ledger(account, month), '-', '+');
  return rows.map(([, fields]) => String(fields[fields.indexOf('requestId') + 1])).sort();
}

/** Asserts all that must hold once nothing runs any more. */
async function settled(t: Test, counts: (job: Job) => void): Promise<void> {
  const jobs: Job[] = [];
  for (const id of taken.keys()) jobs.push(await ended(id));
  jobs.forEach(counts);
  for (const { id, state } of jobs)
    await isTold(t, id, state === 'canceled' ? 'job.canceled' : 'job.completed');
  t.strictSame(faults, [], 'each message is signed, and its id is that of its event');
  const messages = [...told].filter(([, { job }]) => taken.has(job));
  t.ok(
    messages.every(([, { bodies }]) => bodies.size === 1),
    'a message that comes again is the same',
  );
  t.equal(messages.filter(([name]) => name.startsWith(ALL)).length, jobs.length, 'one message for each job');
  const times = [...told.values()].reduce((sum, message) => sum + message.times, 0);
  t.comment(`${told.size} messages came ${times} times`);
  await until('nothing is reserved any more', async () => (await reserved()) === 0, UPKEEP_MS);
  await until('the queue is empty', async () => (await entries()).length === 0, UPKEEP_MS);
  await until(
    'only results are stored',
    async () => (await objects()).every((name) => name.includes('/out/')),
    UPKEEP_MS,
  );
  const made = jobs.flatMap(({ id, files }) =>
    files.flatMap(({ state }, index) => (state === 'succeeded' ? [`${id}.${index + 1}`] : [])),
  );
  // A conversion is billed by the id of its request.
  const bills = await Promise.all(
    made.map(async (row) => {
      const id = row.slice(0, row.indexOf('.'));
      return (await redis.client.hget(jobKeys.job(account, 'live', id), 'bill')) ?? row;
    }),
  );
  const isKept = (row: string) => row.startsWith('req_') || taken.has(row.slice(0, row.indexOf('.')));
  t.strictSame((await billed()).filter(isKept), bills.sort(), 'one row of the bill for each PDF');
  const months = await redis.client.hgetall(limitKeys.months(account, 'live'));
  t.equal(Number(months[`used:${month}`]), (await billed()).length, 'as the quota says');
  t.equal(Number(months[`reserved:${month}`]), 0);
  const stored = (await objects()).map((name) => name.split('/').slice(1, 4).join('/')).sort();
  const results = made.map((row) => row.replace('.', '/out/')).sort();
  await until('no PDF is stored in vain', async () => (await objects()).length === results.length, UPKEEP_MS);
  t.ok(
    results.every((name) => stored.includes(name)),
    'each PDF is stored',
  );
  const some = jobs.find(({ counts }) => (counts.succeeded ?? 0) > 0);
  // At some steps, every job is deleted.
  if (!some) return;
  const n = some.files.findIndex(({ state }) => state === 'succeeded') + 1;
  const address = await fetch(`${victim.server.url}/v1/jobs/${some.id}/files/${n}`, {
    headers: bearer(key),
  });
  const digest = createHash('sha256').update(Buffer.from(await address.arrayBuffer()));
  t.equal(digest.digest('hex'), some.files[n - 1]?.pdf?.sha256);
}

t.test('kill -9 at each step', async (t) => {
  for (let kill = 0; kill < KILLS; kill++) {
    const step = chosen[kill % chosen.length] as Step;
    await round(t, step, (kill + Math.floor(kill / chosen.length)) % 2 === 0);
  }
  t.comment(`${KILLS} processes were killed`);
  await settled(t, ({ id, state, files }) => {
    const step = String(taken.get(id));
    const all = files.map((file) => file.state);
    if (step.includes('cancelled')) {
      t.equal(state, 'canceled', step);
      t.notOk(all.includes('queued') || all.includes('running'), step);
    } else {
      t.equal(state, 'completed', step);
      const isConversion = files.length === 1;
      t.strictSame(all, isConversion ? ['succeeded'] : ['succeeded', 'failed', 'succeeded'], step);
    }
  });
});

t.test('Redis is killed and comes back', async (t) => {
  const { id } = bodyOf(await patiently(() => post(victim.server, [...slow, ...quick], randomUUID())));
  taken.set(id, 'Redis is killed');
  await until('a file runs', async () => Number(bodyOf(await ask(`/${id}`)).counts.running) > 0);
  await redis.end('SIGKILL');
  await delay(2_000);
  await redis.restart();
  const { counts, files } = await ended(id);
  t.match(counts, { succeeded: 4, failed: 2 });
  t.strictSame(
    (await billed()).filter((row) => row.startsWith(id)),
    files.flatMap(({ state }, index) => (state === 'succeeded' ? [`${id}.${index + 1}`] : [])),
  );
  await isTold(t, id, 'job.completed');
});

t.test('Redis is killed while messages are on their way', async () => {
  const sent = new Promise<ServerResponse>((resolve) => {
    nextMessage = () => {
      nextMessage = (response) => {
        resolve(response);
        return undefined;
      };
      return 503;
    };
  });
  const { id } = bodyOf(await patiently(() => post(victim.server, [malformedDocx()], randomUUID())));
  taken.set(id, 'Redis is killed under a message');
  const response = await sent;
  await redis.end('SIGKILL');
  // Nobody can note that it was delivered.
  response.writeHead(204).end();
  await delay(2_000);
  await redis.restart();
  for (const path of [ALL, OWN]) {
    const isTwice = () => Number(toldOf(path, 'job.completed', id)?.times) > 1;
    await until(`${path} gets its message again`, isTwice, UPKEEP_MS);
  }
});

t.test('the embedded Redis is killed while a message is on its way', async (t) => {
  const { EGRESS_ALLOW_HTTP, EGRESS_ALLOW_NETWORKS } = shared;
  const env = { EGRESS: 'embedded', EGRESS_ALLOW_HTTP, EGRESS_ALLOW_NETWORKS, WORKERS: '1' };
  const server = await Server.start({ env });
  t.teardown(() => server.stop('SIGKILL'));
  await server.logged('egress is ready');
  const { key } = await server.createKey();
  const made = await send(server, '/v1/webhooks/secret', { key });
  const { secret } = JSON.parse(made.body.toString());
  const own = await Receiver.start(t);
  const sent = new Promise<ServerResponse>((resolve) => {
    own.answer = (_message, response) => {
      if (own.received.length > 1) return 204;
      resolve(response);
      return undefined;
    };
  });
  const form = multipart([field('webhook', own.url()), part(malformedDocx())]);
  t.equal((await send(server, '/v1/jobs', { key, ...form })).status, 202);
  const response = await sent;
  const { redis: pid } = await server.logged('embedded Redis started');
  process.kill(Number(pid), 'SIGKILL');
  response.writeHead(204).end();
  await until('it comes again', () => own.received.length > 1, UPKEEP_MS);
  for (const message of own.received) t.match(verified(message, secret), { type: 'job.completed' });
  t.equal(new Set(own.received.map(({ headers }) => headers['webhook-id'])).size, 1);
  await endsCleanly(t, server);
});

t.test('S3 is away for a minute', async (t) => {
  const { id } = bodyOf(await patiently(() => post(victim.server, [...slow, ...quick], randomUUID())));
  taken.set(id, 'S3 is away');
  await until('a file runs', async () => Number(bodyOf(await ask(`/${id}`)).counts.running) > 0);
  const { id: unwanted } = bodyOf(await patiently(() => post(victim.server, quick, randomUUID())));
  taken.set(unwanted, 'cancelled while S3 is away');
  s3.stop();
  t.ok((await ask(`/${unwanted}/cancel`, 'POST')).status < 300);
  await isTold(t, unwanted, 'job.canceled');
  await delay(60_000);
  t.equal((await post(victim.server, quick, randomUUID())).status, 503, 'no job is taken meanwhile');
  t.ok(isOpen(bodyOf(await ask(`/${id}`))), 'those that were taken wait');
  await s3.restart();
  t.match((await ended(id)).counts, { succeeded: 4, failed: 2 });
  await isTold(t, id, 'job.completed');
});

t.test('the time of results is over, and a server dies before it tells', async (t) => {
  await victim.kill();
  const setting = { JOB_RETENTION_HOURS: String(SHORT_RETENTION_HOURS) };
  victim = await launch(setting);
  const { id: made } = bodyOf(await patiently(() => post(victim.server, quick, randomUUID())));
  taken.set(made, 'its results expire');
  await ended(made);
  await isTold(t, made, 'job.completed');
  const isAsked = whenFetched();
  const { id: waiting } = bodyOf(
    await patiently(() => order(victim.server, quick.slice(0, 1), randomUUID())),
  );
  taken.set(waiting, 'it expires before it ends');
  await isAsked;
  // Nobody fetches it any more.
  await egress.kill();
  await victim.held.hold('before', ...signsOf('addDelivery'));
  await victim.kill();
  victim = await launch(setting);
  const isOver = async () => bodyOf(await ask(`/${waiting}`)).state === 'expired';
  await until('the time of the other one is over, too', isOver, UPKEEP_MS);
  onFetch = undefined;
  egress = await launchEgress();
  for (const id of [made, waiting]) await isTold(t, id, 'job.expired');
  const job = bodyOf(await ask(`/${waiting}`));
  t.match(job, { state: 'expired', counts: { failed: 1 } });
  t.notOk(toldOf(ALL, 'job.completed', waiting));
  t.notOk(toldOf(OWN, 'job.expired', made), 'its URL knows how it ended');
  t.notOk((await objects()).some((name) => name.includes(made) || name.includes(waiting)));
});

t.test('the disk of a folder is full', { skip: noSmallDisk() }, async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-jobs-'));
  t.teardown(() => rm(dataDir, { recursive: true, force: true }));
  const folder = join(dataDir, 'objects');
  await mkdir(folder, { mode: 0o700 });
  const disk = await SmallDisk.start(folder, 32, { dataDir, env: { WORKERS: '1' } });
  const { server } = disk;
  t.teardown(() => server.stop('SIGKILL'));
  const { key } = await server.createKey();
  const form = multipart([...slow, ...quick].map(part));
  const take = () => send(server, '/v1/jobs', { key, ...form });
  const taken = await take();
  t.equal(taken.status, 202);
  await disk.fill();
  t.equal((await take()).status, 503, 'no job is taken meanwhile');
  await server.logged('a file of a job is tried again');
  const find = async () => bodyOf(await send(server, `/v1/jobs/${bodyOf(taken).id}`, { key, method: 'GET' }));
  t.ok(isOpen(await find()), 'those that were taken wait');
  await disk.clear();
  await until('the job ends', async () => !isOpen(await find()), UPKEEP_MS);
  t.match((await find()).counts, { succeeded: 4, failed: 2 });
  await endsCleanly(t, server);
});

t.test('nothing stays behind of jobs that are deleted', async (t) => {
  for (const id of taken.keys()) t.equal((await ask(`/${id}`, 'DELETE')).status, 204);
  t.equal(await redis.client.exists(jobKeys.jobs(account, 'live'), jobKeys.open(account, 'live')), 0);
  await until(
    'nobody looks after them any more',
    async () => (await redis.client.keys('*job_*')).length === 0,
    UPKEEP_MS,
  );
  await until('nothing is stored', async () => (await objects()).length === 0, UPKEEP_MS);
  t.equal(await reserved(), 0);
  t.equal((await s3.uploads()).size, 0);
  t.strictSame(faults, []);
  await endsCleanly(t, victim.server);
});
