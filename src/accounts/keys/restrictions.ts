/**
 * IP restrictions of a key: addresses and CIDR blocks, IPv4 and IPv6.
 *
 * Blocks and addresses are compared as strings of bits, which a Redis script can do too: an address is in a block if its bits
 * begin with the block's prefix.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { OperatorError } from '../../errors.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Bits before the IPv4 address in an IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2). */
const MAPPED_BITS = 96;

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
 * The prefix of a restriction: `4` or `6`, then the bits of its network as `0` and `1`; of a single address all bits.
 * Bits of a block beyond its network are ignored.
 *
 * @param text a restriction that {@link assertRestrictions} accepts.
 */
export function blockPrefix(text: string): string {
  const [address = '', length] = text.split('/');
  const block = ipaddr.parse(address);
  if (length === undefined) return bitsOf(unmapped(block));
  // A mapped block of /96 or longer is entirely IPv4.
  if (isMapped(block) && Number(length) >= MAPPED_BITS) {
    return bitsOf(block.toIPv4Address()).slice(0, 1 + Number(length) - MAPPED_BITS);
  }
  return bitsOf(block).slice(0, 1 + Number(length));
}

/** The bits of a client's address: `4` and 32 bits, or `6` and 128 bits; empty if it is no address. */
export function addressBits(address: string): string {
  const client = parseAddress(address);
  return client ? bitsOf(client) : '';
}

/**
 * An address. An IPv4-mapped IPv6 address is its IPv4 address, and the zone of a link-local one (RFC 4007, section 11)
 * is dropped; undefined if it is no address.
 */
export function parseAddress(text: string): Address | undefined {
  const [address = '', zone] = text.split('%', 2);
  const family = isIP(address);
  if (family === 0 || (family === 4 && zone !== undefined)) return undefined;
  return unmapped(ipaddr.parse(address));
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

function isMapped(address: Address): address is ipaddr.IPv6 {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
}

function unmapped(address: Address): Address {
  return isMapped(address) ? address.toIPv4Address() : address;
}

function bitsOf(address: Address): string {
  const bits = address.toByteArray().map((byte) => byte.toString(2).padStart(8, '0'));
  return `${address.kind() === 'ipv4' ? '4' : '6'}${bits.join('')}`;
}
