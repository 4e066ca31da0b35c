/** A system out of processes: 503 until there are some, then everything recovers. */
import t from 'tap';
import { endsCleanly, isError, isPdf } from '../e2e/support/assertions.ts';
import { kitOf } from '../e2e/support/processes.ts';
import { convert, get } from '../e2e/support/requests.ts';
import { docx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { limitProcesses } from './support/process-limit.ts';

const server = await Server.start({ env: { WORKERS: '2', HEALTH_INTERVAL_MS: '300' } });
t.teardown(() => server.process.kill('SIGKILL'));
const { key } = await server.createKey();

const converts = async () => (await convert(server, key, docx())).status === 200;
const healthIs = (status: number) =>
  until(`health is ${status}`, async () => (await get(server, '/health')).status === status);

t.test('no process for a child, and then for a kit', async (t) => {
  const limit = await limitProcesses(t, server);
  t.comment(`limited by ${limit.name}`);
  const kit = kitOf(server);
  await limit.lower();
  // The existing children convert one document each.
  await until('there is no child', async () => !(await converts()));
  isError(t, await convert(server, key, docx()), 'SERVICE_UNAVAILABLE');
  await healthIs(503);
  await limit.raise();
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
  await healthIs(200);
  t.equal(kitOf(server), kit, 'by the same kit');

  if (limit.name === 'pids.max') {
    await limit.lower();
    process.kill(kit, 'SIGKILL');
    await server.logged('the kit does not start');
    isError(t, await convert(server, key, docx()), 'SERVICE_UNAVAILABLE');
    await limit.raise();
    await healthIs(200);
    await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
  }
  await endsCleanly(t, server);
});
