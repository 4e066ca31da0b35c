/** The door of API keys: routes of `/v1` that answer JSON. What takes an upload or answers a stream has a route of its own. */
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
} from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Permission } from '../../accounts/keys/records.ts';
import { NotFoundError, PlatenError } from '../../errors.ts';
import { type Admitted, admittedOf } from '../access/admitted.ts';
import type { Operation } from '../contract/operation.ts';
import { nextDeadline, orUnavailable } from '../core/redis-deadline.ts';

/** What was sent in a part of a request. */
type Sent<Schema, Part extends string> =
  Schema extends Readonly<Record<Part, infer Fields extends TSchema>> ? Static<Fields> : unknown;

/** A call with a key, whose permission was checked. */
interface KeyCall<Schema> extends Admitted {
  /** The only jobs and webhooks that it may be about. */
  readonly owner: Pick<Admitted['key'], 'account' | 'environment'>;
  readonly params: Sent<Schema, 'params'>;
  readonly query: Sent<Schema, 'querystring'>;
  readonly body: Sent<Schema, 'body'>;
  readonly headers: FastifyRequest['headers'];
  readonly log: FastifyBaseLogger;
}

/** What the routes of a subject share. */
interface KeyDoor {
  readonly permission: Permission;
  /** The answer for a {@link NotFoundError}. */
  readonly missing?: string;
}

/** A function that adds routes to a scope that requires keys. */
export function keyDoor(app: FastifyInstance, { permission, missing = '' }: KeyDoor) {
  /** @param run gives the answer of the one status of success in the contract. */
  return <const Schema extends Operation['schema']>(
    { method, path: url, schema }: Operation & { readonly schema: Schema },
    run: (call: KeyCall<Schema>) => Promise<unknown>,
  ): void => {
    const status = Number(Object.keys(schema.response as object).find((each) => each.startsWith('2')));
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const { key, standing } = admittedOf(request);
      const { account, environment } = key;
      const { params, query, body, headers, log } = request;
      const sent = { params, query, body } as Pick<KeyCall<Schema>, 'params' | 'query' | 'body'>;
      const answer = run({ key, standing, owner: { account, environment }, ...sent, headers, log });
      const translated = answer.catch((error: unknown) => {
        throw error instanceof NotFoundError ? new PlatenError('NOT_FOUND', { message: missing }) : error;
      });
      reply.code(status);
      // The admission has used the first deadline.
      return orUnavailable(translated, nextDeadline(request));
    };
    app.route({ method, url, schema: schema as FastifySchema, config: { permission }, handler });
  };
}
