/** The endpoints of accounts' webhooks. */

import { Type } from 'typebox';
import { named } from '../../operations/schema.ts';
import { Webhook } from '../account/webhook-body.ts';
import { jsonResponse } from '../contract/responses.ts';
import { accountNotFound, accountParams } from './accounts.contract.ts';
import { byOperator, changeErrors, notFound, type OperatorOperation, readErrors } from './operation.ts';

export const noWebhookOf = 'The account has no such endpoint.';

export const OperatorWebhook = Type.Object(
  {
    ...Type.Omit(Webhook, ['url', 'description']).properties,
    origin: Type.String({ description: 'Scheme, host and port of its URL.' }),
  },
  { $id: 'OperatorWebhook', description: 'An endpoint of webhooks, without its path and description.' },
);

export const OperatorWebhookList = Type.Object(
  { webhooks: Type.Array(named(OperatorWebhook), { description: 'Those of live keys first.' }) },
  { $id: 'OperatorWebhookList', description: 'The endpoints of an account.' },
);

const example = {
  id: 'wh_6f1d2c3b4a5968778695a4b3c2d1e0f1',
  environment: 'live',
  origin: 'https://shop.example',
  events: ['job.completed'],
  enabled: false,
  disabledReason: 'failing',
  disabledAt: '2026-11-21T08:00:00.000Z',
  failingSince: '2026-11-16T07:00:00.000Z',
  createdAt: '2026-11-01T08:00:00.000Z',
  madeBy: { by: 'key', id: 'key_4f1c0a9be27d38560c', name: null, email: null },
};

export const listWebhooksOf = {
  method: 'GET',
  path: '/operator/v1/accounts/:account/webhooks',
  schema: {
    operationId: 'listWebhooksOf',
    tags: ['accounts'],
    summary: 'The webhooks of an account',
    description: 'Whether they work, and why one is disabled.',
    security: byOperator,
    params: accountParams,
    response: {
      200: jsonResponse(OperatorWebhookList, {
        description: 'The endpoints.',
        example: { webhooks: [example] },
      }),
      ...readErrors,
      ...accountNotFound,
    },
  },
} as const satisfies OperatorOperation;

export const disableWebhookOf = {
  method: 'POST',
  path: '/operator/v1/accounts/:account/webhooks/:id/disable',
  schema: {
    operationId: 'disableWebhookOf',
    tags: ['accounts'],
    summary: 'Disable an endpoint of webhooks',
    description: 'The account sees the reason `operator`, and can enable it again.',
    security: byOperator,
    params: Type.Object({
      ...accountParams.properties,
      id: Type.String({ pattern: '^wh_[0-9a-f]{32}$', description: 'The id.', examples: [example.id] }),
    }),
    response: {
      200: jsonResponse(OperatorWebhook, {
        description: 'The endpoint.',
        example: { ...example, disabledReason: 'operator', failingSince: null },
      }),
      ...changeErrors,
      ...notFound(noWebhookOf),
    },
  },
} as const satisfies OperatorOperation;
