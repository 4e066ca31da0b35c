/** Rotation makes no room in the rate windows of a test key. */
import t from 'tap';
import { KeyLocator } from '../../../src/accounts/keys/locate.ts';
import { Rotation } from '../../../src/accounts/keys/rotation.ts';
import { KeyStore } from '../../../src/accounts/keys/store.ts';
import { Admission } from '../../../src/accounts/limits/admission.ts';
import { startClockedRedis } from '../../support/clocked-redis.ts';
import { createKey, plansOf } from '../limits/support.ts';

// Without windows of a second, which are in nobody's way here.
const plans = plansOf({ free: {} });
const PER_HOUR = 100;
const { connectPatiently, setClock } = await startClockedRedis(t);
const client = connectPatiently();
const rotation = new Rotation(client, new KeyStore(client, plans));
const servers = [1, 2].map(() => new Admission(client, { plans, reservationMs: 60_000 }));
const hour = Math.ceil(Date.now() / 3_600_000) * 3_600_000;

/** How many of so many requests are admitted with these keys, by two servers in turn. */
async function admittedOf(requests: number, texts: readonly string[]): Promise<number> {
  let admitted = 0;
  for (let n = 0; n < requests; n++) {
    const key = await new KeyLocator(client).locate(texts[n % texts.length] ?? '');
    if (!key) throw new Error('no such key');
    const request = { key, address: '192.0.2.1', permission: undefined, conversion: undefined };
    if ((await servers[n % 2]?.admit(request))?.outcome === 'admitted') admitted += 1;
  }
  return admitted;
}

t.test('a test key and its successors, whoever makes them, have one window together', async (t) => {
  setClock(hour);
  const { key } = await createKey(client, plans, { environment: 'test' });
  const texts = [key.key];
  let newest = key;
  for (let n = 0; n < 12; n++) {
    const location = { account: 'acme', id: newest.id, environment: 'test' } as const;
    const { successor } =
      n % 2 === 0
        ? await rotation.rotateOwn(location, newest.key, 7_200)
        : await rotation.rotate(newest.id, 7_200);
    texts.push(successor.key);
    newest = successor;
  }
  t.equal(await admittedOf(3 * PER_HOUR, texts), PER_HOUR);
  const { key: other } = await createKey(client, plans, { environment: 'test' });
  t.equal(await admittedOf(PER_HOUR + 1, [other.key]), PER_HOUR, 'another test key has its own');
  setClock(hour + 3_600_000);
  t.equal(await admittedOf(3 * PER_HOUR, texts), PER_HOUR, 'an hour later');
});
