/** Webhooks in the console, in a real browser, with a receiver that gets what is sent. One server for all, so in this order. */
import type { Browser, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import {
  barriers,
  isAsWideAsTheScreen,
  launchBrowser,
  openPage,
  storedBy,
  type WatchedPage,
} from '../support/browser.ts';
import { docx } from '../support/documents.ts';
import { Receiver, verified } from '../support/receiver.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { signIn } from './support/operator-session.ts';
import { multipart, send } from './support/requests.ts';

const server = await Server.start({
  env: { EGRESS: 'auto', EGRESS_ALLOW_HTTP: 'true', EGRESS_ALLOW_NETWORKS: '127.0.0.1/32' },
});
t.teardown(() => server.stop());
const browser: Browser = await launchBrowser();
t.teardown(() => browser.close());
const receiver = await Receiver.start(t);
/** Passkeys need a name of the host. */
const origin = server.url.replace('127.0.0.1', 'localhost');
await server.cli('accounts', 'create', '--name', 'Acme Ltd', '--plan', 'pro', '--id', 'acme');
await server.logged('egress is ready');

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const dialog = (page: Page) => page.getByRole('dialog');

const isAccessible = async (t: Test, page: Page, state: string) =>
  t.strictSame(await barriers(page), [], `${state}: no barriers`);
const endsWell = async (t: Test, { page, problems }: WatchedPage) => {
  t.strictSame(problems, [], 'no console error, no request to another host');
  await page.context().close();
};

/** The page of a new member. */
async function join(name: string, role: string): Promise<WatchedPage> {
  const email = `${name.toLowerCase()}@example.com`;
  const { link } = await server.cli<{ link: string }>(
    ...['members', 'invite', '--account', 'acme', '--email', email, '--role', role],
  );
  const watched = await openPage(browser, origin);
  const { page } = watched;
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await page.goto(`${origin}${link.slice(link.indexOf('/console'))}`);
  await page.getByLabel('Your name').fill(name);
  await button(page, 'Make a passkey and join').click();
  await heading(page, 'Overview').waitFor();
  return watched;
}

t.test('an endpoint from its creation to its end, and what a job told', async (t) => {
  const watched = await join('Dora', 'developer');
  const { page } = watched;
  await page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).click();
  await button(page, 'Add an endpoint').click();
  await dialog(page).getByLabel('test').check();
  await dialog(page).getByLabel('URL').fill(receiver.url('/hook'));
  await dialog(page).getByLabel('quota.warning').check();
  await dialog(page).getByLabel('Description').fill('orders');
  await isAccessible(t, page, 'a new endpoint');
  await button(page, 'Add the endpoint').click();
  await heading(page, `The secret of ${receiver.url('/hook')}, for test keys`).waitFor();
  await button(page, 'Make the test secret').click();
  await button(page, 'Make the secret').click();
  const jobSecret = await takeSecret('URLs of test jobs');
  const secret = await takeSecret(`${receiver.url('/hook')}, for test keys`);
  await button(page, 'Rotate the test secret').waitFor();
  await isAccessible(t, page, 'endpoints');

  await page.getByRole('link', { name: receiver.url('/hook') }).click();
  await heading(page, 'Endpoint').waitFor();
  await page.getByText('It got no messages').waitFor();
  await button(page, 'Send a test event').click();
  await dialog(page).getByLabel('Event').selectOption('a sample of quota.warning');
  await isAccessible(t, page, 'a test event');
  await button(page, 'Send it').click();
  await page.locator('#deliveries').getByText('delivered').waitFor();
  const [first] = receiver.to('/hook');
  t.match(first && verified(first, secret), { type: 'quota.warning', data: { percent: 80 } });

  // Otherwise the next attempt comes after five seconds, in which a busy machine may not have shown this one.
  receiver.answer = (_message, response) => {
    response.writeHead(500, { 'retry-after': '3600' }).end('out of order');
    return undefined;
  };
  await button(page, /^Send again/).click();
  await page.locator('#deliveries').getByText('pending').waitFor();
  await page.getByText('2, the last: answered 500').click();
  await page.getByRole('listitem').filter({ hasText: 'answered 204' }).waitFor();
  await isAccessible(t, page, 'attempts');
  const message = String(first?.headers['webhook-id']);
  await page.getByRole('searchbox').fill(`webhook-id: ${message}`);
  await page.getByRole('searchbox').press('Enter');
  await heading(page, 'Message').waitFor();
  await page.locator('#sent').getByText('"percent": 80').waitFor();
  await page.locator('pre').getByText('out of order').waitFor();
  await isAccessible(t, page, 'a message');
  await page.locator('#deliveries').getByRole('link', { name: /^wh_/ }).click();
  await heading(page, 'Endpoint').waitFor();
  receiver.answer = () => 204;

  await button(page, 'Rotate the secret').click();
  await dialog(page).getByRole('button', { name: 'Rotate the secret' }).click();
  await page.getByText('Former secrets also sign until').waitFor();
  const next = await takeSecret(new URL(receiver.url('/hook')).host);
  t.not(next, secret);
  // A colleague changes it after the page has read it.
  const { key } = await server.createKey({ account: 'acme', environment: 'test' });
  const changed = await send(server, `/v1/webhooks/${page.url().split('/').at(-1)}`, {
    ...{ method: 'PATCH', key, headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ events: ['job.completed', 'key.expiring'] }),
  });
  t.equal(changed.status, 200, changed.body.toString());
  await button(page, /^Edit/).click();
  t.ok(await button(page, 'Save').isDisabled(), 'nothing is edited yet');
  await dialog(page).getByLabel('Description').fill('orders of the shop');
  await button(page, 'Save').click();
  await page.getByText('orders of the shop').waitFor();
  await page.getByText('job.completed, key.expiring, of test keys').waitFor();
  await button(page, 'Disable').click();
  await button(page, 'Disable the endpoint').click();
  await page.getByText('Disabled', { exact: true }).waitFor();
  await button(page, 'Enable').click();
  await button(page, 'Enable the endpoint').click();
  await page.getByText('Enabled', { exact: true }).waitFor();

  const form = multipart([
    {
      headers: ['Content-Disposition: form-data; name="file"; filename="a.docx"'],
      data: docx(),
    },
    { headers: ['Content-Disposition: form-data; name="webhook"'], data: receiver.url('/own') },
  ]);
  const taken = await send(server, '/v1/jobs', { key, ...form });
  t.equal(taken.status, 202, taken.body.toString());
  const { id } = JSON.parse(taken.body.toString()) as { id: string };
  await until('both are told', () => receiver.to('/own').length === 1 && receiver.to('/hook').length >= 3);
  const [own] = receiver.to('/own');
  t.match(own && verified(own, jobSecret), { data: { id } });
  await page.goto(`${origin}/console/jobs/${id}`);
  await page.locator('#deliveries').getByText('the URL of the job').waitFor();
  await until('both are delivered', async () => {
    await page.locator('#deliveries').getByRole('button', { name: 'Refresh' }).click();
    return (await page.locator('#deliveries').getByText('delivered').count()) === 2;
  });
  await isAccessible(t, page, 'a job');
  await page.locator('tr', { hasText: 'the URL of the job' }).getByRole('button').click();
  await until('it came again', () => receiver.to('/own').length === 2);
  for (const each of [secret, jobSecret, next]) {
    t.notOk([await page.content(), await storedBy(page), JSON.stringify(server.log)].join().includes(each));
  }

  await page.setViewportSize({ width: 360, height: 700 });
  await page.locator('#deliveries').getByRole('link', { name: /^wh_/ }).first().click();
  await heading(page, 'Endpoint').waitFor();
  await page.locator('#deliveries tbody').waitFor();
  t.ok(await isAsWideAsTheScreen(page), 'a phone');
  await isAccessible(t, page, 'an endpoint on a phone');
  await button(page, 'Delete').click();
  await button(page, 'Delete the endpoint').click();
  await page.getByText('There is no endpoint').waitFor();
  t.ok(await isAsWideAsTheScreen(page), 'a phone');
  await endsWell(t, watched);

  async function takeSecret(name: string): Promise<string> {
    const note = page.locator('.secret', { has: heading(page, `The secret of ${name}`) });
    const shown = await note.locator('code').innerText();
    t.match(shown, /^whsec_/);
    await isAccessible(t, page, 'a secret is shown');
    await note.getByRole('button', { name: 'I have it, hide it' }).click();
    await note.waitFor({ state: 'detached' });
    return shown;
  }
});

