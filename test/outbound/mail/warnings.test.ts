/** A warning by e-mail, from the conversion that causes it to a real SMTP server. The rest: test/webhooks/warning-mails.test.ts. */
import t from 'tap';
import { setLimit } from '../../../src/operations/accounts.ts';
import { isDelivered, isError } from '../../e2e/support/assertions.ts';
import { convert } from '../../e2e/support/requests.ts';
import { MemberPage } from '../../http/console/support.ts';
import { docx } from '../../support/documents.ts';
import { Service } from '../../support/service.ts';
import { startSmtp } from '../../support/smtp.ts';
import { until } from '../../support/until.ts';

t.test('the last conversion of a month is written about', async (t) => {
  const { url, received } = await startSmtp(t);
  const service = await Service.start(t, {
    env: { SMTP_URL: url, MAIL_FROM: 'platen@example.com', PUBLIC_URL: 'http://localhost:3000' },
  });
  await service.createAccount('acme', 'pro');
  await service.perform(setLimit, { account: 'acme', params: { limit: 'perMonth' }, body: { value: 1 } });
  const owner = await MemberPage.join(service, 'acme', 'owner');
  await owner.ask('PUT', 'account/contacts', { addresses: ['ops@example.com'], warnings: true });
  const { key } = await service.createKey({ account: 'acme' });
  isDelivered(t, await convert(service, key, docx()));
  await until('80 and 100 % are written about', () => received.length === 2);
  t.match(received, [{ to: ['ops@example.com'] }, { to: ['ops@example.com'] }]);
  t.match(received.map(({ text }) => text).join(), /100 % of its quota/);
  isError(t, await convert(service, key, docx()), 'QUOTA_EXCEEDED');
});
