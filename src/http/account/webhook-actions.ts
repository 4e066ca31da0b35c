/** What an account does with its endpoints of webhooks, by a key or by a member: both have the same rules and answers. */
import type { Static } from 'typebox';
import { PlatenError } from '../../errors.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Maker } from '../../keys/maker.ts';
import type { Announce } from '../../keys/records.ts';
import { FORMER_KEPT_MS } from '../../webhooks/secrets.ts';
import {
  type DeliveryRef,
  type EndpointRef,
  type EventType,
  type eventTypes,
  isEndpointId,
  isMessageId,
  type WebhookOwner,
} from '../../webhooks/webhook.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { readOutsideUrl } from './outside-url.ts';
import {
  type CreatedWebhook,
  deliveryBody,
  type Webhook,
  type WebhookDelivery,
  type WebhookSecret,
  webhookBody,
} from './webhook-body.ts';
import { DISABLED, LISTED_DELIVERIES, TOO_MANY } from './webhooks.contract.ts';

/** What may be set of an endpoint. */
export interface WebhookSettings {
  readonly url: string;
  readonly events: readonly EventType[];
  readonly description?: string;
  readonly enabled?: boolean;
}

export interface WebhookActionsOptions {
  readonly webhooks: Webhooks;
  /** Whether URLs may begin with http://. */
  readonly allowHttp: boolean;
  /** Undefined on a server that takes none. */
  readonly jobs: Pick<Jobs, 'records'> | undefined;
}

/** Each throws an Error when Redis fails, and returns undefined for what does not exist, also for a malformed id. */
export class WebhookActions {
  readonly #webhooks: Webhooks;
  readonly #allowHttp: boolean;
  readonly #jobs: Pick<Jobs, 'records'> | undefined;

  constructor({ webhooks, allowHttp, jobs }: WebhookActionsOptions) {
    this.#webhooks = webhooks;
    this.#allowHttp = allowHttp;
    this.#jobs = jobs;
  }

  /**
   * @param madeBy who makes it.
   * @param announce is told the id before it is added.
   * @throws PlatenError `INVALID_PARAMETER` for the URL, `INVALID_REQUEST` if there are too many.
   */
  async create(
    owner: WebhookOwner,
    { url, events, description = '', enabled = true }: WebhookSettings,
    madeBy: Maker,
    announce?: Announce<string>,
  ): Promise<Static<typeof CreatedWebhook>> {
    const { endpoints } = this.#webhooks;
    const settings = { url: this.#readUrl(url), events, description, enabled, madeBy };
    const added = await endpoints.add(owner, settings, announce);
    if (!added) throw invalid(TOO_MANY);
    // Not read again: if that failed, its secret would be lost, and a repetition would add another one.
    const { secret, ...endpoint } = added;
    return { ...webhookBody(endpoint, owner.environment), secret };
  }

  /** The oldest first. */
  async list(owner: WebhookOwner): Promise<Static<typeof Webhook>[]> {
    const listed = await this.#webhooks.endpoints.list(owner);
    return listed.map((endpoint) => webhookBody(endpoint, owner.environment));
  }

  async find(name: EndpointRef): Promise<Static<typeof Webhook> | undefined> {
    const found = isEndpointId(name.id) ? await this.#webhooks.endpoints.find(name) : undefined;
    return found && webhookBody(found, name.environment);
  }

  /**
   * What is left out stays.
   *
   * @param announce runs before the change, unless that is refused.
   * @throws PlatenError `INVALID_PARAMETER` for the URL.
   */
  async change(
    name: EndpointRef,
    settings: Partial<WebhookSettings>,
    announce?: () => Promise<void>,
  ): Promise<Static<typeof Webhook> | undefined> {
    if (settings.url !== undefined) this.#readUrl(settings.url);
    if (!isEndpointId(name.id)) return undefined;
    await announce?.();
    return (await this.#webhooks.endpoints.change(name, settings)) ? this.find(name) : undefined;
  }

  /** @returns whether there was one. */
  async remove(name: EndpointRef): Promise<boolean> {
    return isEndpointId(name.id) && this.#webhooks.endpoints.remove(name);
  }

  async rotate(name: EndpointRef): Promise<Static<typeof WebhookSecret> | undefined> {
    const secret = isEndpointId(name.id) ? await this.#webhooks.endpoints.rotate(name) : undefined;
    return secret === undefined ? undefined : withEnd(secret);
  }

  /** The secret of URLs that are sent with jobs. */
  async rotateDefault(owner: WebhookOwner): Promise<Static<typeof WebhookSecret>> {
    return withEnd(await this.#webhooks.endpoints.rotateDefault(owner));
  }

  /** @param sample what to send in place of a test. @throws PlatenError `INVALID_REQUEST` if it is disabled. */
  async test(
    name: EndpointRef,
    sample?: (typeof eventTypes)[number],
  ): Promise<Static<typeof WebhookDelivery> | undefined> {
    if (!(await this.#isTold(name))) return undefined;
    const { id: target, ...owner } = name;
    const id = await this.#webhooks.test(name, sample);
    return this.#findDelivery({ ...owner, target, id });
  }

  /** Messages to an endpoint or to a job's URL, the newest first. */
  async deliveries(target: EndpointRef): Promise<Static<typeof WebhookDelivery>[] | undefined> {
    const isEndpoint = isEndpointId(target.id);
    if (isEndpoint && !(await this.find(target))) return undefined;
    const listed = await this.#webhooks.deliveries.list(target, LISTED_DELIVERIES);
    // A job with a URL that has not ended has no messages yet.
    if (listed.length === 0 && !isEndpoint) {
      const job = await this.#jobs?.records.summary(target);
      if (!job?.webhook) return undefined;
    }
    return listed.map(deliveryBody);
  }

  /** Sends a message again. @throws PlatenError `INVALID_REQUEST` if its endpoint is disabled. */
  async repeat(name: DeliveryRef): Promise<Static<typeof WebhookDelivery> | undefined> {
    const { account, environment, target, id } = name;
    if (isEndpointId(target) && !(await this.#isTold({ account, environment, id: target }))) return undefined;
    if (!isMessageId(id) || !(await this.#webhooks.repeat(name))) return undefined;
    return this.#findDelivery(name);
  }

  async #findDelivery(name: DeliveryRef): Promise<Static<typeof WebhookDelivery> | undefined> {
    const found = await this.#webhooks.deliveries.find(name);
    return found && deliveryBody(found);
  }

  /** @returns whether there is such an endpoint. @throws PlatenError `INVALID_REQUEST` if it is disabled. */
  async #isTold(name: EndpointRef): Promise<boolean> {
    const found = await this.find(name);
    if (found?.enabled === false) throw invalid(DISABLED);
    return found !== undefined;
  }

  #readUrl(text: string): string {
    return readOutsideUrl('url', text, this.#allowHttp);
  }
}

const withEnd = (secret: string) => ({
  secret,
  formerUntil: new Date(Date.now() + FORMER_KEPT_MS).toISOString(),
});
const invalid = (message: string): PlatenError => new PlatenError('INVALID_REQUEST', { message });
