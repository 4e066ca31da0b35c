/** /account/v1/webhooks: the endpoints of the account, their secrets and their messages. */

import { type Static, Type } from 'typebox';
import { PlatenError } from '../../errors.ts';
import { jobParams, missingJob } from '../../operations/jobs.ts';
import { environment } from '../../operations/key-schema.ts';
import { keepers } from '../../operations/operation.ts';
import { named, orNull, words } from '../../operations/schema.ts';
import { eventTypes } from '../../webhooks/webhook.ts';
import {
  CreatedWebhook,
  deliveryExample,
  secretExample,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookSecret,
  webhookExample,
} from '../account/webhook-body.ts';
import { changeWebhook, createWebhook, DISABLED, TOO_MANY } from '../account/webhooks.contract.ts';
import { emptyResponse, errorResponses, jsonResponse } from '../contract/responses.ts';
import { noSuch } from '../operator/answer.ts';
import { bySession, type ConsoleOperation, changeErrors, notFound, readErrors } from './operation.ts';

export const noWebhook = 'The account has no such endpoint.';
export const noDelivery = 'There is no such message: it is kept for seven days after its last attempt.';
export const NO_SAMPLE = 'Samples of events go to endpoints of test keys only. Leave event out.';

export const OwnWebhookList = Type.Object(
  {
    webhooks: Type.Array(named(Webhook), { description: 'Those of live keys first, the oldest first.' }),
    jobSecrets: Type.Object(
      {
        live: Type.Boolean({ description: 'Of live keys.' }),
        test: Type.Boolean({ description: 'Of test keys.' }),
      },
      { description: 'Whether there is a secret for URLs that are sent with jobs.' },
    ),
  },
  { $id: 'OwnWebhookList', description: 'The endpoints of the account.' },
);

export const JobDelivery = Type.Object(
  {
    ...WebhookDelivery.properties,
    webhook: orNull(Type.String(), 'Id of the endpoint. `null`: it goes to the URL of the job.'),
  },
  { $id: 'JobDelivery', description: 'A message about a job.' },
);

export const JobDeliveryList = Type.Object(
  { deliveries: Type.Array(named(JobDelivery), { description: 'The newest first.' }) },
  { $id: 'JobDeliveryList', description: 'The messages about a job.' },
);

/** A new secret. */
export type Secret = Static<typeof WebhookSecret>;

const tags = ['webhooks'] as const;
const shared = { roles: keepers };
const params = Type.Object({
  webhook: Type.String({
    pattern: '^wh_[0-9a-f]{32}$',
    description: 'Id of the endpoint.',
    examples: [webhookExample.id],
  }),
});
const delivery = Type.String({
  pattern: '^msg_[0-9a-f]{32}$',
  description: 'Id of the message.',
  examples: [deliveryExample.id],
});
const webhookNotFound = notFound(noWebhook);
const environmentBody = Type.Object({ environment }, { additionalProperties: false });

const webhookAnswer = jsonResponse(Webhook, { description: 'The endpoint.', example: webhookExample });
const secretAnswer = jsonResponse(WebhookSecret, {
  description: 'The secret.',
  example: { secret: secretExample, formerUntil: '2026-11-22T08:00:00.000Z' },
});
const queuedAnswer = jsonResponse(WebhookDelivery, {
  description: 'The message is on its way.',
  example: { ...deliveryExample, state: 'pending', nextAttemptAt: deliveryExample.createdAt, attempts: [] },
});
/** Errors of a change, one of which is that it is not possible now. */
const refusals = (message: string) => ({
  ...changeErrors,
  ...errorResponses('Console', ['INVALID_PARAMETER', new PlatenError('INVALID_REQUEST', { message })]),
});

export const listOwnWebhooks = {
  method: 'GET',
  path: '/account/v1/webhooks',
  ...shared,
  schema: {
    operationId: 'listOwnWebhooks',
    tags,
    summary: 'The webhooks of the account',
    description: 'Whether they work, and why one is disabled.',
    security: bySession,
    response: {
      200: jsonResponse(OwnWebhookList, {
        description: 'The endpoints.',
        example: { webhooks: [webhookExample], jobSecrets: { live: true, test: false } },
      }),
      ...readErrors,
    },
  },
} as const satisfies ConsoleOperation;

