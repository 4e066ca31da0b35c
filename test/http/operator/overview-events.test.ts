/** Watchers of the overview: a client that stops reading loses its connection. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import fastify from 'fastify';
import t, { type Test } from 'tap';
import { type OverviewRoutesOptions, overviewRoutes } from '../../../src/http/operator/overview.ts';
import { OverviewFeed } from '../../../src/http/operator/overview-feed.ts';
import type { Overview } from '../../../src/http/operator/read-overview.ts';
import { log } from '../../redis/support.ts';
import { until } from '../../support/until.ts';

const READ_TIMEOUT_MS = 4_000;
/** More than the buffers of a connection hold. */
const overview = { at: 'x'.repeat(12_000_000) } as Overview;

/** A service with the overview only. */
async function start(t: Test) {
  const app = fastify();
  // The schemas that others are made of are not here.
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
  const feed = new OverviewFeed(async () => overview, log);
  const draining = new AbortController();
  // Nobody is signed in here.
  const { sessions, operators } = {} as Pick<OverviewRoutesOptions, 'sessions' | 'operators'>;
  const options = { feed, sessions, operators, draining: draining.signal, readTimeoutMs: READ_TIMEOUT_MS };
  await app.register(overviewRoutes, options);
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => app.close());

  /** @param reads called with each piece that arrives; left out: it never reads. */
  async function watch(reads?: (bytes: number) => void) {
    const connection = once(app.server, 'connection') as Promise<[Socket]>;
    const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    t.teardown(() => client.destroy());
    client.on('error', () => undefined);
    if (reads) client.on('data', ({ length }) => reads(length));
    client.write('GET /operator/v1/events HTTP/1.1\r\nHost: test\r\n\r\n');
    const [socket] = await connection;
    return { isStuck: () => socket.writableLength > 0, isClosed: () => socket.destroyed };
  }
  return { feed, draining, watch };
}

t.test('a watcher that stops reading loses its connection, and no other does', async (t) => {
  const { feed, watch } = await start(t);
  let bytes = 0;
  const reader = await watch((length) => {
    bytes += length;
  });
  const silent = await watch();
  await until('it waits for the watcher', silent.isStuck);
  await until('the other has read all', () => bytes >= overview.at.length);
  feed.tellNow();
  await until('it is given up', silent.isClosed);
  t.notOk(reader.isClosed());
  const before = bytes;
  feed.tellNow();
  await until('who reads is told on', () => bytes - before >= overview.at.length);
});

t.test('a server that drains does not wait for it either', async (t) => {
  const { draining, watch } = await start(t);
  const silent = await watch();
  await until('it waits for the watcher', silent.isStuck);
  draining.abort();
  await until('it is given up', silent.isClosed);
});
