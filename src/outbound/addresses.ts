/** Which IP addresses may be connected to: the public Internet, and networks that the operator allows. */
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/**
 * All IPv6 addresses of the Internet (IANA, IPv6 Global Unicast). Outside are those that hold an IPv4 address: mapped,
 * compatible, and NAT64.
 */
const internet6 = network('2000::/3');

/** Ranges within those of the Internet that are not public. */
const notPublic: readonly Network[] = [
  // Azure's services for each machine, with its settings and secrets.
  '168.63.129.16/32',
  // Reserved for protocols, such as Teredo and ORCHID (RFC 6890).
  '2001::/23',
  // Documentation (RFC 9637).
  '3fff::/20',
  // The first test network, withdrawn (RFC 3701).
  '3ffe::/16',
].map(network);

function network(text: string): Network {
  return ipaddr.parseCIDR(text);
}

/** What an operator may list: an address, or a CIDR. */
export function readNetwork(text: string): Network {
  const address = text.includes('/') ? undefined : ipaddr.parse(text);
  return address ? [address, address.kind() === 'ipv4' ? 32 : 128] : network(text);
}

/**
 * Whether an address may be connected to.
 *
 * @param address in its usual notation; any other notation is refused.
 * @param allowed further networks.
 */
export function isAllowedAddress(address: string, allowed: readonly Network[]): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false;
  // A zone names an interface, so it leads to networks of this machine.
  if (address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  return isIn(parsed, allowed) || isPublic(parsed);
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || isIn(address, notPublic)) return false;
  return address.kind() === 'ipv4' || isIn(address, [internet6]);
}

function isIn(address: Address, networks: readonly Network[]): boolean {
  return networks.some((range) => range[0].kind() === address.kind() && address.match(range));
}
