/** A server whose event loop starves refuses requests at once, stays alive, and recovers. */
import t from 'tap';
import { endsCleanly, isError, isPdf } from '../e2e/support/assertions.ts';
import { type Answer, convert, get, send } from '../e2e/support/requests.ts';
import { docx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';

/** A process that is stopped most of the time is as late as an overloaded one. */
const STOPPED_MS = 600;
const RUNNING_MS = 30;
/** After a longer run it may have recovered: the mean over a second is then below the limit. */
const LONG_RUN_MS = 100;
/** How long that may affect the mean, which the server computes once per second of its own running time. */
const REMEMBERED_MS = 5_000;

const server = await Server.start({
  env: { MAX_EVENT_LOOP_DELAY_MS: '50', PUBLIC_PER_SECOND: '1000', HEALTH_INTERVAL_MS: '600000' },
});
const { key } = await server.createKey();

/** Begin of its run; undefined while it is stopped. */
let continuedAt: number | undefined;
let lastLongRunAt = Number.NEGATIVE_INFINITY;

/** Notes whether it runs for long, because this process stopped it late. */
function noteRun(): void {
  const now = performance.now();
  if (continuedAt !== undefined && now - continuedAt > LONG_RUN_MS) lastLongRunAt = now;
}

/** Conversions that got through then. */
let converted = 0;

/** Stops and continues the server until it is told not to. */
function starve(): () => void {
  let timer: NodeJS.Timeout;
  const stop = () => {
    server.process.kill('SIGSTOP');
    noteRun();
    continuedAt = undefined;
    timer = setTimeout(go, STOPPED_MS);
  };
  const go = () => {
    continuedAt = performance.now();
    server.process.kill('SIGCONT');
    timer = setTimeout(stop, RUNNING_MS);
  };
  stop();
  return () => {
    clearTimeout(timer);
    server.process.kill('SIGCONT');
  };
}

/**
 * The answer of the starving server. A request that came after a long run may have been let in, and then have waited for Redis: if
 * it was not refused with this code, it is repeated.
 */
async function whileItStarves(code: string, ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    await until('it has noticed', async () => (await get(server, '/health/ready')).status === 503);
    const askedAt = performance.now();
    const answer = await ask();
    noteRun();
    if (answer.body.includes(`"${code}"`) || lastLongRunAt < askedAt - REMEMBERED_MS) return answer;
  }
}

t.test('requests that it cannot serve in time are refused at once', async (t) => {
  const feed = starve();
  t.teardown(feed);
  const requests: Readonly<Record<string, () => Promise<Answer>>> = {
    'a conversion': async () => {
      const answer = await convert(server, key, docx());
      if (answer.status === 200) converted++;
      return answer;
    },
    'a public conversion': () => convert(server, undefined, docx()),
    'a large upload': () => convert(server, key, Buffer.alloc(5_000_000)),
    'the usage': () => send(server, '/v1/usage', { method: 'GET', key }),
    'no such route': () => get(server, '/nowhere'),
  };
  const refused = Object.entries(requests).map(
    async ([what, ask]) => [what, await whileItStarves('OVERLOADED', ask)] as const,
  );
  for (const [what, answer] of await Promise.all(refused)) isError(t, answer, 'OVERLOADED', 503, what);
  for (const path of ['/health', '/health/ready']) {
    const answer = await whileItStarves('SERVICE_UNAVAILABLE', () => get(server, path));
    t.match(isError(t, answer, 'SERVICE_UNAVAILABLE', 503, path).message, 'overloaded');
  }
  t.equal((await get(server, '/health/live')).status, 200, 'it is alive');
  t.strictSame(await server.jobs(), [], 'nothing was begun');
  feed();
});

t.test('it recovers, and refused requests did not count', async (t) => {
  await until('it is ready', async () => (await get(server, '/health/ready')).status === 200);
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
  const usage = await send(server, '/v1/usage', { method: 'GET', key });
  const { conversions } = JSON.parse(usage.body.toString('utf8')) as { conversions: { used: number } };
  t.equal(conversions.used, converted + 1);
  await endsCleanly(t, server);
});

t.test('one pause is not starvation', async (t) => {
  const patient = await Server.start({
    env: { MAX_EVENT_LOOP_DELAY_MS: '250', HEALTH_INTERVAL_MS: '600000' },
  });
  const { key: other } = await patient.createKey();
  await isPdf(t, await convert(patient, other, docx()), 'Hello from Platen.');
  patient.process.kill('SIGSTOP');
  setTimeout(() => patient.process.kill('SIGCONT'), 700);
  await isPdf(t, await convert(patient, other, docx()), 'Hello from Platen.');
  t.equal((await get(patient, '/health/ready')).status, 200);
  await endsCleanly(t, patient);
});
