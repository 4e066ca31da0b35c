/** Signing in at the issuer of OpenID Connect. The issuer sends the browser to a page of ours, which asks here. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PlatenError } from '../../../errors.ts';
import { IssuerAway } from '../../../members/issuer.ts';
import type { Choice, OidcSignIn, Person } from '../../../members/oidc.ts';
import { limitFailures } from '../../access/authentication-limit.ts';
import { nextDeadline } from '../../core/redis-deadline.ts';
import { answerOf } from '../answer.ts';
import { clientOf } from '../authentication.ts';
import type { SessionCookie } from '../session-cookie.ts';
import type { answerBody, emptyBody } from './bodies.contract.ts';
import { siteOf } from './site.ts';
import type { Admit, Step, TypedInstance } from './step.ts';
import { ISSUER_AWAY, NOT_VERIFIED, OIDC_REFUSED } from './words.ts';

/** Seconds after which to ask an issuer again that did not answer. */
const AWAY_S = 5;

interface OidcStepsOptions<R extends string> {
  /** Undefined where no issuer is set. */
  readonly oidc: OidcSignIn<R> | undefined;
  /** Of the pages. */
  readonly origin: string | undefined;
  /** Of whoever signs in there. */
  readonly cookie: SessionCookie;
  readonly steps: { readonly begin: Step<typeof emptyBody>; readonly signIn: Step<typeof answerBody> };
  readonly words: { readonly none: string; readonly unknown: string };
  readonly admit: Admit<R>;
  /** Lets a person choose among several accounts. */
  readonly offer?: (request: FastifyRequest, choices: readonly Choice<R>[]) => Promise<object>;
}

/** Call it in an open scope that limits the number of steps. @returns what a further step needs. */
export function oidcSteps<R extends string>(app: TypedInstance, options: OidcStepsOptions<R>) {
  const { cookie, steps, words, admit, offer } = options;

  /** Requests of our own pages only. */
  const entered = (request: FastifyRequest): OidcSignIn<R> => {
    siteOf(request, options.origin);
    return required(options.oidc, words.none);
  };

  /** A guess counts as a failed authentication. */
  const accepted = async <T>(request: FastifyRequest, found: T | undefined): Promise<T> => {
    if (found !== undefined) return found;
    await limitFailures(app, request);
    throw new PlatenError('INVALID_API_KEY', { message: OIDC_REFUSED });
  };

  const enter = async (request: FastifyRequest, reply: FastifyReply, person: Person, account: string) => {
    cookie.clear(request, reply);
    const oidc = required(options.oidc, words.none);
    const signedIn = await answerOf(request, oidc.enter(person, account, clientOf(request)));
    if (!signedIn) throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: words.unknown });
    return admit(request, reply, signedIn);
  };

  app.post(steps.begin.path, steps.begin.options, async (request, reply) => {
    const oidc = entered(request);
    const { url, begun } = await fromIssuer(request, oidc.begin());
    cookie.set(request, reply, begun);
    return { url };
  });

  app.post(steps.signIn.path, steps.signIn.options, async (request, reply) => {
    const oidc = entered(request);
    const shown = cookie.read(request) ?? '';
    const begun = await accepted(request, oidc.hasBegun(shown) ? shown : undefined);
    const identity = await fromIssuer(request, oidc.identify(request.body.query, begun));
    // Only what the issuer has confirmed is noted.
    const isFirst = identity !== undefined && (await answerOf(request, oidc.spend(begun)));
    const { email, ...person } = await accepted(request, isFirst ? identity : undefined);
    if (email === null) throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_VERIFIED });
    const choices = await answerOf(request, oidc.choices({ ...person, email }));
    const [first] = choices;
    if (!first) throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: words.unknown });
    if (choices.length === 1 || !offer) return enter(request, reply, { ...person, email }, first.account);
    const offered = await offer(request, choices);
    cookie.set(request, reply, await answerOf(request, oidc.keep({ ...person, email })));
    return offered;
  });

  return { entered, accepted, enter };
}

/** @throws PlatenError `NOT_FOUND` where there is no issuer. */
export function required<T>(oidc: T | undefined, message: string): T {
  if (!oidc) throw new PlatenError('NOT_FOUND', { message });
  return oidc;
}

/** Awaits the issuer, which has time limits of its own; after that, the Redis deadline starts anew. */
export async function fromIssuer<T>(request: FastifyRequest, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (!(cause instanceof IssuerAway)) throw cause;
    throw new PlatenError('SERVICE_UNAVAILABLE', { message: ISSUER_AWAY, retryAfter: AWAY_S, cause });
  } finally {
    request.redisDeadline = nextDeadline(request);
  }
}
