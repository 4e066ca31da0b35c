/** What `npm start` makes ready before it prints. */
import t from 'tap';
import { welcome } from '../src/welcome.ts';
import { testServices } from './support/service.ts';

t.test('the key has no limits, whoever made its account, but those that an operator has set', async (t) => {
  const services = await testServices(t);
  const { keys } = services;
  await keys.createAccount({ id: 'quickstart', name: 'Quick start', plan: 'free' });
  await keys.changes.setLimit('quickstart', { limit: 'perHour', value: 7, from: null, until: null });
  await welcome(services, 'http://127.0.0.1:3000');
  const { ownLimits } = await keys.requireAccount('quickstart');
  const limits = Object.fromEntries(ownLimits.map(({ limit, value }) => [limit, value]));
  t.strictSame(limits, { perSecond: null, perHour: 7, perDay: null, perMonth: null });
  t.match(await keys.listKeys('quickstart'), [{ environment: 'live', type: 'sk' }]);
});
