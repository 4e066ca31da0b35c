/** What the account used, month by month. */
import { Heading } from '../../dashboard/parts/heading.tsx';
import { AccountUsage } from '../../dashboard/views/account-usage.tsx';
import type { Me } from '../me.ts';

export function Usage({ me }: { me: Me }) {
  return (
    <main>
      <Heading title="Usage" />
      <AccountUsage path="" mayExport={me.may('getOwnLedger')} withTest />
    </main>
  );
}
