/** The webhook endpoints of one account, as its members see and change them: see scope.ts. */
import type { Environment } from '../../keys/format.ts';
import type { Audit } from '../../operator/audit.ts';
import { type Actor, type AuditAction, makerOf } from '../../operator/audit-entry.ts';
import { type EndpointRef, type eventTypes, isEndpointId } from '../../webhooks/webhook.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import {
  WebhookActions,
  type WebhookActionsOptions,
  type WebhookSettings,
} from '../account/webhook-actions.ts';
import { deliveryBody } from '../account/webhook-body.ts';

export interface OwnWebhooksSources extends Pick<WebhookActionsOptions, 'webhooks' | 'jobs'> {
  readonly audit: Audit;
  readonly config: { readonly egressAllowHttp: boolean };
}

const environments = ['live', 'test'] as const satisfies readonly Environment[];

/** Methods return undefined for endpoints and messages that the account does not have. */
export class OwnWebhooks {
  readonly #account: string;
  readonly #actor: Actor;
  readonly #audit: Audit;
  readonly #webhooks: Webhooks;
  readonly #actions: WebhookActions;

  constructor({ audit, webhooks, jobs, config }: OwnWebhooksSources, actor: Actor, account: string) {
    this.#account = account;
    this.#actor = actor;
    this.#audit = audit;
    this.#webhooks = webhooks;
    this.#actions = new WebhookActions({ webhooks, jobs, allowHttp: config.egressAllowHttp });
  }

  /** Those of live keys first. */
  async list() {
    const listed = await Promise.all(
      environments.map((environment) => this.#actions.list(this.#owner(environment))),
    );
    const [live = false, test = false] = await Promise.all(
      environments.map(async (environment) => {
        const secrets = await this.#webhooks.endpoints.defaultSecrets(this.#owner(environment));
        return secrets.length > 0;
      }),
    );
    return { webhooks: listed.flat(), jobSecrets: { live, test } };
  }

  /** @throws PlatenError as {@link WebhookActions.create}. */
  create(environment: Environment, settings: WebhookSettings) {
    return this.#actions.create(this.#owner(environment), settings, makerOf(this.#actor), (webhook) =>
      this.#note('webhook.created', { webhook, environment, to: originOf(settings) }),
    );
  }

  async find(id: string) {
    const name = await this.#locate(id);
    return name && this.#actions.find(name);
  }

  /** @throws PlatenError as {@link WebhookActions.change}. */
  async change(id: string, settings: Partial<WebhookSettings>) {
    const name = await this.#locate(id);
    const found = name && (await this.#actions.find(name));
    if (!found) return undefined;
    const fields = Object.keys(settings).join(' ');
    return this.#actions.change(name, settings, async () => {
      const to = originOf({ ...found, ...settings });
      if (fields !== '') await this.#note('webhook.changed', { webhook: id, fields, to });
    });
  }

  /** Enables or disables it. */
  async setEnabled(id: string, enabled: boolean) {
    const name = await this.#locate(id);
    if (!name) return undefined;
    await this.#note(enabled ? 'webhook.enabled' : 'webhook.disabled', { webhook: id });
    return this.#actions.change(name, { enabled });
  }

  /** @returns true if there was one. */
  async remove(id: string): Promise<true | undefined> {
    const name = await this.#locate(id);
    const found = name && (await this.#actions.find(name));
    if (!found) return undefined;
    await this.#note('webhook.deleted', { webhook: id, to: originOf(found) });
    return (await this.#actions.remove(name)) || undefined;
  }

  async rotate(id: string) {
    const name = await this.#locate(id);
    if (!name) return undefined;
    await this.#note('webhook.rotated', { webhook: id });
    return this.#actions.rotate(name);
  }

  /** The secret for URLs that are sent with jobs. */
  async rotateForJobs(environment: Environment) {
    await this.#note('webhook.rotated', { environment });
    return this.#actions.rotateDefault(this.#owner(environment));
  }

  /** @throws PlatenError as {@link WebhookActions.test}. */
  async test(id: string, sample?: (typeof eventTypes)[number]) {
    const name = await this.#locate(id);
    return name && this.#actions.test(name, sample);
  }

  async deliveries(id: string) {
    const name = await this.#locate(id);
    return name && this.#actions.deliveries(name);
  }

  /** Messages about a job of the account. */
  async deliveriesOf({ id: job, environment }: Pick<EndpointRef, 'id' | 'environment'>) {
    const told = await this.#webhooks.told(this.#owner(environment), job);
    return told.map(({ target, ...delivery }) => ({
      ...deliveryBody(delivery),
      webhook: isEndpointId(target) ? target : null,
    }));
  }

  /** Sends a message to an endpoint again. @throws PlatenError as {@link WebhookActions.repeat}. */
  async retryOf(id: string, message: string) {
    const name = await this.#locate(id);
    return name && this.retry(name, message);
  }

  /** Sends a message to an endpoint or a job's URL of the account again. */
  async retry({ id: target, environment }: Pick<EndpointRef, 'id' | 'environment'>, message: string) {
    return this.#actions.repeat({ ...this.#owner(environment), target, id: message });
  }

  /** Finds the environment of an endpoint. */
  async #locate(id: string): Promise<EndpointRef | undefined> {
    const names = environments.map((environment) => ({ ...this.#owner(environment), id }));
    const found = await Promise.all(names.map((name) => this.#actions.find(name)));
    return names[found.findIndex((each) => each !== undefined)];
  }

  #owner(environment: Environment) {
    return { account: this.#account, environment };
  }

  #note(action: AuditAction, details: Readonly<Record<string, string>>): Promise<void> {
    return this.#audit.record(this.#actor, action, { account: this.#account, details });
  }
}

/** Path and query of a URL may be secret. */
function originOf({ url }: { readonly url: string }): string {
  return new URL(url).origin;
}
