/** /account/v1/webhooks, and the messages about jobs. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { PlatenError } from '../../errors.ts';
import { missingJob } from '../../operations/jobs.ts';
import { answerOf, foundBy, noSuch } from '../operator/answer.ts';
import { scopeOf } from './authentication.ts';
import { routeOf } from './operation.ts';
import {
  changeOwnWebhook,
  createOwnWebhook,
  deleteOwnWebhook,
  disableOwnWebhook,
  enableOwnWebhook,
  getOwnWebhook,
  listOwnDeliveries,
  listOwnJobDeliveries,
  listOwnWebhooks,
  NO_SAMPLE,
  noDelivery,
  noWebhook,
  retryOwnDelivery,
  retryOwnJobDelivery,
  rotateOwnJobSecret,
  rotateOwnWebhookSecret,
  testOwnWebhook,
} from './webhooks.contract.ts';

/** Register it in a scope that only members enter. */
export const webhookRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(listOwnWebhooks.path, routeOf(listOwnWebhooks), async (request) =>
    answerOf(request, scopeOf(request).webhooks.list()),
  );

  app.post(createOwnWebhook.path, routeOf(createOwnWebhook), async (request, reply) => {
    const { environment, ...settings } = request.body;
    const created = await answerOf(request, scopeOf(request).webhooks.create(environment, settings));
    return reply.code(201).send(created);
  });

  app.get(getOwnWebhook.path, routeOf(getOwnWebhook), async (request) =>
    foundBy(request, scopeOf(request).webhooks.find(request.params.webhook), noWebhook),
  );

  app.patch(changeOwnWebhook.path, routeOf(changeOwnWebhook), async (request) => {
    const changed = scopeOf(request).webhooks.change(request.params.webhook, request.body);
    return foundBy(request, changed, noWebhook);
  });

  app.delete(deleteOwnWebhook.path, routeOf(deleteOwnWebhook), async (request, reply) => {
    await foundBy(request, scopeOf(request).webhooks.remove(request.params.webhook), noWebhook);
    return reply.code(204).send(null);
  });

  app.post(disableOwnWebhook.path, routeOf(disableOwnWebhook), async (request) =>
    foundBy(request, scopeOf(request).webhooks.setEnabled(request.params.webhook, false), noWebhook),
  );

  app.post(enableOwnWebhook.path, routeOf(enableOwnWebhook), async (request) =>
    foundBy(request, scopeOf(request).webhooks.setEnabled(request.params.webhook, true), noWebhook),
  );

  app.post(rotateOwnWebhookSecret.path, routeOf(rotateOwnWebhookSecret), async (request, reply) => {
    const rotated = scopeOf(request).webhooks.rotate(request.params.webhook);
    return reply.code(201).send(await foundBy(request, rotated, noWebhook));
  });

  app.post(rotateOwnJobSecret.path, routeOf(rotateOwnJobSecret), async (request, reply) => {
    const rotated = scopeOf(request).webhooks.rotateForJobs(request.body.environment);
    return reply.code(201).send(await answerOf(request, rotated));
  });

  app.post(testOwnWebhook.path, routeOf(testOwnWebhook), async (request, reply) => {
    const { webhooks } = scopeOf(request);
    const { webhook } = request.params;
    const { event } = request.body;
    const { environment } = await foundBy(request, webhooks.find(webhook), noWebhook);
    if (event !== undefined && environment !== 'test') {
      throw new PlatenError('INVALID_PARAMETER', { message: NO_SAMPLE });
    }
    return reply.code(202).send(await foundBy(request, webhooks.test(webhook, event), noWebhook));
  });

  app.get(listOwnDeliveries.path, routeOf(listOwnDeliveries), async (request) => {
    const listed = scopeOf(request).webhooks.deliveries(request.params.webhook);
    return { deliveries: await foundBy(request, listed, noWebhook) };
  });

  app.post(retryOwnDelivery.path, routeOf(retryOwnDelivery), async (request, reply) => {
    const { webhook, delivery } = request.params;
    const sent = scopeOf(request).webhooks.retryOf(webhook, delivery);
    return reply.code(202).send(await foundBy(request, sent, noDelivery));
  });

  app.get(listOwnJobDeliveries.path, routeOf(listOwnJobDeliveries), async (request) => {
    const listed = scopeOf(request).jobDeliveries(request.params.job);
    return { deliveries: await foundBy(request, listed, noSuch(missingJob)) };
  });

  app.post(retryOwnJobDelivery.path, routeOf(retryOwnJobDelivery), async (request, reply) => {
    const { job, delivery } = request.params;
    const sent = scopeOf(request).retryJobDelivery(job, delivery);
    return reply.code(202).send(await foundBy(request, sent, noDelivery));
  });
};
