/** Endpoints of webhooks, and messages to them, as clients see them. */
import { type Static, Type } from 'typebox';
import { MAX_URL } from '../outbound/target.ts';
import { iso, isoOrNull } from '../system/iso-time.ts';
import {
  type Delivery as DeliveryData,
  deliveryStates,
  type Endpoint,
  eventTypes,
} from '../webhooks/webhook.ts';
import { environment } from './key-schema.ts';
import { madeBy, memberMakerExample } from './made-by.ts';
import { orNull, time, timeOrNull, words } from './schema.ts';

const MAX_DESCRIPTION = 200;

const url = Type.String({
  minLength: 1,
  maxLength: MAX_URL,
  description: 'Where messages go, with https://.',
  examples: ['https://shop.example/hooks/platen'],
});
const events = Type.Array(words(eventTypes), {
  minItems: 1,
  maxItems: eventTypes.length,
  uniqueItems: true,
  title: `a list of ${eventTypes.join(', ')}, each once`,
  description: 'The events of which it is told.',
});
const description = Type.String({ maxLength: MAX_DESCRIPTION, description: 'Your own words about it.' });
const enabled = Type.Boolean({ description: 'Whether it gets messages.' });

export const Webhook = Type.Object(
  {
    id: Type.String({ pattern: '^wh_[0-9a-f]{32}$', description: 'Id of the endpoint.' }),
    environment,
    url,
    events,
    description,
    enabled,
    disabledReason: orNull(
      Type.String(),
      '`gone`: it answered 410. `failing`: every attempt of five days failed. `operator`: your operator did it. `null`: it is enabled, or you disabled it.',
    ),
    disabledAt: timeOrNull('When it was disabled. `null`: it is enabled.'),
    failingSince: timeOrNull('Since when every attempt has failed. `null`: the last one did not.'),
    createdAt: time('When it was created.'),
    madeBy,
  },
  { $id: 'Webhook', description: 'An endpoint that gets a message when something happens.' },
);

/** What may be set of an endpoint. */
export const settingsFields = {
  url,
  events,
  description: Type.Optional(description),
  enabled: Type.Optional(enabled),
};

const secret = Type.String({
  pattern: '^whsec_[A-Za-z0-9+/=]+$',
  description: 'What signs its messages. Store it: it is shown only here.',
});

export const CreatedWebhook = Type.Object(
  { ...Webhook.properties, secret },
  { $id: 'CreatedWebhook', description: 'A new endpoint, and its secret.' },
);

export const WebhookList = Type.Object(
  { webhooks: Type.Array(Type.Unsafe<object>({ $ref: 'Webhook#' }), { description: 'The oldest first.' }) },
  { $id: 'WebhookList', description: 'The endpoints of an account.' },
);

export const WebhookSecret = Type.Object(
  { secret, formerUntil: time('Until when the former secret, if there is one, also signs.') },
  { $id: 'WebhookSecret', description: 'A new secret.' },
);

export const WebhookDelivery = Type.Object(
  {
    id: Type.String({
      pattern: '^msg_[0-9a-f]{32}$',
      description: 'Id of the message: its header `webhook-id`.',
    }),
    type: words([...eventTypes, 'webhook.test'], { description: 'What happened.' }),
    state: words(deliveryStates, { description: '`pending`: an attempt is to come.' }),
    createdAt: time('When it happened, or was noticed.'),
    nextAttemptAt: timeOrNull('When the next attempt is due. `null`: there is none.'),
    attempts: Type.Array(
      Type.Object({
        at: time('When it began.'),
        status: orNull(
          Type.Integer({ minimum: 100, maximum: 999 }),
          'Of the answer. `null`: there was none.',
        ),
        failure: orNull(
          Type.String(),
          'Why there was no answer: `forbidden` (the address is not allowed), `unreachable` (no connection) or `timeout` (none ' +
            'in 15 seconds). `null`: there was one.',
        ),
        durationMs: Type.Integer({ minimum: 0, description: 'How long it took, in ms.' }),
      }),
      { description: 'The attempts, the oldest first; of many, the last 20.' },
    ),
  },
  { $id: 'WebhookDelivery', description: 'A message to an endpoint.' },
);

export const WebhookDeliveryList = Type.Object(
  {
    deliveries: Type.Array(Type.Unsafe<object>({ $ref: 'WebhookDelivery#' }), {
      description: 'The newest first.',
    }),
  },
  { $id: 'WebhookDeliveryList', description: 'Messages to an endpoint.' },
);

export const webhookExample = {
  id: 'wh_6f1d2c3b4a5968778695a4b3c2d1e0f1',
  environment: 'live',
  url: 'https://shop.example/hooks/platen',
  events: ['job.completed', 'job.canceled'],
  description: 'invoices',
  enabled: true,
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
  createdAt: '2026-11-21T08:00:00.000Z',
  madeBy: memberMakerExample,
};
export const secretExample = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
export const deliveryExample = {
  id: 'msg_5f4dcc3b5aa765d61d8327deb882cf99',
  type: 'job.completed',
  state: 'delivered',
  createdAt: '2026-11-21T08:00:01.000Z',
  nextAttemptAt: null,
  attempts: [{ at: '2026-11-21T08:00:01.010Z', status: 204, failure: null, durationMs: 38 }],
};
/** An endpoint as clients see it. */
export function webhookBody(
  { createdAt, disabledAt, failingSince, events: told, ...rest }: Endpoint,
  keyEnvironment: 'test' | 'live',
): Static<typeof Webhook> {
  return {
    ...rest,
    environment: keyEnvironment,
    events: told.filter((type) => type !== 'webhook.test'),
    disabledAt: isoOrNull(disabledAt),
    failingSince: isoOrNull(failingSince),
    createdAt: iso(createdAt),
  };
}

/** A message to an endpoint as clients see it. */
export function deliveryBody({
  createdAt,
  nextAttemptAt,
  attempts,
  ...rest
}: DeliveryData): Static<typeof WebhookDelivery> {
  return {
    ...rest,
    createdAt: iso(createdAt),
    nextAttemptAt: isoOrNull(nextAttemptAt),
    attempts: attempts.map(({ at, ...attempt }) => ({ ...attempt, at: iso(at) })),
  };
}
