/** Rotation: a key is replaced by a successor, once, without a moment in which no key works. */
import t, { type Test } from 'tap';
import { keysOf } from '../../accounts/keys/support.ts';
import { isDelivered, isError } from '../../e2e/support/assertions.ts';
import { type Answer, convert, type SendOptions, send } from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import { awayFromTheHoursEnd } from '../../support/hours-end.ts';
import { form } from '../../support/server.ts';
import type { TestKey } from '../../support/service.ts';
import { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const DAY_SECONDS = 86_400;

interface Key {
  readonly id: string;
  readonly key: string;
  readonly display: string;
  readonly account: string;
  readonly name: string;
  readonly environment: string;
  readonly type: string;
  readonly permissions: readonly string[];
  readonly ipRestrictions: readonly string[];
  readonly origins: readonly string[];
  readonly expiresAt: string | null;
  readonly createdAt: string;
}

interface Rotated extends Key {
  readonly previous: { readonly id: string; readonly expiresAt: string };
}

const service = await Service.start(t);

const createKey = (key: TestKey = {}): Promise<Key> => service.createKey(key);

const rotate = (key: string, options: SendOptions = {}) =>
  send(service, '/v1/keys/rotate', { key, ...options });

const rotateWith = (key: string, body: unknown) =>
  rotate(key, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

const usage = (key: string) => send(service, '/v1/usage', { method: 'GET', key });

/** Asserts a whole answer with a successor that has the settings of the key. */
function isSuccessor(t: Test, answer: Answer, former: Key): Rotated {
  t.equal(answer.status, 201, String(answer.body));
  t.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  const successor = JSON.parse(answer.body.toString('utf8')) as Rotated;
  const { id, key, display, createdAt, previous, ...settings } = successor;
  const same = { account: former.account, name: former.name, environment: former.environment };
  const { type, permissions, ipRestrictions, origins, expiresAt } = former;
  const madeBy = { by: 'key', id: former.id, name: null, email: null };
  t.strictSame(
    settings,
    { ...same, type, permissions, ipRestrictions, origins, expiresAt, madeBy },
    'its settings',
  );
  t.match(key, new RegExp(`^svc_${former.environment}_sk_[0-9A-Za-z]{49}$`));
  t.not(key, former.key);
  t.not(id, former.id);
  t.ok(display.endsWith(key.slice(-4)), 'its display form');
  t.ok(Math.abs(Date.now() - Date.parse(createdAt)) < 60_000, 'made now');
  t.strictSame(Object.keys(previous), ['id', 'expiresAt']);
  t.equal(previous.id, former.id);
  return successor;
}

/** Asserts the overlap of a rotated key, in seconds. */
function hasOverlap(t: Test, { previous, createdAt }: Rotated, seconds: number): void {
  t.equal(Date.parse(previous.expiresAt), Date.parse(createdAt) + seconds * 1_000, `${seconds} s`);
}

t.test('without a body both keys work for a day', async (t) => {
  const former = await createKey();
  const successor = isSuccessor(t, await rotate(former.key), former);
  hasOverlap(t, successor, DAY_SECONDS);
  for (const { key } of [former, successor]) {
    isDelivered(t, await convert(service, key, docx()));
  }
});

t.test('a client that lost the answer asks again, and gets the same successor', async (t) => {
  const former = await createKey({ environment: 'test' });
  const first = await rotate(former.key);
  const successor = isSuccessor(t, first, former);
  const bodies: SendOptions[] = [
    {},
    { headers: { 'content-type': 'application/json' }, body: '' },
    { headers: { 'content-type': 'application/json' }, body: '{}' },
    { headers: { 'content-type': 'application/json' }, body: '{"overlapSeconds":60}' },
  ];
  for (const options of bodies) {
    t.strictSame(isSuccessor(t, await rotate(former.key, options), former), successor);
  }
  const logged = () =>
    service.log.filter(({ key, successor }) => key === former.id && successor !== undefined);
  await until('all are logged', () => logged().length > bodies.length);
  const again = 'successor returned again';
  t.strictSame(
    logged().map(({ msg }) => msg),
    ['key rotated', again, again, again, again],
    'the log has one rotation',
  );
  const listed = await keysOf(service.services.keys, former.account);
  t.equal(listed.filter(({ environment }) => environment === 'test').length, 2, 'there is no third key');

  t.equal((await usage(successor.key)).status, 200);
  const { message } = isError(t, await rotate(former.key), 'INSUFFICIENT_PERMISSIONS');
  t.match(message, successor.display, 'somebody has the successor, and nobody gets it again');
  t.equal((await usage(former.key)).status, 200, 'the key works until its end');
  isSuccessor(t, await rotate(successor.key), successor);
});

t.test('many ask at once, and all get the same successor', async (t) => {
  const former = await createKey();
  const answers = await Promise.all(Array.from({ length: 10 }, () => rotate(former.key)));
  const successors = answers.map((answer) => isSuccessor(t, answer, former));
  t.equal(new Set(successors.map((successor) => JSON.stringify(successor))).size, 1);
});

t.test('an overlap of 0 ends the key at once', async (t) => {
  const former = await createKey();
  const successor = isSuccessor(t, await rotateWith(former.key, { overlapSeconds: 0 }), former);
  hasOverlap(t, successor, 0);
  isError(t, await usage(former.key), 'EXPIRED_API_KEY');
  isError(t, await rotate(former.key), 'EXPIRED_API_KEY');
  t.equal((await usage(successor.key)).status, 200);
});

t.test('a rotated key works for 7 days at most, and never beyond its own expiration', async (t) => {
  const long = await createKey();
  hasOverlap(t, isSuccessor(t, await rotateWith(long.key, { overlapSeconds: 604_800 }), long), 604_800);
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const short = await createKey({ expiresAt: new Date(expiresAt) });
  t.equal(short.expiresAt, expiresAt);
  const { previous } = isSuccessor(t, await rotate(short.key), short);
  t.equal(previous.expiresAt, expiresAt);
});

t.test('a request that is not understood changes nothing', async (t) => {
  const former = await createKey();
  const overlaps = [-1, 604_801, 1.5, '60', 'long', '', null, true, [60], {}];
  for (const overlapSeconds of overlaps) {
    const answer = await rotateWith(former.key, { overlapSeconds });
    isError(t, answer, 'INVALID_PARAMETER', 400, `overlap ${JSON.stringify(overlapSeconds)}`);
  }
  for (const body of [[], [60], 60, 'text', { overlap: 60 }]) {
    isError(t, await rotateWith(former.key, body), 'INVALID_PARAMETER', 400, JSON.stringify(body));
  }
  const others: Record<string, SendOptions> = {
    'malformed JSON': { headers: { 'content-type': 'application/json' }, body: '{"overlapSeconds":' },
    'plain text': { body: '{"overlapSeconds":0}' },
    'a plain form': {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'overlapSeconds=0',
    },
    'a form of parts': { body: form(docx()) },
  };
  for (const [what, options] of Object.entries(others)) {
    isError(t, await rotate(former.key, options), 'INVALID_REQUEST', 400, what);
  }
  hasOverlap(t, isSuccessor(t, await rotate(former.key), former), DAY_SECONDS);
});

t.test('who may not rotate', async (t) => {
  const [reader, elsewhere, browser, revoked] = await Promise.all([
    createKey({ permissions: ['convert', 'usage'] }),
    createKey({ ipRestrictions: ['10.0.0.0/8'] }),
    createKey({ type: 'pk', permissions: ['convert'] }),
    createKey(),
  ]);
  await service.revokeKey(revoked.id);
  isError(t, await rotate(reader.key), 'INSUFFICIENT_PERMISSIONS');
  isError(t, await rotate(elsewhere.key), 'IP_NOT_ALLOWED');
  isError(t, await rotate(browser.key), 'INSUFFICIENT_PERMISSIONS');
  isError(t, await rotate(revoked.key), 'INVALID_API_KEY');
  isError(t, await send(service, '/v1/keys/rotate'), 'MISSING_AUTH');
});

t.test('the operator rotates any key', async (t) => {
  const former = await createKey({ permissions: ['convert'], ipRestrictions: ['127.0.0.0/8'] });
  const successor = await service.cli<Rotated>('keys', 'rotate', former.id, '--overlap', '3600');
  const { account, name, permissions, ipRestrictions } = former;
  t.match(successor, { account, name, permissions, ipRestrictions, id: /^key_/, key: /^svc_live_sk_/ });
  hasOverlap(t, successor, 3_600);
  for (const { key } of [former, successor]) {
    isDelivered(t, await convert(service, key, docx()));
  }
  await t.rejects(service.cliText('keys', 'rotate', former.id), {
    message: `its successor "${successor.id}"`,
  });
});

t.test('the old key cannot get a successor made by the operator', async (t) => {
  const former = await createKey();
  const { display } = await service.rotateKey(former.id);
  const { message } = isError(t, await rotate(former.key), 'INSUFFICIENT_PERMISSIONS');
  t.match(message, display);
});

t.test('RATE_LIMIT_EXCEEDED: an account rotates its keys 100 times a day, and no more', async (t) => {
  await awayFromTheHoursEnd();
  await service.createAccount('looping', 'enterprise');
  const { key: other } = await service.createKey({ account: 'looping', environment: 'test' });
  let { key } = await service.createKey({ account: 'looping' });
  for (let count = 1; count <= 100; count++) {
    const answer = await rotate(key);
    if (answer.status !== 201) throw new Error(`the rotation ${count}: ${answer.body}`);
    ({ key } = JSON.parse(answer.body.toString('utf8')) as Rotated);
  }
  for (const each of [key, other]) {
    const { retryAfter = 0 } = isError(t, await rotate(each), 'RATE_LIMIT_EXCEEDED');
    t.ok(retryAfter <= 86_400, `${retryAfter} s`);
    t.equal((await usage(each)).status, 200, 'the key works');
  }
});

t.test('the OpenAPI document says that the body may be left out, and that an upload may not', async (t) => {
  const answer = await send(service, '/v1/openapi.json', { method: 'GET' });
  const { paths } = JSON.parse(answer.body.toString('utf8')) as {
    paths: Record<string, { post?: { requestBody?: { required?: boolean } } }>;
  };
  t.equal(paths['/v1/keys/rotate']?.post?.requestBody?.required, false);
  t.equal(paths['/v1/convert']?.post?.requestBody?.required, true);
});
