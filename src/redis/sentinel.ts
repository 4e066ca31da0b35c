/**
 * Redis behind Sentinels: they name the master, and each connection moves to the next one when they name another.
 * https://redis.io/docs/latest/develop/reference/sentinel-clients/
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Redis, type RedisOptions, type SentinelConnectionOptions, SentinelConnector } from 'ioredis';
import { OperatorError } from '../errors.ts';

const DEFAULT_PORT = 26_379;
/** How long one Sentinel may take to name the master: then the next one is asked. */
const ANSWER_MS = 500;
/** Time until a Sentinel that was lost is subscribed to again. */
const SUBSCRIBE_AGAIN_MS = 1_000;
/** How long the connection to the former master may take to close. */
const CLOSE_MS = 100;

export const SENTINEL_URL_FORM =
  'redis+sentinel://user:password@host:port,host:port/master-name/db?sentinelUsername=…&sentinelPassword=… ' +
  '(only the hosts and master-name are required; rediss+sentinel:// uses TLS)';

const URL_PARTS =
  /^redis(?<tls>s?)\+sentinel:\/\/(?:(?<user>[^@/?#]*)@)?(?<hosts>[^@/?#]+)\/(?<name>[^/?#]+)(?:\/(?<db>\d{1,5}))?(?:\?(?<query>[^#]*))?$/;
const PARAMETERS = ['sentinelUsername', 'sentinelPassword'] as const;

/** What a URL says of Sentinels and their master. */
export interface SentinelTarget
  extends Pick<
    RedisOptions,
    | 'username'
    | 'password'
    | 'sentinelUsername'
    | 'sentinelPassword'
    | 'tls'
    | 'sentinelTLS'
    | 'enableTLSForSentinelMode'
  > {
  readonly sentinels: { readonly host: string; readonly port: number }[];
  /** What the Sentinels call the master. */
  readonly name: string;
  readonly db: number;
}

/** Whether an address names Sentinels. */
export function namesSentinels(target: string): boolean {
  return /^rediss?\+sentinel:/.test(target);
}

/**
 * Options of a client that finds the master by the Sentinels of a URL. TLS is for Sentinels and Redis alike.
 *
 * @throws OperatorError if it has not the form {@link SENTINEL_URL_FORM}; the message does not repeat it.
 */
export function readSentinelUrl(target: string): SentinelTarget {
  const parts = URL_PARTS.exec(target)?.groups;
  const sentinels = parts?.hosts?.split(',').map(readAddress);
  const parameters = new URLSearchParams(parts?.query);
  const isKnown = [...parameters.keys()].every(
    (name) => PARAMETERS.some((known) => known === name) && parameters.getAll(name).length === 1,
  );
  if (!parts || !sentinels?.every((address) => address !== undefined) || !isKnown) throw wrongForm();
  const [username = '', password] = (parts.user ?? '').split(/:(.*)/s).map(decode);
  const tls = parts.tls === 's' && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true };
  return {
    sentinels,
    name: decode(parts.name ?? ''),
    db: Number(parts.db ?? 0),
    ...(username !== '' && { username }),
    ...(password !== undefined && { password }),
    ...Object.fromEntries(parameters),
    ...tls,
  };
}

/** The address without credentials, for logs and messages. */
export function describeSentinels(target: string): string {
  const { sentinels, name, tls } = readSentinelUrl(target);
  const hosts = sentinels.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`);
  return `redis${tls ? 's' : ''}+sentinel://${hosts.join()}/${name}`;
}

/** Waits before all Sentinels are asked again: the first one, by which the others grow, and the longest. */
const [FIRST_ASK_AGAIN_MS, ASK_AGAIN_MS] = [50, 500];
/** What Sentinels publish when another master is in its place. */
const SWITCHED = '+switch-master';

/** How connections find the master, and move to another one as soon as a Sentinel names it. */
export const sentinelWaits = {
  // Until it is made a replica, a former master goes on taking writes, which are then lost.
  failoverDetector: true,
  // See MendedSentinelConnector.connect.
  sentinelRetryStrategy: () => null,
  sentinelCommandTimeout: ANSWER_MS,
  sentinelReconnectStrategy: () => SUBSCRIBE_AGAIN_MS,
  // A master that hangs does not close its side.
  disconnectTimeout: CLOSE_MS,
} satisfies RedisOptions;

type Address = { readonly host: string; readonly port: number };

/** What is private to ioredis. */
interface Internals {
  connectToSentinel(sentinel: Address, options?: { lazyConnect?: boolean }): Redis;
  resolve(sentinel: Address): Promise<Address | null>;
  initFailoverDetector(): Promise<void>;
  readonly failoverDetector: { readonly isDisconnected: boolean; cleanup(): void } | null;
}

/** The connector of ioredis without its faults. */
export class MendedSentinelConnector extends SentinelConnector {
  readonly #internals = this as unknown as Internals;
  /** The Sentinel that named the master last, and the master. */
  #named: { readonly by: Address; readonly master: Address } | undefined;

  constructor(options: unknown) {
    super(options as SentinelConnectionOptions);
    const { connectToSentinel, resolve, initFailoverDetector } = this.#internals;
    this.#internals.connectToSentinel = (sentinel, more) => {
      // Without a listener, it prints whenever a Sentinel that it subscribes to is away.
      const client = connectToSentinel.call(this, sentinel, more).on('error', () => {});
      // Lazily it connects to subscribe only.
      if (more?.lazyConnect)
        client.on('ready', () => void this.#followMaster(client, sentinel).catch(() => {}));
      return client;
    };
    this.#internals.resolve = async (sentinel) => {
      const master = await resolve.call(this, sentinel);
      if (master) this.#named = { by: sentinel, master };
      return master;
    };
    // Nobody would end the subscriptions of a connection that was closed while it was made.
    this.#internals.initFailoverDetector = async () => {
      if (this.connecting) await initFailoverDetector.call(this);
    };
  }

  /** Tries all Sentinels until one names the master. ioredis would hold a promise for each try for as long as none answers. */
  override async connect(...args: Parameters<SentinelConnector['connect']>) {
    const [emit] = args;
    // What watched over the last connection would end this one for ever, if it noticed the failover while this looks for the master.
    const { failoverDetector } = this.#internals;
    // Another time would leave listeners behind.
    if (failoverDetector?.isDisconnected === false) failoverDetector.cleanup();
    for (let attempt = 1; ; attempt++) {
      try {
        return await super.connect(...args);
      } catch (error) {
        if (!this.connecting || !isUnreachable(error as Error)) throw error;
        emit('error', error as Error);
      }
      await delay(Math.min(FIRST_ASK_AGAIN_MS * attempt, ASK_AGAIN_MS));
      if (!this.connecting) throw new Error('Connection is closed.');
    }
  }

  /**
   * Leaves a master that was replaced before this client was subscribed, or while its subscription was lost. Only the Sentinel
   * that named the master is asked: another one may know of it later.
   */
  async #followMaster(client: Redis, sentinel: Address): Promise<void> {
    const named = this.#named;
    if (named?.by.host !== sentinel.host || named.by.port !== sentinel.port) return;
    await client.subscribe(SWITCHED);
    const master = await this.#internals.resolve(sentinel);
    if (client.status !== 'ready' || !master) return;
    if (master.host !== named.master.host || master.port !== named.master.port) this.disconnect();
  }
}

/** Whether ioredis says that no Sentinel has named the master. */
export function isUnreachable({ message }: Error): boolean {
  return message.startsWith('All sentinels are unreachable');
}

function readAddress(text: string): SentinelTarget['sentinels'][0] | undefined {
  const url = `redis://${text}`;
  if (!URL.canParse(url)) return undefined;
  const { hostname, port } = new URL(url);
  if (hostname === '' || port === '0') return undefined;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || DEFAULT_PORT) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrongForm();
  }
}

function wrongForm(): OperatorError {
  return new OperatorError(`REDIS_URL is not of the form ${SENTINEL_URL_FORM}`);
}
