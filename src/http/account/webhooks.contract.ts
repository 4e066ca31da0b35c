/** /v1/webhooks: endpoints that are told what happens. */
import { Type } from 'typebox';
import { type ErrorCode, PlatenError } from '../../errors.ts';
import { DISABLED, LISTED_DELIVERIES, TOO_MANY } from '../../operations/endpoints.ts';
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
import { eventTypes } from '../../webhooks/webhook.ts';
import { rateLimitHeaders } from '../contract/headers.ts';
import { type Operation, withApiKey } from '../contract/operation.ts';
import { accountErrorResponses, emptyResponse, jsonResponse } from '../contract/responses.ts';

export const noWebhook =
  'There is no such endpoint or delivery. Check the id, and use a key of the same account and environment (test or live).';
export const NOT_JSON = 'The body must be JSON, with Content-Type: application/json.';
export const NOT_SIMULATED = `Platen-Simulate must be one of ${eventTypes.join(', ')} here, with a test key.`;

const tags = ['webhooks'] as const;
const security = withApiKey;
const params = Type.Object({ id: Type.String({ description: 'Id of the endpoint.' }) });
const targetParams = Type.Object({
  id: Type.String({ description: 'Id of the endpoint, or of a job that was sent with a URL.' }),
});
const errors = (own: readonly (ErrorCode | PlatenError)[] = []) =>
  accountErrorResponses([new PlatenError('NOT_FOUND', { message: noWebhook }), ...own]);
const invalid = (message: string) => new PlatenError('INVALID_REQUEST', { message });
const shared = 'Needs a key with the permission `webhooks`, and counts against the rate windows.';

const withKey = true;
const pendingExample = {
  ...deliveryExample,
  state: 'pending',
  nextAttemptAt: '2026-11-21T08:00:01.000Z',
  attempts: [],
};
const webhookAnswer = jsonResponse(Webhook, {
  description: 'The endpoint.',
  example: webhookExample,
  withKey,
});
const queuedAnswer = jsonResponse(WebhookDelivery, {
  description: 'The message is on its way.',
  example: pendingExample,
  withKey,
});
const secretAnswer = jsonResponse(WebhookSecret, {
  description: 'The secret.',
  example: { secret: secretExample, formerUntil: '2026-11-22T08:00:00.000Z' },
  withKey,
});

export const createWebhook = {
  method: 'POST',
  path: '/v1/webhooks',
  schema: {
    operationId: 'createWebhook',
    tags,
    summary: 'Be told what happens',
    description:
      'Adds an endpoint. What happens to jobs of test keys is told to endpoints of test keys, and the same with live keys. ' +
      `Messages are those of [Standard Webhooks](https://www.standardwebhooks.com). ${shared}`,
    security,
    body: Type.Object(settingsFields, { additionalProperties: false }),
    response: {
      201: jsonResponse(CreatedWebhook, {
        description: 'The endpoint, and its secret.',
        example: { ...webhookExample, secret: secretExample },
        withKey,
      }),
      ...accountErrorResponses(['INVALID_PARAMETER', invalid(NOT_JSON), invalid(TOO_MANY)]),
    },
  },
} as const satisfies Operation;

export const listWebhooks = {
  method: 'GET',
  path: '/v1/webhooks',
  schema: {
    operationId: 'listWebhooks',
    tags,
    summary: 'The endpoints of the account',
    description: `Those of test keys and of live keys are apart. ${shared}`,
    security,
    response: {
      200: jsonResponse(WebhookList, {
        description: 'The endpoints.',
        example: { webhooks: [webhookExample] },
        withKey,
      }),
      ...accountErrorResponses(['INVALID_PARAMETER']),
    },
  },
} as const satisfies Operation;

export const getWebhook = {
  method: 'GET',
  path: '/v1/webhooks/:id',
  schema: {
    operationId: 'getWebhook',
    tags,
    summary: 'An endpoint',
    description: `Whether it works. ${shared}`,
    security,
    params,
    response: { 200: webhookAnswer, ...errors(['INVALID_PARAMETER']) },
  },
} as const satisfies Operation;

