/** All data of an account as one file: what the lists of its pages have. */
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { keptMonths } from '../accounts/billing/months.ts';
import { AccountDetail, getAccount } from './accounts.ts';
import { AuditEntry, listAudit } from './audit.ts';
import { Contacts, getContacts } from './contacts.ts';
import { listJobs, OperatorJobSummary } from './jobs.ts';
import { environment } from './key-schema.ts';
import { Key, listKeys } from './keys.ts';
import { Invitation, listMembers, Member } from './members.ts';
import {
  admins,
  type Caller,
  type DeepReadonly,
  json,
  type Operation,
  operation,
  owners,
  perform,
} from './operation.ts';
import { listRequests, RequestRecord } from './requests.ts';
import { count, named, orNull, time, words } from './schema.ts';
import type { OperationServices } from './services.ts';
import { Usage, usageExample } from './usage.ts';
import { webhookExample } from './webhook-schema.ts';
import { listOwnWebhooks, listWebhooks, OperatorWebhook } from './webhooks.ts';

/** Entries of a list that the file has at most. */
const MOST = 10_000;
/** Lists that may have more. */
const endless = ['keys', 'jobs', 'requests', 'audit'] as const;

const { month, days, keys } = Usage.properties;

const AccountExport = Type.Object(
  {
    exportedAt: time('When the export began.'),
    account: named(AccountDetail),
    contacts: named(Contacts),
    members: Type.Array(named(Member), { description: 'In the order in which they joined.' }),
    invitations: Type.Array(named(Invitation), {
      description: 'Open ones, the newest first, without their links.',
    }),
    keys: Type.Array(named(Key), { description: 'Working and ended keys, without the keys themselves.' }),
    webhooks: Type.Array(
      Type.Object({
        ...OperatorWebhook.properties,
        url: orNull(
          Type.String(),
          'Where messages go. `null`: an operator exported it, who sees `origin` only.',
        ),
        description: orNull(Type.String(), 'As `url`: the words of the account about it.'),
      }),
      { description: 'Endpoints of webhooks, without their secrets.' },
    ),
    usage: Type.Array(
      Type.Object({ month, environment, used: count('PDFs made in the month.'), days, keys }),
      {
        description: 'The months with any use that are still kept, the newest first.',
      },
    ),
    requests: Type.Array(named(RequestRecord), { description: 'Recent requests, the newest first.' }),
    jobs: Type.Array(named(OperatorJobSummary), {
      description:
        'Those of live keys first, the newest first; of each environment as many as of other lists.',
    }),
    audit: Type.Array(named(AuditEntry), { description: 'The newest first; this export is in it.' }),
    cut: Type.Array(words(endless), {
      description: `Lists that have more entries than the ${MOST.toLocaleString('en')} of this file; usually none.`,
    }),
  },
  {
    $id: 'AccountExport',
    description: 'All data of an account but its documents, PDFs, secrets and ledger.',
  },
);

const rowsIn = ({ answers }: Pick<Operation, 'answers'>, field: string): unknown =>
  (answers.example as Readonly<Record<string, unknown>>)[field];

export const exportAccount = operation({
  method: 'GET',
  path: '/export',
  tag: 'accounts',
  says: [
    'All data of an account as JSON',
    'Account and limits, contacts, members, keys, webhooks, usage by month, recent requests, jobs and audit: each as its own list ' +
      `has it, with at most ${MOST.toLocaleString('en')} entries; \`cut\` names lists that have more. Without keys themselves, secrets, ` +
      'documents and PDFs; and without the ledger, which is a file for each month. It is streamed: a file that ends early has no ' +
      '`cut`, and is no JSON.',
  ],
  operator: { id: 'exportAccount', roles: admins },
  member: {
    id: 'exportOwnAccount',
    roles: owners,
    path: '/account/export',
    tag: 'account',
    summary: 'All data of the account as JSON',
  },
  account: 'path',
  answers: json(AccountExport, 'The account.', 'platen-acme.json', {
    exportedAt: '2026-11-21T08:00:00.000Z',
    account: getAccount.answers.example,
    contacts: getContacts.answers.example,
    members: rowsIn(listMembers, 'members'),
    invitations: rowsIn(listMembers, 'invitations'),
    keys: rowsIn(listKeys, 'keys'),
    webhooks: [{ ...webhookExample, origin: new URL(webhookExample.url).origin }],
    usage: [
      {
        month: usageExample.month,
        environment: 'live',
        used: 1,
        days: usageExample.days,
        keys: usageExample.keys,
      },
    ],
    requests: rowsIn(listRequests, 'requests'),
    jobs: rowsIn(listJobs, 'jobs'),
    audit: rowsIn(listAudit, 'entries'),
    cut: [],
  }),
  audit: 'account.exported',
  async run(services, { account, actor, port, note }) {
    await note({ account: account.id });
    const fields = exported(services, { account, actor, port, role: 'owner' });
    return { name: `platen-${account.id}.json`, text: textOf(fields) };
  },
});

