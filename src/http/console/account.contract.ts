/** /account/v1/account: where the account stands, what it used, and its audit. */

import { Type } from 'typebox';
import { everyMember, owners } from '../../operations/operation.ts';
import { cursor, month, pageSize, words } from '../../operations/schema.ts';
import { Usage, usageExample } from '../account/usage.contract.ts';
import { jsonResponse } from '../contract/responses.ts';
import { getLedger } from '../operator/accounts.contract.ts';
import { listAudit } from '../operator/audit.contract.ts';
import { contactsAnswer, contactsBody } from '../operator/contacts.contract.ts';
import { bySession, type ConsoleOperation, changeErrors, readErrors } from './operation.ts';

export const getOwnContacts = {
  method: 'GET',
  path: '/account/v1/account/contacts',
  roles: owners,
  schema: {
    operationId: 'getOwnContacts',
    tags: ['account'],
    summary: 'Whom of the account warnings go to by e-mail',
    description: 'And whether the service sends e-mail.',
    security: bySession,
    response: { 200: contactsAnswer, ...readErrors },
  },
} as const satisfies ConsoleOperation;

export const setOwnContacts = {
  method: 'PUT',
  path: '/account/v1/account/contacts',
  roles: owners,
  schema: {
    operationId: 'setOwnContacts',
    tags: ['account'],
    summary: 'Change whom of the account warnings go to',
    description:
      'Warnings are: 80 and 100 % of the quota are used, a key expires in 7 days or in 1 day, an endpoint of webhooks was ' +
      'disabled. Each is sent once, from the next one on. What is left out stays.',
    security: bySession,
    body: contactsBody,
    response: { 200: contactsAnswer, ...changeErrors },
  },
} as const satisfies ConsoleOperation;

export const getOwnUsage = {
  method: 'GET',
  path: '/account/v1/usage',
  roles: everyMember,
  schema: {
    operationId: 'getOwnUsage',
    tags: ['account'],
    summary: 'What the account has used in a month, by day',
    description:
      'What `GET /v1/usage` answers for its live keys, or for all its test keys together. Days are kept for 400 days.',
    security: bySession,
    querystring: Type.Object({
      month: month(),
      environment: Type.Optional(
        words(['live', 'test'], { description: 'Of live keys, or of all test keys. Default: `live`.' }),
      ),
    }),
    response: {
      200: jsonResponse(Usage, {
        description: 'The use of the month.',
        example: { ...usageExample, windows: [] },
      }),
      ...readErrors,
    },
  },
} as const satisfies ConsoleOperation;

export const getOwnLedger = {
  method: 'GET',
  path: '/account/v1/ledger',
  roles: ['owner', 'billing'],
  schema: {
    operationId: 'getOwnLedger',
    tags: ['account'],
    summary: 'The ledger of a month as CSV',
    description: 'One row per billed conversion, streamed.',
    security: bySession,
    querystring: Type.Object({ month: month() }),
    response: { 200: getLedger.schema.response[200], ...readErrors },
  },
} as const satisfies ConsoleOperation;

export const listOwnAudit = {
  method: 'GET',
  path: '/account/v1/audit',
  roles: owners,
  schema: {
    operationId: 'listOwnAudit',
    tags: ['audit'],
    summary: 'Who did what in the account, and when',
    description:
      'What members did, what was done with keys of the account, and what the operator did to it, without their ' +
      'address. The last 1,000 entries, for 400 days.',
    security: bySession,
    querystring: Type.Object({ after: cursor(), limit: pageSize(100, 500) }),
    response: {
      200: listAudit.schema.response[200],
      ...readErrors,
    },
  },
} as const satisfies ConsoleOperation;
