/** The door of members of accounts. */
import type { Role } from '../../members/member.ts';
import type { Door } from '../operator/door.ts';
import { bySession, changeErrors, notFound, readErrors } from './operation.ts';

export const memberDoor: Door<Role> = {
  prefix: '/account/v1',
  security: bySession,
  namesAccounts: false,
  ...{ readErrors, changeErrors, notFound },
  at: ({ member }) => member,
};
