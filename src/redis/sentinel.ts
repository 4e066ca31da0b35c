/**
 * Redis behind Sentinels: they name the master, and each connection moves to the next one when they name another.
 * https://redis.io/docs/latest/develop/reference/sentinel-clients/
 */
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

/** How connections find the master, and move to another one as soon as a Sentinel names it. */
export const sentinelWaits = {
  // Until it is made a replica, a former master goes on taking writes, which are then lost.
  failoverDetector: true,
  sentinelCommandTimeout: ANSWER_MS,
  sentinelReconnectStrategy: () => SUBSCRIBE_AGAIN_MS,
  // A master that hangs does not close its side.
  disconnectTimeout: CLOSE_MS,
} satisfies RedisOptions;

/** What is private to ioredis. */
interface Internals {
  connectToSentinel(...args: unknown[]): Redis;
  readonly failoverDetector: { cleanup(): void } | null;
}

/** The connector of ioredis without two of its faults. */
export class MendedSentinelConnector extends SentinelConnector {
  constructor(options: unknown) {
    super(options as SentinelConnectionOptions);
    const internals = this as unknown as Internals;
    const connect = internals.connectToSentinel;
    // Without a listener, it prints whenever a Sentinel that it subscribes to is away.
    internals.connectToSentinel = (...args) => connect.apply(this, args).on('error', () => {});
  }

  override connect(...args: Parameters<SentinelConnector['connect']>) {
    // What watched over the last connection would end this one for ever, if it noticed the failover while this looks for the master.
    (this as unknown as Internals).failoverDetector?.cleanup();
    return super.connect(...args);
  }
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
