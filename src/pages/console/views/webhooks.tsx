/** The endpoints of the account, and the secrets of URLs that are sent with jobs. */
import { useState } from 'preact/hooks';
import { change, read } from '../../app/api.ts';
import type {
  CreatedWebhook,
  Environment,
  OwnWebhook,
  OwnWebhookList,
  WebhookSecret,
} from '../../app/api-types.ts';
import { useResource } from '../../app/hooks.ts';
import { Button } from '../../app/parts/button.tsx';
import { Dialog } from '../../app/parts/dialog.tsx';
import { EndpointState } from '../../app/parts/endpoint-state.tsx';
import { useEnvironment } from '../../app/parts/environment.tsx';
import { Options } from '../../app/parts/fields.tsx';
import { Heading } from '../../app/parts/heading.tsx';
import { MadeBy } from '../../app/parts/made-by.tsx';
import { Changes } from '../../app/parts/may-change.tsx';
import { Loaded } from '../../app/parts/notes.tsx';
import { useShownOnce } from '../../app/parts/shown-once.tsx';
import { type Column, Table } from '../../app/parts/table.tsx';
import { HOME } from '../../app/router.ts';
import { isComplete, settingsOf, WebhookFields, type WebhookForm } from '../webhooks/form.tsx';
import { type NewSecret, ShownSecret } from '../webhooks/shown-secret.tsx';

const environments: readonly (readonly [Environment, string])[] = [
  ['live', 'told of what live keys do'],
  ['test', 'told of what test keys do'],
];

const columns: readonly Column<OwnWebhook>[] = [
  {
    title: 'Endpoint',
    cell: ({ url, id, description }) => (
      <>
        <a href={`${HOME}/webhooks/${id}`}>{url}</a>
        {description !== '' && <span class="second">{description}</span>}
      </>
    ),
  },
  { title: 'Events', isMinor: true, cell: ({ events }) => events.join(', ') },
  { title: 'State', cell: (webhook) => <EndpointState of={webhook} /> },
  { title: 'Made by', isMinor: true, cell: ({ madeBy }) => <MadeBy maker={madeBy} /> },
];

export function Webhooks() {
  const resource = useResource('', (signal) => read<OwnWebhookList>('/webhooks', { signal }));
  const [asks, ask] = useState<'new' | Environment>();
  const { notes, add } = useShownOnce<NewSecret>(
    ({ secret }) => secret,
    (shown, done) => <ShownSecret shown={shown} done={done} />,
  );
  const { environment: shown = 'live', choose } = useEnvironment() ?? {};
  const close = () => ask(undefined);
  const made = (secret: NewSecret) => {
    add(secret);
    resource.reload();
  };
  const madeFor = (secret: NewSecret, environment: Environment) => {
    choose?.(environment);
    made(secret);
  };
  return (
    <main id="webhooks">
      <div class="title">
        <Heading title="Webhooks" />
        <Changes>
          <Button text="Add an endpoint" look="primary" act={() => ask('new')} />
        </Changes>
      </div>
      {notes}
      <Loaded resource={resource}>
        {({ webhooks, jobSecrets }) => (
          <>
            <Table
              caption="Webhook endpoints"
              columns={columns}
              rows={webhooks.filter(({ environment }) => environment === shown)}
              keyOf={({ id }) => id}
              empty={`There is no endpoint for ${shown} keys: nobody is told when their jobs end.`}
            />
            <h2>URLs that are sent with jobs</h2>
            <p>
              A job may name a URL that is told when it ends. Messages to it are signed with a secret of the
              account, one for live and one for test keys.
            </p>
            <Changes>
              <div class="buttons">
                <Button
                  text={jobSecrets[shown] ? `Rotate the ${shown} secret` : `Make the ${shown} secret`}
                  look="small"
                  act={() => ask(shown)}
                />
              </div>
            </Changes>
            {asks === 'new' && <NewWebhook first={shown} made={madeFor} close={close} />}
            {(asks === 'live' || asks === 'test') && (
              <JobSecret environment={asks} isFirst={!jobSecrets[asks]} made={made} close={close} />
            )}
          </>
        )}
      </Loaded>
    </main>
  );
}

interface MakingProps {
  readonly made: (secret: NewSecret) => void;
  readonly close: () => void;
}

interface NewWebhookProps extends Pick<MakingProps, 'close'> {
  /** Chosen at first. */
  readonly first: Environment;
  readonly made: (secret: NewSecret, environment: Environment) => void;
}

function NewWebhook({ first, made, close }: NewWebhookProps) {
  const [environment, setEnvironment] = useState(first);
  const [form, setForm] = useState<WebhookForm>({ url: '', events: ['job.completed'], description: '' });
  const act = async () => {
    const body = { environment, ...settingsOf(form) };
    const { url, secret } = await change<CreatedWebhook>('POST', '/webhooks', body);
    // Often there are two of one host: one for live and one for test keys.
    made({ secret, of: `${url}, for ${environment} keys` }, environment);
  };
  return (
    <Dialog
      title="Add an endpoint"
      action="Add the endpoint"
      isReady={isComplete(form)}
      act={act}
      close={close}
    >
      <Options
        title="Environment"
        name="environment"
        options={environments}
        value={environment}
        choose={setEnvironment}
      />
      <WebhookFields form={form} edit={(changes) => setForm((before) => ({ ...before, ...changes }))} />
    </Dialog>
  );
}

interface JobSecretProps extends MakingProps {
  readonly environment: Environment;
  readonly isFirst: boolean;
}

function JobSecret({ environment, isFirst, made, close }: JobSecretProps) {
  const act = async () => {
    const { secret, formerUntil } = await change<WebhookSecret>('POST', '/webhooks/secret', { environment });
    made({ secret, of: `URLs of ${environment} jobs`, ...(!isFirst && { formerUntil }) });
  };
  return (
    <Dialog
      title={`A new secret for URLs of ${environment} jobs?`}
      action="Make the secret"
      act={act}
      close={close}
    >
      <p>It is shown once.{!isFirst && ' The former one also signs for 24 hours.'}</p>
    </Dialog>
  );
}
