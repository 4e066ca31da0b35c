/** The limits of keys are exact, with two servers on one Redis. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import type { Environment } from '../../../src/accounts/keys/format.ts';
import { redisWaits } from '../../../src/redis/connect.ts';
import { isDelivered, isError } from '../../e2e/support/assertions.ts';
import { patiently } from '../../e2e/support/patience.ts';
import { writePlans } from '../../e2e/support/plans.ts';
import { convert, get, send } from '../../e2e/support/requests.ts';
import { startRedis } from '../../redis/support.ts';
import { docx } from '../../support/documents.ts';
import { awayFromTheHoursEnd } from '../../support/hours-end.ts';
import { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-limits-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
const PLANS_FILE = await writePlans(folder, {
  free: { perMonth: 3 },
  bursts: { perSecond: 5 },
  hourly: { perHour: 2 },
});
const env = { PLANS_FILE, QUEUE_LIMIT: '300', UPLOAD_LIMIT: '300', QUEUE_TIMEOUT_MS: '60000' };
// One that a test may stop.
const { server } = await startRedis(t);
const redis = server.socketPath;
const first = await Service.start(t, { env, redis, waits: redisWaits });
const second = await Service.start(t, { env, redis, waits: redisWaits });
const document = docx();

async function createKey(account: string, plan: string, environment: Environment = 'live'): Promise<string> {
  await first.createAccount(account, plan);
  return anotherKey(account, environment);
}

async function anotherKey(account: string, environment: Environment = 'live'): Promise<string> {
  return (await first.createKey({ account, environment })).key;
}

/** Sends the same request `count` times, to both services in turn. */
function inParallel<T>(count: number, request: (service: Service) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => request(n % 2 === 0 ? first : second)));
}

t.test('of 200 requests in parallel with a test key, exactly 100 get through', async (t) => {
  const key = await createKey('tester', 'free', 'test');
  await awayFromTheHoursEnd();
  let unavailable = 0;
  const answers = await inParallel(200, (service) =>
    patiently(
      () => convert(service, key, document),
      () => {
        unavailable++;
      },
    ),
  );
  const through = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status !== 200);
  // None unless a client was told 503, whose request Redis may have counted.
  const lost = 100 - through.length;
  t.ok(lost >= 0 && lost <= unavailable, `${through.length} got through, ${unavailable} times 503`);
  isDelivered(t, through[0] as (typeof answers)[number]);
  const remaining = through.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
  t.equal(new Set(remaining).size, through.length, 'no two are told the same');
  for (const left of remaining) if (!(left >= 0 && left < 100)) t.fail(`${left} of 100 are left`);
  for (const answer of refused) {
    const { message } = isError(t, answer, 'RATE_LIMIT_EXCEEDED');
    t.match(
      message,
      /The limit of 100 an hour of this test key is reached\. .*Live keys have the limits of the plan\.$/,
    );
    t.equal(answer.headers.get('x-ratelimit-remaining'), '0');
  }
  const resets = new Set(answers.map(({ headers }) => headers.get('x-ratelimit-reset')));
  t.equal(resets.size, 1, 'all are told the same end of the hour');
  t.equal(Number([...resets][0]) % 3_600, 0);
  t.strictSame(new Set(answers.map(({ headers }) => headers.get('x-ratelimit-limit'))), new Set(['100']));
});

