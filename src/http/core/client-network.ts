/** What counts as one client where there is no key. */
import { parseAddress } from '../../keys/restrictions.ts';

/**
 * The network of a client: its IPv4 address, or the /64 that an IPv6 client has to itself.
 *
 * @param address of a request. Those without one, whose connections are gone, are one client.
 */
export function clientNetwork(address: string | undefined): string {
  const client = address === undefined ? undefined : parseAddress(address);
  if (!client) return 'unknown';
  if (client.kind() === 'ipv4') return client.toString();
  return `${client.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`;
}
