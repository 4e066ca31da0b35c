/** /v1/webhooks: endpoints that are told what happens. */
import { Type } from 'typebox';
import { type ErrorCode, PlatenError } from '../../errors.ts';
import { LISTED_DELIVERIES } from '../../operations/endpoints.ts';
import { closed } from '../../operations/schema.ts';
import {
  CreatedWebhook,
  deliveryExample,
  secretExample,
  settingsFields,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
  WebhookSecret,
  webhookExample,
} from '../../operations/webhook-schema.ts';
import { answered, queued, secretAnswered } from '../../operations/webhooks.ts';
import { eventTypes } from '../../webhooks/webhook.ts';
import { rateLimitHeaders } from '../contract/headers.ts';
import { contractsOf, type Operation } from '../contract/operation.ts';
import { accountErrorResponses, emptyResponse, jsonResponse } from '../contract/responses.ts';

export const noWebhook =
  'There is no such endpoint or delivery. Check the id, and use a key of the same account and environment (test or live).';
export const NOT_JSON = 'The body must be JSON, with Content-Type: application/json.';
export const NOT_SIMULATED = `Platen-Simulate must be one of ${eventTypes.join(', ')} here, with a test key.`;

const params = Type.Object({ id: Type.String({ description: 'Id of the endpoint.' }) });
const targetParams = Type.Object({
  id: Type.String({ description: 'Id of the endpoint, or of a job that was sent with a URL.' }),
});
const errors = (own: readonly (ErrorCode | PlatenError)[] = []) =>
  accountErrorResponses([new PlatenError('NOT_FOUND', { message: noWebhook }), 'INVALID_PARAMETER', ...own]);
const ofWebhooks = contractsOf(
  'webhooks',
  'Needs a key with the permission `webhooks`, and counts against the rate windows.',
);

const withKey = true;
const webhookAnswer = jsonResponse(Webhook, { ...answered, withKey });
const queuedAnswer = jsonResponse(WebhookDelivery, { ...queued, withKey });
const secretAnswer = jsonResponse(WebhookSecret, { ...secretAnswered, withKey });

export const createWebhook = ofWebhooks({
  method: 'POST',
  path: '/v1/webhooks',
  id: 'createWebhook',
  says: [
    'Add an endpoint',
    'Adds an endpoint. Endpoints of test keys are told of jobs of test keys, those of live keys of jobs of live keys. ' +
      'Messages are those of [Standard Webhooks](https://www.standardwebhooks.com).',
  ],
  schema: {
    body: closed(settingsFields),
    response: {
      201: jsonResponse(CreatedWebhook, {
        description: 'The endpoint, and its secret.',
        example: { ...webhookExample, secret: secretExample },
        withKey,
      }),
      ...accountErrorResponses(['INVALID_PARAMETER']),
    },
  },
});

export const listWebhooks = ofWebhooks({
  method: 'GET',
  path: '/v1/webhooks',
  id: 'listWebhooks',
  says: ['The endpoints of the account', 'Those of test keys and of live keys are kept apart.'],
  schema: {
    response: {
      200: jsonResponse(WebhookList, {
        description: 'The endpoints.',
        example: { webhooks: [webhookExample] },
        withKey,
      }),
      ...accountErrorResponses(['INVALID_PARAMETER']),
    },
  },
});

export const getWebhook = ofWebhooks({
  method: 'GET',
  path: '/v1/webhooks/:id',
  id: 'getWebhook',
  says: ['An endpoint', 'Whether it works.'],
  schema: { params, response: { 200: webhookAnswer, ...errors() } },
});

export const changeWebhook = ofWebhooks({
  method: 'PATCH',
  path: '/v1/webhooks/:id',
  id: 'changeWebhook',
  says: [
    'Change an endpoint',
    'What is left out stays. Enabling it clears the reason why it was disabled; messages that became due meanwhile can be sent again.',
  ],
  schema: {
    params,
    body: closed(Type.Partial(Type.Object(settingsFields)).properties),
    response: { 200: webhookAnswer, ...errors() },
  },
});

export const deleteWebhook = ofWebhooks({
  method: 'DELETE',
  path: '/v1/webhooks/:id',
  id: 'deleteWebhook',
  says: ['Delete an endpoint', 'Its messages are deleted, too: those that still wait are not sent.'],
  schema: { params, response: { 204: emptyResponse('It is gone.', rateLimitHeaders), ...errors() } },
});

const rotates =
  'For 24 hours the former ones, up to four, sign as well, so that receivers can change theirs.';

export const rotateWebhookSecret = ofWebhooks({
  method: 'POST',
  path: '/v1/webhooks/:id/secret',
  id: 'rotateWebhookSecret',
  says: ['A new secret for an endpoint', rotates],
  schema: { params, response: { 201: secretAnswer, ...errors() } },
});

export const rotateDefaultSecret = ofWebhooks({
  method: 'POST',
  path: '/v1/webhooks/secret',
  id: 'rotateDefaultWebhookSecret',
  says: [
    'A new secret for URLs of jobs',
    `Signs for URLs that are sent with jobs; make one before you send the first. ${rotates}`,
  ],
  schema: { response: { 201: secretAnswer, ...accountErrorResponses(['INVALID_PARAMETER']) } },
});

export const testWebhook = ofWebhooks({
  method: 'POST',
  path: '/v1/webhooks/:id/test',
  id: 'testWebhook',
  says: ['Send a test to an endpoint', 'A message `webhook.test`, which is delivered like any other.'],
  schema: {
    params,
    headers: Type.Object({
      'Platen-Simulate': Type.Optional(
        Type.String({
          description: `With a test key: a sample of one of these events instead: ${eventTypes.join(', ')}. Live keys get INVALID_PARAMETER.`,
        }),
      ),
    }),
    response: { 202: queuedAnswer, ...errors() },
  },
});

export const listWebhookDeliveries = ofWebhooks({
  method: 'GET',
  path: '/v1/webhooks/:id/deliveries',
  id: 'listWebhookDeliveries',
  says: ['Messages to an endpoint', `The last ${LISTED_DELIVERIES} of a week, with their attempts.`],
  schema: {
    params: targetParams,
    response: {
      200: jsonResponse(WebhookDeliveryList, {
        description: 'The messages.',
        example: { deliveries: [deliveryExample] },
        withKey,
      }),
      ...errors(),
    },
  },
});

export const retryWebhookDelivery = ofWebhooks({
  method: 'POST',
  path: '/v1/webhooks/:id/deliveries/:delivery/retry',
  id: 'retryWebhookDelivery',
  says: ['Send a message again', 'It is sent at once, and then tried again like a new one. It keeps its id.'],
  schema: {
    params: Type.Object({
      ...targetParams.properties,
      delivery: Type.String({ description: 'Id of the message.' }),
    }),
    response: { 202: queuedAnswer, ...errors() },
  },
});

/** In the order of the document. */
export const webhookOperations: readonly Operation[] = [
  createWebhook,
  listWebhooks,
  getWebhook,
  changeWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  rotateDefaultSecret,
  testWebhook,
  listWebhookDeliveries,
  retryWebhookDelivery,
];
