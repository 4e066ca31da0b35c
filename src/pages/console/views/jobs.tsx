/** What runs in the background, and who is told. */
import { Heading } from '../../app/parts/heading.tsx';
import { AccountJobs } from '../../app/views/account-jobs.tsx';
import { Webhooks } from './webhooks.tsx';

export function Jobs() {
  return (
    <main>
      <Heading title="Jobs and webhooks" />
      <AccountJobs path="" />
      <Webhooks />
    </main>
  );
}
