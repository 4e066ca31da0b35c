/** What the operations of the operator API share. */
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import { PlatenError } from '../../errors.ts';
import type { OperatorRole } from '../../members/member.ts';
import { everyOperator, type Tag } from '../../operations/operation.ts';
import { errorResponse, errorResponses, type Response } from '../contract/responses.ts';

export interface OperatorOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Roles that may call it; by default all. */
  readonly roles?: readonly OperatorRole[];
  readonly schema: FastifySchema & {
    /** Name of the method in generated clients. */
    readonly operationId: string;
    readonly tags: readonly Tag[];
    readonly summary: string;
    readonly description: string;
    readonly security: readonly Record<string, readonly string[]>[];
  };
}

/** By the operator's token, or by the cookie of a session. */
export const byOperator: Record<string, string[]>[] = [{ operatorToken: [] }, { session: [] }];
/** Without authentication, to sign in. */
export const bySignIn: Record<string, string[]>[] = [];

/** Header of requests with a session that change something. */
export const CSRF_HEADER = 'x-csrf-token';

export const NOT_SIGNED_IN =
  'Sign in, or send the operator token in the Authorization header: "Authorization: Bearer …".';
export const NOT_THE_TOKEN =
  'This is not the operator token. See OPERATOR_TOKEN, or the file in the data folder.';
export const NOT_SAME_ORIGIN =
  'The request does not come from the pages of this service: send the csrfToken of the session as X-CSRF-Token, ' +
  'from the same origin.';
export const NOT_ALLOWED =
  'Your role is support: it can read everything, but change nothing and export no account. Ask an operator with the role admin.';
export const NOT_JSON = 'The body must be JSON, with Content-Type: application/json.';

const entry = [
  new PlatenError('MISSING_AUTH', { message: NOT_SIGNED_IN }),
  new PlatenError('INVALID_API_KEY', { message: NOT_THE_TOKEN }),
  new PlatenError('RATE_LIMIT_EXCEEDED'),
  new PlatenError('OVERLOADED', { reason: 'event-loop' }),
  new PlatenError('SERVICE_UNAVAILABLE'),
];

/** Errors of a request that reads. */
export const readErrors = errorResponses('Operator', ['INVALID_PARAMETER', ...entry]);
/** Errors of a request that changes something. */
export const changeErrors = errorResponses('Operator', [
  'INVALID_PARAMETER',
  new PlatenError('INVALID_REQUEST', { message: NOT_JSON }),
  new PlatenError('INSUFFICIENT_PERMISSIONS', { message: `${NOT_SAME_ORIGIN} Or: ${NOT_ALLOWED}` }),
  ...entry,
]);

/** The error if something does not exist. */
export function notFound(message: string): Record<number, Response> {
  return errorResponse(404, 'Operator', [new PlatenError('NOT_FOUND', { message })]);
}

/** The route of an operation that every operator may call. */
export function routeForAll<const Schema extends FastifySchema>(
  { schema }: { readonly schema: Schema },
  config: FastifyContextConfig = {},
) {
  return { schema, config: { roles: everyOperator, ...config } };
}
