/** The door of members of accounts. */
import type { Role } from '../../members/member.ts';
import type { Door } from '../operator/door.ts';
import { bySession, changeErrors, ownErrors, readErrors } from './operation.ts';

export const memberDoor: Door<Role> = {
  group: 'Console',
  prefix: '/account/v1',
  security: bySession,
  namesAccounts: false,
  readErrors,
  changeErrors,
  ownErrors,
  at: ({ member }) => member,
};
