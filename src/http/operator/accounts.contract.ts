/** /operator/v1/accounts: accounts, their plans, usage and bills. */

import { type TSchema, Type } from 'typebox';
import {
  count,
  cursor,
  month,
  nextCursor,
  orNull,
  pageSize,
  time,
  timeOrNull,
  words,
} from '../../operations/schema.ts';
import { limitNames } from '../../plans/own-limits.ts';
import type { PlanLimits } from '../../plans/plans.ts';
import { Usage, usageExample } from '../account/usage.contract.ts';
import { requestIdHeader } from '../contract/headers.ts';
import { jsonResponse } from '../contract/responses.ts';
import { byOperator, changeErrors, notFound, type OperatorOperation, readErrors } from './operation.ts';

export const noAccount = 'There is no such account.';
export const accountNotFound = notFound(noAccount);

export const accountParams = Type.Object({
  account: Type.String({
    minLength: 1,
    maxLength: 63,
    description: 'Id of the account.',
    examples: ['acme'],
  }),
});

const limit = (description: string) =>
  orNull(Type.Integer({ minimum: 1 }), `${description} \`null\`: unlimited.`);

const Limits = Type.Object(
  {
    perSecond: limit('Requests a second.'),
    perHour: limit('Requests an hour.'),
    perDay: limit('Requests a day, UTC.'),
    perMonth: limit('Conversions a calendar month, UTC: the quota.'),
  } satisfies Record<keyof PlanLimits, TSchema>,
  { description: 'How much may be used.' },
);

const Plan = Type.Object(
  {
    name: Type.String({ description: 'Name of the plan.' }),
    limits: Limits,
    features: Type.Array(Type.String(), {
      description: 'Options that need a plan; `all` allows every option.',
    }),
  },
  { description: 'A plan.' },
);

const limitValue = () =>
  orNull(Type.Integer({ minimum: 1, maximum: 1_000_000_000 }), 'The limit. `null`: unlimited.');

const OwnLimit = Type.Object(
  {
    limit: words(limitNames, { description: 'Which limit of the plan it replaces, for live keys.' }),
    value: limitValue(),
    from: timeOrNull('When it begins to hold. `null`: it holds already.'),
    until: timeOrNull('When it ends to hold. `null`: never.'),
  },
  { description: 'A limit of the account’s own.' },
);

const identity = {
  id: Type.String({ description: 'Id of the account.' }),
  name: Type.String({ description: 'Name of the customer.' }),
  plan: Type.String({ description: 'Name of its plan.' }),
  createdAt: time('Time of its creation.'),
  suspendedAt: timeOrNull('Since when its keys are refused. `null`: they are not.'),
  deletesAt: timeOrNull(
    'When everything of it is removed; until then its keys are refused. `null`: it is not to be deleted.',
  ),
  ownLimits: Type.Array(OwnLimit, {
    description: 'Limits in place of those of its plan, also those that hold later or not any more.',
  }),
};

export const Account = Type.Object(identity, { $id: 'Account', description: 'A customer, who owns keys.' });

const quotaUse = {
  month: Type.String({ description: 'This month as YYYY-MM, UTC.' }),
  used: count('PDFs made for live keys this month.'),
  quota: orNull(Type.Integer({ minimum: 0 }), 'Conversions a month. `null`: unlimited.'),
  keys: count('Number of its keys, including revoked and expired ones.'),
};

export const AccountList = Type.Object(
  {
    accounts: Type.Array(Type.Object({ ...identity, ...quotaUse }), {
      description: 'By name, then by id.',
    }),
    total: count('Number of all accounts, whatever the search.'),
    next: nextCursor(),
  },
  { $id: 'AccountList', description: 'A page of accounts.' },
);

