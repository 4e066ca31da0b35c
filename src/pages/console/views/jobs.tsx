/** What runs in the background. */
import { Heading } from '../../app/parts/heading.tsx';
import { AccountJobs } from '../../app/views/account-jobs.tsx';

export function Jobs() {
  return (
    <main>
      <Heading title="Jobs" />
      <AccountJobs path="" />
    </main>
  );
}
