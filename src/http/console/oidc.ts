/** Signing in at the issuer of OpenID Connect. The issuer sends the browser to a page of ours, which asks here. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PlatenError } from '../../errors.ts';
import { IssuerAway } from '../../members/issuer.ts';
import type { OidcSignIn, Person } from '../../members/oidc.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { addressLimit } from '../access/address-limit.ts';
import { limitFailures } from '../access/authentication-limit.ts';
import { nextDeadline, orUnavailable } from '../core/redis-deadline.ts';
import { answerOf } from '../operator/answer.ts';
import { clientOf } from '../operator/authentication.ts';
import { oidcCookie } from '../operator/session-cookie.ts';
import { type Admission, admit } from './admit.ts';
import { beginOidc, chooseAccount, logoutByIssuer, signInByOidc } from './oidc.contract.ts';
import {
  ISSUER_AWAY,
  NO_LOGOUT,
  NO_OIDC,
  NOT_A_MEMBER,
  NOT_VERIFIED,
  OIDC_REFUSED,
  routeOf,
} from './operation.ts';
import { siteOf } from './site.ts';

export interface OidcRoutesOptions extends Admission {
  readonly oidc: OidcSignIn | undefined;
  readonly config: { readonly publicUrl: string | undefined };
}

/** Seconds after which it makes sense to ask an issuer again that did not answer. */
const AWAY_S = 5;
const LOGOUTS_PER_MINUTE = 600;
const MAX_LOGOUT_BYTES = 20_000;

/** To be registered where everybody comes in, a limited number of times. */
export const oidcRoutes: FastifyPluginAsyncTypebox<OidcRoutesOptions> = async (app, options) => {
  const { keys, config } = options;

  /** Requests of our own pages only. */
  const entered = (request: FastifyRequest): OidcSignIn => {
    siteOf(request, config.publicUrl);
    return required(options.oidc);
  };

  /** A guess counts as a failed authentication. */
  const accepted = async <T>(request: FastifyRequest, found: T | undefined): Promise<T> => {
    if (found !== undefined) return found;
    await limitFailures(app, request);
    throw new PlatenError('INVALID_API_KEY', { message: OIDC_REFUSED });
  };

  const enter = async (request: FastifyRequest, reply: FastifyReply, person: Person, account: string) => {
    const signedIn = await answerOf(
      request,
      required(options.oidc).enter(person, account, clientOf(request)),
    );
    if (!signedIn) throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_A_MEMBER });
    return admit(request, reply, signedIn, options);
  };

  app.post(beginOidc.path, routeOf(beginOidc), async (request, reply) => {
    const oidc = entered(request);
    const { url, begun } = await fromIssuer(request, oidc.begin());
    oidcCookie.set(request, reply, begun);
    return { url };
  });

  app.post(signInByOidc.path, routeOf(signInByOidc), async (request, reply) => {
    const oidc = entered(request);
    const shown = oidcCookie.read(request) ?? '';
    const begun = await accepted(request, oidc.hasBegun(shown) ? shown : undefined);
    const identity = await fromIssuer(request, oidc.identify(request.body.query, begun));
    // Only what the issuer has confirmed is noted.
    const isFirst = identity !== undefined && (await answerOf(request, oidc.spend(begun)));
    const { email, ...person } = await accepted(request, isFirst ? identity : undefined);
    if (email === null) throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_VERIFIED });
    const choices = await answerOf(request, oidc.choices({ ...person, email }));
    const [first] = choices;
    if (!first) throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_A_MEMBER });
    if (choices.length === 1) {
      oidcCookie.clear(request, reply);
      return enter(request, reply, { ...person, email }, first.account);
    }
    const names = await Promise.all(
      choices.map(({ account }) => answerOf(request, keys.requireAccount(account))),
    );
    oidcCookie.set(request, reply, await answerOf(request, oidc.keep({ ...person, email })));
    return {
      accounts: choices.map(({ account: id, role, isNew }, index) => ({
        ...{ id, name: names[index]?.name ?? id, role, isNew },
      })),
    };
  });

  app.post(chooseAccount.path, routeOf(chooseAccount), async (request, reply) => {
    const oidc = entered(request);
    const begun = await answerOf(request, oidc.takePerson(oidcCookie.read(request)));
    const person = await accepted(request, begun);
    oidcCookie.clear(request, reply);
    const { account } = request.body;
    const choices = await answerOf(request, oidc.choices(person));
    if (!choices.some((choice) => choice.account === account)) {
      throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_A_MEMBER });
    }
    return enter(request, reply, person, account);
  });
};

export interface LogoutRouteOptions {
  readonly redis: RedisClient;
  readonly oidc: OidcSignIn | undefined;
}

/** What the issuer itself calls, with a limit of its own. */
export const logoutRoute: FastifyPluginAsyncTypebox<LogoutRouteOptions> = async (app, { redis, oidc }) => {
  const limit = await addressLimit(app, {
    ...{ redis, name: 'logout', max: LOGOUTS_PER_MINUTE, windowMs: 60_000 },
  });
  app.addHook('onRequest', async (request) => {
    const retryAfter = await orUnavailable(limit(request), request.redisDeadline);
    if (retryAfter !== undefined)
      throw new PlatenError('RATE_LIMIT_EXCEEDED', { retryAfter, reason: 'sign-in' });
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_LOGOUT_BYTES },
    (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(text as string))),
  );
  app.post(logoutByIssuer.path, routeOf(logoutByIssuer), async (request, reply) => {
    const done = await fromIssuer(request, required(oidc).logout(request.body.logout_token));
    if (!done) throw new PlatenError('INVALID_PARAMETER', { message: NO_LOGOUT });
    return reply.code(200).send(null);
  });
};

function required(oidc: OidcSignIn | undefined): OidcSignIn {
  if (!oidc) throw new PlatenError('NOT_FOUND', { message: NO_OIDC });
  return oidc;
}

/** An answer of the issuer, which has time limits of its own; what follows waits for Redis anew. */
async function fromIssuer<T>(request: FastifyRequest, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (!(cause instanceof IssuerAway)) throw cause;
    throw new PlatenError('SERVICE_UNAVAILABLE', { message: ISSUER_AWAY, retryAfter: AWAY_S, cause });
  } finally {
    request.redisDeadline = nextDeadline(request);
  }
}
