/**
 * An operation: what it is called, who may call it, what it takes and answers, what it leaves in the audit, and what it does. It
 * stands here once. Doors let callers in: the operator API, the console API and the command line.
 */
import type { Readable } from 'node:stream';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Account } from '../accounts/keys/records.ts';
import { type Member, type OperatorRole, operatorRoles, type Role, roles } from '../members/member.ts';
import type { Actor, AuditAction, AuditSubject } from '../operator/audit-entry.ts';
import type { Sessions } from '../operator/sessions.ts';
import type { OperationServices } from './services.ts';

/** Sets of roles. */
export const everyOperator = operatorRoles;
export const admins = ['admin'] as const satisfies readonly OperatorRole[];
export const everyMember = roles;
export const keepers = ['owner', 'developer'] as const satisfies readonly Role[];
export const owners = ['owner'] as const satisfies readonly Role[];

/** Groups of the OpenAPI documents. */
export type Tag =
  | 'session'
  | 'operators'
  | 'service'
  | 'accounts'
  | 'account'
  | 'members'
  | 'keys'
  | 'requests'
  | 'jobs'
  | 'webhooks'
  | 'audit';

/** In the OpenAPI document: the summary, and what it does. */
type Says = readonly [summary: string, description: string];

/** An operation at one door: its name and its roles, and what is different there. */
export interface At<R extends string> {
  /** `operationId` of the OpenAPI document. */
  readonly id: string;
  readonly roles: readonly R[];
  readonly path?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tag?: Tag;
  /** Fields of the query that it lacks. */
  readonly without?: readonly string[];
}

/** Where an operator names the account that an operation is about. A member has one. */
export type AccountPlace = 'path' | 'body';

export interface Operation<
  Params extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TObject = TObject,
  Answer extends TSchema = TSchema,
  Named extends AccountPlace | undefined = AccountPlace | undefined,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the door's; with `account: 'path'` below the account's. */
  readonly path: string;
  readonly tag: Tag;
  readonly says: Says;
  /** Undefined: operators cannot call it. */
  readonly operator?: At<OperatorRole>;
  /** Undefined: members cannot call it. */
  readonly member?: At<Role>;
  readonly account?: Named;
  /** It changes only the caller's own sessions and passkeys, so members may call it whatever the state of their account. */
  readonly own?: true;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly answers: {
    readonly body: Answer & { readonly $id?: string };
    /** 200 by default. */
    readonly status?: 201 | 202 | 204;
    /** See {@link csv}, {@link json} and {@link png}. */
    readonly file?: FileKind;
    readonly description: string;
    readonly example: unknown;
  };
  /** What may not exist, in words: see {@link NotFoundError}. An account that an operator names may not, either. */
  readonly missing?: string;
  /** What it may answer with `INVALID_REQUEST`, beside that the body is no JSON. */
  readonly refuses?: string;
  /** What a call leaves in the audit. */
  readonly audit?: AuditAction;
  /** @throws OperatorError, whose text the caller sees; NotFoundError */
  run(services: OperationServices, call: Call<Params, Query, Body, Named>): Promise<Outcome<Answer>>;
}

/** The answer; or what makes it when all is done in Redis, and may take longer than Redis, such as sending a mail or opening a result. */
type Outcome<Answer extends TSchema> =
  | DeepReadonly<Static<Answer>>
  | (() => Promise<DeepReadonly<Static<Answer>>>);

/** The answer of an operation that has nothing to tell. */
export const nothing = (description: string) =>
  ({ status: 204, body: Type.Null(), description, example: null }) as const;

/** A file of text as an answer. It is streamed. */
export interface TextFile {
  readonly name: string;
  readonly text: Iterable<string> | AsyncIterable<string>;
}

/** A file of a known size as an answer. It is streamed. */
export interface SizedFile {
  readonly name: string;
  readonly bytes: number;
  readonly stream: Readable;
}

/** What files an operation gives. */
interface FileKind {
  readonly type: 'text/csv' | 'application/json' | 'image/png';
  /** Example of a name. */
  readonly name: string;
}

/** The answer of an operation that gives a file of CSV. @param name an example. */
export const csv = (description: string, name: string) =>
  ({
    body: Type.Unsafe<TextFile>(Type.String({ description: 'CSV (RFC 4180).' })),
    file: { type: 'text/csv', name },
    description,
    example: undefined,
  }) as const;

