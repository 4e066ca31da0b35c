/** /operator/v1/passkeys: a new passkey of an operator. WebAuthn needs the site of the page, so it is no operation. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { PlatenError } from '../../errors.ts';
import type { Member, OperatorRole } from '../../members/member.ts';
import type { OidcSignIn } from '../../members/oidc.ts';
import { NO_ACCOUNT } from '../../members/realm.ts';
import type { SignIn } from '../../members/sign-in.ts';
import { loadWebAuthn, type RegistrationResponseJSON } from '../../members/webauthn.ts';
import { describePasskey } from '../../operations/own.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { limitFailures } from '../access/authentication-limit.ts';
import { nextDeadline } from '../core/redis-deadline.ts';
import { answerOf } from './answer.ts';
import { routeForAll } from './operation.ts';
import { addOperatorPasskey, startOperatorPasskey } from './own.contract.ts';
import { siteOf } from './sign-in/site.ts';
import { limitSteps } from './sign-in/step.ts';
import { NOT_ACCEPTED, OIDC_ONLY } from './sign-in.contract.ts';

const NOBODY =
  'The operator token has no passkeys. Invite yourself on the page Operators, and sign in with your own.';

interface OwnRoutesOptions {
  readonly redis: RedisClient;
  readonly operatorSignIn: SignIn<OperatorRole>;
  readonly operatorOidc: OidcSignIn<OperatorRole> | undefined;
  readonly config: { readonly dashboardUrl: string | undefined };
}

/** Register it in a scope that only operators enter. */
export const ownRoutes: FastifyPluginAsyncTypebox<OwnRoutesOptions> = async (app, options) => {
  const { redis, operatorSignIn: signIn, operatorOidc } = options;
  const origin = options.config.dashboardUrl;
  await limitSteps(app, redis);

  const assertPasskeys = (request: FastifyRequest): Member<OperatorRole> => {
    if (operatorOidc?.isOnly) throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: OIDC_ONLY });
    const person = personOf(request);
    if (!person) throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOBODY });
    return person;
  };

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
};

/** The operator who is signed in by name. */
function personOf({ operator }: FastifyRequest): Member<OperatorRole> | undefined {
  return operator?.by === 'session' ? operator.person : undefined;
}
