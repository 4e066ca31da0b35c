/** A broken OpenID Connect issuer cannot harm the service. */
import t from 'tap';
import { client, OidcIssuer } from '../../support/oidc-issuer.ts';
import { Service } from '../../support/service.ts';
import { fromPage, invite, ORIGIN, send } from './support.ts';

const BACK = `${ORIGIN}/console/signed-in`;
const issuer = await OidcIssuer.start(t, BACK);
issuer.people.set('anna', { email: 'anna@example.com', email_verified: true });
const service = await Service.start(t, {
  env: {
    ...{ PUBLIC_URL: ORIGIN, OIDC_ISSUER: issuer.url },
    ...{ OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret },
  },
});
await service.createAccount('acme', 'free');
await invite(service, 'acme', 'owner', 'anna@example.com');

async function signIn() {
  const { body, headers } = await send(service, 'oidc', {});
  const { search } = await issuer.signIn(body.url, 'anna', BACK);
  const [cookie = ''] = headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
  return () => send(service, 'oidc/session', { query: search.slice(1) }, { ...fromPage, cookie });
}

t.test('an endless answer is aborted', async (t) => {
  const left = async (path: string, act: () => Promise<{ readonly status: number }>) => {
    issuer.endless.add(path);
    const before = service.log.length;
    t.equal((await act()).status, 503, path);
    issuer.endless.delete(path);
    const said = JSON.stringify(service.log.slice(before));
    t.match(said, /an answer has more than 1000000 bytes/, `${path}: for its size, not for its time`);
  };
  await left('/.well-known/openid-configuration', () => send(service, 'oidc', {}));
  await left('/token', await signIn());
  const body = new URLSearchParams({ logout_token: await issuer.logoutToken({ sub: 'anna' }) });
  await left('/jwks', () => fetch(`${service.url}/account/v1/oidc/logout`, { method: 'POST', body }));
  t.equal((await (await signIn())()).status, 201, 'it is asked again');
});
