/** What the operations of the console API share. */
import type { FastifySchema } from 'fastify';
import { PlatenError } from '../../errors.ts';
import type { Role } from '../../members/member.ts';
import type { Tag } from '../../operations/operation.ts';
import { errorResponse, errorResponses, type Response } from '../contract/responses.ts';
import { NOT_JSON, NOT_SAME_ORIGIN, type OperatorOperation } from '../operator/operation.ts';
import { ISSUER_AWAY, NOT_VERIFIED, OIDC_REFUSED } from '../operator/sign-in/words.ts';

export interface ConsoleOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Roles that may call it; `anybody` need not sign in. */
  readonly roles: readonly Role[] | 'anybody';
  /** It changes only the caller's own sessions and passkeys, so it may be called whatever the state of the account. */
  readonly own?: true;
  readonly schema: FastifySchema & {
    /** Name of the method in generated clients. */
    readonly operationId: string;
    readonly tags: readonly Tag[];
    readonly summary: string;
    readonly description: string;
    readonly security: readonly Record<string, readonly string[]>[];
    /** JSON by default. */
    readonly consumes?: readonly string[];
  };
}

/** By the cookie of a session. */
export const bySession: Record<string, string[]>[] = [{ session: [] }];
export const byNobody: Record<string, string[]>[] = [];

export const NOT_SIGNED_IN = 'Sign in at /console first.';
export const NOT_ALLOWED = 'Your role in this account does not allow this. Ask an owner.';
export const SUSPENDED =
  'This account is suspended: its members may read and export, but change nothing. Ask your operator why.';
export const NOT_ACCEPTED =
  'This passkey was not accepted. Try again, or ask an owner of your account for a new link.';
export const NOT_OPEN =
  'This invitation is not valid: it was used or withdrawn, or is older than seven days. Ask for a new one.';
export const OIDC_ONLY =
  'Passkeys are turned off here: members sign in at the identity provider of this service.';
export const NO_OIDC = 'This service has no identity provider: members sign in with passkeys.';
export const NOT_A_MEMBER =
  'Nobody with your e-mail address is a member of an account here. Ask an owner of your account to invite that address.';
export const NO_LOGOUT = 'This is no logout token for this service, or it was used.';

const entry = [
  new PlatenError('MISSING_AUTH', { message: NOT_SIGNED_IN }),
  new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_ALLOWED }),
  new PlatenError('RATE_LIMIT_EXCEEDED'),
  new PlatenError('OVERLOADED', { reason: 'event-loop' }),
  new PlatenError('SERVICE_UNAVAILABLE'),
];

/** Errors of a request that reads. */
export const readErrors = errorResponses('Console', ['INVALID_PARAMETER', ...entry]);
/** Errors of a request that changes only the caller's own sessions and passkeys. */
export const ownErrors = errorResponses('Console', [
  'INVALID_PARAMETER',
  new PlatenError('INVALID_REQUEST', { message: NOT_JSON }),
  ...entry,
]);
/** Errors of a request that changes something of the account. */
export const changeErrors = {
  ...ownErrors,
  ...errorResponse(403, 'ConsoleChange', [
    new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_ALLOWED }),
    new PlatenError('ACCOUNT_SUSPENDED', { message: SUSPENDED }),
  ]),
};
/** Errors of a step of signing in. */
export const signInErrors = {
  ...errorResponses('Console', [
    'INVALID_PARAMETER',
    new PlatenError('INVALID_REQUEST', { message: NOT_JSON }),
    new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_SAME_ORIGIN }),
    new PlatenError('INSUFFICIENT_PERMISSIONS', { message: OIDC_ONLY }),
    new PlatenError('RATE_LIMIT_EXCEEDED'),
    new PlatenError('OVERLOADED', { reason: 'event-loop' }),
    new PlatenError('SERVICE_UNAVAILABLE'),
  ]),
  ...errorResponse(401, 'ConsoleSignIn', [new PlatenError('INVALID_API_KEY', { message: NOT_ACCEPTED })]),
};

/** Errors of signing in at the issuer. */
export const oidcErrors = {
  ...errorResponses('ConsoleOidc', [
    'INVALID_PARAMETER',
    new PlatenError('INVALID_REQUEST', { message: NOT_JSON }),
    new PlatenError('INVALID_API_KEY', { message: OIDC_REFUSED }),
    new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_A_MEMBER }),
    new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_VERIFIED }),
    new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_SAME_ORIGIN }),
    new PlatenError('NOT_FOUND', { message: NO_OIDC }),
    new PlatenError('RATE_LIMIT_EXCEEDED'),
    new PlatenError('OVERLOADED', { reason: 'event-loop' }),
    new PlatenError('SERVICE_UNAVAILABLE', { message: ISSUER_AWAY }),
  ]),
};
/** Errors of a logout token. */
export const logoutErrors = errorResponses('ConsoleLogout', [
  new PlatenError('INVALID_PARAMETER', { message: NO_LOGOUT }),
  'INVALID_REQUEST',
  new PlatenError('NOT_FOUND', { message: NO_OIDC }),
  new PlatenError('RATE_LIMIT_EXCEEDED'),
  new PlatenError('OVERLOADED', { reason: 'event-loop' }),
  'SERVICE_UNAVAILABLE',
]);

export function notFound(message: string): Record<number, Response> {
  return errorResponse(404, 'Console', [new PlatenError('NOT_FOUND', { message })]);
}

/** Errors of a new passkey that is not accepted, in a session. */
export const notAcceptedErrors = errorResponse(401, 'Passkey', [
  new PlatenError('MISSING_AUTH', { message: NOT_SIGNED_IN }),
  new PlatenError('INVALID_API_KEY', { message: NOT_ACCEPTED }),
]);

/** The path, schema and checks of an operation, for its route. */
export function routeOf<const Schema extends FastifySchema>({
  schema,
  roles: allowed,
  own,
}: Pick<ConsoleOperation, 'roles' | 'own'> & { readonly schema: Schema }) {
  return { schema, config: { roles: allowed, own: own === true } };
}

/** Whether an operation may be called while the account is suspended or will be deleted. */
export function isOpenWhenSuspended({ method, own }: Pick<ConsoleOperation, 'method' | 'own'>): boolean {
  return method === 'GET' || own === true;
}

/**
 * A step of signing in, or with a passkey, that operators have as well, as anybody may call it here.
 *
 * @param own what is different here, apart from the prefix of the path.
 */
export function forMembers<const Schema extends OperatorOperation['schema']>(
  { method, path, schema }: Pick<OperatorOperation, 'method' | 'path'> & { readonly schema: Schema },
  operationId: string,
  response: Readonly<Record<number, object>>,
  own: { readonly path?: string; readonly description?: string } = {},
) {
  const { description } = { ...schema, ...own };
  return {
    method,
    path: own.path ?? path.replace('/operator/', '/account/'),
    roles: 'anybody' as const,
    schema: { ...schema, operationId, description, security: byNobody, response },
  };
}

/** As {@link routeOf}, for operations that members and operators share. */
export function stepOf<const Schema extends FastifySchema>(operation: {
  readonly path: string;
  readonly schema: Schema;
  readonly roles: ConsoleOperation['roles'];
}) {
  return { path: operation.path, options: routeOf(operation) };
}
