/** IP restrictions of a key: addresses and CIDR blocks, IPv4 and IPv6. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { OperatorError } from '../errors.ts';

/**
 * Checks the restrictions before they are stored.
 *
 * @throws OperatorError naming the first that is neither an address nor a CIDR block.
 */
export function assertRestrictions(restrictions: readonly string[]): void {
  for (const text of restrictions) {
    if (!isAddress(text) && !isBlock(text)) {
      throw new OperatorError(`"${text}" is neither an IP address nor a CIDR block`);
    }
  }
}

/**
 * Whether a client's address may use a key with these restrictions; no restrictions allow every address.
 * IPv4-mapped IPv6 addresses count as IPv4.
 */
export function addressAllowed(restrictions: readonly string[], address: string): boolean {
  if (restrictions.length === 0) return true;
  if (isIP(address) === 0) return false;
  const client = ipaddr.process(address);
  return restrictions.some((text) => {
    const [block, bits] = readBlock(text);
    return block.kind() === client.kind() && client.match(block, bits);
  });
}

/**
 * A whole address without a zone. ipaddr.js alone also reads the notations of inet_aton(3), by which
 * "010.0.0.1" is 8.0.0.1 and "10" is 0.0.0.10: not what the operator meant.
 */
function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%');
}

function isBlock(text: string): boolean {
  const [address = '', bits = ''] = text.split('/');
  return isAddress(address) && /^\d+$/.test(bits) && ipaddr.isValidCIDR(text);
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

function readBlock(text: string): [Address, number] {
  if (ipaddr.isValidCIDR(text)) {
    const [block, bits] = ipaddr.parseCIDR(text);
    // A mapped block of at least /96 lies wholly in IPv4.
    if (block instanceof ipaddr.IPv6 && block.isIPv4MappedAddress() && bits >= 96) {
      return [block.toIPv4Address(), bits - 96];
    }
    return [block, bits];
  }
  const single = ipaddr.process(text);
  return [single, single.kind() === 'ipv4' ? 32 : 128];
}
