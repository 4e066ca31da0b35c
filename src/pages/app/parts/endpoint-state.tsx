/** Whether an endpoint of webhooks works. */
import type { Webhook } from '../api-types.ts';
import { Time } from './time.tsx';

const reasons: Readonly<Record<string, string>> = {
  gone: 'it answered 410',
  failing: 'it failed for five days',
  operator: 'by an operator',
};

interface EndpointStateProps {
  readonly of: Pick<Webhook, 'enabled' | 'disabledReason' | 'failingSince'>;
}

export function EndpointState({ of: { enabled, disabledReason, failingSince } }: EndpointStateProps) {
  if (!enabled) {
    const reason = disabledReason === null ? undefined : reasons[disabledReason];
    return (
      <>
        <span class="badge warn">Disabled</span>
        {reason !== undefined && <span class="second">{reason}</span>}
      </>
    );
  }
  if (failingSince === null) return <span class="badge good">Enabled</span>;
  return (
    <>
      <span class="badge bad">Failing</span>
      <span class="second">
        since <Time at={failingSince} />
      </span>
    </>
  );
}
