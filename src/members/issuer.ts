/** The issuer where people sign in (OpenID Connect Core 1.0). */
import { createRemoteJWKSet, customFetch, type FetchImplementation, type JWTPayload, jwtVerify } from 'jose';
import type * as Client from 'openid-client';
import type { OidcSettings } from '../config.ts';

/** Time limit of each request to the issuer, in seconds; signing in makes at most four. */
const TIMEOUT_S = 3;
/** Largest answer of the issuer, in bytes: some have hundreds of keys. */
const MAX_ANSWER_BYTES = 1_000_000;
/** How old a logout token may be, in seconds. */
export const LOGOUT_TOKEN_S = 300;
const CLOCK_TOLERANCE_S = 30;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Loaded when needed: it takes memory that services without an issuer do not need. */
const library = () => import('openid-client');

/** Random texts that the answer to one attempt to sign in must match, and the PKCE verifier. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The person whom the issuer names. */
export interface Identity {
  readonly sub: string;
  /** The issuer's session id, by which it ends our sessions. */
  readonly sid: string | null;
  /** Null unless the issuer has verified it. */
  readonly email: string | null;
  readonly name: string | null;
}

/** Sessions that the issuer ends: those of its session, else those of the person. */
export interface Logout {
  readonly id: string;
  readonly sub: string | undefined;
  readonly sid: string | undefined;
}

/** The issuer did not answer in time. */
export class IssuerAway extends Error {
  override readonly name = 'IssuerAway';
}

export class Issuer {
  readonly #settings: OidcSettings;
  readonly #redirectUri: string;
  #known: Promise<Client.Configuration> | undefined;
  #keys: ReturnType<typeof createRemoteJWKSet> | undefined;

  /** @param redirectUri where the issuer sends the browser back to. */
  constructor(settings: OidcSettings, redirectUri: string) {
    this.#settings = settings;
    this.#redirectUri = redirectUri;
  }

  /** The URL to sign in at. @throws IssuerAway */
  async begin({ state, nonce, verifier }: Attempt): Promise<string> {
    const client = await library();
    const configuration = await this.#configuration();
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#redirectUri,
      scope: 'openid email profile',
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return url.href;
  }

  /**
   * The person whom the issuer names in an answer. State, nonce, PKCE, issuer (RFC 9207) and signature are checked.
   *
   * @param query of the URL to which the browser came back.
   * @throws IssuerAway; other errors if the answer is not valid.
   */
  async identify(query: string, { state, nonce, verifier }: Attempt): Promise<Identity> {
    const client = await library();
    const configuration = await this.#configuration();
    return this.#asked(async () => {
      const tokens = await client.authorizationCodeGrant(
        configuration,
        new URL(`${this.#redirectUri}?${query}`),
        { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
      );
      const claims = tokens.claims();
      if (!claims) throw new Error('there is no ID token');
      const { sub, sid } = claims;
      // Many issuers have the e-mail address only there.
      const person =
        claims.email === undefined
          ? await client.fetchUserInfo(configuration, tokens.access_token, sub)
          : claims;
      const { email, email_verified: isVerified, name } = person;
      return {
        sub,
        sid: textOr(sid, null),
        email: isVerified === true ? textOr(email, null) : null,
        name: textOr(name, null),
      };
    });
  }

  /** What a logout token ends (OpenID Connect Back-Channel Logout 1.0). @throws IssuerAway; Error if it is not valid. */
  async readLogout(token: string): Promise<Logout> {
    const configuration = await this.#configuration();
    const { jwks_uri: keys = '', issuer } = configuration.serverMetadata();
    this.#keys ??= createRemoteJWKSet(new URL(keys), {
      timeoutDuration: TIMEOUT_S * 1_000,
      [customFetch]: boundedFetch,
    });
    const known = this.#keys;
    const { payload } = await this.#asked(() =>
      jwtVerify(token, known, {
        issuer,
        audience: this.#settings.clientId,
        maxTokenAge: LOGOUT_TOKEN_S,
        clockTolerance: CLOCK_TOLERANCE_S,
        requiredClaims: ['jti', 'iat', 'events'],
      }),
    );
    return logoutIn(payload);
  }

  /** The issuer's metadata: read at the first use, and again until that succeeds. */
  #configuration(): Promise<Client.Configuration> {
    this.#known ??= this.#asked(() => this.#discover()).catch((error: Error) => {
      this.#known = undefined;
      throw error instanceof IssuerAway ? error : new IssuerAway(error.message, { cause: error });
    });
    return this.#known;
  }

  async #discover(): Promise<Client.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const client = await library();
    const [basic, post] = [client.ClientSecretBasic(clientSecret), client.ClientSecretPost(clientSecret)];
    // Issuers that name no method support Basic.
    const authenticate: Client.ClientAuth = (server, ...others) => {
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      return (methods.includes('client_secret_basic') ? basic : post)(server, ...others);
    };
    // The configuration allows http:// on this machine only.
    const execute = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
    return client.discovery(new URL(issuer), clientId, { client_secret: clientSecret }, authenticate, {
      timeout: TIMEOUT_S,
      [client.customFetch]: boundedFetch,
      execute: [...execute, client.enableNonRepudiationChecks],
    });
  }

  /** @throws IssuerAway if there is no answer, or the answer is that the issuer is unavailable. */
  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (isAbsence(error)) throw awayIn(error) ?? new IssuerAway((error as Error).message, { cause: error });
      throw error;
    }
  }
}

/** Fetches, and ends an answer that exceeds the largest size. */
async function boundedFetch(
  url: string,
  options: Client.CustomFetchOptions | Parameters<FetchImplementation>[1],
): Promise<Response> {
  const response = await fetch(url, options as RequestInit);
  let bytes = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= MAX_ANSWER_BYTES) controller.enqueue(chunk);
      else controller.error(new IssuerAway(`an answer has more than ${MAX_ANSWER_BYTES} bytes`));
    },
  });
  return new Response(response.body?.pipeThrough(bound) ?? null, response);
}

/** The error that ended an answer, which the library wraps. */
function awayIn(error: unknown): IssuerAway | undefined {
  if (error instanceof IssuerAway) return error;
  return error instanceof Error ? awayIn(error.cause) : undefined;
}

function isAbsence(error: unknown): boolean {
  if (error instanceof IssuerAway) return true;
  if (error instanceof Response) return error.status >= 500;
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (code === 'OAUTH_TIMEOUT' || code === 'ERR_JWKS_TIMEOUT' || error.message === 'fetch failed')
    return true;
  return isAbsence(error.cause);
}

/** @throws Error if an ID token was sent as a logout token, or it names nobody. */
function logoutIn({ jti, sub, sid, events, nonce }: JWTPayload): Logout {
  const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events;
  const named = { id: String(jti), sub, sid: textOr(sid, undefined) };
  if (!isLogout || nonce !== undefined || (named.sub ?? named.sid) === undefined) {
    throw new Error('this is no logout token');
  }
  return named;
}

function textOr<T>(value: unknown, fallback: T): string | T {
  return typeof value === 'string' ? value : fallback;
}
