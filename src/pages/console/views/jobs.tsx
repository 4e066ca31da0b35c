/** What runs in the background, and who is told. */
import { Heading } from '../../dashboard/parts/heading.tsx';
import { AccountJobs } from '../../dashboard/views/account-jobs.tsx';
import { AccountWebhooks } from '../../dashboard/views/account-webhooks.tsx';

export function Jobs() {
  return (
    <main>
      <Heading title="Jobs and webhooks" />
      <AccountJobs path="" />
      <AccountWebhooks path="" mayEnable />
    </main>
  );
}
