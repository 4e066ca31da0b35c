/** Invitations by e-mail, to a real SMTP server. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import t from 'tap';
import { MAILS_PER_DAY } from '../../../src/members/invitation-mail.ts';
import { Mailer } from '../../../src/outbound/mail/mailer.ts';
import { MemberPage } from '../../http/console/support.ts';
import { OperatorPage } from '../../http/operator/people.ts';
import { recordingLog } from '../../redis/support.ts';
import { Service } from '../../support/service.ts';
import { startSmtp } from '../../support/smtp.ts';

t.test('the link goes to who is invited, and to nobody else', async (t) => {
  const { url, received } = await startSmtp(t);
  const service = await Service.start(t, {
    env: { SMTP_URL: url, MAIL_FROM: 'platen@example.com', PUBLIC_URL: 'http://localhost:3000' },
  });
  await service.createAccount('acme', 'free');
  const owner = await MemberPage.join(service, 'acme', 'owner');
  const { body } = await owner.ask('POST', 'invitations', { email: 'ben@example.com', role: 'billing' });
  t.equal(body.mailed, true);
  t.match(received, [{ to: ['ben@example.com'] }]);
  const [{ text: message = '' } = {}] = received;
  t.match(message, 'From: platen@example.com');
  t.match(message, 'Subject: acme invites you to its console');
  t.ok(message.includes(body.link), 'the link is whole');

  const again = await owner.ask('POST', `members/${owner.id}/invitation`);
  t.match(again.body, { mailed: true });
  t.match(received[1]?.text, 'A new link to the console of acme');

  const refused = await owner.ask('POST', 'invitations', { email: 'nobody@example.com', role: 'billing' });
  t.match(refused.body, { mailed: false, link: /#/ }, 'it is shown all the same');
  await service.logged('a message could not be sent');
  t.notOk(JSON.stringify(service.log).includes(body.link.split('#')[1]), 'no log has the link');

  const day = new Date().toISOString().slice(0, 10);
  await service.services.redis.set(`platen:{acme}:mails:${day}`, MAILS_PER_DAY);
  const more = await owner.ask('POST', 'invitations', { email: 'cleo@example.com', role: 'billing' });
  t.match(more.body, { mailed: false });
  t.equal(received.length, 2);
  await service.services.redis.del(`platen:{acme}:mails:${day}`);
  await service.services.redis.lpush(`platen:{acme}:mails:${day}`, 'no number');
  const uncounted = await owner.ask('POST', 'invitations', { email: 'dan@example.com', role: 'billing' });
  t.match(uncounted, { status: 201, body: { mailed: false, link: /#/ } });
  await service.logged('an invitation was not sent, as it could not be counted');

  await OperatorPage.join(service, 'admin').then((admin) =>
    admin.ask('POST', 'invitations', { email: 'olga@example.com', role: 'support' }),
  );
  t.match(received[2], { to: ['olga@example.com'], text: 'Subject: Platen invites you to its dashboard' });
  t.match(received[2]?.text, 'http://localhost:3000/dashboard/invite#');
});

t.test('a server that does not answer is not waited for, and one that is away is an error', async (t) => {
  const silent = createServer().listen(0, '127.0.0.1');
  t.teardown(() => silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const { log, messages } = recordingLog();
  const message = { to: 'a@example.com', subject: 'x', text: 'x' };
  const mailer = new Mailer({
    url: `smtp://u:secret@127.0.0.1:${port}`,
    from: 'b@example.com',
    log,
    patienceMs: 50,
  });
  t.equal(await mailer.send(message), false);
  silent.close();
  t.equal(await mailer.send(message), false);
  t.equal(messages.length, 2);
  t.notMatch(messages.join(), /secret/);
});