/** The answer of an operation that gives a file of JSON. @param content its schema. @param name an example. */
export const json = (
  content: TSchema & { readonly $id?: string },
  description: string,
  name: string,
  example: unknown,
) =>
  ({
    body: Type.Unsafe<TextFile>(content),
    file: { type: 'application/json', name },
    description,
    example,
  }) as const;

/** The answer of an operation that gives a picture. @param name an example. */
export const png = (description: string, name: string) =>
  ({
    body: Type.Unsafe<SizedFile>(Type.String({ format: 'binary', description: 'PNG.' })),
    file: { type: 'image/png', name },
    description,
    example: undefined,
  }) as const;

/** Who calls: all that a door finds out before an operation runs. */
export interface Caller {
  /** The only account whose data they see and change. Undefined: they are an operator, who sees all. */
  readonly account: Account | undefined;
  readonly actor: Actor;
  readonly role: Role | OperatorRole;
  /** Of this service on their machine, for links if it has no other address. */
  readonly port: number | null;
  /** Undefined at doors where nobody signs in. */
  readonly self?: Self;
}

/** Who is signed in, for what they do with their own passkeys and sessions. */
export interface Self {
  /** Undefined: they have the operator's token, not a name. */
  readonly person: Pick<Member, 'id' | 'passkeys'> | undefined;
  readonly sessions: Sessions;
  /** Of their sessions. */
  readonly subject: string;
  /** Id of the session that they use; undefined: the token itself. */
  readonly session: string | undefined;
}

/** What was sent. */
export interface Input<Params extends TObject, Query extends TObject, Body extends TObject> {
  readonly params: DeepReadonly<Static<Params>>;
  readonly query: DeepReadonly<Static<Query>>;
  readonly body: DeepReadonly<Static<Body>>;
}

/** A call as an operation sees it. */
export interface Call<
  Params extends TObject,
  Query extends TObject,
  Body extends TObject,
  Named extends AccountPlace | undefined,
> extends Input<Params, Query, Body>,
    Pick<Caller, 'actor' | 'port' | 'self'> {
  /** The only account that it may be about. Undefined: any. */
  readonly account: Named extends AccountPlace ? Account : Account | undefined;
  /** Writes the operation's entry of the audit. It comes before the change: a crash in between leaves an entry too many, never one too few. */
  note(subject: AuditSubject): Promise<void>;
}

/** Gives the parts of an operation their types. */
export function operation<
  Params extends TObject,
  Query extends TObject,
  Body extends TObject,
  Answer extends TSchema,
  const Named extends AccountPlace | undefined = undefined,
>(parts: Operation<Params, Query, Body, Answer, Named>): Operation<Params, Query, Body, Answer, Named> {
  return parts;
}

/**
 * Runs an operation for a caller whose role was checked.
 *
 * @param input what was sent, which fits the schemas; `account` is the id of the account that an operator names.
 * @param inTime limits how long what it does in Redis may take.
 * @throws OperatorError, NotFoundError
 */
export async function perform<
  Params extends TObject,
  Query extends TObject,
  Body extends TObject,
  Answer extends TSchema,
  Named extends AccountPlace | undefined,
>(
  operation: Operation<Params, Query, Body, Answer, Named>,
  services: OperationServices,
  { account: own, ...caller }: Caller,
  { account: named = '', ...input }: Input<Params, Query, Body> & { readonly account?: string | undefined },
  inTime = <T>(work: Promise<T>): Promise<T> => work,
): Promise<DeepReadonly<Static<Answer>>> {
  const isNamed = own === undefined && operation.account !== undefined;
  const work = async () => {
    const account = isNamed ? await services.keys.requireAccount(named) : own;
    return operation.run(services, {
      ...input,
      ...caller,
      account: account as Call<Params, Query, Body, Named>['account'],
      async note(subject) {
        if (!operation.audit) throw new Error(`${operation.says[0]}: it has no action in the audit`);
        await services.audit.record(caller.actor, operation.audit, subject);
      },
    });
  };
  const outcome = await inTime(work());
  // No schema is that of a function.
  return typeof outcome === 'function' ? (outcome as () => Promise<DeepReadonly<Static<Answer>>>)() : outcome;
}

/** Records need not be copied to become answers. */
export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends TextFile | SizedFile
    ? T
    : T extends object
      ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
      : T;
