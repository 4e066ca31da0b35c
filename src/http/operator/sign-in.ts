/** Signing in to the dashboard by name, and accepting an invitation to it. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifySchema } from 'fastify';
import type { OperatorRole } from '../../members/member.ts';
import type { Members } from '../../members/members.ts';
import type { OidcSignIn } from '../../members/oidc.ts';
import type { SignIn } from '../../members/sign-in.ts';
import type { Sessions } from '../../operator/sessions.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { answerOf } from './answer.ts';
import { describeSession, endFormer } from './session.ts';
import { operatorCookie, operatorOidcCookie } from './session-cookie.ts';
import { oidcSteps } from './sign-in/oidc-steps.ts';
import { passkeySteps } from './sign-in/passkey-steps.ts';
import { type Admit, limitSteps } from './sign-in/step.ts';
import {
  acceptOperatorInvitation,
  beginOperatorOidc,
  beginOperatorSession,
  NO_OIDC,
  NOT_ACCEPTED,
  NOT_AN_OPERATOR,
  NOT_OPEN,
  OIDC_ONLY,
  readOperatorInvitation,
  signInOperatorByOidc,
  startOperatorSignIn,
} from './sign-in.contract.ts';

interface OperatorSignInOptions {
  readonly redis: RedisClient;
  readonly sessions: Sessions;
  readonly operators: Members<OperatorRole>;
  readonly operatorSignIn: SignIn<OperatorRole>;
  /** Undefined where no issuer is set. */
  readonly operatorOidc: OidcSignIn<OperatorRole> | undefined;
  readonly config: { readonly dashboardUrl: string | undefined };
}

/** To be registered where everybody comes in. */
export const operatorSignInRoutes: FastifyPluginAsyncTypebox<OperatorSignInOptions> = async (
  app,
  options,
) => {
  const { redis, sessions, operators, operatorSignIn: signIn, operatorOidc: oidc } = options;
  const origin = options.config.dashboardUrl;
  await limitSteps(app, redis);

  const admit: Admit<OperatorRole> = async (request, reply, { member, session, id }) => {
    await endFormer(request, sessions);
    operatorCookie.set(request, reply, id);
    reply.code(201);
    return describeSession({ by: 'session', id, session, role: member.role, person: member });
  };

  oidcSteps(app, {
    oidc,
    origin,
    cookie: operatorOidcCookie,
    steps: { begin: stepOf(beginOperatorOidc), signIn: stepOf(signInOperatorByOidc) },
    words: { none: NO_OIDC, unknown: NOT_AN_OPERATOR },
    admit,
  });
  await app.register(async (scope: typeof app) =>
    passkeySteps(scope, {
      signIn,
      isOff: oidc?.isOnly === true,
      origin,
      steps: {
        start: stepOf(startOperatorSignIn),
        begin: stepOf(beginOperatorSession),
        read: stepOf(readOperatorInvitation),
        accept: stepOf(acceptOperatorInvitation),
      },
      words: { notAccepted: NOT_ACCEPTED, notOpen: NOT_OPEN, off: OIDC_ONLY },
      admit,
      async describe(request, { account, invitation }) {
        const { id, email, role, member, expiresAt } = invitation;
        const former = await answerOf(request, operators.find(account, member ?? ''));
        return { id, email, role, name: former?.name ?? null, expiresAt };
      },
    }),
  );
};

function stepOf<const Schema extends FastifySchema>({ path, schema }: { path: string; schema: Schema }) {
  return { path, options: { schema } };
}
