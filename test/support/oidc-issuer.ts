/** A real issuer of OpenID Connect, `oidc-provider`, on a real socket, and the browser of somebody who signs in there. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import Provider from 'oidc-provider';
import type { Test } from 'tap';

export interface Person {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

export const client = { id: 'platen', secret: 'the-secret-of-this-client' } as const;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

export class OidcIssuer {
  readonly url: string;
  /** Those who can sign in, by their `sub`. */
  readonly people = new Map<string, Person>();
  /** Whether it answers. */
  isAway = false;
  /** Whether it takes a code again, as it must not (RFC 6749, section 4.1.2). */
  isForgetful = false;
  /** Paths that get endless answers. */
  readonly endless = new Set<string>();
  /** The issuer's session of the last person who signed in. */
  sid = '';
  readonly #key: CryptoKey;

  private constructor(url: string, key: CryptoKey) {
    this.url = url;
    this.#key = key;
  }

  /** @param redirectUris those to which it sends browsers back. It ends with the test. */
  static async start(t: Test, ...redirectUris: string[]): Promise<OidcIssuer> {
    let answer: RequestListener = (_request, response) => response.writeHead(503).end();
    const server = createServer((request, response) => {
      if (issuer.isAway) response.writeHead(503).end();
      else if (issuer.endless.has(request.url ?? '')) {
        response.writeHead(200, { 'content-type': 'application/json' });
        Readable.from(spaces()).pipe(response);
      } else answer(request, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.teardown(async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    });
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const issuer = new OidcIssuer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, privateKey);
    const provider = new Provider(issuer.url, {
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          redirect_uris: redirectUris,
          backchannel_logout_uri: 'https://pdf.example.com/logout',
          backchannel_logout_session_required: true,
        },
      ],
      jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'one', alg: 'RS256', use: 'sig' }] },
      cookies: { keys: ['a key for the tests'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: true } },
      ttl: { Session: 600, Grant: 600, Interaction: 600, AccessToken: 60, IdToken: 60 },
      findAccount: (_context, sub) => ({
        accountId: sub,
        claims: async () => ({ sub, ...issuer.people.get(sub) }),
      }),
    });
    const { consume } = provider.AuthorizationCode.prototype;
    provider.AuthorizationCode.prototype.consume = async function (
      this: typeof provider.AuthorizationCode.prototype,
    ) {
      if (!issuer.isForgetful) await consume.call(this);
    };
    provider.on('grant.success', ({ oidc }) => {
      issuer.sid = oidc.entities.AuthorizationCode?.sid ?? '';
    });
    answer = provider.callback();
    return issuer;
  }

  /**
   * Signs somebody in, as their browser does.
   *
   * @param url to which the service sent it.
   * @returns the address to which it is sent back.
   */
  async signIn(url: string, sub: string, back: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let at = url;
    let form: URLSearchParams | undefined;
    // Two forms, each with its redirects.
    for (let step = 0; step < 20; step++) {
      const answer = await fetch(at, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
        ...(form && { method: 'POST', body: form }),
      });
      for (const line of answer.headers.getSetCookie()) {
        const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? [];
        cookies.set(name, value);
      }
      form = undefined;
      const location = answer.headers.get('location');
      if (location !== null) {
        at = new URL(location, at).href;
        if (at.startsWith(back)) return new URL(at);
        continue;
      }
      const html = await answer.text();
      const [, action] = /<form[^>]* action="([^"]+)"/.exec(html) ?? [];
      const [, prompt] = /name="prompt" value="(\w+)"/.exec(html) ?? [];
      if (action === undefined || prompt === undefined) throw new Error(`${answer.status} ${html}`);
      at = new URL(action, at).href;
      form = new URLSearchParams({ prompt, ...(prompt === 'login' && { login: sub, password: 'any' }) });
    }
    throw new Error('the issuer sends the browser nowhere');
  }

  /** A logout token. @param claims instead of the usual ones. */
  logoutToken(claims: JWTPayload, { key = this.#key, kid = 'one' } = {}): Promise<string> {
    const usual = { iss: this.url, aud: client.id, jti: crypto.randomUUID(), events: { [LOGOUT_EVENT]: {} } };
    return new SignJWT({ iat: Math.floor(Date.now() / 1_000), ...usual, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid, typ: 'logout+jwt' })
      .sign(key);
  }
}

/** White space, which any JSON may begin with. */
function* spaces(): Generator<Buffer> {
  const some = Buffer.alloc(65_536, ' ');
  for (;;) yield some;
}