export const changeWebhook = {
  method: 'PATCH',
  path: '/v1/webhooks/:id',
  schema: {
    operationId: 'changeWebhook',
    tags,
    summary: 'Change an endpoint',
    description:
      'What is left out stays. To enable it forgets why it was disabled; messages that came due meanwhile can be sent again. ' +
      shared,
    security,
    params,
    body: Type.Object(Type.Partial(Type.Object(settingsFields)).properties, {
      additionalProperties: false,
    }),
    response: { 200: webhookAnswer, ...errors(['INVALID_PARAMETER', invalid(NOT_JSON)]) },
  },
} as const satisfies Operation;

export const deleteWebhook = {
  method: 'DELETE',
  path: '/v1/webhooks/:id',
  schema: {
    operationId: 'deleteWebhook',
    tags,
    summary: 'Delete an endpoint',
    description: `Also its messages: what waits is not sent. ${shared}`,
    security,
    params,
    response: { 204: emptyResponse('It is gone.', rateLimitHeaders), ...errors(['INVALID_PARAMETER']) },
  },
} as const satisfies Operation;

const rotates =
  'For 24 hours the former ones, up to four, sign as well, so that receivers can change theirs.';

export const rotateWebhookSecret = {
  method: 'POST',
  path: '/v1/webhooks/:id/secret',
  schema: {
    operationId: 'rotateWebhookSecret',
    tags,
    summary: 'A new secret for an endpoint',
    description: `${rotates} ${shared}`,
    security,
    params,
    response: { 201: secretAnswer, ...errors(['INVALID_PARAMETER']) },
  },
} as const satisfies Operation;

export const rotateDefaultSecret = {
  method: 'POST',
  path: '/v1/webhooks/secret',
  schema: {
    operationId: 'rotateDefaultWebhookSecret',
    tags,
    summary: 'A new secret for URLs of jobs',
    description: `Signs for URLs that are sent with jobs; make one before you send the first. ${rotates} ${shared}`,
    security,
    response: { 201: secretAnswer, ...accountErrorResponses(['INVALID_PARAMETER']) },
  },
} as const satisfies Operation;

export const testWebhook = {
  method: 'POST',
  path: '/v1/webhooks/:id/test',
  schema: {
    operationId: 'testWebhook',
    tags,
    summary: 'Send a test to an endpoint',
    description: `A message \`webhook.test\`, which is delivered as any other. ${shared}`,
    security,
    params,
    headers: Type.Object({
      'Platen-Simulate': Type.Optional(
        Type.String({
          description: `With a test key: a sample of this event instead, of ${eventTypes.join(', ')}. Live keys get INVALID_PARAMETER.`,
        }),
      ),
    }),
    response: { 202: queuedAnswer, ...errors(['INVALID_PARAMETER', invalid(DISABLED)]) },
  },
} as const satisfies Operation;

export const listWebhookDeliveries = {
  method: 'GET',
  path: '/v1/webhooks/:id/deliveries',
  schema: {
    operationId: 'listWebhookDeliveries',
    tags,
    summary: 'Messages to an endpoint',
    description: `The last ${LISTED_DELIVERIES} of a week, with their attempts. ${shared}`,
    security,
    params: targetParams,
    response: {
      200: jsonResponse(WebhookDeliveryList, {
        description: 'The messages.',
        example: { deliveries: [deliveryExample] },
        withKey,
      }),
      ...errors(['INVALID_PARAMETER']),
    },
  },
} as const satisfies Operation;

export const retryWebhookDelivery = {
  method: 'POST',
  path: '/v1/webhooks/:id/deliveries/:delivery/retry',
  schema: {
    operationId: 'retryWebhookDelivery',
    tags,
    summary: 'Send a message again',
    description: `At once, and then as a new one. It keeps its id. ${shared}`,
    security,
    params: Type.Object({
      ...targetParams.properties,
      delivery: Type.String({ description: 'Id of the message.' }),
    }),
    response: { 202: queuedAnswer, ...errors(['INVALID_PARAMETER', invalid(DISABLED)]) },
  },
} as const satisfies Operation;

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
