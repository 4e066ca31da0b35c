/** Who did what, and when. */
import { Type } from 'typebox';
import { Audit, type AuditFilter } from '../operator/audit.ts';
import { auditCsv } from '../operator/audit-csv.ts';
import { auditActions, type AuditEntry as Entry } from '../operator/audit-entry.ts';
import { csv, everyOperator, operation, owners } from './operation.ts';
import { cursor, moment, named, nextCursor, orNull, pageSize, readCursor, time, words } from './schema.ts';

const PAGE = 100;
/** More entries than exist: a few MB. */
const ALL = 20_000;

export const AuditEntry = Type.Object(
  {
    id: Type.String({ description: 'Id of the entry.' }),
    at: time('Time of the action.'),
    by: words(['cli', 'operator', 'session', 'token', 'key', 'member', 'service', 'nobody'], {
      description:
        'On the command line, by an operator with a name, in a session of the token, with the operator token, with a key of the account itself, by a member of it, by the service, or by ' +
        'a refused caller.',
    }),
    who: Type.String({
      description:
        "The system user (`cli`), the name and e-mail address (`operator`), the id of the key (`key`), the member's name (`member`), `-` (`service`), otherwise the client's address.",
    }),
    action: words(auditActions, {
      description:
        'What was done. `session.refused` and `token.refused`: a token that is not the operator’s, at the sign-in or ' +
        'in an `Authorization` header.',
    }),
    account: orNull(Type.String(), 'Id of the account concerned. `null`: none.'),
    key: orNull(Type.String(), 'Id of the key concerned. `null`: none.'),
    details: Type.Record(Type.String(), Type.String(), {
      description:
        "Details of the action: `plan` and `formerPlan`; `successor`, with `overlapSeconds` or the key's end " +
        '(`expiresAt`); `display`, `name`, `permissions` and, if it has some, `ipRestrictions` and `origins` of a new ' +
        'key, as lists separated by spaces; number (`attempts`) and first time (`since`) of refusals.',
    }),
  },
  { $id: 'AuditEntry', description: 'An entry of the audit. It never contains a key or a token.' },
);

export const AuditList = Type.Object(
  { entries: Type.Array(named(AuditEntry), { description: 'Newest first.' }), next: nextCursor() },
  { $id: 'AuditList', description: 'A page of the audit.' },
);

const text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }));

const filter = {
  account: text('Only entries about the account with this id.'),
  key: text('Only entries about the key with this id.'),
  action: Type.Optional(words(auditActions, { description: 'Only this action.' })),
  who: text('A part of the actor; case is ignored.'),
  from: moment('Only entries since then, with time zone.'),
  until: moment('Only entries before then, with time zone.'),
};

export const listAudit = operation({
  method: 'GET',
  path: '/audit',
  tag: 'audit',
  says: [
    'Who did what, and when',
    'What the operator did, here and on the command line, what customers did with their own keys, and who signed in or ' +
      'was refused. The last 10,000 entries of operators, the last 1,000 of customers and the last 1,000 of sign-ins by name, ' +
      'for 400 days, and the last 1,000 refusals, for 90 days. The refusals of an address within an hour are one entry.',
  ],
  operator: { id: 'listAudit', roles: everyOperator },
  member: {
    id: 'listOwnAudit',
    roles: owners,
    without: Object.keys(filter),
    summary: 'Who did what in the account, and when',
    description:
      'What members did, what was done with keys of the account, and what the operator did to it, without their ' +
      'address. The last 1,000 entries, for 400 days.',
  },
  query: Type.Object({ ...filter, after: cursor(), limit: pageSize(PAGE, 500) }),
  answers: {
    body: AuditList,
    description: 'A page of the audit.',
    example: {
      entries: [
        {
          id: '1795248000000-0',
          at: '2026-11-21T08:00:00.000Z',
          by: 'session',
          who: '192.0.2.7',
          action: 'key.revoked',
          account: 'acme',
          key: 'key_4f1c0a9be27d38560c',
          details: { display: 'svc_live_sk_…a1B2' },
        },
      ],
      next: null,
    },
  },
  async run({ audit }, { account, query: { after, limit = PAGE, ...sent } }) {
    const place = readCursor(after, Audit.isCursor);
    if (!account) return audit.list(place, limit, readFilter(sent));
    const { entries, next } = await audit.listOf(account.id, place, limit);
    return { entries: entries.map(withoutOperator), next };
  },
});

export const exportAudit = operation({
  method: 'GET',
  path: '/audit.csv',
  tag: 'audit',
  says: ['The audit as CSV', 'All entries that fit, newest first; `details` as JSON.'],
  operator: { id: 'exportAudit', roles: everyOperator },
  query: Type.Object(filter),
  answers: csv('The entries.', 'platen-audit.csv'),
  async run({ audit }, { query }) {
    const { entries } = await audit.list(undefined, ALL, readFilter(query));
    return { name: 'platen-audit.csv', text: [auditCsv(entries)] };
  },
});

/** In the order of the OpenAPI documents. */
export const auditOperations = [listAudit, exportAudit];

interface Sent extends Omit<AuditFilter, 'from' | 'until'> {
  /** ISO 8601. */
  readonly from?: string;
  readonly until?: string;
}

function readFilter({ from, until, ...others }: Sent): AuditFilter {
  const time = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));
  return { ...others, from: time(from), until: time(until) };
}

const operators: readonly string[] = ['cli', 'operator', 'session', 'token'];

/** Customers do not see the addresses of operators. */
function withoutOperator(entry: Entry): Entry {
  return operators.includes(entry.by) ? { ...entry, who: 'operator' } : entry;
}
