/** The health probe. */
import t from 'tap';
import { Workspace } from '../../src/convert/workspace.ts';
import { testServices } from '../support/service.ts';

t.test('a conversion succeeds even if its folder cannot be removed', async (t) => {
  const { probe } = await testServices(t);
  t.intercept(Workspace.prototype, 'dispose', { value: () => Promise.reject(new Error('it is busy')) });
  await probe.start();
  t.match(probe.result, { ok: true });
});
