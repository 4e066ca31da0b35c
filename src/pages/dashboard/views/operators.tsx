/** Who may sign in to the dashboard by name. */
import type { OperatorRole, Session } from '../../app/api-types.ts';
import { useMayChange } from '../../app/parts/may-change.tsx';
import { type Kind, People } from '../../app/views/people.tsx';

export const roleTexts: Readonly<Record<OperatorRole, string>> = {
  admin: 'admin: all, also operators',
  support: 'support: reads all, changes nothing',
};

const operators: Kind<OperatorRole> = {
  noun: 'operator',
  title: 'Operators',
  roleTexts,
  usual: 'support',
  removal:
    'Their sessions, their passkeys and their invitations to the dashboard end at once. Invitations to accounts that they made stay.',
  none: 'Nobody has a name here yet: all sign in with the operator token. Invite yourself first.',
  endsSessions: true,
};

export function Operators({ session }: { session: Session }) {
  const mayChange = useMayChange();
  return (
    <main>
      <People kind={operators} path="" mayChange={mayChange} me={session.operator?.id ?? ''} />
    </main>
  );
}
