/** /v1/webhooks: endpoints that are told what happens. */
import type { FastifyPluginAsync } from 'fastify';
import { keyMaker } from '../../accounts/keys/maker.ts';
import { NotFoundError, PlatenError } from '../../errors.ts';
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
import { eventTypes } from '../../webhooks/webhook.ts';
import { takeOnlyJson } from '../core/json-body.ts';
import { keyDoor } from './door.ts';
import * as contract from './webhooks.contract.ts';

/** What a client may name as an endpoint: the job, whose URL it is. */
const TARGET = /^(wh|job)_[0-9a-f]{32}$/;

export const webhookRoutes: FastifyPluginAsync<EndpointServices> = async (app, services) => {
  takeOnlyJson(app, contract.NOT_JSON);
  const route = keyDoor(app, { permission: 'webhooks', missing: contract.noWebhook });

  route(contract.createWebhook, async ({ owner, key, body, log }) => {
    const created = await addEndpoint(services, owner, body, keyMaker(key.id));
    log.info({ webhook: created.id }, 'webhook endpoint added');
    return created;
  });

  route(contract.listWebhooks, async ({ owner }) => ({ webhooks: await listEndpoints(services, owner) }));

  route(contract.getWebhook, ({ owner, params: { id } }) => findEndpoint(services, { ...owner, id }));

  route(contract.changeWebhook, async ({ owner, params: { id }, body, log }) => {
    const changed = await changeEndpoint(services, { ...owner, id }, body);
    log.info({ webhook: id }, 'webhook endpoint changed');
    return changed;
  });

  route(contract.deleteWebhook, async ({ owner, params: { id }, log }) => {
    await removeEndpoint(services, { ...owner, id });
    log.info({ webhook: id }, 'webhook endpoint removed');
    return null;
  });

  route(contract.rotateWebhookSecret, async ({ owner, params: { id }, log }) => {
    const rotated = await rotateSecret(services, { ...owner, id });
    log.info({ webhook: id }, 'webhook secret rotated');
    return rotated;
  });

  route(contract.rotateDefaultSecret, async ({ owner, log }) => {
    const rotated = await rotateJobSecret(services, owner);
    log.info('webhook secret rotated');
    return rotated;
  });

  route(contract.testWebhook, async ({ owner, params: { id }, headers }) => {
    const name = { ...owner, id };
    await findEndpoint(services, name);
    const wanted = headers['platen-simulate'];
    const sample = eventTypes.find((type) => type === wanted);
    if (wanted !== undefined && (sample === undefined || owner.environment !== 'test')) {
      throw new PlatenError('INVALID_PARAMETER', { message: contract.NOT_SIMULATED });
    }
    return testEndpoint(services, name, sample);
  });

  route(contract.listWebhookDeliveries, async ({ owner, params: { id } }) => ({
    deliveries: await deliveriesTo(services, { ...owner, id: targetOf(id) }),
  }));

  route(contract.retryWebhookDelivery, async ({ owner, params: { id: target, delivery: id } }) =>
    repeatDelivery(services, { ...owner, target: targetOf(target), id }),
  );
};

/** @throws NotFoundError if it cannot be the id of a target. */
function targetOf(id: string): string {
  if (!TARGET.test(id)) throw new NotFoundError('endpoint', id);
  return id;
}
