/**
 * Who is billed when a server dies, a client leaves or Redis hangs, at each step of a conversion. docs/billing.md
 * promises: never twice, and only for a PDF that was made.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import t, { type Test } from 'tap';
import { docx, imageDocx } from '../support/documents.ts';
import { form, Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly, isError, isPdf } from './support/assertions.ts';
import { CountingClient } from './support/counting-client.ts';
import { type HeldRedis, startHeldRedis, type Where } from './support/held-redis.ts';
import { startRedis } from './support/redis.ts';
import {
  type Answer,
  bearer,
  convert,
  filePartHead,
  formEnd,
  get,
  multipart,
  send,
} from './support/requests.ts';

/** Arguments of the scripts, as Redis gets them: what an admission asks for, and how a settlement ends. */
const ADMISSION = '\r\nconvert\r\n';
const SETTLEMENT = '\r\nconverted\r\n';

/** Least time that a PDF waits for Redis. */
const WAIT_MS = 800;

const redis = await startRedis(t);
/** It outlives the servers that die, and takes the retries. */
const survivor = await Server.start({ env: { REDIS_URL: redis.socket } });
const month = new Date().toISOString().slice(0, 7);
/** Connections to Redis, those of the survivor and of this test. */
const countConnections = async () =>
  String(await redis.client.client('LIST'))
    .trim()
    .split('\n').length;
let connections = 0;

interface Account {
  readonly id: string;
  readonly key: string;
}

async function openAccount(id: string): Promise<Account> {
  await survivor.createAccount({ id, name: id, plan: 'enterprise' });
  return { id, key: (await survivor.createKey({ account: id })).key };
}

const billed = ({ id }: Account): Promise<number> => redis.client.xlen(`platen:{${id}}:ledger:${month}`);
const used = async ({ id }: Account): Promise<number> =>
  Number((await redis.client.hget(`platen:{${id}}:live:months`, `used:${month}`)) ?? 0);

/** Sends it again under its key. */
function repeat({ key }: Account, { document, headers }: Sent): Promise<Answer> {
  return send(survivor, '/v1/convert', { key, body: form(document), headers });
}

/** Repeats the request until nothing runs under its key; then it gets its PDF. */
async function retries(t: Test, account: Account, sent: Sent): Promise<void> {
  let status = 409;
  await until('the retry gets through', async () => {
    ({ status } = await repeat(account, sent));
    return status !== 409;
  });
  t.equal(status, 200, 'the retry has its PDF');
}

type Sent = Pick<CountingClient, 'document' | 'headers'>;

/** Sends a document, and reads only the header of the answer. */
async function takeHead(server: Server, key: string, document: Buffer) {
  const headers = { 'idempotency-key': randomUUID() };
  const form = multipart([]).headers;
  const request = httpRequest(`${server.url}/v1/convert`, {
    method: 'POST',
    agent: false,
    headers: { ...form, ...bearer(key), ...headers },
  });
  request.end(Buffer.concat([filePartHead, document, formEnd]));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return { response, document, headers };
}

/** Its PDF is larger than the buffers of a connection. */
const large = imageDocx(4, 900);

interface Death {
  /** Where the connection to Redis stops, and at which command. */
  readonly where: Where;
  readonly at: string;
  /** Conversions on the bill once it is dead. */
  readonly bills: number;
  /** Whether its Idempotency-Key stays taken until the lease expires. */
  readonly holds: boolean;
  /** Whether another client is in the middle of its PDF. */
  readonly isInMiddle?: boolean;
}

/** Steps before anything is sent to the client. */
const deaths: Readonly<Record<string, Death>> = {
  'before it is admitted': { where: 'before', at: ADMISSION, bills: 0, holds: false },
  'when it is admitted, and the server does not know': {
    where: 'after',
    at: ADMISSION,
    bills: 0,
    holds: true,
  },
  'before it is settled': { where: 'before', at: SETTLEMENT, bills: 0, holds: true },
  'when it is settled, and the server does not know': {
    where: 'after',
    at: SETTLEMENT,
    bills: 1,
    holds: false,
    isInMiddle: true,
  },
};

