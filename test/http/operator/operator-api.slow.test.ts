/** The operator API, as its pages and programs use it. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { isDelivered, isError } from '../../e2e/support/assertions.ts';
import { getAsOperator, operatorToken } from '../../e2e/support/operator.ts';
import { signIn } from '../../e2e/support/operator-session.ts';
import { type Answer, bearer, convert, send } from '../../e2e/support/requests.ts';
import * as documents from '../../support/documents.ts';
import { awayFromTheHoursEnd } from '../../support/hours-end.ts';
import { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { OperatorPage } from './people.ts';

const service = await Service.start(t, { env: { HEALTH_INTERVAL_MS: '600000' } });
const session = await signIn(service);
const document = documents.docx({ paragraphs: ['One page.'] });

interface Created {
  readonly id: string;
  readonly key: string;
}

interface Kept {
  readonly requestId: string;
  readonly outcome: string;
}

async function create<T>(path: string, body: object): Promise<T> {
  const answer = await session.ask('POST', path, body);
  t.equal(answer.status, 201, `${answer.body}`);
  return JSON.parse(String(answer.body)) as T;
}

await awayFromTheHoursEnd();

const wanted = { account: 'acme', name: 'back end', environment: 'live', type: 'sk' };

t.test('an account and the life of its key', async (t) => {
  await create('/operator/v1/accounts', { id: 'acme', name: 'Acme Ltd', plan: 'free' });
  isError(
    t,
    await session.ask('POST', '/operator/v1/accounts', { id: 'acme', name: 'Acme', plan: 'free' }),
    'INVALID_PARAMETER',
  );
  const first = await create<Created>('/operator/v1/keys', wanted);
  isDelivered(t, await convert(service, first.key, document));
  const second = await create<Created & { previous: { id: string } }>(
    `/operator/v1/keys/${first.id}/rotate`,
    { overlapSeconds: 3_600 },
  );
  t.equal(second.previous.id, first.id);
  for (const { key } of [first, second]) t.equal((await convert(service, key, document)).status, 200);
  isError(t, await session.ask('POST', `/operator/v1/keys/${first.id}/rotate`), 'INVALID_PARAMETER');
  const revoked = await session.ask('POST', `/operator/v1/keys/${first.id}/revoke`);
  t.match(JSON.parse(String(revoked.body)), { id: first.id, state: 'revoked', successor: second.id });
  isError(t, await convert(service, first.key, document), 'INVALID_API_KEY');
  t.equal((await convert(service, second.key, document)).status, 200);
  const list = '/operator/v1/accounts/acme/keys';
  const { keys, next } = await session.read<{ keys: object[]; next: null }>(list);
  t.match(keys, [
    { id: second.id, state: 'valid', name: 'back end', lastUsedAt: String },
    { id: first.id, state: 'revoked', lastUsedAt: String },
  ]);
  t.equal(next, null);
  const page = await session.read<{ keys: object[]; next: string }>(`${list}?limit=1`);
  t.strictSame(page.keys, keys.slice(0, 1));
  const last = await session.read(`${list}?limit=1&after=${encodeURIComponent(page.next)}`);
  t.strictSame(last, { keys: keys.slice(1), next: null });
  for (const query of ['after=key_1', 'limit=0', 'limit=201']) {
    isError(t, await session.ask('GET', `${list}?${query}`), 'INVALID_PARAMETER');
  }
  t.notOk(JSON.stringify(keys).includes(second.key), 'no key is shown twice');
  t.match(await session.read(`/operator/v1/keys/${second.id}`), { id: second.id, account: 'acme' });
});

t.test('invalid keys', async (t) => {
  const refused: [object, RegExp][] = [
    [{ ipRestrictions: ['nowhere'] }, /nowhere/],
    [{ expiresAt: 'tomorrow' }, /expiresAt/],
    [{ permissions: ['everything'] }, /permissions/],
    [{ environment: 'prod' }, /environment/],
    [{ extra: 1 }, /not known/],
  ];
  for (const [change, message] of refused) {
    const answer = await session.ask('POST', '/operator/v1/keys', { ...wanted, ...change });
    t.match(isError(t, answer, 'INVALID_PARAMETER').message, message);
  }
});

t.test('unknown ids are not found', async (t) => {
  for (const path of ['keys/key_nobody', `requests/req_${'0'.repeat(32)}`, 'nothing']) {
    isError(t, await session.ask('GET', `/operator/v1/${path}`), 'NOT_FOUND');
  }
  for (const path of [
    'accounts/acme/requests?after=x',
    'accounts/acme/requests?after=18446744073709551616-0-0',
    'audit?after=1',
    'audit?after=1-18446744073709551616-0',
    'audit?after=0-0-0',
    'accounts?limit=0',
    'audit?limit=x',
    'requests/x',
  ]) {
    isError(t, await session.ask('GET', `/operator/v1/${path}`), 'INVALID_PARAMETER');
  }
});

t.test('the state of an account, and another plan', async (t) => {
  const { accounts } = await session.read<{ accounts: object[] }>('/operator/v1/accounts?search=ACME');
  t.match(accounts, [{ id: 'acme', name: 'Acme Ltd', plan: 'free', used: 4, quota: 5_000, keys: 2 }]);
  t.match(await session.read('/operator/v1/accounts/acme'), {
    plan: 'free',
    used: 4,
    reserved: 0,
    limits: { perHour: 100 },
    windows: [{ name: 'second' }, { name: 'hour', limit: 100, remaining: 96 }, { name: 'day' }],
  });
  isError(
    t,
    await session.ask('PUT', '/operator/v1/accounts/acme/plan', { plan: 'gold' }),
    'INVALID_PARAMETER',
  );
  t.equal((await session.ask('PUT', '/operator/v1/accounts/acme/plan', { plan: 'pro' })).status, 200);
  t.match(await session.read('/operator/v1/accounts/acme'), { plan: 'pro', quota: 100_000 });
  t.match(await session.read('/operator/v1/plans'), {
    plans: [{ name: 'free', isolation: 'account' }, { name: 'pro' }, {}],
  });
});

t.test('usage and ledger are those of the command line', async (t) => {
  t.strictSame(
    Object.keys(await session.read<object>('/operator/v1/accounts/acme/usage')),
    Object.keys(await service.cli<object>('usage', 'show', 'acme')),
  );
  t.match(await session.read('/operator/v1/accounts/acme/usage'), {
    conversions: { used: 4 },
    days: [{ pages: 4 }],
  });
  const month = new Date().toISOString().slice(0, 7);
  const ledger = await session.ask('GET', '/operator/v1/accounts/acme/ledger');
  t.match(ledger.headers.get('content-type'), 'text/csv');
  t.match(ledger.headers.get('content-disposition'), `platen-acme-${month}.csv`);
  t.equal(String(ledger.body), await service.cliText('usage', 'export', '--month', month));
});

t.test('a request by its id, after a real error', async (t) => {
  const { key } = await create<Created>('/operator/v1/keys', { ...wanted, name: 'of the broken' });
  const broken = isError(t, await convert(service, key, Buffer.from('no document')), 'INVALID_FILE_TYPE');
  await until('it is there', async () => {
    const { status } = await session.ask('GET', `/operator/v1/requests/${broken.requestId}`);
    return status === 200;
  });
  t.match(await session.read(`/operator/v1/requests/${broken.requestId}`), {
    requestId: broken.requestId,
    account: 'acme',
    keyDisplay: /^svc_live_sk_…/,
    status: 400,
    outcome: 'INVALID_FILE_TYPE',
    reason: 'not-a-document',
    pages: null,
    bytesIn: 11,
    uploadMs: Number,
    convertMs: null,
    libreOffice: null,
  });
  const { requests } = await session.read<{ requests: Kept[] }>('/operator/v1/accounts/acme/requests');
  t.strictSame(
    requests.map(({ outcome }) => outcome),
    ['INVALID_FILE_TYPE', 'success', 'INVALID_API_KEY', 'success', 'success', 'success'],
    'that of the revoked key is there as well',
  );
  t.match(requests[1], { outcome: 'success', libreOffice: '25.2' }, 'what made its PDF');
  const failed = await session.read<{ requests: Kept[] }>(
    '/operator/v1/accounts/acme/requests?outcome=failures',
  );
  t.equal(failed.requests.length, 2);
  const outcomes = async (which: string) => {
    const path = `/operator/v1/accounts/acme/requests?outcome=${which}`;
    return (await session.read<{ requests: Kept[] }>(path)).requests.map(({ outcome }) => outcome);
  };
  t.strictSame(await outcomes('refused'), ['INVALID_API_KEY']);
  t.strictSame(await outcomes('admitted'), ['INVALID_FILE_TYPE', 'success', 'success', 'success', 'success']);
});

t.test('the overview has what was converted', async (t) => {
  await until('it is counted', async () => {
    const { lastHour } = await session.read<{ lastHour: { total: { outcomes: Record<string, number> } } }>(
      '/operator/v1/overview',
    );
    return lastHour.total.outcomes.INVALID_FILE_TYPE === 1;
  });
  const overview =
    await session.read<Record<string, { steps: unknown[]; total: object }>>('/operator/v1/overview');
  t.match(overview.server, { ready: true, queue: { waiting: 0 }, redis: { up: true } });
  t.match(overview.lastHour?.total, {
    convertMs: { p50: Number, p95: Number },
    outcomes: { success: 4, INVALID_FILE_TYPE: 1, INVALID_API_KEY: 1 },
  });
  t.match([overview.lastHour?.steps.length, overview.lastDay?.steps.length], [60, 96]);
  t.strictSame(
    Object.keys(JSON.parse(String((await getAsOperator(service, '/operator/v1/health')).body))),
    Object.keys(overview.server ?? {}),
  );
});

t.test('maintenance is reported to watchers at once', async (t) => {
  const watching = await watch({ cookie: session.cookie });
  t.match(await watching.next(), ['overview', { server: { maintenance: { on: false } } }]);
  const on = await session.ask('PUT', '/operator/v1/maintenance', { on: true });
  t.match(JSON.parse(String(on.body)), { on: true, since: String });
  t.match(await watching.next(), ['overview', { server: { maintenance: { on: true } } }]);
  isError(t, await convert(service, undefined, document), 'SERVICE_UNAVAILABLE');
  await service.cliText('maintenance', 'off');
  t.match(await session.read('/operator/v1/maintenance'), { on: false, since: null });
  await watching.close();
});

t.test('as many may watch as a server can bear', async (t) => {
  const token = bearer(await operatorToken(service));
  const head = await fetch(`${service.url}/operator/v1/events`, { method: 'HEAD', headers: token });
  t.equal(head.status, 405, 'nothing would end what a HEAD begins');
  const leaving = new AbortController();
  const watchers = await Promise.all(
    Array.from({ length: 101 }, () =>
      fetch(`${service.url}/operator/v1/events`, { headers: token, signal: leaving.signal }),
    ),
  );
  const refused = watchers.filter(({ status }) => status !== 200);
  t.equal(refused.length, 1);
  t.match(
    [refused[0]?.status, await refused[0]?.json()],
    [503, { code: 'SERVICE_UNAVAILABLE', message: /Too many/ }],
  );
  leaving.abort();
  await until('there is room again', async () => {
    const again = await fetch(`${service.url}/operator/v1/events`, { headers: token });
    await again.body?.cancel();
    return again.status === 200;
  });
});

t.test('the audit has it all, and who did it', async (t) => {
  const { entries } = await session.read<{ entries: Record<string, unknown>[] }>('/operator/v1/audit');
  t.match(entries[0], { action: 'maintenance.off', by: 'cli', who: String });
  t.match(entries[1], { action: 'maintenance.on', by: 'session', who: '127.0.0.1' });
  t.strictSame(
    entries.slice(2).map(({ action }) => action),
    [
      'key.created',
      'account.plan-changed',
      'key.revoked',
      'key.rotated',
      'key.created',
      'account.created',
      'session.began',
    ],
  );
  const { key, id } = await create<Created>('/operator/v1/keys', wanted);
  t.equal((await send(service, '/v1/keys/rotate', { key })).status, 201);
  await until('it is there', async () => {
    const { entries } = await session.read<{ entries: object[] }>('/operator/v1/audit?limit=1');
    return JSON.stringify(entries).includes('"by":"key"');
  });
  t.match(await session.read('/operator/v1/audit?limit=1'), {
    entries: [{ action: 'key.rotated', by: 'key', who: id, key: id, account: 'acme' }],
    next: String,
  });
});

t.test('the token does what a session does, and nobody else does anything', async (t) => {
  const token = bearer(await operatorToken(service));
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Other', plan: 'free', id: 'other' });
  const path = '/operator/v1/accounts';
  isError(t, await send(service, path, { headers: json, body }), 'MISSING_AUTH');
  isError(
    t,
    await send(service, path, { headers: { ...json, cookie: session.cookie }, body }),
    'INSUFFICIENT_PERMISSIONS',
  );
  isError(
    t,
    await send(service, path, { headers: { ...json, ...bearer('a-guess-of-a-token') }, body }),
    'INVALID_API_KEY',
  );
  t.equal((await send(service, path, { headers: { ...json, ...token }, body })).status, 201);
  isError(t, await send(service, path, { headers: { ...json, ...token }, body: '{' }), 'INVALID_REQUEST');
  const { paths } = JSON.parse(
    readFileSync(new URL('../../../openapi/operator.json', import.meta.url), 'utf8'),
  ) as { paths: Record<string, Record<string, { security: unknown[] }>> };
  for (const [template, item] of Object.entries(paths)) {
    const target = template.replace('{requestId}', `req_${'0'.repeat(32)}`).replaceAll(/\{\w+\}/g, 'acme');
    for (const [method, { security }] of Object.entries(item)) {
      // That begins a session.
      if (security.length === 0) continue;
      const answer = await send(service, target, { method: method.toUpperCase() });
      isError(t, answer, 'MISSING_AUTH');
      isPrivate(answer);
    }
  }
  for (const [headers, status] of [
    [token, 200],
    [bearer('a-guess-of-a-token'), 401],
  ] as const) {
    for (const path of ['/operator/v1/health', '/metrics']) {
      const answer = await send(service, path, { method: 'GET', headers });
      t.equal(answer.status, status);
      isPrivate(answer);
    }
  }
});

t.test('the end of a session ends its event streams, and so does the end of the service', async (t) => {
  const leaving = await signIn(service);
  const watching = await watch({ cookie: leaving.cookie });
  await watching.next();
  t.equal((await leaving.ask('DELETE', '/operator/v1/session')).status, 204);
  t.strictSame(await watching.end(), ['end', { reason: 'session' }]);
  isError(t, await leaving.ask('GET', '/operator/v1/overview'), 'MISSING_AUTH');

  const removed = await OperatorPage.join(service, 'support');
  const watched = await watch({ cookie: removed.cookie });
  await watched.next();
  // Their session is left, as when Redis fails in between.
  await service.services.redis.hdel('platen:operators', removed.id);
  t.strictSame(await watched.end(), ['end', { reason: 'session' }]);

  const other = await watch(bearer(await operatorToken(service)));
  await other.next();
  const ended = other.end();
  await service.drain();
  t.strictSame(await ended, ['end', { reason: 'draining' }]);
});

/** Nobody else keeps it, and no page of others may use it. */
function isPrivate({ headers }: Answer): void {
  t.match(headers.get('cache-control'), 'no-store');
  t.match(headers.get('x-content-type-options'), 'nosniff');
  t.match(headers.get('cross-origin-resource-policy'), 'same-origin');
}

type Event = readonly [name: string, data: unknown];

/** Listens to the events of the service. */
async function watch(headers: Readonly<Record<string, string>>) {
  const abort = new AbortController();
  const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(60_000)]);
  const response = await fetch(`${service.url}/operator/v1/events`, { headers, signal });
  t.match(response.headers.get('content-type'), 'text/event-stream');
  const events = eventsOf(response);
  const next = async (): Promise<Event | undefined> => (await events.next()).value;
  return {
    next,
    /** The last event. */
    async end(): Promise<Event | undefined> {
      let last: Event | undefined;
      for (let event = await next(); event; event = await next()) last = event;
      return last;
    },
    async close() {
      abort.abort();
      await events.return(undefined).catch(() => {});
    },
  };
}

async function* eventsOf({ body }: Response): AsyncGenerator<Event, undefined> {
  let text = '';
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString('utf8');
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      if (name !== undefined && data !== undefined) yield [name, JSON.parse(data)];
    }
  }
  return undefined;
}
