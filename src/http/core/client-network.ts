/** What counts as one client without a key. */
import { parseAddress } from '../../accounts/keys/restrictions.ts';

/**
 * The network of a client: its IPv4 address, or its IPv6 /64.
 *
 * @param address of a request. Requests without one, whose connections are gone, count as one client.
 */
export function clientNetwork(address: string | undefined): string {
  const client = address === undefined ? undefined : parseAddress(address);
  if (!client) return 'unknown';
  if (client.kind() === 'ipv4') return client.toString();
  return `${client.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`;
}
