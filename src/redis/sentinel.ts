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

const SENTINEL_URL_FORM =
  'redis+sentinel://user:password@host:port,host:port/master-name/db?sentinelUsername=…&sentinelPassword=… ' +
  '(only the hosts and master-name are required; rediss+sentinel:// uses TLS)';

/** All that may follow the scheme; {@link readSentinelUrl} says what is wrong with it. */
const URL_PARTS =
  /^redis(?<tls>s?)\+sentinel:\/\/(?<authority>[^/?#]*)(?<path>[^?#]*)(?:\?(?<query>[^#]*))?(?<fragment>.*)$/s;
const PARAMETERS = ['sentinelUsername', 'sentinelPassword'] as const;

/** What a URL says of Sentinels and their master. */
interface SentinelTarget
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
 * @throws OperatorError that says which part has not the form {@link SENTINEL_URL_FORM}. It repeats none: any may be of a password.
 */
export function readSentinelUrl(target: string): SentinelTarget {
  const {
    tls = '',
    authority = '',
    path = '',
    query = '',
    fragment = '',
  } = URL_PARTS.exec(target)?.groups ?? {};
  const [hosts = '', credentials = '', ...furtherAts] = authority.split('@').reverse();
  const parameters = [...new URLSearchParams(query)];
  const areKnown = parameters.every(([name]) => PARAMETERS.some((known) => known === name));
  const rest = path + (areKnown ? '' : query) + fragment;
  if (furtherAts.length > 0 || rest.includes('@'))
    throw wrongForm('the user or a password has one of @ / ? # that is not percent-encoded');
  if (fragment !== '') throw wrongForm('it has a # that is not percent-encoded');
  if (hosts === '') throw wrongForm('it names no Sentinel');
  const sentinels = hosts.split(',').map((text, index) => readAddress(text, index + 1));
  const [name = '', db = '0', ...furtherSegments] = path.slice(1).split('/');
  if (name === '') throw wrongForm('it lacks the name of the master after the Sentinels');
  if (!/^\d{1,5}$/.test(db)) throw wrongForm('the database, after the name of the master, is not a number');
  if (furtherSegments.length > 0) throw wrongForm('it has something after the database');
  if (!areKnown)
    throw wrongForm(
      `it has a parameter other than ${PARAMETERS.join(' and ')}, or a & that is not percent-encoded`,
    );
  if (new Set(parameters.map(([name]) => name)).size < parameters.length)
    throw wrongForm('it has the same parameter twice');
  const [user = '', password] = credentials.split(/:(.*)/s);
  return {
    sentinels,
    name: decode(name, 'the name of the master'),
    db: Number(db),
    ...(user !== '' && { username: decode(user, 'the user') }),
    ...(password !== undefined && { password: decode(password, 'the password') }),
    ...Object.fromEntries(parameters),
    ...(tls !== '' && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  };
}

/** The address without credentials, for logs and messages. */
export function describeSentinels(target: string): string {
  const { sentinels, name, tls } = readSentinelUrl(target);
  const hosts = sentinels.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`);
  return `redis${tls ? 's' : ''}+sentinel://${hosts.join()}/${name}`;
}

/** Delays before all Sentinels are asked again: the first one, which is also the increment, and the longest. */
const [FIRST_ASK_AGAIN_MS, ASK_AGAIN_MS] = [50, 500];
/** What Sentinels publish when another master is in its place. */
const SWITCHED = '+switch-master';

/** How connections find the master, and move to another one as soon as a Sentinel names it. */
export const sentinelWaits = {
  // A former master accepts writes until it becomes a replica; these writes are lost.
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
    // If the connection was closed while it was being made, nobody would end these subscriptions.
    this.#internals.initFailoverDetector = async () => {
      if (this.connecting) await initFailoverDetector.call(this);
    };
  }

  /** Tries all Sentinels until one names the master. ioredis would hold a promise for each try for as long as none answers. */
  override async connect(...args: Parameters<SentinelConnector['connect']>) {
    const [emit] = args;
    // The detector of the last connection could notice the failover during this search, and end this connection for ever.
    const { failoverDetector } = this.#internals;
    // A second cleanup would leave listeners behind.
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

/** Which Sentinel does not name the master, and why, from an error that ioredis emits as `sentinelError`. */
export function describeSentinelError({ message }: Error, master = ''): { address: string; reason: string } {
  const [, address = '', cause = message] =
    /^failed to connect to sentinel (\S+) because (.*)$/s.exec(message) ?? [];
  if (/unknown command/i.test(cause)) return { address, reason: `${address} is not a Sentinel` };
  const reason = cause.includes('No such master')
    ? `does not know a master named ${master}`
    : cause === 'Connection is closed.'
      ? 'cannot be reached'
      : (describeRefusal(cause, PARAMETERS.join(' and ')) ?? `says ${cause}`);
  return { address, reason: `the Sentinel at ${address} ${reason}` };
}

/** Undefined: a server does not refuse a user. @param where the user and the password are in REDIS_URL. */
export function describeRefusal(message: string, where: string): string | undefined {
  if (message.startsWith('WRONGPASS'))
    return `refuses the user or the password, ${where} in REDIS_URL (WRONGPASS)`;
  if (message.startsWith('NOAUTH')) return `requires a password: set ${where} in REDIS_URL (NOAUTH)`;
  return undefined;
}

function readAddress(text: string, position: number): SentinelTarget['sentinels'][0] {
  const url = URL.canParse(`redis://${text}`) ? new URL(`redis://${text}`) : undefined;
  if (!url || url.hostname === '' || url.port === '0')
    throw wrongForm(`Sentinel ${position} is not host:port or host`);
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || DEFAULT_PORT) };
}

function decode(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrongForm(`${part} has a % that is not percent-encoded, as %25`);
  }
}

function wrongForm(mistake: string): OperatorError {
  return new OperatorError(`REDIS_URL is not valid: ${mistake}. Use ${SENTINEL_URL_FORM}`);
}
