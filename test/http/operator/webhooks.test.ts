/** The endpoints of accounts, as the operator sees and disables them. */
import t from 'tap';
import { isError } from '../../e2e/support/assertions.ts';
import { signIn } from '../../e2e/support/operator-session.ts';
import { Service } from '../../support/service.ts';

const service = await Service.start(t);
const { id: account } = await service.createAccount('acme', 'pro');
const session = await signIn(service);
const { endpoints } = service.services.webhooks;
const list = () => session.read<{ webhooks: object[] }>(`/operator/v1/accounts/${account}/webhooks`);

t.test('endpoints, without what may be secret, and the end of one', async (t) => {
  t.same(await list(), { webhooks: [] });
  const settings = { url: 'https://shop.example/s3cret', description: 'd3scription', enabled: true };
  const events = ['job.completed'] as const;
  for (const environment of ['test', 'live'] as const) {
    await endpoints.add({ account, environment }, { ...settings, events });
  }
  const [{ id } = { id: '' }] = await endpoints.list({ account, environment: 'test' });
  const { webhooks } = await list();
  t.match(webhooks, [
    { environment: 'live', enabled: true },
    { environment: 'test', id, origin: 'https://shop.example', events },
  ]);
  t.notMatch(JSON.stringify(webhooks), /s3cret|d3scription|whsec/);

  const disable = (which: string) =>
    session.ask('POST', `/operator/v1/accounts/${account}/webhooks/${which}/disable`);
  const { status, body } = await disable(id);
  t.equal(status, 200);
  t.match(JSON.parse(body.toString()), { id, enabled: false, disabledReason: 'operator' });
  t.match(await session.read('/operator/v1/audit?limit=1'), {
    entries: [{ action: 'webhook.disabled', account, details: { webhook: id } }],
  });
  isError(t, await disable(`wh_${'0'.repeat(32)}`), 'NOT_FOUND');
  isError(t, await disable('wh_1'), 'INVALID_PARAMETER');
});
