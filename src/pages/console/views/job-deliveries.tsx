/** Who was told of a job. */
import { pathOf, read } from '../../app/api.ts';
import type { JobDeliveryList } from '../../app/api-types.ts';
import { useResource } from '../../app/hooks.ts';
import { HOME } from '../../app/router.ts';
import { Deliveries } from '../webhooks/deliveries.tsx';

export function JobDeliveries({ id }: { id: string }) {
  const path = pathOf('jobs', id, 'deliveries');
  const resource = useResource(id, (signal) => read<JobDeliveryList>(path, { signal }));
  return (
    <Deliveries
      resource={resource}
      to={({ webhook }) =>
        webhook === null ? (
          'the URL of the job'
        ) : (
          <a class="nowrap" href={`${HOME}/webhooks/${webhook}`}>{`${webhook.slice(0, 12)}…`}</a>
        )
      }
      pathOf={({ webhook, id: message }) =>
        webhook === null
          ? pathOf('jobs', id, 'deliveries', message)
          : pathOf('webhooks', webhook, 'deliveries', message)
      }
      empty="No messages: the job has not ended, no endpoint gets events of jobs, or they are older than seven days."
    />
  );
}
