/** Endpoints of accounts' webhooks, their secrets and their messages. */
import { type Static, Type } from 'typebox';
import type { Environment } from '../accounts/keys/format.ts';
import type { Account } from '../accounts/keys/records.ts';
import { NotFoundError, PlatenError } from '../errors.ts';
import { makerOf } from '../operator/audit-entry.ts';
import { type Endpoint, type EndpointRef, eventTypes, isEndpointId } from '../webhooks/webhook.ts';
import {
  addEndpoint,
  changeEndpoint,
  DISABLED,
  deliveriesTo,
  LISTED_DELIVERIES,
  listEndpoints,
  missingDelivery,
  removeEndpoint,
  repeatDelivery,
  rotateJobSecret,
  rotateSecret,
  TOO_MANY,
  testEndpoint,
} from './endpoints.ts';
import { jobParams, locateJob, missingJob } from './jobs.ts';
import { environment } from './key-schema.ts';
import { admins, type DeepReadonly, everyOperator, keepers, nothing, operation } from './operation.ts';
import { closed, id, named, orNull, words } from './schema.ts';
import type { OperationServices } from './services.ts';
import {
  CreatedWebhook,
  deliveryBody,
  deliveryExample,
  secretExample,
  settingsFields,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookSecret,
  webhookBody,
  webhookExample,
} from './webhook-schema.ts';

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

export const MessageDelivery = Type.Object(
  {
    ...JobDelivery.properties,
    job: orNull(Type.String(), 'Id of the job whose URL it goes to. `null`: it goes to an endpoint.'),
    answer: orNull(
      Type.String(),
      'The first 2 kB of the body that came back last, as UTF-8. `null`: none did yet.',
    ),
  },
  { $id: 'MessageDelivery', description: 'A message on its way to one address.' },
);

export const Message = Type.Object(
  {
    id: Type.String({ description: 'Its header `webhook-id`.' }),
    environment,
    body: Type.String({ description: 'What is sent: JSON.' }),
    deliveries: Type.Array(named(MessageDelivery), { description: 'To each address.' }),
  },
  { $id: 'Message', description: 'A message, with what was sent and what came back.' },
);

export const JobDeliveryList = Type.Object(
  { deliveries: Type.Array(named(JobDelivery), { description: 'The newest first.' }) },
  { $id: 'JobDeliveryList', description: 'The messages about a job.' },
);

/** Those of live keys come first. */
const environments = ['live', 'test'] as const satisfies readonly Environment[];

