/** What is set of an endpoint, as it is typed. The service validates it again. */
import type { OwnWebhook, WebhookEvent } from '../../app/api-types.ts';
import { TextField } from '../../app/parts/fields.tsx';

export const allEvents: readonly (readonly [WebhookEvent, string])[] = [
  ['job.completed', 'a job has ended'],
  ['job.canceled', 'a job was cancelled'],
  ['job.expired', 'the results of a job were removed'],
  ['quota.warning', '80 and 100 % of a month’s quota are used'],
  ['key.expiring', 'a key expires in 7 days, and in 1 day'],
];

export type WebhookForm = Pick<OwnWebhook, 'url' | 'events' | 'description'>;

export const isComplete = ({ url, events }: WebhookForm) =>
  /^https?:\/\/\S+$/.test(url.trim()) && events.length > 0;

/** As the API takes it. */
export const settingsOf = ({ url, events, description }: WebhookForm) => ({
  url: url.trim(),
  events,
  description: description.trim(),
});

/** Only what differs from the endpoint that is shown, so that what somebody else has changed since stays. */
export function editsOf(shown: WebhookForm, form: WebhookForm): Partial<WebhookForm> {
  const before = settingsOf(shown);
  const { url, events, description } = settingsOf(form);
  const areSame =
    events.length === before.events.length && events.every((each) => before.events.includes(each));
  return {
    ...(url !== before.url && { url }),
    ...(!areSame && { events }),
    ...(description !== before.description && { description }),
  };
}

interface WebhookFieldsProps {
  readonly form: WebhookForm;
  readonly edit: (changes: Partial<WebhookForm>) => void;
}

export function WebhookFields({ form: { url, events, description }, edit }: WebhookFieldsProps) {
  const choose = (chosen: WebhookEvent, isOn: boolean) => {
    const names = allEvents.map(([name]) => name);
    edit({ events: names.filter((name) => (name === chosen ? isOn : events.includes(name))) });
  };
  return (
    <>
      <TextField
        title="URL"
        hint="Address that gets the messages, with https://."
        type="url"
        maxLength={2_048}
        autocomplete="off"
        value={url}
        set={(url) => edit({ url })}
      />
      <fieldset>
        <legend class="label">Events</legend>
        {allEvents.map(([name, text]) => (
          <label key={name} class="option">
            <input
              type="checkbox"
              checked={events.includes(name)}
              onChange={({ currentTarget }) => choose(name, currentTarget.checked)}
            />
            <span>
              <code>{name}</code> <span class="hint">{text}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <TextField
        title="Description (optional)"
        hint="For you: the service does not use it."
        maxLength={200}
        value={description}
        set={(description) => edit({ description })}
      />
    </>
  );
}
