/** Signing in with a passkey, and accepting an invitation with a new one. */
import type { FastifyRequest } from 'fastify';
import { PlatenError } from '../../../errors.ts';
import type { OpenInvitation, SignedIn, SignIn } from '../../../members/sign-in.ts';
import { loadWebAuthn, type RegistrationResponseJSON } from '../../../members/webauthn.ts';
import { limitFailures } from '../../access/authentication-limit.ts';
import { nextDeadline } from '../../core/redis-deadline.ts';
import { answerOf, foundBy } from '../answer.ts';
import { clientOf } from '../authentication.ts';
import type { acceptBody, emptyBody, signInBody, tokenBody } from './bodies.contract.ts';
import { siteOf } from './site.ts';
import type { Admit, Step, TypedInstance } from './step.ts';

interface PasskeyStepsOptions<R extends string> {
  readonly signIn: SignIn<R>;
  /** Whether people sign in at the issuer only. */
  readonly isOff: boolean;
  /** Of the pages; undefined: this machine. */
  readonly origin: string | undefined;
  readonly steps: {
    readonly start: Step<typeof emptyBody>;
    readonly begin: Step<typeof signInBody>;
    readonly read: Step<typeof tokenBody>;
    readonly accept: Step<typeof acceptBody>;
  };
  readonly words: { readonly notAccepted: string; readonly notOpen: string; readonly off: string };
  readonly admit: Admit<R>;
  /** What an invitation shows to the link's holder. */
  readonly describe: (request: FastifyRequest, open: OpenInvitation<R>) => Promise<object>;
}

/** Call it in an open scope of its own that limits the number of steps. */
export function passkeySteps<R extends string>(
  app: TypedInstance,
  { signIn, isOff, origin, steps, words, admit, describe }: PasskeyStepsOptions<R>,
): void {
  app.addHook('preHandler', async (request) => {
    if (isOff) {
      if (request.routeOptions.url === steps.read.path) return;
      throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: words.off });
    }
    await loadWebAuthn();
    request.redisDeadline = nextDeadline(request);
  });

  /** A guess counts as a failed authentication. */
  const accepted = async (request: FastifyRequest, signedIn: SignedIn<R> | undefined) => {
    if (signedIn) return signedIn;
    await limitFailures(app, request);
    throw new PlatenError('INVALID_API_KEY', { message: words.notAccepted });
  };

  const invited = async (request: FastifyRequest, token: string) => {
    const found = await answerOf(request, signIn.invitation(token));
    if (!found) await limitFailures(app, request);
    return foundBy(request, Promise.resolve(found), words.notOpen);
  };

  app.post(steps.start.path, steps.start.options, async (request) => ({
    options: { ...(await signIn.options(siteOf(request, origin))) },
  }));

  app.post(steps.begin.path, steps.begin.options, async (request, reply) => {
    const { response } = request.body;
    const site = siteOf(request, origin);
    const signedIn = await answerOf(request, signIn.signIn(site, response, clientOf(request)));
    return admit(request, reply, await accepted(request, signedIn));
  });

  app.post(steps.read.path, steps.read.options, async (request) => {
    const site = siteOf(request, origin);
    const open = await invited(request, request.body.token);
    const options = isOff ? undefined : { ...(await signIn.invitationOptions(site, open)) };
    return { ...(await describe(request, open)), ...(options && { options }) };
  });

  app.post(steps.accept.path, steps.accept.options, async (request, reply) => {
    const site = siteOf(request, origin);
    const { token, name, passkey } = request.body;
    const response = request.body.response as RegistrationResponseJSON;
    const open = await invited(request, token);
    const done = signIn.accept(site, open, { response, name, passkey }, clientOf(request));
    return admit(request, reply, await accepted(request, await answerOf(request, done)));
  });
}
