/** /v1/webhooks: endpoints that are told what happens. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { PlatenError } from '../../errors.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { keyMaker } from '../../keys/maker.ts';
import { type EndpointRef, eventTypes } from '../../webhooks/webhook.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { admittedOf, ownerOf } from '../access/admitted.ts';
import { takeOnlyJson } from '../core/json-body.ts';
import { nextDeadline, orUnavailable } from '../core/redis-deadline.ts';
import { WebhookActions } from './webhook-actions.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhookDeliveries,
  listWebhooks,
  NOT_JSON,
  NOT_SIMULATED,
  noWebhook,
  retryWebhookDelivery,
  rotateDefaultSecret,
  rotateWebhookSecret,
  testWebhook,
} from './webhooks.contract.ts';

export interface WebhookRoutesOptions {
  readonly webhooks: Webhooks;
  readonly config: Pick<Config, 'egressAllowHttp'>;
  /** Undefined on a server that takes none. */
  readonly jobs: Pick<Jobs, 'records'> | undefined;
}

/** What a client may name as an endpoint: the job, whose URL it is. */
const TARGET = /^(wh|job)_[0-9a-f]{32}$/;
const config = { permission: 'webhooks' } as const;

export const webhookRoutes: FastifyPluginAsyncTypebox<WebhookRoutesOptions> = async (
  app,
  { webhooks, jobs, config: { egressAllowHttp: allowHttp } },
) => {
  takeOnlyJson(app, NOT_JSON);
  const actions = new WebhookActions({ webhooks, jobs, allowHttp });

  app.post(createWebhook.path, { schema: createWebhook.schema, config }, async (request, reply) => {
    const { key } = admittedOf(request);
    const created = await answerOf(request, actions.create(ownerOf(request), request.body, keyMaker(key.id)));
    request.log.info({ webhook: created.id }, 'webhook endpoint added');
    return reply.code(201).send(created);
  });

  app.get(listWebhooks.path, { schema: listWebhooks.schema, config }, async (request) => ({
    webhooks: await answerOf(request, actions.list(ownerOf(request))),
  }));

  app.get(getWebhook.path, { schema: getWebhook.schema, config }, async (request) =>
    foundBy(request, actions.find(nameOf(request, request.params.id))),
  );

  app.patch(changeWebhook.path, { schema: changeWebhook.schema, config }, async (request) => {
    const { id } = request.params;
    const changed = await foundBy(request, actions.change(nameOf(request, id), request.body));
    request.log.info({ webhook: id }, 'webhook endpoint changed');
    return changed;
  });

  app.delete(deleteWebhook.path, { schema: deleteWebhook.schema, config }, async (request, reply) => {
    const { id } = request.params;
    if (!(await answerOf(request, actions.remove(nameOf(request, id))))) throw notFound();
    request.log.info({ webhook: id }, 'webhook endpoint removed');
    return reply.code(204).send(null);
  });

  app.post(
    rotateWebhookSecret.path,
    { schema: rotateWebhookSecret.schema, config },
    async (request, reply) => {
      const { id } = request.params;
      const rotated = await foundBy(request, actions.rotate(nameOf(request, id)));
      request.log.info({ webhook: id }, 'webhook secret rotated');
      return reply.code(201).send(rotated);
    },
  );

  app.post(
    rotateDefaultSecret.path,
    { schema: rotateDefaultSecret.schema, config },
    async (request, reply) => {
      const rotated = await answerOf(request, actions.rotateDefault(ownerOf(request)));
      request.log.info('webhook secret rotated');
      return reply.code(201).send(rotated);
    },
  );

  app.post(testWebhook.path, { schema: testWebhook.schema, config }, async (request, reply) => {
    const name = nameOf(request, request.params.id);
    await foundBy(request, actions.find(name));
    const wanted = request.headers['platen-simulate'];
    const sample = eventTypes.find((type) => type === wanted);
    if (wanted !== undefined && (sample === undefined || name.environment !== 'test')) {
      throw new PlatenError('INVALID_PARAMETER', { message: NOT_SIMULATED });
    }
    return reply.code(202).send(await foundBy(request, actions.test(name, sample)));
  });

  app.get(listWebhookDeliveries.path, { schema: listWebhookDeliveries.schema, config }, async (request) => ({
    deliveries: await foundBy(request, actions.deliveries(targetOf(request, request.params.id))),
  }));

  app.post(
    retryWebhookDelivery.path,
    { schema: retryWebhookDelivery.schema, config },
    async (request, reply) => {
      const { id: target, delivery: id } = request.params;
      const name = { ...targetOf(request, target), target, id };
      return reply.code(202).send(await foundBy(request, actions.repeat(name)));
    },
  );
};

function nameOf(request: FastifyRequest, id: string): EndpointRef {
  return { ...ownerOf(request), id };
}

/** @throws PlatenError `NOT_FOUND` if it cannot be the id of a target. */
function targetOf(request: FastifyRequest, id: string): EndpointRef {
  if (!TARGET.test(id)) throw notFound();
  return nameOf(request, id);
}

/** The admission has used the first deadline. */
function answerOf<T>(request: FastifyRequest, answer: Promise<T>): Promise<T> {
  return orUnavailable(answer, nextDeadline(request));
}

/** @throws PlatenError `NOT_FOUND` */
async function foundBy<T>(request: FastifyRequest, answer: Promise<T | undefined>): Promise<T> {
  const found = await answerOf(request, answer);
  if (found === undefined) throw notFound();
  return found;
}

const notFound = (): PlatenError => new PlatenError('NOT_FOUND', { message: noWebhook });
