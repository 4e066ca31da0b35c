/** The life of an account, by the operator API. */
import t from 'tap';
import { isDelivered, isError } from '../../e2e/support/assertions.ts';
import { signIn } from '../../e2e/support/operator-session.ts';
import { convert } from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import { Service } from '../../support/service.ts';

const service = await Service.start(t);
const session = await signIn(service);
const document = docx();
const path = '/operator/v1/accounts/acme';
await service.createAccount('acme', 'free');
const { key } = await service.createKey({ account: 'acme' });

interface Entry {
  readonly action: string;
  readonly account: string;
  readonly details: Readonly<Record<string, string>>;
}

/** The actions of the audit's newest entries, the newest first. */
async function audited(count: number): Promise<Entry[]> {
  const { entries } = await session.read<{ entries: Entry[] }>(`/operator/v1/audit?limit=${count}`);
  return entries;
}

t.test('suspend and resume', async (t) => {
  t.match(await session.read(path), { suspendedAt: null });
  const answer = await session.ask('POST', `${path}/suspend`);
  const { suspendedAt } = JSON.parse(String(answer.body)) as { suspendedAt: string };
  t.ok(Math.abs(Date.now() - Date.parse(suspendedAt)) < 60_000);
  isError(t, await convert(service, key, document), 'ACCOUNT_SUSPENDED');
  const again = await session.ask('POST', `${path}/suspend`);
  t.match(JSON.parse(String(again.body)), { suspendedAt }, 'it stays suspended since then');
  const { accounts } = await session.read<{ accounts: object[] }>('/operator/v1/accounts');
  t.match(accounts, [{ id: 'acme', suspendedAt }]);
  t.match(await session.read(path), { suspendedAt });
  for (let time = 0; time < 2; time++) {
    t.match(JSON.parse(String((await session.ask('POST', `${path}/resume`)).body)), { suspendedAt: null });
  }
  isDelivered(t, await convert(service, key, document));
  const entries = await audited(2);
  t.match(entries, [
    { action: 'account.resumed', account: 'acme' },
    { action: 'account.suspended', account: 'acme' },
  ]);
  for (const what of ['suspend', 'resume']) {
    isError(t, await session.ask('POST', `/operator/v1/accounts/nobody/${what}`), 'NOT_FOUND');
  }
});
