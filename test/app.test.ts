/** The application as a whole: its time limits around those of a conversion, its plugins. */
import t from 'tap';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { longestConversionMs, silentMs } from '../src/convert/time-limits.ts';
import { testServices } from './support/service.ts';

/** What the reading of one package may take, and that is no setting. */
const READING_MS = 10_000;
const env = {
  UPLOAD_TIMEOUT_MS: '1000000',
  QUEUE_TIMEOUT_MS: '100000',
  CONVERT_TIMEOUT_MS: '30000',
  DELIVERY_TIMEOUT_MS: '2000',
};
const config = readConfig(env);

t.test(
  'the slowest conversion that is allowed waits for a thread, is read, waits for a worker, and runs',
  async (t) => {
    t.equal(silentMs(config), 100_000 + READING_MS + 100_000 + 30_000);
    // What a drain waits for, and a reservation lasts.
    const longest = longestConversionMs(config);
    const allowed = 1_000_000 + silentMs(config) + 2_000;
    t.ok(longest > allowed && longest <= allowed + 60_000, String(longest));
  },
);

t.test('no connection is closed for its silence before that', async (t) => {
  const app = await buildApp(await testServices(t, { env }));
  t.teardown(() => app.close());
  await app.ready();
  t.ok(app.server.timeout > 1_000_000 + silentMs(config), String(app.server.timeout));
});

t.test('every plugin has a name of its own', async (t) => {
  const app = await buildApp(await testServices(t));
  t.teardown(() => app.close());
  await app.ready();
  // fastify-plugin finds one in a stack trace, for which Node parses the source maps: 75 ms of each start.
  t.notMatch(app.printPlugins(), '-auto-');
});
