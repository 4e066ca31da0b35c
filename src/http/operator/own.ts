/** /operator/v1/passkeys and /operator/v1/sessions: an operator's own passkeys and sessions. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { PlatenError } from '../../errors.ts';
import type { Member, OperatorRole } from '../../members/member.ts';
import type { OidcSignIn } from '../../members/oidc.ts';
import { NO_ACCOUNT } from '../../members/realm.ts';
import type { SignIn } from '../../members/sign-in.ts';
import { loadWebAuthn, type RegistrationResponseJSON } from '../../members/webauthn.ts';
import type { Audit } from '../../operator/audit.ts';
import type { Sessions } from '../../operator/sessions.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { limitFailures } from '../access/authentication-limit.ts';
import { nextDeadline } from '../core/redis-deadline.ts';
import { answerOf, foundBy } from './answer.ts';
import { actorOf } from './authentication.ts';
import { routeForAll } from './operation.ts';
import {
  addOperatorPasskey,
  endOperatorSession,
  listOperatorPasskeys,
  listOperatorSessions,
  removeOperatorPasskey,
  startOperatorPasskey,
} from './own.contract.ts';
import { describePasskey, describeSessions } from './sign-in/own.ts';
import { siteOf } from './sign-in/site.ts';
import { limitSteps } from './sign-in/step.ts';
import { noPasskey, noSession } from './sign-in/words.ts';
import { NOT_ACCEPTED, OIDC_ONLY } from './sign-in.contract.ts';

const NOBODY =
  'The operator token has no passkeys. Invite yourself on the page Operators, and sign in with your own.';

interface OwnRoutesOptions {
  readonly redis: RedisClient;
  readonly sessions: Sessions;
  readonly operatorSignIn: SignIn<OperatorRole>;
  readonly operatorOidc: OidcSignIn<OperatorRole> | undefined;
  readonly audit: Audit;
  readonly config: { readonly dashboardUrl: string | undefined };
}

/** Register it in a scope that only operators enter. */
export const ownRoutes: FastifyPluginAsyncTypebox<OwnRoutesOptions> = async (app, options) => {
  const { redis, sessions, operatorSignIn: signIn, operatorOidc, audit } = options;
  const origin = options.config.dashboardUrl;
  await limitSteps(app, redis);

  const assertPasskeys = (request: FastifyRequest): Member<OperatorRole> => {
    if (operatorOidc?.isOnly) throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: OIDC_ONLY });
    const person = personOf(request);
    if (!person) throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOBODY });
    return person;
  };

  app.get(listOperatorPasskeys.path, routeForAll(listOperatorPasskeys), async (request) => ({
    passkeys: (personOf(request)?.passkeys ?? []).map(describePasskey),
  }));

  app.post(startOperatorPasskey.path, routeForAll(startOperatorPasskey), async (request) => {
    const person = assertPasskeys(request);
    return { options: { ...(await signIn.passkeyOptions(siteOf(request, origin), person)) } };
  });

  app.post(addOperatorPasskey.path, routeForAll(addOperatorPasskey), async (request, reply) => {
    const person = assertPasskeys(request);
    const site = siteOf(request, origin);
    const { name, response } = request.body;
    await loadWebAuthn();
    request.redisDeadline = nextDeadline(request);
    const wanted = { name, response: response as RegistrationResponseJSON };
    const added = await answerOf(request, signIn.addPasskey(site, NO_ACCOUNT, person, wanted));
    if (!added) {
      await limitFailures(app, request);
      throw new PlatenError('INVALID_API_KEY', { message: NOT_ACCEPTED });
    }
    return reply.code(201).send(describePasskey(added));
  });

  app.delete(removeOperatorPasskey.path, routeForAll(removeOperatorPasskey), async (request, reply) => {
    const { operator } = request;
    const person = personOf(request);
    const { passkey } = request.params;
    const known = person?.passkeys.find(({ id }) => id === passkey);
    await foundBy(request, Promise.resolve(known), noPasskey);
    if (person && operator?.by === 'session') {
      await answerOf(request, signIn.removePasskey(NO_ACCOUNT, person, passkey, operator.id));
    }
    return reply.code(204).send(null);
  });

  app.get(listOperatorSessions.path, routeForAll(listOperatorSessions), async (request) => {
    const { operator } = request;
    const listed = await answerOf(request, sessions.list(subjectOf(request)));
    return describeSessions(listed, operator?.by === 'session' ? operator.id : undefined);
  });

  app.delete(endOperatorSession.path, routeForAll(endOperatorSession), async (request, reply) => {
    const announce = () => audit.record(actorOf(request), 'session.ended');
    const end = sessions.endListed(subjectOf(request), request.params.session, announce);
    const done = await answerOf(request, end);
    await foundBy(request, Promise.resolve(done || undefined), noSession);
    return reply.code(204).send(null);
  });
};

/** The operator who is signed in by name. */
function personOf({ operator }: FastifyRequest): Member<OperatorRole> | undefined {
  return operator?.by === 'session' ? operator.person : undefined;
}

/** The subject of their sessions: the operator's own, or that of sessions that began with the token. */
function subjectOf({ operator }: FastifyRequest): string {
  return operator?.by === 'session' ? operator.session.subject : '';
}
