/** Accounts, their plans, and limits of their own. */
import { type Static, type TSchema, Type } from 'typebox';
import { monthEnd } from '../accounts/billing/months.ts';
import type { Account as AccountRecord } from '../accounts/keys/records.ts';
import type { AccountStanding } from '../accounts/limits/account-standing.ts';
import { windowsForPeople } from '../accounts/limits/windows.ts';
import { limitNames } from '../accounts/plans/own-limits.ts';
import { limitsOf, type PlanLimits } from '../accounts/plans/plans.ts';
import { isolations } from '../shared/options/conversion-options.ts';
import {
  admins,
  type Call,
  type DeepReadonly,
  everyMember,
  everyOperator,
  operation,
  owners,
} from './operation.ts';
import {
  closed,
  count,
  cursor,
  moment,
  nextCursor,
  orNull,
  pageSize,
  time,
  timeOrNull,
  words,
} from './schema.ts';
import type { OperationServices } from './services.ts';
import { rateWindows } from './usage.ts';

const PAGE = 50;

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
    isolation: words(isolations, { description: '`document`: each document has a process of its own.' }),
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
    until: timeOrNull('When it ends. `null`: never.'),
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
    'When all its data is removed; until then its keys are refused. `null`: it is not to be deleted.',
  ),
  isolation: words(isolations, {
    description:
      '`document`: each of its documents has a process of its own. `account`: as its plan and the service say.',
  }),
  ownLimits: Type.Array(OwnLimit, {
    description:
      'Limits in place of those of its plan, including those that do not hold yet, or no longer hold.',
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
    isolationNow: words(isolations, {
      description: 'What holds by the account or its plan. `account`: as the service and each request say.',
    }),
    limits: orNull(Limits, 'The limits that hold now. `null`: this server does not know the plan.'),
    windows: rateWindows('The current rate windows that its live keys share, without unlimited ones.'),
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
  isolation: 'account',
  ownLimits: [{ limit: 'perMonth', value: 200_000, from: null, until: '2027-01-01T00:00:00.000Z' }],
};
const useExample = { month: '2026-11', used: 4_711, quota: 100_000, keys: 3 };

/** What operations that change an account answer. */
const changed = { body: Account, description: 'The account.', example: accountExample } as const;

export const listPlans = operation({
  method: 'GET',
  path: '/plans',
  tag: 'accounts',
  says: ['The plans', 'The plans of `PLANS_FILE`.'],
  operator: { id: 'listPlans', roles: everyOperator },
  answers: {
    body: PlanList,
    description: 'The plans.',
    example: { plans: [{ name: 'pro', limits: plansExample, features: ['all'], isolation: 'account' }] },
  },
  run: async ({ plans }) => ({
    plans: [...plans].map(([name, plan]) => ({
      name,
      limits: limitsOf(plan),
      features: [...plan.features],
      isolation: plan.isolation ?? 'account',
    })),
  }),
});

export const listAccounts = operation({
  method: 'GET',
  path: '/accounts',
  tag: 'accounts',
  says: [
    'Accounts, by name',
    'All accounts, or those whose name or id contains a text. Among very many accounts, a page may have ' +
      'fewer entries than the limit, or none, and still a `next`: the search continues there.',
  ],
  operator: { id: 'listAccounts', roles: everyOperator },
  query: Type.Object({
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'A part of the name or the id; case is ignored.',
      }),
    ),
    after: cursor(),
    limit: pageSize(PAGE, 200),
  }),
  answers: {
    body: AccountList,
    description: 'A page of accounts.',
    example: { accounts: [{ ...accountExample, ...useExample }], total: 1, next: null },
  },
  async run({ directory }, { query: { search, after, limit = PAGE } }) {
    const place = after === undefined ? undefined : Buffer.from(after, 'base64url').toString('utf8');
    const page = await directory.page({ search, after: place, limit });
    return {
      ...page,
      next: page.next === null ? null : Buffer.from(page.next, 'utf8').toString('base64url'),
    };
  },
});

export const createAccount = operation({
  method: 'POST',
  path: '/accounts',
  tag: 'accounts',
  says: ['Create an account', 'Like `platen accounts create`. An id that exists is `INVALID_PARAMETER`.'],
  operator: { id: 'createAccount', roles: admins },
  body: closed({
    name: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the customer.' }),
    plan: Type.String({ minLength: 1, maxLength: 63, description: 'Name of its plan.' }),
    id: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
        description: 'Its id. Default: a generated one.',
        examples: ['acme'],
      }),
    ),
  }),
  answers: { ...changed, status: 201 },
  audit: 'account.created',
  run: ({ keys }, { body, note }) =>
    keys.createAccount(body, ({ id: account, name, plan }) => note({ account, details: { name, plan } })),
});

