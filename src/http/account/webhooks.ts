/** /v1/webhooks: endpoints that are told what happens. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { NotFoundError, PlatenError } from '../../errors.ts';
import { keyMaker } from '../../keys/maker.ts';
import {
  addEndpoint,
  changeEndpoint,
  deliveriesTo,
  type EndpointServices,
  findEndpoint,
  listEndpoints,
  removeEndpoint,
  repeatDelivery,
  rotateJobSecret,
  rotateSecret,
  testEndpoint,
} from '../../operations/endpoints.ts';
import { type EndpointRef, eventTypes } from '../../webhooks/webhook.ts';
import { admittedOf, ownerOf } from '../access/admitted.ts';
import { takeOnlyJson } from '../core/json-body.ts';
import { nextDeadline, orUnavailable } from '../core/redis-deadline.ts';
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

/** What a client may name as an endpoint: the job, whose URL it is. */
const TARGET = /^(wh|job)_[0-9a-f]{32}$/;
const config = { permission: 'webhooks' } as const;

export const webhookRoutes: FastifyPluginAsyncTypebox<EndpointServices> = async (app, services) => {
  takeOnlyJson(app, NOT_JSON);

  app.post(createWebhook.path, { schema: createWebhook.schema, config }, async (request, reply) => {
    const { key } = admittedOf(request);
    const created = await answerOf(
      request,
      addEndpoint(services, ownerOf(request), request.body, keyMaker(key.id)),
    );
    request.log.info({ webhook: created.id }, 'webhook endpoint added');
    return reply.code(201).send(created);
  });

  app.get(listWebhooks.path, { schema: listWebhooks.schema, config }, async (request) => ({
    webhooks: await answerOf(request, listEndpoints(services, ownerOf(request))),
  }));

  app.get(getWebhook.path, { schema: getWebhook.schema, config }, async (request) =>
    answerOf(request, findEndpoint(services, nameOf(request, request.params.id))),
  );

  app.patch(changeWebhook.path, { schema: changeWebhook.schema, config }, async (request) => {
    const { id } = request.params;
    const changed = await answerOf(request, changeEndpoint(services, nameOf(request, id), request.body));
    request.log.info({ webhook: id }, 'webhook endpoint changed');
    return changed;
  });

  app.delete(deleteWebhook.path, { schema: deleteWebhook.schema, config }, async (request, reply) => {
    const { id } = request.params;
    await answerOf(request, removeEndpoint(services, nameOf(request, id)));
    request.log.info({ webhook: id }, 'webhook endpoint removed');
    return reply.code(204).send(null);
  });

  app.post(
    rotateWebhookSecret.path,
    { schema: rotateWebhookSecret.schema, config },
    async (request, reply) => {
      const { id } = request.params;
      const rotated = await answerOf(request, rotateSecret(services, nameOf(request, id)));
      request.log.info({ webhook: id }, 'webhook secret rotated');
      return reply.code(201).send(rotated);
    },
  );

  app.post(
    rotateDefaultSecret.path,
    { schema: rotateDefaultSecret.schema, config },
    async (request, reply) => {
      const rotated = await answerOf(request, rotateJobSecret(services, ownerOf(request)));
      request.log.info('webhook secret rotated');
      return reply.code(201).send(rotated);
    },
  );

  app.post(testWebhook.path, { schema: testWebhook.schema, config }, async (request, reply) => {
    const name = nameOf(request, request.params.id);
    await answerOf(request, findEndpoint(services, name));
    const wanted = request.headers['platen-simulate'];
    const sample = eventTypes.find((type) => type === wanted);
    if (wanted !== undefined && (sample === undefined || name.environment !== 'test')) {
      throw new PlatenError('INVALID_PARAMETER', { message: NOT_SIMULATED });
    }
    return reply.code(202).send(await answerOf(request, testEndpoint(services, name, sample)));
  });

  app.get(listWebhookDeliveries.path, { schema: listWebhookDeliveries.schema, config }, async (request) => ({
    deliveries: await answerOf(request, deliveriesTo(services, targetOf(request, request.params.id))),
  }));

  app.post(
    retryWebhookDelivery.path,
    { schema: retryWebhookDelivery.schema, config },
    async (request, reply) => {
      const { id: target, delivery: id } = request.params;
      const name = { ...targetOf(request, target), target, id };
      return reply.code(202).send(await answerOf(request, repeatDelivery(services, name)));
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

/** The admission has used the first deadline. @throws PlatenError `NOT_FOUND` for a NotFoundError. */
function answerOf<T>(request: FastifyRequest, answer: Promise<T>): Promise<T> {
  const translated = answer.catch((error: unknown) => {
    throw error instanceof NotFoundError ? notFound() : error;
  });
  return orUnavailable(translated, nextDeadline(request));
}

const notFound = (): PlatenError => new PlatenError('NOT_FOUND', { message: noWebhook });
