/** What leads people to the pages. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { Service } from '../../support/service.ts';

const service = await Service.start(t);

/** @param host as a browser names it; by default that of the service. */
async function leadsTo(path: string, host?: string, { url } = service) {
  const [answer] = (await once(get(`${url}${path}`, { headers: host ? { host } : {} }), 'response')) as [
    IncomingMessage,
  ];
  await text(answer);
  return [answer.statusCode, answer.headers.location];
}

t.test('the console of a machine by a number is at its name, where passkeys work', async (t) => {
  for (const host of ['127.0.0.1:3000', '[::1]:3000']) {
    t.strictSame(await leadsTo('/console', host), [307, 'http://localhost:3000/console']);
  }
  t.strictSame(await leadsTo('/console/keys?pasted=key', '127.0.0.1'), [
    307,
    'http://localhost/console/keys?pasted=key',
  ]);
  for (const host of ['localhost:3000', '10.0.0.1:3000', 'platen.example.com', '127.0.0.1.example.com']) {
    t.strictSame(await leadsTo('/console', host), [200, undefined], host);
  }
  t.strictSame(await leadsTo('/dashboard', '127.0.0.1:3000'), [200, undefined], 'the token works anywhere');
});

t.test('a service with an address of its own leads nowhere else', async (t) => {
  const named = await Service.start(t, { env: { PUBLIC_URL: 'https://platen.example.com' } });
  t.strictSame(
    await leadsTo('/console', '127.0.0.1:3000', named),
    [200, undefined],
    'a proxy may send the number',
  );
});

t.test('/docs leads to the reference', async (t) => {
  for (const path of ['/docs', '/docs/']) t.strictSame(await leadsTo(path), [308, '/v1/docs']);
});

t.test('public pages have an entrance to the console', async (t) => {
  for (const path of ['/', '/v1/docs', '/v1/docs/guide', '/v1/docs/guide/errors']) {
    t.match(
      await (await fetch(`${service.url}${path}`)).text(),
      '<a class="button small" href="/console">Sign in</a>',
      path,
    );
  }
});