export const AccountDetail = Type.Object(
  {
    ...identity,
    ...quotaUse,
    renewsAt: time('When the quota renews.'),
    reserved: count('Running conversions, each of which reserves one of the quota.'),
    limits: orNull(Limits, 'The limits that hold now. `null`: this server does not know the plan.'),
    windows: Type.Array(
      Type.Object({
        name: words(['second', 'hour', 'day'], { description: 'Length of the window.' }),
        limit: count('Requests that it allows.'),
        remaining: count('Requests left.'),
        resetsAt: time('When it ends and starts again.'),
      }),
      { description: 'The current rate windows that its live keys share, without unlimited ones.' },
    ),
  },
  { $id: 'AccountDetail', description: 'An account and its current use.' },
);

export const PlanList = Type.Object(
  { plans: Type.Array(Plan, { description: 'In the order of PLANS_FILE.' }) },
  { $id: 'PlanList', description: 'The plans of this server.' },
);

const plansExample = { perSecond: 100, perHour: 1_000, perDay: 10_000, perMonth: 100_000 };
const accountExample = {
  id: 'acme',
  name: 'Acme Ltd',
  plan: 'pro',
  createdAt: '2026-11-01T09:00:00.000Z',
  suspendedAt: null,
  deletesAt: null,
  ownLimits: [{ limit: 'perMonth', value: 200_000, from: null, until: '2027-01-01T00:00:00.000Z' }],
};
const useExample = { month: '2026-11', used: 4_711, quota: 100_000, keys: 3 };

export const listPlans = {
  method: 'GET',
  path: '/operator/v1/plans',
  schema: {
    operationId: 'listPlans',
    tags: ['accounts'],
    summary: 'The plans',
    description: 'The plans of `PLANS_FILE`.',
    security: byOperator,
    response: {
      200: jsonResponse(PlanList, {
        description: 'The plans.',
        example: { plans: [{ name: 'pro', limits: plansExample, features: ['all'] }] },
      }),
      ...readErrors,
    },
  },
} as const satisfies OperatorOperation;

export const listAccounts = {
  method: 'GET',
  path: '/operator/v1/accounts',
  schema: {
    operationId: 'listAccounts',
    tags: ['accounts'],
    summary: 'Accounts, by name',
    description:
      'All accounts, or those whose name or id contains a text. Among very many accounts, a page may have ' +
      'fewer entries than the limit, or none, and still a `next`: the search continues there.',
    security: byOperator,
    querystring: Type.Object({
      search: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'A part of the name or the id; case is ignored.',
        }),
      ),
      after: cursor(),
      limit: pageSize(50, 200),
    }),
    response: {
      200: jsonResponse(AccountList, {
        description: 'A page of accounts.',
        example: { accounts: [{ ...accountExample, ...useExample }], total: 1, next: null },
      }),
      ...readErrors,
    },
  },
} as const satisfies OperatorOperation;

export const createAccount = {
  method: 'POST',
  path: '/operator/v1/accounts',
  schema: {
    operationId: 'createAccount',
    tags: ['accounts'],
    summary: 'Create an account',
    description: 'Like `platen accounts create`. An id that exists is `INVALID_PARAMETER`.',
    security: byOperator,
    body: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the customer.' }),
        plan: Type.String({ minLength: 1, maxLength: 63, description: 'Name of its plan.' }),
        id: Type.Optional(
          Type.String({
            pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
            description: 'Its id. Default: a generated one.',
            examples: ['acme'],
          }),
        ),
      },
      { additionalProperties: false },
    ),
    response: {
      201: jsonResponse(Account, { description: 'The account.', example: accountExample }),
      ...changeErrors,
    },
  },
} as const satisfies OperatorOperation;

