/** Who gets the warnings of an account. What is written: test/webhooks/warning-mails.test.ts. */
import t from 'tap';
import { Service } from '../../support/service.ts';
import { MemberPage } from './support.ts';

interface Details {
  readonly details: object;
}

const mail = {
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'a@example.com',
  PUBLIC_URL: 'http://localhost:3000',
};

t.test('an owner says who gets warnings', async (t) => {
  const service = await Service.start(t, { env: mail });
  await service.createAccount('acme', 'pro');
  const page = await MemberPage.join(service, 'acme', 'owner');
  const read = async () => (await page.ask('GET', 'account/contacts')).body;
  t.same(await read(), { addresses: [], warnings: false, canMail: true });
  const set = (addresses: readonly string[], warnings = true) =>
    page.ask('PUT', 'account/contacts', { addresses, warnings });
  const wanted = await set([' Ops@Example.com', 'ops@example.com', 'anna@example.com']);
  const contacts = { addresses: ['ops@example.com', 'anna@example.com'], warnings: true, canMail: true };
  t.same([wanted.status, wanted.body], [200, contacts]);
  t.same(await read(), contacts);
  const { entries } = (await page.ask('GET', 'audit?limit=1')).body;
  t.match(entries, [
    {
      action: 'account.contacts-changed',
      by: 'member',
      details: { contacts: 'ops@example.com anna@example.com', warnings: 'on' },
    },
  ]);
  const wrong = [
    ['no address'],
    ['anna@example.com, ben@example.com'],
    ['anna@example.com\r\nBcc: ben@example.com'],
    [`${'a'.repeat(250)}@example.com`],
    Array.from({ length: 11 }, (_, n) => `a${n}@example.com`),
  ];
  for (const addresses of wrong) {
    t.match((await set(addresses)).body, { code: 'INVALID_PARAMETER' }, String(addresses));
  }
  t.same(await read(), contacts, 'nothing has changed');
  const change = async (wanted: object) => (await page.ask('PUT', 'account/contacts', wanted)).body;
  t.same(await change({ warnings: false }), { ...contacts, warnings: false }, 'what is left out stays');
  t.same(await change({ addresses: ['anna@example.com'] }), {
    ...{ addresses: ['anna@example.com'], warnings: false, canMail: true },
  });
  const details = (await page.ask('GET', 'audit?limit=2')).body.entries.map((each: Details) => each.details);
  t.strictSame(details, [{ contacts: 'anna@example.com' }, { warnings: 'off' }]);
  t.match(await change({}), { code: 'INVALID_PARAMETER' });
  t.same((await set([], false)).body, { addresses: [], warnings: false, canMail: true });
  t.notMatch(JSON.stringify(service.log), /ops@example/);
});
