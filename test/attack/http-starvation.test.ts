/** A server whose event loop starves: it says so at once, stays alive, and recovers. */
import t from 'tap';
import { endsCleanly, isError, isPdf } from '../e2e/support/assertions.ts';
import { convert, get, send } from '../e2e/support/requests.ts';
import { docx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';

/** A process that is stopped for most of the time is as late as one that has too much to do. */
const STOPPED_MS = 300;
const RUNNING_MS = 30;

const server = await Server.start({
  env: { MAX_EVENT_LOOP_DELAY_MS: '50', PUBLIC_PER_SECOND: '1000', HEALTH_INTERVAL_MS: '600000' },
});
const { key } = await server.createKey();

/** Stops and continues the server until it is told not to. */
function starve(): () => void {
  let timer: NodeJS.Timeout;
  const stop = () => {
    server.process.kill('SIGSTOP');
    timer = setTimeout(go, STOPPED_MS);
  };
  const go = () => {
    server.process.kill('SIGCONT');
    timer = setTimeout(stop, RUNNING_MS);
  };
  stop();
  return () => {
    clearTimeout(timer);
    server.process.kill('SIGCONT');
  };
}

t.test('what it cannot serve in time is refused at once', async (t) => {
  const feed = starve();
  t.teardown(feed);
  await until('it has noticed', async () => (await get(server, '/health/ready')).status === 503);
  const requests = {
    'a conversion': convert(server, key, docx()),
    'a public conversion': convert(server, undefined, docx()),
    'a large upload': convert(server, key, Buffer.alloc(5_000_000)),
    'the usage': send(server, '/v1/usage', { method: 'GET', key }),
    'no such route': get(server, '/nowhere'),
  };
  for (const [what, answer] of Object.entries(requests)) isError(t, await answer, 'OVERLOADED', 503, what);
  for (const path of ['/health', '/health/ready']) {
    t.match(isError(t, await get(server, path), 'SERVICE_UNAVAILABLE', 503, path).message, 'overloaded');
  }
  t.equal((await get(server, '/health/live')).status, 200, 'it is alive');
  t.strictSame(await server.jobs(), [], 'nothing was begun');
  feed();
});

t.test('it recovers by itself, and what was refused did not count', async (t) => {
  await until('it is ready', async () => (await get(server, '/health/ready')).status === 200);
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
  const usage = await send(server, '/v1/usage', { method: 'GET', key });
  t.equal((JSON.parse(usage.body.toString('utf8')) as { conversions: { used: number } }).conversions.used, 1);
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
