/** Who may sign in to the console. */
import { AccountMembers } from '../../app/views/account-members.tsx';
import type { Me } from '../me.ts';

export function Members({ me }: { me: Me }) {
  return (
    <main>
      <AccountMembers path="" mayChange={me.may('inviteMember')} me={me.id} />
    </main>
  );
}
