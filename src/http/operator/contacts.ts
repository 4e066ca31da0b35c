/** Contact addresses of an account, which get warnings by e-mail. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import type { Config } from '../../config.ts';
import type { KeyStore } from '../../keys/store.ts';
import type { Management } from '../../operator/management.ts';
import type { ContactStore, Contacts as ContactsData } from '../../webhooks/contacts.ts';
import { noAccount } from './accounts.contract.ts';
import { answerOf, foundBy } from './answer.ts';
import { actorOf } from './authentication.ts';
import { type Contacts, getContactsOf, setContactsOf } from './contacts.contract.ts';

export interface ContactRoutesOptions {
  readonly keys: KeyStore;
  readonly management: Management;
  readonly contacts: ContactStore;
  readonly config: Pick<Config, 'mail'>;
}

/** Register it in a scope that only operators enter. */
export const contactRoutes: FastifyPluginAsyncTypebox<ContactRoutesOptions> = async (
  app,
  { keys, management, contacts, config },
) => {
  app.get(getContactsOf.path, { schema: getContactsOf.schema }, async (request) => {
    const { id } = await foundBy(request, keys.getAccount(request.params.account), noAccount);
    return describeContacts(await answerOf(request, contacts.read(id)), config);
  });

  app.put(setContactsOf.path, { schema: setContactsOf.schema }, async (request) => {
    const { id } = await foundBy(request, keys.getAccount(request.params.account), noAccount);
    const changed = management.setContacts(actorOf(request), id, request.body);
    return describeContacts(await answerOf(request, changed), config);
  });
};

/** Contact addresses as an answer. */
export function describeContacts(
  { addresses, warnings }: ContactsData,
  { mail }: Pick<Config, 'mail'>,
): Static<typeof Contacts> {
  return { addresses: [...addresses], warnings, canMail: mail !== undefined };
}
