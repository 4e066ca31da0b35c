/** The endpoints of accounts' webhooks. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { KeyStore } from '../../keys/store.ts';
import { endpointSummary } from '../../operator/endpoint-summary.ts';
import type { Management } from '../../operator/management.ts';
import type { EndpointRef } from '../../webhooks/webhook.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { noAccount } from './accounts.contract.ts';
import { answerOf, foundBy } from './answer.ts';
import { actorOf } from './authentication.ts';
import { disableWebhookOf, listWebhooksOf, noWebhookOf } from './webhooks.contract.ts';

export interface OperatorWebhooksOptions {
  readonly keys: KeyStore;
  readonly management: Management;
  readonly webhooks: Webhooks;
}

const environments = ['live', 'test'] as const;

/** The endpoints of an account, those of live keys first. @throws Error when Redis is not available. */
async function endpointsOf({ endpoints }: Webhooks, account: string) {
  const listed = environments.map(async (environment) => {
    const found = await endpoints.list({ account, environment });
    return found.map((endpoint) => endpointSummary(environment, endpoint));
  });
  return (await Promise.all(listed)).flat();
}

/** To be registered in a scope that only the operator enters. */
export const webhookRoutes: FastifyPluginAsyncTypebox<OperatorWebhooksOptions> = async (
  app,
  { keys, management, webhooks },
) => {
  const list = (request: FastifyRequest, account: string) =>
    answerOf(request, endpointsOf(webhooks, account));

  app.get(listWebhooksOf.path, { schema: listWebhooksOf.schema }, async (request) => {
    const { id } = await foundBy(request, keys.getAccount(request.params.account), noAccount);
    return { webhooks: await list(request, id) };
  });

  app.post(disableWebhookOf.path, { schema: disableWebhookOf.schema }, async (request) => {
    const { account, id } = request.params;
    const find = async () => (await list(request, account)).find((each) => each.id === id);
    const { environment } = await foundBy(request, find(), noWebhookOf);
    const name: EndpointRef = { account, environment, id };
    await answerOf(request, management.disableWebhook(actorOf(request), name));
    return foundBy(request, find(), noWebhookOf);
  });
};
