/** The recent requests of all accounts. */
import { Heading } from '../../app/parts/heading.tsx';
import { AccountRequests } from '../../app/views/account-requests.tsx';

const SPANS_MS: Readonly<Record<string, number>> = { hour: 3_600_000, day: 86_400_000 };

interface RequestsProps {
  /** What is chosen at first. */
  readonly outcome: string;
  /** The last `hour` or `day`; anything else: all. */
  readonly span: string;
}

export function Requests({ outcome, span }: RequestsProps) {
  const length = SPANS_MS[span];
  const since = length === undefined ? '' : new Date(Date.now() - length).toISOString();
  return (
    <main>
      <Heading title="Requests" />
      <AccountRequests path="" ofAll outcome={outcome} since={since} />
    </main>
  );
}
