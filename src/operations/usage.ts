/** What accounts have used, and their bills. */
import { Type } from 'typebox';
import { ledgerCsv } from '../accounts/billing/ledger-csv.ts';
import { monthOf } from '../accounts/billing/months.ts';
import { MAX_KEYS } from '../accounts/keys/records.ts';
import { readAccountUsage } from '../accounts/limits/account-standing.ts';
import { accountUsage } from '../accounts/limits/account-usage.ts';
import { csv, everyMember, everyOperator, operation } from './operation.ts';
import { bytes, count, month, orNull, time, words } from './schema.ts';

/** Rate windows as they are now. */
export const rateWindows = (description: string) =>
  Type.Array(
    Type.Object({
      name: words(['second', 'hour', 'day'], { description: 'Length of the window.' }),
      limit: count('Requests that it allows.'),
      remaining: count('Requests left.'),
      resetsAt: time('When it ends and starts again.'),
    }),
    { description },
  );

export const Usage = Type.Object(
  {
    account: Type.String({ description: 'Id of the account.' }),
    plan: Type.String({ description: 'Its current plan.' }),
    environment: words(['test', 'live'], {
      description: '`test`: use of the calling test key. `live`: use of all live keys of the account.',
    }),
    month: Type.String({ description: 'The month as YYYY-MM, UTC.' }),
    conversions: Type.Object(
      {
        used: count('PDFs made in the month.'),
        quota: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
          description:
            'Conversions a month that the account may make now: of its plan, or its own. `null`: unlimited.',
        }),
        renewsAt: time('Start of the next month.'),
      },
      { description: 'What counts against the monthly quota.' },
    ),
    windows: rateWindows('The current rate windows of the calling key, without unlimited ones.'),
    days: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date', description: 'The day, UTC.' }),
        conversions: count('PDFs made.'),
        pages: count('Pages of these PDFs.'),
        bytesIn: bytes('Size of their documents.'),
        bytesOut: bytes('Size of the PDFs.'),
        failures: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
          description: 'Number of admitted conversions that failed, by `code`. Not billed.',
        }),
      }),
      { description: 'The days on which a PDF was made or a conversion failed, in order.' },
    ),
    keys: Type.Array(
      Type.Object({
        key: orNull(
          Type.String(),
          `Id of the key. \`null\`: keys beyond the first ${MAX_KEYS.toLocaleString('en')} of the month, together.`,
        ),
        name: orNull(Type.String(), 'Name of the key. `null`: its record is no longer kept.'),
        display: orNull(Type.String(), 'Short form of the key. `null`: as `name`.'),
        conversions: count('PDFs made.'),
        pages: count('Pages of these PDFs.'),
      }),
      {
        description:
          'The keys that made PDFs, the one with the most first; in `GET /v1/usage`, only the key that asks. What was made before the service counted by key is not in it.',
      },
    ),
  },
  { $id: 'Usage', description: 'What an account has used in a month, and what is left.' },
);

/** A month of use. */
export const usageExample = {
  account: 'acme',
  plan: 'pro',
  environment: 'live',
  month: '2026-11',
  conversions: { used: 1, quota: 100_000, renewsAt: '2026-12-01T00:00:00.000Z' },
  windows: [
    { name: 'second', limit: 100, remaining: 98, resetsAt: '2026-11-21T07:40:36.000Z' },
    { name: 'hour', limit: 1_000, remaining: 998, resetsAt: '2026-11-21T08:00:00.000Z' },
    { name: 'day', limit: 10_000, remaining: 9_998, resetsAt: '2026-11-22T00:00:00.000Z' },
  ],
  days: [
    {
      date: '2026-11-21',
      conversions: 1,
      pages: 1,
      bytesIn: 5_346,
      bytesOut: 37_982,
      failures: { CORRUPTED_FILE: 2 },
    },
  ],
  keys: [
    {
      key: 'key_4f1c0a9be27d38560c',
      name: 'back end',
      display: 'svc_live_sk_…a1B2',
      conversions: 1,
      pages: 1,
    },
  ],
};

export const getUsageOf = operation({
  method: 'GET',
  path: '/usage',
  tag: 'accounts',
  says: [
    'What an account has used in a month, by day and key',
    'What `GET /v1/usage` answers for its live keys. Days are kept for 400 days.',
  ],
  operator: { id: 'getAccountUsage', roles: everyOperator, without: ['environment'] },
  member: {
    id: 'getOwnUsage',
    roles: everyMember,
    tag: 'account',
    summary: 'What the account has used in a month, by day and key',
    description:
      'What `GET /v1/usage` answers for its live keys, or for all its test keys together. Days are kept for 400 days.',
  },
  account: 'path',
  query: Type.Object({
    month: month(),
    environment: Type.Optional(
      words(['live', 'test'], { description: 'Of live keys, or of all test keys. Default: `live`.' }),
    ),
  }),
  answers: { body: Usage, description: 'The usage of the month.', example: { ...usageExample, windows: [] } },
  async run({ redis, plans, usage }, { account, query: { month, environment } }) {
    if (environment !== 'test') return readAccountUsage(redis, plans, account, month);
    const { id, plan } = account;
    const used = await usage.month(id, 'test', month ?? monthOf(Date.now()));
    return accountUsage({ account: id, plan, environment }, null, [], used);
  },
});

export const getLedger = operation({
  method: 'GET',
  path: '/ledger',
  tag: 'accounts',
  says: [
    'The ledger of an account and month as CSV',
    'One row per billed conversion, with the columns of `platen usage export`, streamed.',
  ],
  operator: { id: 'getLedger', roles: everyOperator },
  member: {
    id: 'getOwnLedger',
    roles: ['owner', 'billing'],
    tag: 'account',
    summary: 'The ledger of a month as CSV',
    description: 'One row per billed conversion, streamed.',
  },
  account: 'path',
  query: Type.Object({ month: month() }),
  answers: csv('The ledger.', 'platen-acme-2026-11.csv'),
  async run({ usage }, { account: { id }, query: { month = monthOf(Date.now()) } }) {
    return { name: `platen-${id}-${month}.csv`, text: lines(ledgerCsv(usage.ledger(id, month))) };
  },
});

/** In the order of the OpenAPI documents. */
export const usageOperations = [getUsageOf, getLedger];

async function* lines(rows: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const row of rows) yield `${row}\n`;
}
