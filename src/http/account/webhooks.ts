/** /v1/webhooks: endpoints that are told what happens. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { PlatenError } from '../../errors.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { FORMER_KEPT_MS } from '../../webhooks/secrets.ts';
import {
  type DeliveryName,
  type EndpointName,
  eventTypes,
  isEndpointId,
  isMessageId,
  type WebhookOwner,
} from '../../webhooks/webhook.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { takeOnlyJson } from '../core/json-body.ts';
import { nextDeadline, orUnavailable } from '../core/redis-deadline.ts';
import { readOutsideUrl } from './outside-url.ts';
import { deliveryBody, webhookBody } from './webhook-body.ts';
import {
  changeWebhook,
  createWebhook,
  DISABLED,
  deleteWebhook,
  getWebhook,
  LISTED_DELIVERIES,
  listWebhookDeliveries,
  listWebhooks,
  NOT_JSON,
  NOT_SIMULATED,
  noWebhook,
  retryWebhookDelivery,
  rotateDefaultSecret,
  rotateWebhookSecret,
  TOO_MANY,
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
  { webhooks, jobs, config: { egressAllowHttp } },
) => {
  takeOnlyJson(app, NOT_JSON);
  const { endpoints, deliveries } = webhooks;

  const find = async (request: FastifyRequest, id: string) => {
    const name = endpointName(request, id);
    const endpoint = await orUnavailable(endpoints.find(name), nextDeadline(request));
    if (!endpoint) throw notFound();
    return webhookBody(endpoint, name.environment);
  };
  const findDelivery = async (request: FastifyRequest, name: DeliveryName) => {
    const delivery = await orUnavailable(deliveries.find(name), nextDeadline(request));
    if (!delivery) throw notFound();
    return deliveryBody(delivery);
  };

  app.post(createWebhook.path, { schema: createWebhook.schema, config }, async (request, reply) => {
    const { url, events, description = '', enabled = true } = request.body;
    const owner = ownerOf(request);
    const settings = { url: readOutsideUrl('url', url, egressAllowHttp), events, description, enabled };
    const added = await orUnavailable(endpoints.add(owner, settings), request.redisDeadline);
    if (!added) throw invalid(TOO_MANY);
    const { id, secret } = added;
    request.log.info({ webhook: id }, 'endpoint of webhooks added');
    return reply.code(201).send({ ...(await find(request, id)), secret });
  });

  app.get(listWebhooks.path, { schema: listWebhooks.schema, config }, async (request) => {
    const owner = ownerOf(request);
    const listed = await orUnavailable(endpoints.list(owner), request.redisDeadline);
    return { webhooks: listed.map((endpoint) => webhookBody(endpoint, owner.environment)) };
  });

  app.get(getWebhook.path, { schema: getWebhook.schema, config }, async (request) =>
    find(request, request.params.id),
  );

  app.patch(changeWebhook.path, { schema: changeWebhook.schema, config }, async (request) => {
    const { id } = request.params;
    const { url } = request.body;
    if (url !== undefined) readOutsideUrl('url', url, egressAllowHttp);
    const changed = endpoints.change(endpointName(request, id), request.body);
    if (!(await orUnavailable(changed, request.redisDeadline))) throw notFound();
    request.log.info({ webhook: id }, 'endpoint of webhooks changed');
    return find(request, id);
  });

  app.delete(deleteWebhook.path, { schema: deleteWebhook.schema, config }, async (request, reply) => {
    const removed = endpoints.remove(endpointName(request, request.params.id));
    if (!(await orUnavailable(removed, request.redisDeadline))) throw notFound();
    request.log.info({ webhook: request.params.id }, 'endpoint of webhooks removed');
    return reply.code(204).send(null);
  });

  app.post(
    rotateWebhookSecret.path,
    { schema: rotateWebhookSecret.schema, config },
    async (request, reply) => {
      const rotated = endpoints.rotate(endpointName(request, request.params.id));
      const secret = await orUnavailable(rotated, request.redisDeadline);
      if (secret === undefined) throw notFound();
      request.log.info({ webhook: request.params.id }, 'secret of webhooks rotated');
      return reply.code(201).send({ secret, formerUntil: formerUntil() });
    },
  );

  app.post(
    rotateDefaultSecret.path,
    { schema: rotateDefaultSecret.schema, config },
    async (request, reply) => {
      const secret = await orUnavailable(endpoints.rotateDefault(ownerOf(request)), request.redisDeadline);
      request.log.info('secret of webhooks rotated');
      return reply.code(201).send({ secret, formerUntil: formerUntil() });
    },
  );

  app.post(testWebhook.path, { schema: testWebhook.schema, config }, async (request, reply) => {
    const { id } = request.params;
    if (!(await find(request, id)).enabled) throw invalid(DISABLED);
    const name = endpointName(request, id);
    const { account, environment } = name;
    const wanted = request.headers['platen-simulate'];
    const sample = eventTypes.find((type) => type === wanted);
    if (wanted !== undefined && (sample === undefined || environment !== 'test')) {
      throw new PlatenError('INVALID_PARAMETER', { message: NOT_SIMULATED });
    }
    const message = await orUnavailable(webhooks.test(name, sample), nextDeadline(request));
    return reply
      .code(202)
      .send(await findDelivery(request, { account, environment, target: id, id: message }));
  });

  app.get(listWebhookDeliveries.path, { schema: listWebhookDeliveries.schema, config }, async (request) => {
    const { id } = request.params;
    if (isEndpointId(id)) await find(request, id);
    const name = targetName(request, id);
    const listed = await orUnavailable(deliveries.list(name, LISTED_DELIVERIES), nextDeadline(request));
    // Of a job with a URL that has not ended there are none yet.
    if (listed.length === 0 && !isEndpointId(id)) {
      const job = jobs && (await orUnavailable(jobs.records.summary(name), nextDeadline(request)));
      if (!job?.webhook) throw notFound();
    }
    return { deliveries: listed.map(deliveryBody) };
  });

  app.post(
    retryWebhookDelivery.path,
    { schema: retryWebhookDelivery.schema, config },
    async (request, reply) => {
      const { id: target, delivery: id } = request.params;
      if (isEndpointId(target) && !(await find(request, target)).enabled) throw invalid(DISABLED);
      if (!isMessageId(id)) throw notFound();
      const { account, environment } = targetName(request, target);
      const name = { account, environment, target, id };
      if (!(await orUnavailable(webhooks.repeat(name), nextDeadline(request)))) throw notFound();
      return reply.code(202).send(await findDelivery(request, name));
    },
  );
};

function ownerOf({ state: { key } }: FastifyRequest): WebhookOwner {
  if (!key) throw new PlatenError('INTERNAL_ERROR', { cause: 'a route without admission' });
  return { account: key.account, environment: key.environment };
}

/** @throws PlatenError `NOT_FOUND` if it cannot be the id of an endpoint. */
function endpointName(request: FastifyRequest, id: string): EndpointName {
  if (!isEndpointId(id)) throw notFound();
  return { ...ownerOf(request), id };
}

function targetName(request: FastifyRequest, id: string): EndpointName {
  if (!TARGET.test(id)) throw notFound();
  return { ...ownerOf(request), id };
}

const formerUntil = (): string => new Date(Date.now() + FORMER_KEPT_MS).toISOString();
const notFound = (): PlatenError => new PlatenError('NOT_FOUND', { message: noWebhook });
const invalid = (message: string): PlatenError => new PlatenError('INVALID_REQUEST', { message });
