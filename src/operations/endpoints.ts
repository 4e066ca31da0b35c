/** What an account does with its endpoints of webhooks, by a key or by a member: both have the same rules and answers. */
import type { Static } from 'typebox';
import type { Maker } from '../accounts/keys/maker.ts';
import type { Announce } from '../accounts/keys/records.ts';
import type { Config } from '../config.ts';
import { NotFoundError, PlatenError } from '../errors.ts';
import { readWebhookUrl } from '../outbound/outside-url.ts';
import { FORMER_KEPT_MS } from '../webhooks/secrets.ts';
import {
  type DeliveryRef,
  type EndpointRef,
  type EventType,
  type eventTypes,
  isEndpointId,
  isMessageId,
  MAX_ENDPOINTS,
  type WebhookOwner,
} from '../webhooks/webhook.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { OperationJobs } from './services.ts';
import {
  type CreatedWebhook,
  deliveryBody,
  type Webhook,
  type WebhookDelivery,
  type WebhookSecret,
  webhookBody,
} from './webhook-schema.ts';

/** Deliveries of a list. */
export const LISTED_DELIVERIES = 50;

export const TOO_MANY = `An account has up to ${MAX_ENDPOINTS} endpoints in each environment. Delete one first.`;
export const DISABLED = 'The endpoint is disabled. Enable it first.';

/** What may be set of an endpoint. */
interface WebhookSettings {
  readonly url: string;
  readonly events: readonly EventType[];
  readonly description?: string;
  readonly enabled?: boolean;
}

/** What they work with. Each throws an Error when Redis fails, and a NotFoundError for what does not exist, also for a malformed id. */
export interface EndpointServices {
  readonly webhooks: Webhooks;
  readonly config: Pick<Config, 'egressAllowHttp' | 'egressAllowNetworks'>;
  /** Undefined on a server that takes none. */
  readonly jobs: Pick<OperationJobs, 'records'> | undefined;
}

/**
 * @param madeBy who makes it.
 * @param announce is told the id before it is added.
 * @throws PlatenError `INVALID_PARAMETER` for the URL, `INVALID_REQUEST` if there are too many.
 */
export async function addEndpoint(
  { webhooks, config }: EndpointServices,
  owner: WebhookOwner,
  { url, events, description = '', enabled = true }: WebhookSettings,
  madeBy: Maker,
  announce?: Announce<string>,
): Promise<Static<typeof CreatedWebhook>> {
  const settings = { url: readUrl(url, config), events, description, enabled, madeBy };
  const added = await webhooks.endpoints.add(owner, settings, announce);
  if (!added) throw invalid(TOO_MANY);
  // Not read again: if that failed, its secret would be lost, and a repetition would add another one.
  const { secret, ...endpoint } = added;
  return { ...webhookBody(endpoint, owner.environment), secret };
}

/** The oldest first. */
export async function listEndpoints(
  { webhooks }: EndpointServices,
  owner: WebhookOwner,
): Promise<Static<typeof Webhook>[]> {
  const listed = await webhooks.endpoints.list(owner);
  return listed.map((endpoint) => webhookBody(endpoint, owner.environment));
}

export async function findEndpoint(
  { webhooks }: EndpointServices,
  name: EndpointRef,
): Promise<Static<typeof Webhook>> {
  const found = isEndpointId(name.id) ? await webhooks.endpoints.find(name) : undefined;
  if (!found) throw noEndpoint(name);
  return webhookBody(found, name.environment);
}

/**
 * What is left out stays.
 *
 * @param announce runs before the change, unless that is refused.
 * @throws PlatenError `INVALID_PARAMETER` for the URL.
 */
export async function changeEndpoint(
  services: EndpointServices,
  name: EndpointRef,
  settings: Partial<WebhookSettings>,
  announce?: () => Promise<void>,
): Promise<Static<typeof Webhook>> {
  if (settings.url !== undefined) readUrl(settings.url, services.config);
  await announce?.();
  const isKnown = isEndpointId(name.id) && (await services.webhooks.endpoints.change(name, settings));
  if (!isKnown) throw noEndpoint(name);
  return findEndpoint(services, name);
}

