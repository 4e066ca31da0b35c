/** One endpoint: its settings, its secret, and what it was told. */
import { useState } from 'preact/hooks';
import { change, pathOf, read } from '../../app/api.ts';
import type { DeliveryList, OwnWebhook, WebhookEvent, WebhookSecret } from '../../app/api-types.ts';
import { useResource } from '../../app/hooks.ts';
import { Button } from '../../app/parts/button.tsx';
import { Dialog } from '../../app/parts/dialog.tsx';
import { EndpointState } from '../../app/parts/endpoint-state.tsx';
import { Fact } from '../../app/parts/fact.tsx';
import { Field, Select } from '../../app/parts/fields.tsx';
import { Heading } from '../../app/parts/heading.tsx';
import { MadeBy } from '../../app/parts/made-by.tsx';
import { Changes } from '../../app/parts/may-change.tsx';
import { Loaded } from '../../app/parts/notes.tsx';
import { Time } from '../../app/parts/time.tsx';
import { HOME, navigate } from '../../app/router.ts';
import { Deliveries } from '../webhooks/deliveries.tsx';
import { allEvents, editsOf, isComplete, WebhookFields, type WebhookForm } from '../webhooks/form.tsx';
import { type NewSecret, ShownSecret } from '../webhooks/shown-secret.tsx';

type Question = 'edit' | 'test' | 'secret' | 'disable' | 'enable' | 'delete';

export function Webhook({ id }: { id: string }) {
  const path = pathOf('webhooks', id);
  const resource = useResource(id, (signal) => read<OwnWebhook>(path, { signal }));
  const deliveries = useResource(id, (signal) => read<DeliveryList>(`${path}/deliveries`, { signal }));
  const [asks, ask] = useState<Question>();
  const [shown, show] = useState<NewSecret>();
  return (
    <main>
      <Heading title="Endpoint" />
      <p>
        <a href={`${HOME}/webhooks`}>All endpoints</a>
      </p>
      {shown && <ShownSecret shown={shown} done={() => show(undefined)} />}
      <Loaded resource={resource}>
        {(webhook) => (
          <>
            <Facts of={webhook} />
            <Changes>
              <div class="buttons">
                <Button text="Edit" act={() => ask('edit')} />
                {webhook.enabled ? (
                  <>
                    <Button text="Send a test event" act={() => ask('test')} />
                    <Button text="Rotate the secret" act={() => ask('secret')} />
                    <Button text="Disable" look="danger" act={() => ask('disable')} />
                  </>
                ) : (
                  <>
                    <Button text="Enable" look="primary" act={() => ask('enable')} />
                    <Button text="Rotate the secret" act={() => ask('secret')} />
                  </>
                )}
                <Button text="Delete" look="danger" act={() => ask('delete')} />
              </div>
            </Changes>
            <Deliveries
              resource={deliveries}
              pathOf={({ id: message }) =>
                webhook.enabled ? `${path}${pathOf('deliveries', message)}` : undefined
              }
              empty="It got no messages in the last seven days."
            />
            {asks && (
              <Ask
                question={asks}
                path={path}
                of={webhook}
                set={resource.set}
                sent={deliveries.reload}
                show={show}
                close={() => ask(undefined)}
              />
            )}
          </>
        )}
      </Loaded>
    </main>
  );
}

function Facts({ of: webhook }: { of: OwnWebhook }) {
  const { url, environment, events, description, createdAt, madeBy, disabledAt } = webhook;
  return (
    <dl class="facts card">
      <Fact title="URL" value={<code>{url}</code>} />
      <Fact title="State">
        <EndpointState of={webhook} />
        {disabledAt !== null && (
          <span class="second">
            since <Time at={disabledAt} />
          </span>
        )}
      </Fact>
      <Fact title="Events" value={`${events.join(', ')}, of ${environment} keys`} />
      <Fact title="Description" value={description === '' ? '–' : description} />
      <Fact title="Since" value={<Time at={createdAt} />} />
      <Fact title="Made by" value={<MadeBy maker={madeBy} />} />
    </dl>
  );
}