t.test('QUOTA_EXCEEDED: one left and 50 in parallel give one success', async (t) => {
  const key = await createKey('customer', 'free');
  const used = async () => {
    const { body } = await patiently(() => send(second, '/v1/usage', { method: 'GET', key }));
    return (JSON.parse(body.toString()) as { conversions: { used: number } }).conversions;
  };
  for (const service of [first, second]) {
    isDelivered(t, await patiently(() => convert(service, key, document)));
  }
  let unavailable = 0;
  const answers = await inParallel(50, (service) =>
    patiently(
      () => convert(service, key, document),
      () => {
        unavailable++;
      },
    ),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  if (refused.length === 50 && unavailable > 0) {
    // A request that got 503 held it until its release.
    await until('it is given back', async () => (await convert(first, key, document)).status === 200);
  } else t.equal(refused.length, 49);
  const now = new Date();
  const renewsAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString();
  for (const answer of refused) {
    const { message } = isError(t, answer, 'QUOTA_EXCEEDED', 403);
    t.match(message, '3 conversions');
    t.match(message, renewsAt);
  }
  // Where Redis was late for that as well, it is repeated.
  await until('all are settled', async () => (await used()).used >= 3);
  t.match(await used(), { used: 3, quota: 3, renewsAt });
});

t.test('a conversion that fails gives its part of the quota back', async (t) => {
  const key = await createKey('unlucky', 'free');
  for (let n = 0; n < 5; n++) {
    isError(t, await patiently(() => convert(first, key, Buffer.from('no'))), 'INVALID_FILE_TYPE');
  }
  for (let n = 0; n < 3; n++) {
    isDelivered(t, await patiently(() => convert(second, key, document)));
  }
  isError(t, await patiently(() => convert(first, key, document)), 'QUOTA_EXCEEDED', 403);
});

t.test('a conversion that is refused while Redis hangs keeps nothing of the quota', async (t) => {
  const key = await createKey('patient', 'free');
  isDelivered(t, await patiently(() => convert(first, key, document)));
  process.kill(server.pid, 'SIGSTOP');
  isError(t, await convert(first, key, document), 'SERVICE_UNAVAILABLE');
  // Redis still has the command, and now runs it.
  process.kill(server.pid, 'SIGCONT');
  await until('Redis is back', async () => (await get(first, '/health/ready')).status === 200);
  await until('two more get through', async () => {
    const { status } = await convert(first, key, document);
    if (status !== 200) return false;
    return (await patiently(() => convert(first, key, document))).status === 200;
  });
  isError(t, await patiently(() => convert(first, key, document)), 'QUOTA_EXCEEDED');
});

t.test('RATE_LIMIT_EXCEEDED: the burst, and a client that waits as it is told', async (t) => {
  const key = await createKey('hasty', 'bursts');
  const usage = (service: Service) => send(service, '/v1/usage', { method: 'GET', key });
  const answers = await inParallel(40, (service) => patiently(() => usage(service)));
  const refused = answers.filter(({ status }) => status !== 200);
  t.ok(refused.length > 0);
  for (const answer of refused) {
    t.equal(isError(t, answer, 'RATE_LIMIT_EXCEEDED').retryAfter, 1);
  }
  // In each second of the clock five, whatever the seconds are that they came in.
  const bySecond = new Map<string | null, number>();
  for (const { headers } of answers.filter(({ status }) => status === 200)) {
    const reset = headers.get('x-ratelimit-reset');
    bySecond.set(reset, (bySecond.get(reset) ?? 0) + 1);
  }
  for (const [reset, through] of bySecond) t.ok(through <= 5, `until ${reset}`);
  await until('the second is over', async () => (await usage(first)).status === 200);
});

t.test('live keys of an account share its windows, and a plan can change at any time', async (t) => {
  const key = await createKey('grower', 'hourly');
  const other = await anotherKey('grower');
  await awayFromTheHoursEnd();
  const remaining = async (service: Service, which: string) => {
    const { status, headers } = await send(service, '/v1/usage', { method: 'GET', key: which });
    return [status, headers.get('x-ratelimit-remaining')];
  };
  t.strictSame(await remaining(first, key), [200, '1']);
  t.strictSame(await remaining(second, other), [200, '0']);
  t.strictSame(await remaining(first, other), [429, '0']);
  await first.setPlan('grower', 'free');
  t.strictSame(await remaining(second, key), [200, null], 'a plan without windows sends no headers');
});
