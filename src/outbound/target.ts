/** Checks the addresses that clients give, as far as that needs no DNS. */
import { isIP } from 'node:net';
import { isAllowedAddress, type readNetwork } from './addresses.ts';
import { OutboundError } from './outbound.ts';

/** Longest address, in characters. */
export const MAX_URL = 2_048;
/** Lower ports are closed but for HTTP's: other services might take a request for something else. */
const FIRST_FREE_PORT = 1_024;

/** Names of this machine, whatever a name server says (RFC 6761, section 6.3). */
const LOCAL = /^(.+\.)?localhost\.?$/;

/** What the operator allows. */
export interface OutboundRules {
  /** Whether the scheme may be http. */
  readonly allowHttp: boolean;
  /** Networks besides the public Internet. */
  readonly allowNetworks: readonly ReturnType<typeof readNetwork>[];
}

/** Where a request goes. */
export interface Target {
  readonly isSecure: boolean;
  /** A name, or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Path and query. */
  readonly path: string;
}

/** @throws OutboundError `forbidden` */
export function readTarget(address: string, { allowHttp, allowNetworks }: OutboundRules): Target {
  const url = readUrl(address);
  const isSecure = url.protocol === 'https:';
  if (!isSecure && !allowHttp) throw forbidden('The address must begin with https://.');
  const port = Number(url.port || (isSecure ? 443 : 80));
  if (port < FIRST_FREE_PORT && port !== 443 && port !== 80) {
    throw forbidden(`The port of the address must be 443, 80, or ${FIRST_FREE_PORT} or more.`);
  }
  // The parser has normalised all notations of an IPv4 address, such as 0x7f.1.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  // Where the operator allows networks, such a name may be another machine's: its address is checked when it is looked up.
  const known = LOCAL.test(host) && allowNetworks.length === 0 ? '127.0.0.1' : host;
  if (isIP(known) !== 0 && !isAllowedAddress(known, allowNetworks)) {
    throw forbidden('The address is not one of the public Internet.');
  }
  return { isSecure, host, port, path: `${url.pathname}${url.search}` };
}

/**
 * Checks that hold for every address, whatever the operator allows.
 *
 * @throws OutboundError `forbidden`
 */
export function readUrl(address: string): URL {
  // The parser would skip control characters, and spaces at the ends.
  if (address.length > MAX_URL || /[\p{Cc}\p{Cs}\s\\]/u.test(address) || !URL.canParse(address)) {
    throw forbidden(
      `The address is not a URL of up to ${MAX_URL} characters without spaces and control characters.`,
    );
  }
  const url = new URL(address);
  if (!['https:', 'http:'].includes(url.protocol)) throw forbidden('The address must begin with https://.');
  if (url.username !== '' || url.password !== '') {
    throw forbidden('The address must have no user name and password.');
  }
  if (url.hostname === '') throw forbidden('The address has no host.');
  return url;
}

const forbidden = (message: string): OutboundError => new OutboundError('forbidden', message);