export const createOwnWebhook = {
  method: 'POST',
  path: '/account/v1/webhooks',
  ...shared,
  schema: {
    operationId: 'createOwnWebhook',
    tags,
    summary: 'Add an endpoint',
    description: 'Returns its secret, this once.',
    security: bySession,
    body: Type.Object(
      { environment, ...createWebhook.schema.body.properties },
      { additionalProperties: false },
    ),
    response: {
      201: jsonResponse(CreatedWebhook, {
        description: 'The endpoint, and its secret.',
        example: { ...webhookExample, secret: secretExample },
      }),
      ...refusals(TOO_MANY),
    },
  },
} as const satisfies ConsoleOperation;

export const getOwnWebhook = {
  method: 'GET',
  path: '/account/v1/webhooks/:webhook',
  ...shared,
  schema: {
    operationId: 'getOwnWebhook',
    tags,
    summary: 'An endpoint',
    description: 'Whether it works; never its secret.',
    security: bySession,
    params,
    response: { 200: webhookAnswer, ...readErrors, ...webhookNotFound },
  },
} as const satisfies ConsoleOperation;

const { enabled: _, ...settings } = changeWebhook.schema.body.properties;

export const changeOwnWebhook = {
  method: 'PATCH',
  path: '/account/v1/webhooks/:webhook',
  ...shared,
  schema: {
    operationId: 'changeOwnWebhook',
    tags,
    summary: 'Change an endpoint',
    description: 'What is left out stays.',
    security: bySession,
    params,
    body: Type.Object(settings, { additionalProperties: false }),
    response: { 200: webhookAnswer, ...changeErrors, ...webhookNotFound },
  },
} as const satisfies ConsoleOperation;

export const deleteOwnWebhook = {
  method: 'DELETE',
  path: '/account/v1/webhooks/:webhook',
  ...shared,
  schema: {
    operationId: 'deleteOwnWebhook',
    tags,
    summary: 'Delete an endpoint',
    description: 'Also its messages: what waits is not sent.',
    security: bySession,
    params,
    response: { 204: emptyResponse('It is gone.'), ...changeErrors, ...webhookNotFound },
  },
} as const satisfies ConsoleOperation;

export const disableOwnWebhook = {
  method: 'POST',
  path: '/account/v1/webhooks/:webhook/disable',
  ...shared,
  schema: {
    operationId: 'disableOwnWebhook',
    tags,
    summary: 'Disable an endpoint',
    description: 'It is told nothing any more.',
    security: bySession,
    params,
    response: { 200: webhookAnswer, ...changeErrors, ...webhookNotFound },
  },
} as const satisfies ConsoleOperation;

export const enableOwnWebhook = {
  method: 'POST',
  path: '/account/v1/webhooks/:webhook/enable',
  ...shared,
  schema: {
    operationId: 'enableOwnWebhook',
    tags,
    summary: 'Enable an endpoint again',
    description: 'Whatever disabled it. Messages that came due meanwhile can be sent again.',
    security: bySession,
    params,
    response: { 200: webhookAnswer, ...changeErrors, ...webhookNotFound },
  },
} as const satisfies ConsoleOperation;

const rotates = 'Returns it, this once. For 24 hours the former ones, up to four, sign as well.';

export const rotateOwnWebhookSecret = {
  method: 'POST',
  path: '/account/v1/webhooks/:webhook/secret',
  ...shared,
  schema: {
    operationId: 'rotateOwnWebhookSecret',
    tags,
    summary: 'A new secret for an endpoint',
    description: rotates,
    security: bySession,
    params,
    response: { 201: secretAnswer, ...changeErrors, ...webhookNotFound },
  },
} as const satisfies ConsoleOperation;

