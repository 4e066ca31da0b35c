/** The client's address, also behind proxies (`X-Forwarded-For`). */
import type { FastifyRequest } from 'fastify';
import { addressBits, blockPrefix, parseAddress } from '../../accounts/keys/restrictions.ts';

/** An IPv6 address in brackets (RFC 3986, section 3.2.2), with a port or without, or an IPv4 address with one. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/;

/**
 * Fastify's `trustProxy`: whether an address is that of a proxy whose `X-Forwarded-For` is believed.
 *
 * @param networks addresses and CIDR blocks, as TRUST_PROXY lists them.
 */
export function trustedProxies(networks: readonly string[]): false | ((address: string) => boolean) {
  if (networks.length === 0) return false;
  const prefixes = networks.map(blockPrefix);
  // A connection that is gone has no address.
  return (address: string | undefined) => {
    const bits = addressBits(readHop(address) ?? '');
    return prefixes.some((prefix) => bits.startsWith(prefix));
  };
}

/**
 * The client's address: the nearest one that is not a trusted proxy's. If the last trusted proxy forwards something that is no
 * address, it is that proxy's own.
 *
 * @returns undefined when the connection is gone.
 */
export function clientAddressOf({ ip, ips }: FastifyRequest): string | undefined {
  // Starts with the connection's address; all but the last are trusted.
  return (ips ?? [ip]).map(readHop).findLast((address) => address !== undefined);
}

/** The address of a hop, without port and zone; undefined if it has none. */
function readHop(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const [, ipv6, ipv4] = WITH_PORT.exec(text) ?? [];
  return parseAddress(ipv6 ?? ipv4 ?? text)?.toString();
}