export const getAccount = {
  method: 'GET',
  path: '/operator/v1/accounts/:account',
  schema: {
    operationId: 'getAccount',
    tags: ['accounts'],
    summary: 'An account and its current use',
    description: 'Its plan, its rate windows and its quota.',
    security: byOperator,
    params: accountParams,
    response: {
      200: jsonResponse(AccountDetail, {
        description: 'The account.',
        example: {
          ...accountExample,
          ...useExample,
          renewsAt: '2026-12-01T00:00:00.000Z',
          reserved: 1,
          limits: plansExample,
          windows: [{ name: 'hour', limit: 1_000, remaining: 998, resetsAt: '2026-11-21T09:00:00.000Z' }],
        },
      }),
      ...readErrors,
      ...accountNotFound,
    },
  },
} as const satisfies OperatorOperation;

export const setPlan = {
  method: 'PUT',
  path: '/operator/v1/accounts/:account/plan',
  schema: {
    operationId: 'setPlan',
    tags: ['accounts'],
    summary: 'Change the plan of an account',
    description: 'Takes effect with the next request.',
    security: byOperator,
    params: accountParams,
    body: Type.Object(
      { plan: Type.String({ minLength: 1, maxLength: 63, description: 'Name of the new plan.' }) },
      { additionalProperties: false },
    ),
    response: {
      200: jsonResponse(Account, { description: 'The account.', example: accountExample }),
      ...changeErrors,
      ...accountNotFound,
    },
  },
} as const satisfies OperatorOperation;

export const renameAccount = {
  method: 'PUT',
  path: '/operator/v1/accounts/:account/name',
  schema: {
    operationId: 'renameAccount',
    tags: ['accounts'],
    summary: 'Rename an account',
    description: 'Its id stays.',
    security: byOperator,
    params: accountParams,
    body: Type.Object(
      { name: Type.String({ minLength: 1, maxLength: 200, description: 'The new name.' }) },
      { additionalProperties: false },
    ),
    response: {
      200: jsonResponse(Account, { description: 'The account.', example: accountExample }),
      ...changeErrors,
      ...accountNotFound,
    },
  },
} as const satisfies OperatorOperation;

const limitParams = Type.Object({
  ...accountParams.properties,
  limit: words(limitNames, { description: 'The limit.' }),
});
const limitPath = '/operator/v1/accounts/:account/limits/:limit';
const limitTime = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description, examples: ['2027-01-01T00:00:00Z'] }));

export const setLimit = {
  method: 'PUT',
  path: limitPath,
  schema: {
    operationId: 'setLimit',
    tags: ['accounts'],
    summary: 'Give an account a limit of its own',
    description:
      'It replaces one limit of the plan for the live keys of the account, from the next request on or in the given time, ' +
      'also in what `GET /v1/usage` answers. An account has one for each limit.',
    security: byOperator,
    params: limitParams,
    body: Type.Object(
      {
        value: limitValue(),
        from: limitTime('When it begins to hold, with time zone. Default: at once.'),
        until: limitTime('When it ends to hold, with time zone. Default: never.'),
      },
      { additionalProperties: false },
    ),
    response: {
      200: jsonResponse(Account, { description: 'The account.', example: accountExample }),
      ...changeErrors,
      ...accountNotFound,
    },
  },
} as const satisfies OperatorOperation;

export const removeLimit = {
  method: 'DELETE',
  path: limitPath,
  schema: {
    operationId: 'removeLimit',
    tags: ['accounts'],
    summary: 'Remove a limit of an account’s own',
    description: 'The limit of its plan holds again from the next request on.',
    security: byOperator,
    params: limitParams,
    response: {
      200: jsonResponse(Account, {
        description: 'The account.',
        example: { ...accountExample, ownLimits: [] },
      }),
      ...changeErrors,
      ...accountNotFound,
    },
  },
} as const satisfies OperatorOperation;

export const suspendAccount = {
  method: 'POST',
  path: '/operator/v1/accounts/:account/suspend',
  schema: {
    operationId: 'suspendAccount',
    tags: ['accounts'],
    summary: 'Suspend an account',
    description:
      'From the next request on its keys get 403 `ACCOUNT_SUSPENDED`. Running conversions and running files of jobs finish and ' +
      'are billed; files that wait go on waiting, and none is fetched. Suspending it again changes nothing.',
    security: byOperator,
    params: accountParams,
    response: {
      200: jsonResponse(Account, {
        description: 'The account.',
        example: { ...accountExample, suspendedAt: '2026-11-21T08:00:00.000Z' },
      }),
      ...changeErrors,
      ...accountNotFound,
    },
  },
} as const satisfies OperatorOperation;