/** In the order of the OpenAPI documents. */
export const exportOperations = [exportAccount];

/** A field of the file. A list that is read as it is written comes in pages. */
type Field = readonly [name: keyof Static<typeof AccountExport>, value: object | string | Pages];
type Pages = AsyncIterable<readonly unknown[]>;

/**
 * The fields of the file, each read when it is its turn.
 *
 * @param caller their account is that which is exported.
 * @param most entries of a list.
 */
export async function* exported(
  services: OperationServices,
  caller: Caller & { readonly account: NonNullable<Caller['account']> },
  most = MOST,
): AsyncGenerator<Field> {
  const ask = <Answer extends TSchema>(asked: Asked<Answer>, query = {}) =>
    perform(asked, services, caller, { params: {}, query, body: {} });
  const cut = new Set<(typeof endless)[number]>();
  async function* list<Answer extends TSchema>(
    name: (typeof endless)[number],
    asked: Asked<Answer>,
    rowsOf: (page: DeepReadonly<Static<Answer>>) => readonly unknown[],
    wish = {},
  ): Pages & AsyncGenerator {
    const { maximum = most }: { readonly maximum?: number } = asked.query?.properties.limit ?? {};
    let left = most;
    let after: string | null | undefined;
    while (after !== null && left > 0) {
      const query = { ...wish, ...(after !== undefined && { after }), limit: Math.min(maximum, left) };
      const page = await ask(asked, query);
      const rows = rowsOf(page);
      yield rows;
      left -= rows.length;
      after = (page as { readonly next: string | null }).next;
    }
    if (after !== null) cut.add(name);
  }

  yield ['exportedAt', new Date().toISOString()];
  yield ['account', await ask(getAccount)];
  yield ['contacts', await ask(getContacts)];
  const { members, invitations } = await ask(listMembers);
  yield ['members', members];
  yield ['invitations', invitations];
  yield ['keys', list('keys', listKeys, ({ keys }) => keys)];
  // Operators see no more of a URL than they do elsewhere.
  yield [
    'webhooks',
    caller.actor.by === 'member'
      ? (await ask(listOwnWebhooks)).webhooks.map((each) => ({ ...each, origin: new URL(each.url).origin }))
      : (await ask(listWebhooks)).webhooks.map((each) => ({ ...each, url: null, description: null })),
  ];
  yield ['usage', usageOf(services, caller.account.id)];
  yield ['requests', list('requests', listRequests, ({ requests }) => requests)];
  yield ['jobs', jobs()];
  yield ['audit', list('audit', listAudit, ({ entries }) => entries)];
  yield ['cut', [...cut]];

  async function* jobs() {
    // A service without storage takes none.
    if (!services.jobs) return;
    for (const environment of ['live', 'test'] as const) {
      yield* list('jobs', listJobs, (page) => page.jobs, { environment });
    }
  }
}

type Asked<Answer extends TSchema> = Operation<TObject, TObject, TObject, Answer>;

async function* usageOf({ usage }: OperationServices, account: string): Pages & AsyncGenerator {
  for (const month of keptMonths(Date.now())) {
    for (const environment of ['live', 'test'] as const) {
      const { used, days, keys } = await usage.month(account, environment, month);
      if (days.length > 0) yield [{ month, environment, used, days, keys }];
    }
  }
}

/** JSON, in pieces that are no larger than a page of a list. */
async function* textOf(fields: AsyncIterable<Field>): AsyncGenerator<string> {
  let before = '{';
  for await (const [name, value] of fields) {
    yield `${before}\n${JSON.stringify(name)}:`;
    before = ',';
    if (typeof value === 'string' || !(Symbol.asyncIterator in value)) {
      yield JSON.stringify(value);
      continue;
    }
    let separator = '[';
    for await (const rows of value) {
      for (const row of rows) {
        yield `${separator}\n${JSON.stringify(row)}`;
        separator = ',';
      }
    }
    yield separator === '[' ? '[]' : ']';
  }
  yield '\n}\n';
}
