/** What `npm start` and a container without REDIS_URL make ready and print. */
import t from 'tap';
import { trialPlace, welcome } from '../src/welcome.ts';
import { keysOf } from './accounts/keys/support.ts';
import { testServices } from './support/service.ts';

t.test('the key has no limits, whoever made its account, but those that an operator has set', async (t) => {
  const services = await testServices(t);
  const { keys } = services;
  await keys.createAccount({ id: 'quickstart', name: 'Quick start', plan: 'free' });
  await keys.changes.setLimit('quickstart', { limit: 'perHour', value: 7, from: null, until: null });
  const text = await welcome(services, 'http://127.0.0.1:3000', 'checkout');
  const command = `DATA_DIR='${services.config.dataDir}' npm run -s platen -- members invite`;
  t.match(text, command, 'a command that finds these data');
  const { ownLimits } = await keys.requireAccount('quickstart');
  const limits = Object.fromEntries(ownLimits.map(({ limit, value }) => [limit, value]));
  t.strictSame(limits, { perSecond: null, perHour: 7, perDay: null, perMonth: null });
  t.match(await keysOf(keys, 'quickstart'), [{ environment: 'live', type: 'sk' }]);
});

t.test('the image is a trial only without a Redis of others, and `npm start` always', async (t) => {
  const image = ['node', 'dist/main.js', '--welcome=container'];
  const [none, redisUrl] = [
    { redisUrl: undefined, publicUrl: undefined, s3: undefined },
    'redis://redis:6379',
  ];
  const production = { ...none, redisUrl, publicUrl: 'https://pdf.example' };
  t.equal(trialPlace(image, none, {}), 'container');
  t.equal(trialPlace(image, production, {}), undefined, 'production prints no key');
  t.equal(trialPlace(['node', 'dist/main.js', '--welcome'], production, {}), 'checkout');
  t.equal(trialPlace(['node', 'dist/main.js'], none, {}), undefined);
  t.throws(
    () => trialPlace(image, none, { REDIS_URL: '' }),
    /REDIS_URL is empty/,
    'of a variable that is not set',
  );
  t.throws(() => trialPlace(image, { ...production, redisUrl: undefined }, {}), /PUBLIC_URL needs REDIS_URL/);
});

t.test('a container says what can be pasted outside, and where its data are', async (t) => {
  const services = await testServices(t);
  const text = await welcome(services, 'http://127.0.0.1:3456', 'container');
  t.match(text, /^ {2}curl -fsSO http:\/\/localhost:3456\/sample\.docx$/m);
  t.match(text, /'file=@sample\.docx' http:\/\/localhost:3456\/v1\/convert/);
  t.notMatch(text, /127\.0\.0\.1/, 'nobody outside reaches that');
  t.match(text, 'works for 24 hours');
  t.match(text, "The container's log keeps it.");
  t.match(
    text,
    `Its data go with the container, unless "docker run" gives it\na volume: -v platen:${services.config.dataDir}\n`,
  );
  t.match(await keysOf(services.keys, 'quickstart'), [{ name: 'docker run', expiresAt: /^\d{4}-/ }]);
});
