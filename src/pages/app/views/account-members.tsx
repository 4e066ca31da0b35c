/** Who may sign in to the console of an account, and who is invited. */
import type { Role } from '../api-types.ts';
import { type Kind, People } from './people.tsx';

export const roleTexts: Readonly<Record<Role, string>> = {
  owner: 'owner: all, also members',
  developer: 'developer: keys and requests',
  billing: 'billing: what is used, and its export',
};

const members: Kind<Role> = {
  noun: 'member',
  title: 'Members',
  roleTexts,
  usual: 'owner',
  removal:
    'Their sessions, their passkeys and the invitations that they made end at once. Keys and webhooks that they made keep working.',
  none: 'Nobody has joined yet.',
  endsSessions: false,
};

interface AccountMembersProps {
  /** Of the account in the API. */
  readonly path: string;
  readonly mayChange: boolean;
  /** Id of the member who is signed in, on a page of its own. */
  readonly me?: string;
}

export function AccountMembers(props: AccountMembersProps) {
  return <People kind={members} {...props} />;
}