export const rotateOwnJobSecret = {
  method: 'POST',
  path: '/account/v1/webhooks/secret',
  ...shared,
  schema: {
    operationId: 'rotateOwnJobSecret',
    tags,
    summary: 'A new secret for URLs of jobs',
    description: `Signs for URLs that are sent with jobs. ${rotates}`,
    security: bySession,
    body: environmentBody,
    response: { 201: secretAnswer, ...changeErrors },
  },
} as const satisfies ConsoleOperation;

export const testOwnWebhook = {
  method: 'POST',
  path: '/account/v1/webhooks/:webhook/test',
  ...shared,
  schema: {
    operationId: 'testOwnWebhook',
    tags,
    summary: 'Send a test to an endpoint',
    description: 'It is delivered as any other message.',
    security: bySession,
    params,
    body: Type.Object(
      {
        event: Type.Optional(
          words(eventTypes, {
            description: 'A sample of this event, for endpoints of test keys. Default: `webhook.test`.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    response: { 202: queuedAnswer, ...refusals(DISABLED), ...webhookNotFound },
  },
} as const satisfies ConsoleOperation;

export const listOwnDeliveries = {
  method: 'GET',
  path: '/account/v1/webhooks/:webhook/deliveries',
  ...shared,
  schema: {
    operationId: 'listOwnDeliveries',
    tags,
    summary: 'Messages to an endpoint',
    description: 'The last 50 of a week, with their attempts.',
    security: bySession,
    params,
    response: {
      200: jsonResponse(WebhookDeliveryList, {
        description: 'The messages.',
        example: { deliveries: [deliveryExample] },
      }),
      ...readErrors,
      ...webhookNotFound,
    },
  },
} as const satisfies ConsoleOperation;

export const retryOwnDelivery = {
  method: 'POST',
  path: '/account/v1/webhooks/:webhook/deliveries/:delivery/retry',
  ...shared,
  schema: {
    operationId: 'retryOwnDelivery',
    tags,
    summary: 'Send a message again',
    description: 'At once, and then as a new one. It keeps its id.',
    security: bySession,
    params: Type.Object({ ...params.properties, delivery }),
    response: { 202: queuedAnswer, ...refusals(DISABLED), ...notFound(noDelivery) },
  },
} as const satisfies ConsoleOperation;

export const listOwnJobDeliveries = {
  method: 'GET',
  path: '/account/v1/jobs/:job/deliveries',
  ...shared,
  schema: {
    operationId: 'listOwnJobDeliveries',
    tags,
    summary: 'Messages about a job',
    description: 'To endpoints, and to the URL that was sent with it.',
    security: bySession,
    params: jobParams,
    response: {
      200: jsonResponse(JobDeliveryList, {
        description: 'The messages.',
        example: { deliveries: [{ ...deliveryExample, webhook: null }] },
      }),
      ...readErrors,
      ...notFound(noSuch(missingJob)),
    },
  },
} as const satisfies ConsoleOperation;

export const retryOwnJobDelivery = {
  method: 'POST',
  path: '/account/v1/jobs/:job/deliveries/:delivery/retry',
  ...shared,
  schema: {
    operationId: 'retryOwnJobDelivery',
    tags,
    summary: 'Send a message to the URL of a job again',
    description: retryOwnDelivery.schema.description,
    security: bySession,
    params: Type.Object({ ...jobParams.properties, delivery }),
    response: { 202: queuedAnswer, ...changeErrors, ...notFound(noDelivery) },
  },
} as const satisfies ConsoleOperation;

/** In the order of the document. */
export const ownWebhookOperations: readonly ConsoleOperation[] = [
  listOwnWebhooks,
  createOwnWebhook,
  getOwnWebhook,
  changeOwnWebhook,
  deleteOwnWebhook,
  disableOwnWebhook,
  enableOwnWebhook,
  rotateOwnWebhookSecret,
  rotateOwnJobSecret,
  testOwnWebhook,
  listOwnDeliveries,
  retryOwnDelivery,
  listOwnJobDeliveries,
  retryOwnJobDelivery,
];
