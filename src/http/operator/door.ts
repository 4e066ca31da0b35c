/** A door: the routes of one API for the operations that its callers may call, and their contract. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type TObject, type TSchema, Type } from 'typebox';
import type { Config } from '../../config.ts';
import { PlatenError } from '../../errors.ts';
import type { OperatorRole } from '../../members/member.ts';
import {
  type AccountPlace,
  type At,
  type Caller,
  type Operation,
  perform,
  type SizedFile,
  type TextFile,
} from '../../operations/operation.ts';
import type { OperationServices } from '../../operations/services.ts';
import {
  emptyResponse,
  errorResponse,
  fileResponse,
  jsonResponse,
  type Response,
} from '../contract/responses.ts';
import { limitDelivery } from '../core/delivery-limit.ts';
import { nextDeadline } from '../core/redis-deadline.ts';
import { answerOf, noSuch, translated } from './answer.ts';
import { byOperator, changeErrors, readErrors } from './operation.ts';

type Responses = Readonly<Record<number, Response>>;

export interface Door<R extends string> {
  /** Prefix of the names of its errors: see {@link errorResponses}. */
  readonly group: 'Operator' | 'Console';
  readonly prefix: '/operator/v1' | '/account/v1';
  readonly security: readonly Record<string, readonly string[]>[];
  /** Whether callers say which account they mean. Else they have one. */
  readonly namesAccounts: boolean;
  /** Errors of operations that read, and of those that change something. */
  readonly readErrors: Responses;
  readonly changeErrors: Responses;
  /** As changeErrors, of operations on the caller's own sessions and passkeys. */
  readonly ownErrors: Responses;
  /** Undefined: the operation is not there. */
  at(operation: Operation): At<R> | undefined;
}

export const operatorDoor: Door<OperatorRole> = {
  group: 'Operator',
  prefix: '/operator/v1',
  security: byOperator,
  namesAccounts: true,
  readErrors,
  changeErrors,
  ownErrors: changeErrors,
  at: ({ operator }) => operator,
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; undefined where nobody is authenticated, or with an API key. */
    caller: Caller | undefined;
  }
  interface FastifyContextConfig {
    /** Roles that may call a route; `anybody` need not sign in. */
    roles?: readonly string[] | 'anybody';
  }
}

const account = Type.String({ minLength: 1, maxLength: 63, description: 'Id of the account.' });

const accountInPath = { ...account, examples: ['acme'] };
const withAccount = (named: TSchema, own: TObject | undefined, options = {}) =>
  Type.Object({ account: named, ...own?.properties }, options);

/** An operation as the OpenAPI document of a door has it; undefined if it is not there. */
export function contractAt<R extends string>(door: Door<R>, operation: Operation) {
  const at = door.at(operation);
  if (!at) return undefined;
  const { method, answers } = operation;
  const named = door.namesAccounts ? operation.account : undefined;
  const [summary, description] = operation.says;
  const missing = [named && 'account', operation.missing].filter((what) => what !== undefined);
  const params = named === 'path' ? withAccount(accountInPath, operation.params) : operation.params;
  const body =
    named === 'body' ? withAccount(account, operation.body, { additionalProperties: false }) : operation.body;
  return {
    method,
    path: `${door.prefix}${named === 'path' ? '/accounts/:account' : ''}${at.path ?? operation.path}`,
    roles: at.roles,
    ...(operation.own && { own: operation.own }),
    schema: {
      operationId: at.id,
      tags: [at.tag ?? operation.tag],
      summary: at.summary ?? summary,
      description: at.description ?? description,
      security: door.security,
      ...(params && { params }),
      ...(operation.query && { querystring: queryAt(at, operation.query) }),
      ...(body && { body }),
      response: {
        [answers.status ?? 200]:
          answers.status === 204
            ? emptyResponse(answers.description)
            : answers.file
              ? fileResponse(answers.body, answers, answers.file)
              : jsonResponse(answers.body, answers),
        ...(method === 'GET' ? door.readErrors : operation.own ? door.ownErrors : door.changeErrors),
        ...(operation.refuses !== undefined &&
          errorResponse(400, door.group, [
            'INVALID_PARAMETER',
            new PlatenError('INVALID_REQUEST', { message: operation.refuses }),
          ])),
        ...(missing.length > 0 &&
          errorResponse(404, door.group, [
            new PlatenError('NOT_FOUND', { message: noSuch(missing.join(' or ')) }),
          ])),
      },
    },
  };
}

/** The operations that a door has, as its OpenAPI document has them. */
export function contractsAt<R extends string>(door: Door<R>, operations: readonly Operation[]) {
  return operations.map((operation) => contractAt(door, operation)).filter((each) => each !== undefined);
}

/** The query of an operation at a door. */
function queryAt({ without = [] }: At<string>, query: TObject): TObject {
  const fields = Object.entries(query.properties).filter(([name]) => !without.includes(name));
  return Type.Object(Object.fromEntries(fields));
}

/** Adds the routes of operations to a scope that authenticates callers and checks their roles. */
export function mount<R extends string>(
  app: FastifyInstance,
  door: Door<R>,
  operations: readonly Operation[],
  services: OperationServices & { readonly config: Pick<Config, 'deliveryTimeoutMs'> },
): void {
  for (const operation of operations) {
    const contract = contractAt(door, operation);
    if (!contract) continue;
    const { method, path: url, roles, own = false, schema } = contract;
    const { file } = operation.answers;
    app.route({
      method,
      url,
      schema,
      config: { roles, own },
      // A HEAD request would read a whole file for nothing.
      ...(file && { exposeHeadRoute: false }),
      async handler(request, reply) {
        reply.code(operation.answers.status ?? 200);
        const input = inputOf(operation.account, request);
        // The authentication has used the first.
        request.redisDeadline = nextDeadline(request);
        const answer = await translated(
          perform(operation, services, callerOf(request), input, (work) => answerOf(request, work)),
        );
        if (!file) return answer;
        reply.type(file.type === 'image/png' ? file.type : `${file.type}; charset=utf-8`);
        return sendFile(reply, answer as TextFile | SizedFile, services.config);
      },
    });
  }
}

/** Streams a file, for no longer than a delivery may take. */
function sendFile(
  reply: FastifyReply,
  file: TextFile | SizedFile,
  { deliveryTimeoutMs }: Pick<Config, 'deliveryTimeoutMs'>,
): FastifyReply {
  const stream = 'stream' in file ? file.stream : Readable.from(file.text);
  if ('stream' in file) reply.header('content-length', file.bytes);
  limitDelivery(reply, deliveryTimeoutMs, stream);
  return reply.header('content-disposition', `attachment; filename="${file.name}"`).send(stream);
}

/** What was sent, which fits the schemas. */
function inputOf(place: AccountPlace | undefined, { params, query, body }: FastifyRequest) {
  type Values = Record<string, unknown>;
  const input = { params: params as Values, query: query as Values, body: (body ?? {}) as Values };
  const { account } = (place === 'path' ? input.params : input.body) as { readonly account?: string };
  return { ...input, account };
}

/** @throws PlatenError if nobody was authenticated: a mistake of ours. */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (!caller) throw new PlatenError('INTERNAL_ERROR', { cause: 'a route without authentication' });
  return caller;
}