interface AskProps {
  readonly question: Question;
  /** Of the endpoint in the API. */
  readonly path: string;
  readonly of: OwnWebhook;
  /** It was changed. */
  readonly set: (changed: OwnWebhook) => void;
  /** A message was sent. */
  readonly sent: () => void;
  readonly show: (secret: NewSecret) => void;
  readonly close: () => void;
}

function Ask({ question, ...props }: AskProps) {
  if (question === 'edit') return <Edit {...props} />;
  if (question === 'test') return <Test {...props} />;
  if (question === 'secret') return <Rotate {...props} />;
  if (question === 'disable') return <Disable {...props} />;
  if (question === 'enable') return <Enable {...props} />;
  return <Delete {...props} />;
}

type QuestionProps = Omit<AskProps, 'question'>;

function Edit({ path, of: webhook, set, close }: QuestionProps) {
  const [form, setForm] = useState<WebhookForm>(webhook);
  const edits = editsOf(webhook, form);
  const isReady = isComplete(form) && Object.keys(edits).length > 0;
  const act = async () => set(await change<OwnWebhook>('PATCH', path, edits));
  return (
    <Dialog title="Edit the endpoint" action="Save" isReady={isReady} act={act} close={close}>
      <WebhookFields form={form} edit={(changes) => setForm((before) => ({ ...before, ...changes }))} />
    </Dialog>
  );
}

const testEvents: readonly (readonly [WebhookEvent | '', string])[] = [
  ['', 'webhook.test'],
  ...allEvents.map(([name]) => [name, `a sample of ${name}`] as const),
];

function Test({ path, of: { environment }, sent, close }: QuestionProps) {
  const [event, setEvent] = useState<WebhookEvent | ''>('');
  const act = () => change('POST', `${path}/test`, event === '' ? {} : { event }).then(sent);
  return (
    <Dialog title="Send a test event" action="Send it" act={act} close={close}>
      {environment === 'test' ? (
        <Field title="Event">
          {(described) => <Select {...described} options={testEvents} value={event} choose={setEvent} />}
        </Field>
      ) : (
        <p>
          It is a <code>webhook.test</code>. Samples of other events go to endpoints of test keys only: a live
          receiver would take them as real.
        </p>
      )}
    </Dialog>
  );
}

function Rotate({ path, of: { url }, show, close }: QuestionProps) {
  const act = async () => {
    const rotated = await change<WebhookSecret>('POST', `${path}/secret`);
    show({ ...rotated, of: new URL(url).host });
  };
  return (
    <Dialog title="Rotate the secret?" action="Rotate the secret" act={act} close={close}>
      <p>
        A new secret is made, and shown once. For 24 hours the former ones sign as well: give your receiver
        the new one before they end.
      </p>
    </Dialog>
  );
}

function Disable({ path, set, close }: QuestionProps) {
  const act = async () => set(await change<OwnWebhook>('POST', `${path}/disable`));
  return (
    <Dialog title="Disable the endpoint?" action="Disable the endpoint" isDangerous act={act} close={close}>
      <p>It gets no more messages. Those that become due meanwhile fail, and can be sent again later.</p>
    </Dialog>
  );
}

function Enable({ path, of: { disabledReason }, set, close }: QuestionProps) {
  const act = async () => set(await change<OwnWebhook>('POST', `${path}/enable`));
  return (
    <Dialog title="Enable the endpoint?" action="Enable the endpoint" act={act} close={close}>
      <p>
        {disabledReason === 'gone' && 'It was disabled because it answered 410. '}
        {disabledReason === 'failing' &&
          'It was disabled because every attempt failed for five days: send it a test afterwards. '}
        {disabledReason === 'operator' && 'Your operator disabled it: ask them why. '}
        It gets messages from now on. Those that failed meanwhile can be sent again.
      </p>
    </Dialog>
  );
}

function Delete({ path, close }: QuestionProps) {
  const act = async () => {
    await change('DELETE', path);
    navigate(`${HOME}/webhooks`);
  };
  return (
    <Dialog title="Delete the endpoint?" action="Delete the endpoint" isDangerous act={act} close={close}>
      <p>Its secret and its messages are deleted, too, even those that wait. This cannot be undone.</p>
    </Dialog>
  );
}
