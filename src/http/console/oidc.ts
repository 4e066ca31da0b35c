/** Signs members in to the console at the OpenID Connect issuer, and out when it says so. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { PlatenError } from '../../errors.ts';
import type { OidcSignIn } from '../../members/oidc.ts';
import type { OidcLogout } from '../../members/oidc-logout.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { addressLimit } from '../access/address-limit.ts';
import { orUnavailable } from '../core/redis-deadline.ts';
import { answerOf } from '../operator/answer.ts';
import { oidcCookie } from '../operator/session-cookie.ts';
import { fromIssuer, oidcSteps, required } from '../operator/sign-in/oidc-steps.ts';
import { type Admission, admitTo } from './admit.ts';
import { beginOidc, chooseAccount, logoutByIssuer, signInByOidc } from './oidc.contract.ts';
import { NO_LOGOUT, NO_OIDC, NOT_A_MEMBER, routeOf, stepOf } from './operation.ts';

interface OidcRoutesOptions extends Admission {
  readonly oidc: OidcSignIn | undefined;
  readonly config: { readonly publicUrl: string | undefined };
}

const LOGOUTS_PER_MINUTE = 600;
const MAX_LOGOUT_BYTES = 20_000;

/** Register it in an open scope that limits the number of steps. */
export const oidcRoutes: FastifyPluginAsyncTypebox<OidcRoutesOptions> = async (app, options) => {
  const { keys, oidc, config } = options;
  const { entered, accepted, enter } = oidcSteps(app, {
    oidc,
    origin: config.publicUrl,
    cookie: oidcCookie,
    steps: { begin: stepOf(beginOidc), signIn: stepOf(signInByOidc) },
    words: { none: NO_OIDC, unknown: NOT_A_MEMBER },
    admit: admitTo(options),
    async offer(request, choices) {
      const names = await Promise.all(
        choices.map(({ account }) => answerOf(request, keys.requireAccount(account))),
      );
      return {
        accounts: choices.map(({ account: id, role, isNew }, index) => ({
          id,
          name: names[index]?.name ?? id,
          role,
          isNew,
        })),
      };
    },
  });

  app.post(chooseAccount.path, routeOf(chooseAccount), async (request, reply) => {
    const signIn = entered(request);
    const begun = await answerOf(request, signIn.takePerson(oidcCookie.read(request)));
    const person = await accepted(request, begun);
    oidcCookie.clear(request, reply);
    const { account } = request.body;
    const choices = await answerOf(request, signIn.choices(person));
    if (!choices.some((choice) => choice.account === account)) {
      throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_A_MEMBER });
    }
    return enter(request, reply, person, account);
  });
};

interface LogoutRouteOptions {
  readonly redis: RedisClient;
  /** Undefined if there is no issuer. */
  readonly oidcLogout: OidcLogout | undefined;
}

/** Called by the issuer itself, with a limit of its own. */
export const logoutRoute: FastifyPluginAsyncTypebox<LogoutRouteOptions> = async (app, options) => {
  const { redis, oidcLogout } = options;
  const limit = await addressLimit(app, { redis, name: 'logout', max: LOGOUTS_PER_MINUTE, windowMs: 60_000 });
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
    const done = await fromIssuer(request, required(oidcLogout, NO_OIDC).logout(request.body.logout_token));
    if (!done) throw new PlatenError('INVALID_PARAMETER', { message: NO_LOGOUT });
    return reply.code(200).send(null);
  });
};
