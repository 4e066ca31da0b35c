/** The addresses of a name, from DNS only: names of /etc/hosts and of search domains belong to this network. */
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** How long a name server may take, and how often it is asked. */
const ANSWER_MS = 3_000;
const TRIES = 2;
/** Most addresses of each family that are tried. */
const MAX_ADDRESSES = 4;

/**
 * All addresses of a name, or the address itself.
 *
 * @param servers name servers; undefined: the system's.
 * @returns an empty list if there are none, or if no server answers.
 */
export async function addressesOf(
  host: string,
  servers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<LookupAddress[]> {
  const literal = isIP(host);
  if (literal !== 0) return [{ address: host, family: literal }];
  signal.throwIfAborted();
  // A resolver can only be cancelled as a whole, so each name has its own. Unlike getaddrinfo(3), it blocks no thread while it
  // waits.
  const resolver = new Resolver({ timeout: ANSWER_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    signal.throwIfAborted();
    return [...found(six, 6), ...found(four, 4)];
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function found(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  const addresses = answer.status === 'fulfilled' ? answer.value : [];
  return addresses.slice(0, MAX_ADDRESSES).map((address) => ({ address, family }));
}
