/** Contact addresses of accounts, which get warnings by e-mail. */
import { type Static, Type } from 'typebox';
import { type Contacts as ContactsData, MAX_CONTACTS } from '../webhooks/contacts.ts';
import { admins, type DeepReadonly, everyOperator, operation, owners } from './operation.ts';
import { closed } from './schema.ts';
import type { OperationServices } from './services.ts';

const settings = {
  addresses: Type.Array(Type.String({ minLength: 3, maxLength: 254 }), {
    maxItems: MAX_CONTACTS,
    description: 'E-mail addresses. They see each other in messages.',
    examples: [['anna@example.com']],
  }),
  warnings: Type.Boolean({ description: 'Whether they get warnings.' }),
};

export const Contacts = Type.Object(
  { ...settings, canMail: Type.Boolean({ description: 'Whether the service sends e-mail at all.' }) },
  { $id: 'Contacts', description: 'Who gets the warnings of an account by e-mail.' },
);

const answers = {
  body: Contacts,
  description: 'The addresses.',
  example: { addresses: ['anna@example.com'], warnings: true, canMail: true },
} as const;
/** Where members have it. */
const own = { path: '/account/contacts', roles: owners, tag: 'account' } as const;

export const getContacts = operation({
  method: 'GET',
  path: '/contacts',
  tag: 'accounts',
  says: ['Who gets the warnings of an account by e-mail', 'An operator may write to them, too.'],
  operator: { id: 'getContactsOf', roles: everyOperator },
  member: {
    ...own,
    id: 'getOwnContacts',
    summary: 'Who gets the warnings of the account by e-mail',
    description: 'And whether the service sends e-mail.',
  },
  account: 'path',
  answers,
  run: async ({ contacts, config }, { account }) => describe(await contacts.read(account.id), config),
});

export const setContacts = operation({
  method: 'PUT',
  path: '/contacts',
  tag: 'accounts',
  says: [
    'Change who gets the warnings of an account',
    'As its owners do in the console. What is left out stays.',
  ],
  operator: { id: 'setContactsOf', roles: admins },
  member: {
    ...own,
    id: 'setOwnContacts',
    summary: 'Change who gets the warnings of the account',
    description:
      'Warnings are: 80 and 100 % of the quota are used, a key expires in 7 days or in 1 day, an endpoint of webhooks was ' +
      'disabled. Each is sent once, from the next one on. What is left out stays.',
  },
  account: 'path',
  body: closed(Type.Partial(Type.Object(settings)).properties),
  answers,
  audit: 'account.contacts-changed',
  async run({ contacts, config }, { account: { id: account }, body, note }) {
    const changed = await contacts.set(account, body, ({ addresses, warnings }) => {
      const details = {
        ...(addresses && { contacts: addresses.join(' ') || 'none' }),
        ...(warnings !== undefined && { warnings: warnings ? 'on' : 'off' }),
      };
      return note({ account, details });
    });
    return describe(changed, config);
  },
});

/** In the order of the OpenAPI documents. */
export const contactOperations = [getContacts, setContacts];

function describe(
  { addresses, warnings }: ContactsData,
  { mail }: OperationServices['config'],
): DeepReadonly<Static<typeof Contacts>> {
  return { addresses, warnings, canMail: mail !== undefined };
}