t.test('it works', async (t) => {
  // Redis knows the scripts from here on, so that each is one command.
  const { key } = await survivor.createKey();
  await isPdf(t, await convert(survivor, key, docx()), 'Hello from Platen.');
  connections = await countConnections();
});

interface Doomed {
  readonly server: Server;
  readonly held: HeldRedis;
}

async function startDoomed(): Promise<Doomed> {
  const held = await startHeldRedis(t, redis.socket);
  return { server: await Server.start({ env: { REDIS_URL: held.socket } }), held };
}

/** The next to die, if one runs already. */
let doomed: Doomed | undefined;

t.test('no part of a PDF is sent before its settlement; Redis hangs during the settlement', async (t) => {
  const { server, held } = await startDoomed();
  const waiting = await openAccount('waiting');
  for (let isKnown = false; !isKnown; ) {
    const stopped = held.hold('before', SETTLEMENT);
    const client = new CountingClient(server, waiting.key, docx());
    await stopped;
    const started = performance.now();
    // A server that did not wait would have sent the PDF by then.
    await get(server, '/health/live');
    const { missing } = client;
    // On a slow machine the wait may be over.
    isKnown = performance.now() - started < WAIT_MS;
    held.letGo();
    t.equal(await client.delivered, true);
    if (isKnown) t.equal(missing, undefined, 'not even its head');
  }

  const account = await openAccount('hung');
  const stopped = held.hold('before', SETTLEMENT);
  const headers = { 'idempotency-key': randomUUID() };
  const document = docx();
  const answer = await send(server, '/v1/convert', { key: account.key, body: form(document), headers });
  await stopped;
  await isPdf(t, answer, 'Hello from Platen.');
  const requestId = answer.headers.get('x-request-id');
  const line = await server.logged('a settlement is tried again', ({ reqId }) => reqId === requestId);
  t.match(line, { level: 40, account: account.id, pages: 1, bytesIn: document.length });
  await until(
    'Redis has counted it, told over another connection',
    async () => (await billed(account)) === 1,
  );
  held.letGo();
  await retries(t, account, { document, headers });
  t.equal(await billed(account), 1, 'once');
  doomed = { server, held };
});

t.test('servers that are killed before anything of the PDF is sent', async (t) => {
  const dead = [];
  for (const [step, { where, at, bills, holds, isInMiddle }] of Object.entries(deaths)) {
    const account = await openAccount(`death-${dead.length}`);
    const { server, held } = doomed ?? (await startDoomed());
    doomed = undefined;
    const middle = isInMiddle ? await openAccount('middle') : undefined;
    const partial = middle && (await takeHead(server, middle.key, large));
    const stopped = held.hold(where, at);
    const client = new CountingClient(server, account.key, docx());
    await stopped;
    server.process.kill('SIGKILL');
    t.equal(await client.delivered, false, step);
    t.equal(client.missing, undefined, `${step}: nothing of the PDF was sent`);
    await server.ended();
    t.equal(await billed(account), bills, `${step}: on the bill`);
    if (holds) isError(t, await repeat(account, client), 'REQUEST_IN_PROGRESS');
    if (middle && partial) {
      t.equal(await billed(middle), 1, 'a PDF is billed when it begins');
      await retries(t, middle, partial);
      t.equal(await billed(middle), 1, 'the retry is for nothing');
    }
    dead.push({ step, account, client, held });
  }
  // By now, the leases of the first ones have expired.
  for (const { step, account, client } of dead) {
    await retries(t, account, client);
    t.equal(await billed(account), 1, `${step}: the retry is billed, or has been`);
  }
  // The commands of the dead servers reach Redis late.
  for (const { held } of dead) held.letGo();
  await until('their connections are closed', async () => (await countConnections()) <= connections);
  for (const { step, account } of dead) {
    t.equal(await billed(account), 1, `${step}: still once`);
    t.equal(await used(account), 1);
  }
});

t.test('a client leaves in the middle of its PDF', async (t) => {
  const account = await openAccount('leaver');
  const sent = await takeHead(survivor, account.key, large);
  sent.response.destroy();
  await retries(t, account, sent);
  t.equal(await billed(account), 1, 'it is billed, and gets it again for nothing');
  t.equal(await used(account), 1);
});

t.test('the server ends cleanly', (t) => endsCleanly(t, survivor));
