/** The endpoints of an account's webhooks. */
import { pathOf, read } from '../api.ts';
import type { Webhook, WebhookList } from '../api-types.ts';
import { useResource } from '../hooks.ts';
import { Empty, Loaded } from '../parts/notes.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';

const reasons: Readonly<Record<string, string>> = {
  gone: 'disabled: it answered 410',
  failing: 'disabled: it failed for five days',
  operator: 'disabled by the operator',
};

const columns: readonly Column<Webhook>[] = [
  { title: 'Endpoint', cell: ({ id }) => <span class="nowrap">{`${id.slice(0, 11)}…`}</span> },
  { title: 'Keys', cell: ({ environment }) => environment },
  { title: 'Sent to', cell: ({ origin }) => origin },
  { title: 'State', cell: stateOf },
  { title: 'Told of', cell: ({ events }) => events.join(', ') },
  { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

function stateOf({ enabled, disabledReason, failingSince }: Webhook) {
  if (!enabled) return reasons[disabledReason ?? ''] ?? 'disabled by the account';
  if (failingSince === null) return 'enabled';
  return (
    <>
      fails since <Time at={failingSince} />
    </>
  );
}

export function AccountWebhooks({ account }: { account: string }) {
  const resource = useResource<WebhookList>(account, (signal) =>
    read(pathOf('accounts', account, 'webhooks'), { signal }),
  );
  return (
    <section class="part" id="webhooks">
      <h2>Webhooks</h2>
      <Loaded resource={resource}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <Empty>It has no endpoint.</Empty>
          ) : (
            <Table caption="Webhooks" columns={columns} rows={webhooks} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
    </section>
  );
}
