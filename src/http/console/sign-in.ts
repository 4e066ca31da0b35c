/** Signs members in to the console, and accepts invitations to it. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { OidcSignIn } from '../../members/oidc.ts';
import type { SignIn } from '../../members/sign-in.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { answerOf } from '../operator/answer.ts';
import { passkeySteps } from '../operator/sign-in/passkey-steps.ts';
import { limitSteps } from '../operator/sign-in/step.ts';
import { type Admission, admitTo } from './admit.ts';
import { oidcRoutes } from './oidc.ts';
import { NOT_ACCEPTED, NOT_OPEN, OIDC_ONLY, stepOf } from './operation.ts';
import { acceptInvitation, beginSession, readInvitation, startSignIn } from './session.contract.ts';

interface SignInRoutesOptions extends Admission {
  readonly redis: RedisClient;
  readonly signIn: SignIn;
  readonly oidc: OidcSignIn | undefined;
  readonly config: { readonly publicUrl: string | undefined };
}

/** Register it in an open scope. */
export const signInRoutes: FastifyPluginAsyncTypebox<SignInRoutesOptions> = async (app, options) => {
  const { redis, keys, members, signIn, oidc, config } = options;
  await limitSteps(app, redis);
  await app.register(oidcRoutes, options);
  await app.register(async (scope: typeof app) =>
    passkeySteps(scope, {
      signIn,
      isOff: oidc?.isOnly === true,
      origin: config.publicUrl,
      steps: {
        start: stepOf(startSignIn),
        begin: stepOf(beginSession),
        read: stepOf(readInvitation),
        accept: stepOf(acceptInvitation),
      },
      words: { notAccepted: NOT_ACCEPTED, notOpen: NOT_OPEN, off: OIDC_ONLY },
      admit: admitTo(options),
      async describe(request, { account, invitation }) {
        const { id, email, role, member, expiresAt } = invitation;
        const [{ name }, former] = await Promise.all([
          answerOf(request, keys.requireAccount(account)),
          answerOf(request, members.find(account, member ?? '')),
        ]);
        return { id, account: name, email, role, name: former?.name ?? null, expiresAt };
      },
    }),
  );
};
