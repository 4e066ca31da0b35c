/** The endpoints of an account that are told what happens. */
import { useState } from 'preact/hooks';
import { change, pathOf, read } from '../api.ts';
import type { Webhook, WebhookList } from '../api-types.ts';
import { useResource } from '../hooks.ts';
import { EnvironmentBadge } from '../parts/badges.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { EndpointState } from '../parts/endpoint-state.tsx';
import { MadeBy } from '../parts/made-by.tsx';
import { Loaded } from '../parts/notes.tsx';
import { type Column, Table } from '../parts/table.tsx';

/** @param path of the account in the API. */
export function AccountWebhooks({ path }: { path: string }) {
  const resource = useResource(path, (signal) => read<WebhookList>(`${path}/webhooks`, { signal }));
  const [asked, ask] = useState<Webhook>();
  const disable = async ({ id }: Webhook) => {
    await change('POST', `${path}${pathOf('webhooks', id)}/disable`);
    resource.reload();
  };
  const columns: readonly Column<Webhook>[] = [
    {
      title: 'Endpoint',
      cell: ({ origin, id }) => (
        <>
          {origin}
          <span class="second nowrap">{`${id.slice(0, 12)}…`}</span>
        </>
      ),
    },
    { title: 'Environment', cell: ({ environment }) => <EnvironmentBadge value={environment} /> },
    { title: 'Events', isMinor: true, cell: ({ events }) => events.join(', ') },
    { title: 'State', cell: (webhook) => <EndpointState of={webhook} /> },
    { title: 'Made by', isMinor: true, cell: ({ madeBy }) => <MadeBy maker={madeBy} /> },
    {
      title: 'Actions',
      changes: true,
      cell: (webhook) =>
        webhook.enabled ? (
          <Button text="Disable" of={webhook.origin} look="small danger" act={() => ask(webhook)} />
        ) : (
          <span class="faint">–</span>
        ),
    },
  ];
  return (
    <section class="part" id="webhooks">
      <h2>Webhooks</h2>
      <Loaded resource={resource}>
        {({ webhooks }) => (
          <Table
            caption="Webhook endpoints"
            columns={columns}
            rows={webhooks}
            keyOf={({ id }) => id}
            empty="It has no endpoint."
          />
        )}
      </Loaded>
      {asked && (
        <Dialog
          title={`Disable the endpoint at ${asked.origin}?`}
          action="Disable the endpoint"
          isDangerous
          act={() => disable(asked)}
          close={() => ask(undefined)}
        >
          <p>It gets no more messages until its account enables it again.</p>
        </Dialog>
      )}
    </section>
  );
}