export const getAccount = operation({
  method: 'GET',
  path: '',
  tag: 'accounts',
  says: ['An account and its current use', 'Its plan, its rate windows and its quota.'],
  operator: { id: 'getAccount', roles: everyOperator },
  member: {
    id: 'getOwnAccount',
    roles: everyMember,
    path: '/account',
    summary: 'The account and its current use',
    tag: 'account',
  },
  account: 'path',
  answers: {
    body: AccountDetail,
    description: 'The account.',
    example: {
      ...accountExample,
      ...useExample,
      renewsAt: '2026-12-01T00:00:00.000Z',
      reserved: 1,
      isolationNow: 'account',
      limits: plansExample,
      windows: [{ name: 'hour', limit: 1_000, remaining: 998, resetsAt: '2026-11-21T09:00:00.000Z' }],
    },
  },
  run: async ({ directory }, { account }) => describeStanding(account, await directory.standing(account)),
});

export const renameAccount = operation({
  method: 'PUT',
  path: '/name',
  tag: 'accounts',
  says: ['Rename an account', 'Its id stays.'],
  operator: { id: 'renameAccount', roles: admins },
  member: {
    id: 'renameOwnAccount',
    roles: owners,
    path: '/account/name',
    summary: 'Rename the account',
    tag: 'account',
  },
  account: 'path',
  body: closed({ name: Type.String({ minLength: 1, maxLength: 200, description: 'The new name.' }) }),
  answers: changed,
  audit: 'account.renamed',
  run: ({ keys }, { account: { id }, body: { name }, note }) =>
    keys.changes.rename(id, name, (former) =>
      note({ account: id, details: { name, formerName: former.name } }),
    ),
});

export const setPlan = operation({
  method: 'PUT',
  path: '/plan',
  tag: 'accounts',
  says: ['Change the plan of an account', 'Takes effect with the next request.'],
  operator: { id: 'setPlan', roles: admins },
  account: 'path',
  body: closed({ plan: Type.String({ minLength: 1, maxLength: 63, description: 'Name of the new plan.' }) }),
  answers: changed,
  audit: 'account.plan-changed',
  run: ({ keys }, { account: { id }, body: { plan }, note }) =>
    keys.setPlan(id, plan, (former) => note({ account: id, details: { plan, formerPlan: former.plan } })),
});

const limitParams = Type.Object({ limit: words(limitNames, { description: 'The limit.' }) });
const limitTime = (description: string) => moment(description, '2027-01-01T00:00:00Z');

export const setLimit = operation({
  method: 'PUT',
  path: '/limits/:limit',
  tag: 'accounts',
  says: [
    'Give an account a limit of its own',
    'It replaces one limit of the plan for the live keys of the account, from the next request on or in the given time, ' +
      'also in what `GET /v1/usage` answers. An account has one for each limit.',
  ],
  operator: { id: 'setLimit', roles: admins },
  account: 'path',
  params: limitParams,
  body: closed({
    value: limitValue(),
    from: limitTime('When it begins to hold, with time zone. Default: at once.'),
    until: limitTime('When it ends, with time zone. Default: never.'),
  }),
  answers: changed,
  audit: 'account.limit-set',
  run({ keys }, { account: { id }, params: { limit }, body, note }) {
    const { value, from = null, until = null } = body;
    const times = { ...(from !== null && { from }), ...(until !== null && { until }) };
    const details = { limit, value: value === null ? 'unlimited' : `${value}`, ...times };
    return keys.changes.setLimit(id, { limit, value, from, until }, () => note({ account: id, details }));
  },
});

export const removeLimit = operation({
  method: 'DELETE',
  path: '/limits/:limit',
  tag: 'accounts',
  says: ['Remove a limit of an account’s own', 'The limit of its plan holds again from the next request on.'],
  operator: { id: 'removeLimit', roles: admins },
  account: 'path',
  params: limitParams,
  answers: { ...changed, example: { ...accountExample, ownLimits: [] } },
  audit: 'account.limit-removed',
  run: ({ keys }, { account: { id }, params: { limit }, note }) =>
    keys.changes.removeLimit(id, limit, () => note({ account: id, details: { limit } })),
});

