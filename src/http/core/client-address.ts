/** Whose request it is, also where it comes through proxies (`X-Forwarded-For`). */
import type { FastifyRequest } from 'fastify';
import { addressBits, blockPrefix, parseAddress } from '../../keys/restrictions.ts';

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
 * The address of the client: the first, seen from here, that is not a trusted proxy's. Where the last trusted proxy says
 * something that is no address, it is that proxy's own: what is not understood names nobody.
 *
 * @returns undefined when the connection is gone.
 */
export function clientAddressOf({ ip, ips }: FastifyRequest): string | undefined {
  // From the connection's own address on; all but the last are trusted.
  return (ips ?? [ip]).map(readHop).findLast((address) => address !== undefined);
}

/** The address of a hop, without its port and zone; undefined where there is none in it. */
function readHop(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const [, ipv6, ipv4] = WITH_PORT.exec(text) ?? [];
  return parseAddress(ipv6 ?? ipv4 ?? text)?.toString();
}
