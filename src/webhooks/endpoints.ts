/** Webhook endpoints and their secrets. Secrets are readable in Redis, as signing needs them. */
import { type Maker, parseMaker } from '../accounts/keys/maker.ts';
import type { Announce } from '../accounts/keys/records.ts';
import { luaFiles } from '../paths.ts';
import type { RedisClient } from '../redis/connect.ts';
import { Script } from '../redis/script.ts';
import { webhookKeys } from './redis-keys.ts';
import { FORMER_KEPT_MS, MAX_FORMERS, newSecret, signingSecrets } from './secrets.ts';
import {
  type DisabledReason,
  type Endpoint,
  type EndpointRef,
  type EventType,
  MAX_ENDPOINTS,
  newEndpointId,
  type WebhookOwner,
} from './webhook.ts';

/** What an account sets. */
export type EndpointSettings = Pick<Endpoint, 'url' | 'events' | 'description' | 'enabled'>;

/** What is set once. */
interface NewEndpoint extends EndpointSettings {
  readonly madeBy?: Maker | undefined;
}

export class Endpoints {
  readonly #redis: RedisClient;
  readonly #add: Script;
  readonly #change: Script;
  readonly #remove: Script;
  readonly #rotate: Script;

  constructor(redis: RedisClient) {
    this.#redis = redis;
    this.#add = new Script(redis, luaFiles.addEndpoint);
    this.#change = new Script(redis, luaFiles.changeEndpoint);
    this.#remove = new Script(redis, luaFiles.removeEndpoint);
    this.#rotate = new Script(redis, luaFiles.rotateSecret);
  }

  /**
   * @param announce is told the id of what is about to be added.
   * @returns the endpoint and its secret; undefined if the owner has {@link MAX_ENDPOINTS}.
   */
  async add(
    owner: WebhookOwner,
    { madeBy, ...settings }: NewEndpoint,
    announce?: Announce<string>,
  ): Promise<(Endpoint & { readonly secret: string }) | undefined> {
    const { account, environment } = owner;
    const [id, secret] = [newEndpointId(), newSecret()];
    const list = webhookKeys.endpoints(account, environment);
    // The script decides; this check keeps endpoints that are not added out of the audit.
    if ((await this.#redis.zcard(list)) >= MAX_ENDPOINTS) return undefined;
    await announce?.(id);
    // First: an account in the set without endpoints is harmless, the reverse is not.
    await this.#redis.sadd(webhookKeys.accounts, account);
    const { enabled, ...texts } = fieldsOf(settings);
    const made = madeBy && { madeBy: JSON.stringify(madeBy) };
    const createdAt = Number(
      await this.#add.run(
        [list, keyOf({ ...owner, id })],
        [id, MAX_ENDPOINTS, enabled ?? '1', ...Object.entries({ ...texts, secret, ...made }).flat()],
      ),
    );
    if (createdAt === 0) return undefined;
    const disabledAt = settings.enabled ? null : createdAt;
    const state = { disabledReason: null, disabledAt, failingSince: null };
    return { ...settings, ...state, id, secret, createdAt, madeBy: madeBy ?? null };
  }

  /** All endpoints of an owner, the oldest first. */
  async list(owner: WebhookOwner): Promise<Endpoint[]> {
    const { account, environment } = owner;
    const ids = await this.#redis.zrange(webhookKeys.endpoints(account, environment), '0', '-1');
    const found = await Promise.all(ids.map((id) => this.find({ ...owner, id })));
    return found.filter((endpoint) => endpoint !== undefined);
  }

  async find(name: EndpointRef): Promise<Endpoint | undefined> {
    const fields = await this.#redis.hgetall(keyOf(name));
    return fields.id === undefined ? undefined : readEndpoint(fields);
  }

  /** Current URL and secrets; undefined if there is no such endpoint or it is disabled. */
  async destination(
    name: EndpointRef,
  ): Promise<{ readonly url: string; readonly secrets: readonly string[] } | undefined> {
    const fields = await this.#redis.hgetall(keyOf(name));
    if (fields.id === undefined || fields.enabled !== '1') return undefined;
    return { url: String(fields.url), secrets: signingSecrets(fields) };
  }

  /** @returns whether there is such an endpoint. */
  async change(name: EndpointRef, settings: Partial<EndpointSettings>): Promise<boolean> {
    const { enabled = '', ...texts } = fieldsOf(settings);
    return (await this.#change.run([keyOf(name)], [enabled, '', ...Object.entries(texts).flat()])) === 1;
  }

  /** Disables it for the operator. @returns whether there is such an endpoint. */
  async disable(name: EndpointRef): Promise<boolean> {
    return (await this.#change.run([keyOf(name)], ['0', 'operator'])) === 1;
  }

  /** Removes an endpoint and its messages. @returns whether there was one. */
  async remove(name: EndpointRef): Promise<boolean> {
    const { account, environment, id } = name;
    const names = [webhookKeys.endpoints(account, environment), keyOf(name)];
    const messages = [webhookKeys.deliveries, webhookKeys.pending].map((key) =>
      key(account, environment, id),
    );
    return (await this.#remove.run([...names, ...messages], [id])) === 1;
  }

  /** Warnings no longer look at the account. @returns 1 if it was known. */
  forgetAccount(account: string): Promise<number> {
    return this.#redis.srem(webhookKeys.accounts, account);
  }

  /** Makes a new secret; the old one signs for {@link FORMER_KEPT_MS} more. @returns undefined if there is no such endpoint. */
  async rotate(name: EndpointRef): Promise<string | undefined> {
    const secret = newSecret();
    const rotated = await this.#rotate.run([keyOf(name)], [secret, FORMER_KEPT_MS, '', MAX_FORMERS]);
    return rotated === 1 ? secret : undefined;
  }

  /** Makes a new secret for URLs that are sent with jobs. */
  async rotateDefault({ account, environment }: WebhookOwner): Promise<string> {
    const secret = newSecret();
    const name = webhookKeys.secret(account, environment);
    await this.#rotate.run([name], [secret, FORMER_KEPT_MS, 'new', MAX_FORMERS]);
    return secret;
  }

  /** Secrets for URLs that are sent with jobs; none before the first {@link rotateDefault}. */
  async defaultSecrets({ account, environment }: WebhookOwner): Promise<string[]> {
    return signingSecrets(await this.#redis.hgetall(webhookKeys.secret(account, environment)));
  }
}

const keyOf = ({ account, environment, id }: EndpointRef) => webhookKeys.endpoint(account, environment, id);

function fieldsOf({ url, events, description, enabled }: Partial<EndpointSettings>): Record<string, string> {
  return {
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events: events.join(' ') }),
    ...(description !== undefined && { description }),
    ...(enabled !== undefined && { enabled: enabled ? '1' : '0' }),
  };
}

function readEndpoint(fields: Readonly<Record<string, string>>): Endpoint {
  return {
    id: String(fields.id),
    url: String(fields.url),
    events: String(fields.events).split(' ') as EventType[],
    description: fields.description ?? '',
    enabled: fields.enabled === '1',
    disabledReason: (fields.disabledReason ?? null) as DisabledReason,
    disabledAt: timeOrNull(fields.disabledAt),
    failingSince: timeOrNull(fields.failingSince),
    createdAt: Number(fields.createdAt),
    madeBy: parseMaker(fields.madeBy),
  };
}

function timeOrNull(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}