export const resumeAccount = {
  method: 'POST',
  path: '/operator/v1/accounts/:account/resume',
  schema: {
    operationId: 'resumeAccount',
    tags: ['accounts'],
    summary: 'Resume a suspended account',
    description: 'Its keys work from the next request on, and files that waited are queued within a minute.',
    security: byOperator,
    params: accountParams,
    response: {
      200: jsonResponse(Account, { description: 'The account.', example: accountExample }),
      ...changeErrors,
      ...accountNotFound,
    },
  },
} as const satisfies OperatorOperation;

export const deleteAccount = {
  method: 'DELETE',
  path: '/operator/v1/accounts/:account',
  schema: {
    operationId: 'deleteAccount',
    tags: ['accounts'],
    summary: 'Delete an account in 30 days',
    description:
      'From the next request on its keys get 403 `ACCOUNT_SUSPENDED`. At `deletesAt` everything of it is removed for good: ' +
      'keys, settings, webhooks, jobs with their results, requests, usage, and its entries in the audit. The rows of its ledger ' +
      'stay, without the names of account and key. Until then it can be restored.',
    security: byOperator,
    params: accountParams,
    response: {
      200: jsonResponse(Account, {
        description: 'The account.',
        example: { ...accountExample, deletesAt: '2026-12-21T08:00:00.000Z' },
      }),
      ...changeErrors,
      ...accountNotFound,
    },
  },
} as const satisfies OperatorOperation;

export const restoreAccount = {
  method: 'POST',
  path: '/operator/v1/accounts/:account/restore',
  schema: {
    operationId: 'restoreAccount',
    tags: ['accounts'],
    summary: 'Restore an account that is to be deleted',
    description: 'It is as before, suspended if it was.',
    security: byOperator,
    params: accountParams,
    response: {
      200: jsonResponse(Account, { description: 'The account.', example: accountExample }),
      ...changeErrors,
      ...accountNotFound,
    },
  },
} as const satisfies OperatorOperation;

export const getAccountUsage = {
  method: 'GET',
  path: '/operator/v1/accounts/:account/usage',
  schema: {
    operationId: 'getAccountUsage',
    tags: ['accounts'],
    summary: 'What an account has used in a month, by day',
    description: 'What `GET /v1/usage` answers for its live keys. Days are kept for 400 days.',
    security: byOperator,
    params: accountParams,
    querystring: Type.Object({ month: month() }),
    response: {
      200: jsonResponse(Usage, {
        description: 'The use of the month.',
        example: { ...usageExample, windows: [] },
      }),
      ...readErrors,
      ...accountNotFound,
    },
  },
} as const satisfies OperatorOperation;

export const getLedger = {
  method: 'GET',
  path: '/operator/v1/accounts/:account/ledger',
  schema: {
    operationId: 'getLedger',
    tags: ['accounts'],
    summary: 'The ledger of an account and month as CSV',
    description: 'One row per billed conversion, with the columns of `platen usage export`, streamed.',
    security: byOperator,
    params: accountParams,
    querystring: Type.Object({ month: month() }),
    response: {
      200: {
        description: 'The ledger.',
        headers: {
          ...requestIdHeader,
          'Content-Disposition': {
            type: 'string',
            required: true,
            description: 'A name for the file.',
            example: 'attachment; filename="platen-acme-2026-11.csv"',
          },
        },
        content: { 'text/csv': { schema: Type.String({ description: 'CSV (RFC 4180).' }) } },
      },
      ...readErrors,
      ...accountNotFound,
    },
  },
} as const satisfies OperatorOperation;
