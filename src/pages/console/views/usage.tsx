/** What the account used, month by month. */
import { Heading } from '../../app/parts/heading.tsx';
import { AccountUsage } from '../../app/views/account-usage.tsx';
import type { Me } from '../me.ts';

export function Usage({ me }: { me: Me }) {
  return (
    <main>
      <Heading title="Usage" />
      <AccountUsage path="" mayExport={me.may('getOwnLedger')} mayOpenKeys={me.may('listOwnKeys')} />
    </main>
  );
}
