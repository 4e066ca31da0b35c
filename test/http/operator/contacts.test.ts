/** Contact addresses of accounts, as the operator sees and changes them. */
import t from 'tap';
import { isError } from '../../e2e/support/assertions.ts';
import { signIn } from '../../e2e/support/operator-session.ts';
import { Service } from '../../support/service.ts';

t.test('an operator sees and changes them', async (t) => {
  const service = await Service.start(t);
  await service.createAccount('acme', 'pro');
  const session = await signIn(service);
  const path = '/operator/v1/accounts/acme/contacts';
  t.same(await session.read(path), { addresses: [], warnings: false, canMail: false });
  const body = { addresses: ['Anna@example.com'], warnings: true };
  const { status } = await session.ask('PUT', path, body);
  t.equal(status, 200);
  t.match(await session.read(path), { addresses: ['anna@example.com'], warnings: true });
  isError(t, await session.ask('PUT', path, { ...body, addresses: ['anna'] }), 'INVALID_PARAMETER');
});