t.test('who gets warnings by e-mail', async (t) => {
  const watched = await join('Anna', 'owner');
  const { page } = watched;
  await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
  await page.getByText('This service sends no e-mail').waitFor();
  const addresses = page.getByLabel('Contact addresses');
  await page.getByLabel('Send warnings to these addresses').check();
  await page.getByText('Say where warnings are to go.').waitFor();
  await addresses.fill('ops');
  await page.getByText('“ops” is no e-mail address.').waitFor();
  await isAccessible(t, page, 'a wrong address');
  await addresses.fill('Ops@example.com\nanna@example.com');
  await button(page, 'Save').click();
  await page.getByText('Saved.').waitFor();
  await page.reload();
  await until(
    'it is kept',
    async () => (await addresses.inputValue()) === 'ops@example.com\nanna@example.com',
  );
  const warnings = page.getByLabel('Send warnings to these addresses');
  t.ok(await warnings.isChecked());
  t.ok(await button(page, 'Save').isDisabled(), 'nothing is edited yet');
  await isAccessible(t, page, 'settings');
  // An operator changes them after the page has read them.
  const session = await signIn(server);
  const changed = await session.ask('PUT', '/operator/v1/accounts/acme/contacts', {
    addresses: ['ops@example.com', 'ben@example.com'],
  });
  t.equal(changed.status, 200);
  await warnings.uncheck();
  await button(page, 'Save').click();
  await page.getByText('Saved.').waitFor();
  t.equal(await addresses.inputValue(), 'ops@example.com\nben@example.com');
  await page.getByRole('navigation').getByRole('link', { name: 'Audit' }).click();
  await page.getByText('Contact addresses changed').first().waitFor();
  await page.getByText('Webhook deleted').waitFor();
  await page.getByText('ops@example.com anna@example.com').waitFor();
  await endsWell(t, watched);
});