const operatorExample = {
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

export const listWebhooks = operation({
  method: 'GET',
  path: '/webhooks',
  tag: 'accounts',
  says: ['The webhooks of an account', 'Whether they work, and why one is disabled.'],
  operator: { id: 'listWebhooksOf', roles: everyOperator },
  account: 'path',
  answers: {
    body: OperatorWebhookList,
    description: 'The endpoints.',
    example: { webhooks: [operatorExample] },
  },
  async run({ webhooks: { endpoints } }, { account: { id: account } }) {
    const listed = environments.map(async (environment) => {
      const found = await endpoints.list({ account, environment });
      return found.map((endpoint) => describeForOperators(environment, endpoint));
    });
    return { webhooks: (await Promise.all(listed)).flat() };
  },
});

export const disableWebhook = operation({
  method: 'POST',
  path: '/webhooks/:id/disable',
  tag: 'accounts',
  says: [
    'Disable an endpoint of webhooks',
    'The account sees the reason `operator`, and can enable it again.',
  ],
  operator: { id: 'disableWebhookOf', roles: admins },
  account: 'path',
  params: Type.Object({
    id: id('wh', 32, 'The id.', operatorExample.id),
  }),
  answers: {
    body: OperatorWebhook,
    description: 'The endpoint.',
    example: { ...operatorExample, disabledReason: 'operator', failingSince: null },
  },
  missing: 'endpoint',
  audit: 'webhook.disabled',
  async run(services, { account, params: { id }, note }) {
    const { name } = await locate(services, account, id);
    await note({ account: account.id, details: { webhook: id } });
    await services.webhooks.endpoints.disable(name);
    const { endpoint } = await locate(services, account, id);
    return describeForOperators(name.environment, endpoint);
  },
});

const tag = 'webhooks' as const;
const params = Type.Object({
  webhook: id('wh', 32, 'Id of the endpoint.', webhookExample.id),
});
const ofKeepers = (id: string) => ({ tag, member: { id, roles: keepers }, account: 'path' }) as const;
const onEndpoint = (id: string) => ({ ...ofKeepers(id), params, missing: 'endpoint' }) as const;
const delivery = id('msg', 32, 'Id of the message.', deliveryExample.id);

/** Answers that the key's operations have as well. */
export const answered = { body: Webhook, description: 'The endpoint.', example: webhookExample } as const;
export const secretAnswered = {
  status: 201,
  body: WebhookSecret,
  description: 'The secret.',
  example: { secret: secretExample, formerUntil: '2026-11-22T08:00:00.000Z' },
} as const;
export const queued = {
  status: 202,
  body: WebhookDelivery,
  description: 'The message is on its way.',
  example: { ...deliveryExample, state: 'pending', nextAttemptAt: deliveryExample.createdAt, attempts: [] },
} as const;

export const listOwnWebhooks = operation({
  method: 'GET',
  path: '/webhooks',
  ...ofKeepers('listOwnWebhooks'),
  says: ['The webhooks of the account', 'Whether they work, and why one is disabled.'],
  answers: {
    body: OwnWebhookList,
    description: 'The endpoints.',
    example: { webhooks: [webhookExample], jobSecrets: { live: true, test: false } },
  },
  async run(services, { account: { id: account } }) {
    const { endpoints } = services.webhooks;
    const owners = environments.map((environment) => ({ account, environment }));
    const listed = await Promise.all(owners.map((owner) => listEndpoints(services, owner)));
    const [live = [], test = []] = await Promise.all(owners.map((owner) => endpoints.defaultSecrets(owner)));
    return { webhooks: listed.flat(), jobSecrets: { live: live.length > 0, test: test.length > 0 } };
  },
});

export const createOwnWebhook = operation({
  method: 'POST',
  path: '/webhooks',
  ...ofKeepers('createOwnWebhook'),
  says: ['Add an endpoint', 'Returns its secret, which is shown only here.'],
  body: closed({ environment, ...settingsFields }),
  answers: {
    status: 201,
    body: CreatedWebhook,
    description: 'The endpoint, and its secret.',
    example: { ...webhookExample, secret: secretExample },
  },
  refuses: TOO_MANY,
  audit: 'webhook.created',
  run: (services, { account: { id: account }, actor, body: { environment, ...settings }, note }) =>
    addEndpoint(services, { account, environment }, settings, makerOf(actor), (webhook) =>
      note({ account, details: { webhook, environment, to: originOf(settings) } }),
    ),
});

export const getOwnWebhook = operation({
  method: 'GET',
  path: '/webhooks/:webhook',
  ...onEndpoint('getOwnWebhook'),
  says: ['An endpoint', 'Whether it works; never its secret.'],
  answers: answered,
  async run(services, { account, params }) {
    const { name, endpoint } = await locate(services, account, params.webhook);
    return webhookBody(endpoint, name.environment);
  },
});

const { enabled: _, ...changeable } = settingsFields;

export const changeOwnWebhook = operation({
  method: 'PATCH',
  path: '/webhooks/:webhook',
  ...onEndpoint('changeOwnWebhook'),
  says: ['Change an endpoint', 'What is left out stays.'],
  body: closed(Type.Partial(Type.Object(changeable)).properties),
  answers: answered,
  audit: 'webhook.changed',
  async run(services, { account, params: { webhook }, body, note }) {
    const { name, endpoint } = await locate(services, account, webhook);
    const fields = Object.keys(body).join(' ');
    return changeEndpoint(services, name, body, async () => {
      const to = originOf({ ...endpoint, ...body });
      if (fields !== '') await note({ account: account.id, details: { webhook, fields, to } });
    });
  },
});

export const deleteOwnWebhook = operation({
  method: 'DELETE',
  path: '/webhooks/:webhook',
  ...onEndpoint('deleteOwnWebhook'),
  says: ['Delete an endpoint', 'Its messages are deleted, too: those that still wait are not sent.'],
  answers: nothing('It is gone.'),
  audit: 'webhook.deleted',
  async run(services, { account, params: { webhook }, note }) {
    const { name, endpoint } = await locate(services, account, webhook);
    await note({ account: account.id, details: { webhook, to: originOf(endpoint) } });
    return removeEndpoint(services, name);
  },
});

export const disableOwnWebhook = operation({
  method: 'POST',
  path: '/webhooks/:webhook/disable',
  ...onEndpoint('disableOwnWebhook'),
  says: ['Disable an endpoint', 'It gets no more messages.'],
  answers: answered,
  audit: 'webhook.disabled',
  async run(services, { account, params: { webhook }, note }) {
    const { name } = await locate(services, account, webhook);
    await note({ account: account.id, details: { webhook } });
    return changeEndpoint(services, name, { enabled: false });
  },
});

export const enableOwnWebhook = operation({
  method: 'POST',
  path: '/webhooks/:webhook/enable',
  ...onEndpoint('enableOwnWebhook'),
  says: [
    'Enable an endpoint again',
    'Whatever disabled it. Messages that became due meanwhile can be sent again.',
  ],
  answers: answered,
  audit: 'webhook.enabled',
  async run(services, { account, params: { webhook }, note }) {
    const { name } = await locate(services, account, webhook);
    await note({ account: account.id, details: { webhook } });
    return changeEndpoint(services, name, { enabled: true });
  },
});

const rotates =
  'Returns the secret, which is shown only here. For 24 hours the former ones, up to four, sign as well.';

export const rotateOwnWebhookSecret = operation({
  method: 'POST',
  path: '/webhooks/:webhook/secret',
  ...onEndpoint('rotateOwnWebhookSecret'),
  says: ['A new secret for an endpoint', rotates],
  answers: secretAnswered,
  audit: 'webhook.rotated',
  async run(services, { account, params: { webhook }, note }) {
    const { name } = await locate(services, account, webhook);
    await note({ account: account.id, details: { webhook } });
    return rotateSecret(services, name);
  },
});

export const rotateOwnJobSecret = operation({
  method: 'POST',
  path: '/webhooks/secret',
  ...ofKeepers('rotateOwnJobSecret'),
  says: ['A new secret for URLs of jobs', `Signs for URLs that are sent with jobs. ${rotates}`],
  body: closed({ environment }),
  answers: secretAnswered,
  audit: 'webhook.rotated',
  async run(services, { account: { id: account }, body: { environment }, note }) {
    await note({ account, details: { environment } });
    return rotateJobSecret(services, { account, environment });
  },
});

export const testOwnWebhook = operation({
  method: 'POST',
  path: '/webhooks/:webhook/test',
  ...onEndpoint('testOwnWebhook'),
  says: ['Send a test to an endpoint', 'It is delivered like any other message.'],
  body: closed({
    event: Type.Optional(
      words(eventTypes, {
        description: 'A sample of this event, for endpoints of test keys. Default: `webhook.test`.',
      }),
    ),
  }),
  answers: queued,
  refuses: DISABLED,
  async run(services, { account, params, body: { event } }) {
    const { name } = await locate(services, account, params.webhook);
    if (event !== undefined && name.environment !== 'test') {
      throw new PlatenError('INVALID_PARAMETER', {
        message: 'Samples of events go to endpoints of test keys only. Leave event out.',
      });
    }
    return testEndpoint(services, name, event);
  },
});

export const listOwnDeliveries = operation({
  method: 'GET',
  path: '/webhooks/:webhook/deliveries',
  ...onEndpoint('listOwnDeliveries'),
  says: ['Messages to an endpoint', `The last ${LISTED_DELIVERIES} of a week, with their attempts.`],
  answers: {
    body: WebhookDeliveryList,
    description: 'The messages.',
    example: { deliveries: [deliveryExample] },
  },
  async run(services, { account, params }) {
    const { name } = await locate(services, account, params.webhook);
    return { deliveries: await deliveriesTo(services, name) };
  },
});

const again = 'It is sent at once, and then tried again like a new one. It keeps its id.';

export const retryOwnDelivery = operation({
  method: 'POST',
  path: '/webhooks/:webhook/deliveries/:delivery/retry',
  ...ofKeepers('retryOwnDelivery'),
  says: ['Send a message again', again],
  params: Type.Object({ ...params.properties, delivery }),
  answers: queued,
  refuses: DISABLED,
  missing: missingDelivery,
  async run(services, { account, params }) {
    const { name } = await locate(services, account, params.webhook);
    return repeatDelivery(services, { ...name, target: params.webhook, id: params.delivery });
  },
});

export const listOwnJobDeliveries = operation({
  method: 'GET',
  path: '/jobs/:job/deliveries',
  ...ofKeepers('listOwnJobDeliveries'),
  says: ['Messages about a job', 'To endpoints, and to the URL that was sent with it.'],
  params: jobParams,
  answers: {
    body: JobDeliveryList,
    description: 'The messages.',
    example: { deliveries: [{ ...deliveryExample, webhook: null }] },
  },
  missing: missingJob,
  async run(services, { account, params }) {
    const { id, ...owner } = await locateJob(services, params.job, account);
    const told = await services.webhooks.told(owner, id);
    return {
      deliveries: told.map(({ target, ...message }) => ({
        ...deliveryBody(message),
        webhook: isEndpointId(target) ? target : null,
      })),
    };
  },
});

export const getOwnMessage = operation({
  method: 'GET',
  path: '/messages/:message',
  ...ofKeepers('getOwnMessage'),
  says: ['A message by its id', 'What was sent to each address, and what came back.'],
  params: Type.Object({ message: delivery }),
  answers: {
    body: Message,
    description: 'The message.',
    example: {
      id: deliveryExample.id,
      environment: 'live',
      body: '{"type":"job.completed","timestamp":"2026-11-21T08:00:01.000Z","data":{}}',
      deliveries: [{ ...deliveryExample, webhook: webhookExample.id, job: null, answer: 'ok' }],
    },
  },
  missing: missingDelivery,
  async run({ webhooks }, { account: { id: account }, params: { message: id } }) {
    for (const environment of environments) {
      const found = await webhooks.message({ account, environment }, id);
      const [{ body } = { body: undefined }] = found;
      if (body === undefined) continue;
      const deliveries = found.map(({ target, body: _, answer, ...message }) => ({
        ...deliveryBody(message),
        webhook: isEndpointId(target) ? target : null,
        job: isEndpointId(target) ? null : target,
        answer,
      }));
      return { id, environment, body, deliveries };
    }
    throw new NotFoundError('message', id);
  },
});

export const retryOwnJobDelivery = operation({
  method: 'POST',
  path: '/jobs/:job/deliveries/:delivery/retry',
  ...ofKeepers('retryOwnJobDelivery'),
  says: ['Send a message to the URL of a job again', again],
  params: Type.Object({ ...jobParams.properties, delivery }),
  answers: queued,
  missing: missingDelivery,
  async run(services, { account, params }) {
    const { id: target, ...owner } = await locateJob(services, params.job, account);
    return repeatDelivery(services, { ...owner, target, id: params.delivery });
  },
});

/** In the order of the OpenAPI documents. */
export const webhookOperations = [
  listWebhooks,
  disableWebhook,
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
  getOwnMessage,
];

/** An endpoint of an account, whose environment is not told. @throws NotFoundError */
async function locate(
  { webhooks: { endpoints } }: OperationServices,
  { id: account }: Account,
  id: string,
): Promise<{ readonly name: EndpointRef; readonly endpoint: Endpoint }> {
  for (const environment of environments) {
    const name = { account, environment, id };
    const endpoint = await endpoints.find(name);
    if (endpoint) return { name, endpoint };
  }
  throw new NotFoundError('endpoint', id);
}

/** As operators see it: its path and query may be secrets of the account. */
function describeForOperators(
  environment: Environment,
  endpoint: Endpoint,
): DeepReadonly<Static<typeof OperatorWebhook>> {
  const { url, description: _, ...seen } = webhookBody(endpoint, environment);
  return { ...seen, origin: originOf({ url }) };
}

/** Path and query of a URL may be secret. */
function originOf({ url }: { readonly url: string }): string {
  return new URL(url).origin;
}
