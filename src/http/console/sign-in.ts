/** Signing in to the console, and accepting an invitation to it. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { PlatenError } from '../../errors.ts';
import type { SignedIn, SignIn } from '../../members/sign-in.ts';
import type { RegistrationResponseJSON } from '../../members/webauthn.ts';
import { loadWebAuthn } from '../../members/webauthn.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { addressLimit } from '../access/address-limit.ts';
import { limitFailures } from '../access/authentication-limit.ts';
import { nextDeadline, orUnavailable } from '../core/redis-deadline.ts';
import { answerOf, foundBy } from '../operator/answer.ts';
import { clientOf } from '../operator/authentication.ts';
import { admit } from './admit.ts';
import { type OidcRoutesOptions, oidcRoutes } from './oidc.ts';
import { NOT_ACCEPTED, NOT_OPEN, OIDC_ONLY, routeOf } from './operation.ts';
import { acceptInvitation, beginSession, readInvitation, startSignIn } from './session.contract.ts';
import { siteOf } from './site.ts';

export interface SignInRoutesOptions extends OidcRoutesOptions {
  readonly redis: RedisClient;
  readonly signIn: SignIn;
  /** Steps of signing in that one address may take in a minute. */
  readonly stepsPerMinute?: number;
}

/** Two steps sign one person in; an office has many people behind an address. */
const STEPS_PER_MINUTE = 60;

/** To be registered where everybody comes in. */
export const signInRoutes: FastifyPluginAsyncTypebox<SignInRoutesOptions> = async (app, options) => {
  const { redis, stepsPerMinute = STEPS_PER_MINUTE } = options;
  const limit = await addressLimit(app, {
    ...{ redis, name: 'sign-in', max: stepsPerMinute, windowMs: 60_000 },
  });
  app.addHook('onRequest', async (request) => {
    const retryAfter = await orUnavailable(limit(request), request.redisDeadline);
    if (retryAfter === undefined) return;
    throw new PlatenError('RATE_LIMIT_EXCEEDED', {
      message:
        'Too many attempts to sign in came from your address. Wait for retryAfter seconds, then retry.',
      retryAfter,
      reason: 'sign-in',
    });
  });
  await app.register(oidcRoutes, options);
  await app.register(passkeyRoutes, options);
};

const passkeyRoutes: FastifyPluginAsyncTypebox<SignInRoutesOptions> = async (app, options) => {
  const { keys, members, signIn, oidc } = options;
  const { publicUrl } = options.config;
  app.addHook('preHandler', async (request) => {
    if (oidc?.isOnly) {
      if (request.routeOptions.url === readInvitation.path) return;
      throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: OIDC_ONLY });
    }
    await loadWebAuthn();
    request.redisDeadline = nextDeadline(request);
  });

  /** A guess counts as a failed authentication. */
  const accepted = async (request: FastifyRequest, signedIn: SignedIn | undefined): Promise<SignedIn> => {
    if (signedIn) return signedIn;
    await limitFailures(app, request);
    throw new PlatenError('INVALID_API_KEY', { message: NOT_ACCEPTED });
  };

  const invited = async (request: FastifyRequest, token: string) => {
    const found = await answerOf(request, signIn.invitation(token));
    if (!found) await limitFailures(app, request);
    return foundBy(request, Promise.resolve(found), NOT_OPEN);
  };

  app.post(startSignIn.path, routeOf(startSignIn), async (request) => ({
    options: { ...(await signIn.options(siteOf(request, publicUrl))) },
  }));

  app.post(beginSession.path, routeOf(beginSession), async (request, reply) => {
    const { response } = request.body;
    const site = siteOf(request, publicUrl);
    const signedIn = await answerOf(request, signIn.signIn(site, response, clientOf(request)));
    return admit(request, reply, await accepted(request, signedIn), options);
  });

  app.post(readInvitation.path, routeOf(readInvitation), async (request) => {
    const site = siteOf(request, publicUrl);
    const open = await invited(request, request.body.token);
    const { id, email, role, member, expiresAt } = open.invitation;
    const [{ name: account }, former] = await Promise.all([
      answerOf(request, keys.requireAccount(open.account)),
      answerOf(request, members.find(open.account, member ?? '')),
    ]);
    const options = oidc?.isOnly ? undefined : { ...(await signIn.invitationOptions(site, open)) };
    return { id, account, email, role, name: former?.name ?? null, expiresAt, ...(options && { options }) };
  });

  app.post(acceptInvitation.path, routeOf(acceptInvitation), async (request, reply) => {
    const site = siteOf(request, publicUrl);
    const { token, name, passkey } = request.body;
    const response = request.body.response as RegistrationResponseJSON;
    const open = await invited(request, token);
    const done = signIn.accept(site, open, { response, name, passkey }, clientOf(request));
    return admit(request, reply, await accepted(request, await answerOf(request, done)), options);
  });
};
