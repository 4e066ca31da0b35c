/** A Redis that stalls while a key rotates itself: its client asks again. */
import t from 'tap';
import { KeyLocator } from '../../../src/accounts/keys/locate.ts';
import { Rotation } from '../../../src/accounts/keys/rotation.ts';
import { KeyStore } from '../../../src/accounts/keys/store.ts';
import { defaultPlans } from '../../../src/accounts/plans/plans.ts';
import { startRedis } from '../../redis/support.ts';
import { until } from '../../support/until.ts';
import { keysOf } from './support.ts';

const { server, client } = await startRedis(t);
t.teardown(() => process.kill(server.pid, 'SIGCONT'));
const store = new KeyStore(client, defaultPlans);
const rotation = new Rotation(client, store);
t.beforeEach(async () => {
  await client.flushall();
  await store.createAccount({ id: 'acme', name: 'Acme', plan: 'free' });
});

const wanted = { account: 'acme', name: 'k', environment: 'live', type: 'sk' } as const;

/** Waits until Redis has done what it was asked for meanwhile. */
async function untilAwake(): Promise<void> {
  await until('Redis answers', () =>
    client.ping().then(
      () => true,
      () => false,
    ),
  );
}

t.test('a rotation that timed out is repeated with the same key, whether or not it happened', async (t) => {
  const made = await store.createKey(wanted);
  const location = { account: 'acme', id: made.id, environment: 'live' } as const;
  // For as long as one waits for it, however late this process notices: then its connection is given up first.
  process.kill(server.pid, 'SIGSTOP');
  await t.rejects(rotation.rotateOwn(location, made.key, 60), /timed out|max retries/);
  process.kill(server.pid, 'SIGCONT');
  await untilAwake();
  const { successor, previous } = await rotation.rotateOwn(location, made.key, 60);
  t.equal(previous.id, made.id);
  t.match(await new KeyLocator(client).locate(successor.key), { id: successor.id });
  t.equal((await keysOf(store, 'acme')).length, 2, 'there is one successor');
});