export const setIsolation = operation({
  method: 'PUT',
  path: '/isolation',
  tag: 'accounts',
  says: [
    'Give the documents of an account a process each',
    'Where `DOCUMENTS_PER_CHILD` is above 1. It holds from the next request on; a job is converted as it was when it was taken.',
  ],
  operator: { id: 'setIsolation', roles: admins },
  account: 'path',
  body: Type.Object(
    {
      isolation: words(isolations, {
        description: '`document`: a process for each document. `account`: as its plan and the service say.',
      }),
    },
    { additionalProperties: false },
  ),
  answers: { ...changed, example: { ...accountExample, isolation: 'document' } },
  audit: 'account.isolation-set',
  run: ({ keys }, { account: { id }, body: { isolation }, note }) =>
    keys.changes.setIsolation(id, isolation, () => note({ account: id, details: { isolation } })),
});

export const suspendAccount = operation({
  method: 'POST',
  path: '/suspend',
  tag: 'accounts',
  says: [
    'Suspend an account',
    'From the next request on its keys get 403 `ACCOUNT_SUSPENDED`. Running conversions and running files of jobs finish and ' +
      'are billed; files that wait go on waiting, and none is fetched. Suspending it again changes nothing.',
  ],
  operator: { id: 'suspendAccount', roles: admins },
  account: 'path',
  answers: { ...changed, example: { ...accountExample, suspendedAt: '2026-11-21T08:00:00.000Z' } },
  audit: 'account.suspended',
  run: (services, call) =>
    hold(services, call, call.account.suspendedAt === null, (id) =>
      services.keys.changes.setSuspended(id, true),
    ),
});

export const resumeAccount = operation({
  method: 'POST',
  path: '/resume',
  tag: 'accounts',
  says: [
    'Resume a suspended account',
    'Its keys work from the next request on, and files that waited are queued within a minute.',
  ],
  operator: { id: 'resumeAccount', roles: admins },
  account: 'path',
  answers: changed,
  audit: 'account.resumed',
  run: (services, call) =>
    hold(services, call, call.account.suspendedAt !== null, (id) =>
      services.keys.changes.setSuspended(id, false),
    ),
});

export const deleteAccount = operation({
  method: 'DELETE',
  path: '',
  tag: 'accounts',
  says: [
    'Delete an account in 30 days',
    'From the next request on its keys get 403 `ACCOUNT_SUSPENDED`. At `deletesAt` everything of it is removed for good: ' +
      'keys, settings, webhooks, jobs with their results, requests, usage, and its entries in the audit. The rows of its ledger ' +
      'stay, without the names of account and key. Until then it can be restored.',
  ],
  operator: { id: 'deleteAccount', roles: admins },
  account: 'path',
  answers: { ...changed, example: { ...accountExample, deletesAt: '2026-12-21T08:00:00.000Z' } },
  audit: 'account.deletion-planned',
  run: (services, call) =>
    hold(services, call, call.account.deletesAt === null, (id) => services.keys.changes.planDeletion(id)),
});

export const restoreAccount = operation({
  method: 'POST',
  path: '/restore',
  tag: 'accounts',
  says: ['Restore an account that is to be deleted', 'It is as before, suspended if it was.'],
  operator: { id: 'restoreAccount', roles: admins },
  account: 'path',
  answers: changed,
  audit: 'account.restored',
  run: (services, call) =>
    hold(services, call, call.account.deletesAt !== null, (id) => services.keys.changes.restore(id)),
});

/** In the order of the OpenAPI documents. */
export const accountOperations = [
  listPlans,
  listAccounts,
  createAccount,
  getAccount,
  renameAccount,
  setPlan,
  setLimit,
  removeLimit,
  setIsolation,
  suspendAccount,
  resumeAccount,
  deleteAccount,
  restoreAccount,
];

/** Changes whether an account's keys are refused, and tells the jobs of it. @param isChange false: it is so already. */
async function hold(
  { held }: OperationServices,
  { account, note }: Pick<Call<never, never, never, 'path'>, 'account' | 'note'>,
  isChange: boolean,
  change: (account: string) => Promise<AccountRecord>,
): Promise<AccountRecord> {
  if (!isChange) return account;
  await note({ account: account.id });
  const after = await change(account.id);
  await held.renew(account.id);
  return after;
}

/** Usage and limits of an account as an answer. */
function describeStanding(
  account: AccountRecord,
  {
    month,
    limits,
    used,
    reserved,
    windows,
    isolation: isolationNow,
    keys,
  }: AccountStanding & { readonly keys: number },
): DeepReadonly<Static<typeof AccountDetail>> {
  return {
    ...account,
    month,
    used,
    quota: limits?.perMonth ?? null,
    keys,
    renewsAt: new Date(monthEnd(month)).toISOString(),
    reserved,
    isolationNow,
    limits: limits ?? null,
    windows: windowsForPeople(windows),
  };
}
