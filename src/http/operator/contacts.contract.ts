/** Contact addresses of an account, which get warnings by e-mail. */
import { Type } from 'typebox';
import { MAX_CONTACTS } from '../../webhooks/contacts.ts';
import { jsonResponse } from '../contract/responses.ts';
import { accountNotFound, accountParams } from './accounts.contract.ts';
import { byOperator, changeErrors, type OperatorOperation, readErrors } from './operation.ts';

const addresses = Type.Array(Type.String({ minLength: 3, maxLength: 254 }), {
  maxItems: MAX_CONTACTS,
  description: 'E-mail addresses. They see each other in messages.',
  examples: [['anna@example.com']],
});
const warnings = Type.Boolean({ description: 'Whether they get warnings.' });

export const Contacts = Type.Object(
  {
    addresses,
    warnings,
    canMail: Type.Boolean({ description: 'Whether the service sends e-mail at all.' }),
  },
  { $id: 'Contacts', description: 'Whom of an account warnings go to by e-mail.' },
);

export const contactsBody = Type.Object(
  { addresses: Type.Optional(addresses), warnings: Type.Optional(warnings) },
  { additionalProperties: false },
);

export const contactsAnswer = jsonResponse(Contacts, {
  description: 'The addresses.',
  example: { addresses: ['anna@example.com'], warnings: true, canMail: true },
});

export const getContactsOf = {
  method: 'GET',
  path: '/operator/v1/accounts/:account/contacts',
  schema: {
    operationId: 'getContactsOf',
    tags: ['accounts'],
    summary: 'Whom of an account warnings go to by e-mail',
    description: 'Also whom an operator may write to.',
    security: byOperator,
    params: accountParams,
    response: { 200: contactsAnswer, ...readErrors, ...accountNotFound },
  },
} as const satisfies OperatorOperation;

export const setContactsOf = {
  method: 'PUT',
  path: '/operator/v1/accounts/:account/contacts',
  schema: {
    operationId: 'setContactsOf',
    tags: ['accounts'],
    summary: 'Change whom of an account warnings go to',
    description: 'As its owners do in the console. What is left out stays.',
    security: byOperator,
    params: accountParams,
    body: contactsBody,
    response: { 200: contactsAnswer, ...changeErrors, ...accountNotFound },
  },
} as const satisfies OperatorOperation;