export async function removeEndpoint({ webhooks }: EndpointServices, name: EndpointRef): Promise<null> {
  const isKnown = isEndpointId(name.id) && (await webhooks.endpoints.remove(name));
  if (!isKnown) throw noEndpoint(name);
  return null;
}

export async function rotateSecret(
  { webhooks }: EndpointServices,
  name: EndpointRef,
): Promise<Static<typeof WebhookSecret>> {
  const secret = isEndpointId(name.id) ? await webhooks.endpoints.rotate(name) : undefined;
  if (secret === undefined) throw noEndpoint(name);
  return withEnd(secret);
}

/** The secret of URLs that are sent with jobs. */
export async function rotateJobSecret(
  { webhooks }: EndpointServices,
  owner: WebhookOwner,
): Promise<Static<typeof WebhookSecret>> {
  return withEnd(await webhooks.endpoints.rotateDefault(owner));
}

/** @param sample what to send in place of a test. @throws PlatenError `INVALID_REQUEST` if it is disabled. */
export async function testEndpoint(
  services: EndpointServices,
  name: EndpointRef,
  sample?: (typeof eventTypes)[number],
): Promise<Static<typeof WebhookDelivery>> {
  await assertTold(services, name);
  const { id: target, ...owner } = name;
  const id = await services.webhooks.test(name, sample);
  return findDelivery(services, { ...owner, target, id });
}

/** Messages to an endpoint or to a job's URL, the newest first. */
export async function deliveriesTo(
  services: EndpointServices,
  target: EndpointRef,
): Promise<Static<typeof WebhookDelivery>[]> {
  const isEndpoint = isEndpointId(target.id);
  if (isEndpoint) await findEndpoint(services, target);
  const listed = await services.webhooks.deliveries.list(target, LISTED_DELIVERIES);
  // A job with a URL that has not ended has no messages yet.
  if (listed.length === 0 && !isEndpoint) {
    const job = await services.jobs?.records.summary(target);
    if (!job?.webhook) throw noEndpoint(target);
  }
  return listed.map(deliveryBody);
}

/** Sends a message again. @throws PlatenError `INVALID_REQUEST` if its endpoint is disabled. */
export async function repeatDelivery(
  services: EndpointServices,
  name: DeliveryRef,
): Promise<Static<typeof WebhookDelivery>> {
  const { account, environment, target, id } = name;
  if (isEndpointId(target)) await assertTold(services, { account, environment, id: target });
  const isKnown = isMessageId(id) && (await services.webhooks.repeat(name));
  if (!isKnown) throw noDelivery(name);
  return findDelivery(services, name);
}

const DELIVERY_KEPT = 'it is kept for seven days after its last attempt';
/** What a message is that is not found: see {@link NotFoundError}. */
export const missingDelivery = `message: ${DELIVERY_KEPT}`;

async function findDelivery(
  { webhooks }: EndpointServices,
  name: DeliveryRef,
): Promise<Static<typeof WebhookDelivery>> {
  const found = await webhooks.deliveries.find(name);
  if (!found) throw noDelivery(name);
  return deliveryBody(found);
}

/** @throws PlatenError `INVALID_REQUEST` if the endpoint is disabled. */
async function assertTold(services: EndpointServices, name: EndpointRef): Promise<void> {
  const { enabled } = await findEndpoint(services, name);
  if (!enabled) throw invalid(DISABLED);
}

const readUrl = (text: string, config: EndpointServices['config']) => readWebhookUrl('url', text, config);
const withEnd = (secret: string) => ({
  secret,
  formerUntil: new Date(Date.now() + FORMER_KEPT_MS).toISOString(),
});
const invalid = (message: string): PlatenError => new PlatenError('INVALID_REQUEST', { message });
const noEndpoint = ({ id }: { readonly id: string }) => new NotFoundError('endpoint', id);
const noDelivery = ({ id }: DeliveryRef) => new NotFoundError('message', id, DELIVERY_KEPT);
