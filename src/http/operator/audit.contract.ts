/** GET /operator/v1/audit: who did what, and when. */

import { Type } from 'typebox';
import { cursor, moment, named, nextCursor, orNull, pageSize, time, words } from '../../operations/schema.ts';
import { auditActions } from '../../operator/audit-entry.ts';
import { requestIdHeader } from '../contract/headers.ts';
import { jsonResponse } from '../contract/responses.ts';
import { byOperator, type OperatorOperation, readErrors } from './operation.ts';

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
        '(`expiresAt`); `display`, `name`, `permissions` and, if restricted, `ipRestrictions` of a new key, ' +
        'as lists separated by spaces; number (`attempts`) and first time (`since`) of refusals.',
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

export const exportAudit = {
  method: 'GET',
  path: '/operator/v1/audit.csv',
  schema: {
    operationId: 'exportAudit',
    tags: ['audit'],
    summary: 'The audit as CSV',
    description: 'All entries that fit, newest first; `details` as JSON.',
    security: byOperator,
    querystring: Type.Object(filter),
    response: {
      200: {
        description: 'The entries.',
        headers: {
          ...requestIdHeader,
          'Content-Disposition': {
            type: 'string',
            required: true,
            description: 'A name for the file.',
            example: 'attachment; filename="platen-audit.csv"',
          },
        },
        content: { 'text/csv': { schema: Type.String({ description: 'CSV (RFC 4180).' }) } },
      },
      ...readErrors,
    },
  },
} as const satisfies OperatorOperation;

export const listAudit = {
  method: 'GET',
  path: '/operator/v1/audit',
  schema: {
    operationId: 'listAudit',
    tags: ['audit'],
    summary: 'Who did what, and when',
    description:
      'What the operator did, here and on the command line, what customers did with their own keys, and who ' +
      'signed in or ' +
      'was refused. The last 10,000 entries of operators, the last 1,000 of customers and the last 1,000 of sign-ins by name, for 400 days, ' +
      'and the last ' +
      '1,000 refusals, for 90 days. The refusals of an address within an hour are one entry.',
    security: byOperator,
    querystring: Type.Object({ ...filter, after: cursor(), limit: pageSize(100, 500) }),
    response: {
      200: jsonResponse(AuditList, {
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
      }),
      ...readErrors,
    },
  },
} as const satisfies OperatorOperation;
