/** A proxy to the service that makes the first attempts fail, as networks and load balancers do. */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Test } from 'tap';

/** An answer by a proxy between client and service. */
interface Interjection {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * What happens to an attempt: `pass`, it reaches the service; `cut`, the connection ends without an answer; `half`, it ends in the middle of the
 * service's answer; the service is asked to simulate an error; or somebody else answers.
 */
export type Stumble = 'pass' | 'cut' | 'half' | { readonly simulate: string } | Interjection;

export interface Attempt {
  /** When it had arrived completely, by `performance.now()`. */
  readonly at: number;
  readonly headers: IncomingHttpHeaders;
}

interface StumblingProxy {
  readonly url: string;
  /** All attempts so far, in order. */
  readonly attempts: readonly Attempt[];
}

/** Attempts meet the stumbles one after the other; later ones reach the service at `target`. It ends with the test. */
export async function startStumblingProxy(
  t: Test,
  target: string,
  stumbles: readonly Stumble[],
): Promise<StumblingProxy> {
  const attempts: Attempt[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const stumble = stumbles[attempts.length];
    attempts.push({ at: performance.now(), headers: incoming.headers });
    if (stumble === 'cut') outgoing.destroy();
    else if (stumble === undefined || stumble === 'pass' || stumble === 'half' || 'simulate' in stumble) {
      await pass(target, incoming, body, outgoing, stumble);
    } else outgoing.writeHead(stumble.status, stumble.headers).end(stumble.body);
  });
  t.teardown(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, attempts };
}

async function pass(
  target: string,
  incoming: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
  stumble: 'pass' | 'half' | { readonly simulate: string } | undefined,
): Promise<void> {
  const { method, url } = incoming;
  const simulation = typeof stumble === 'object' ? { 'platen-simulate': stumble.simulate } : {};
  const headers = { ...incoming.headers, ...simulation };
  const onward = request(target + url, { method, headers, agent: false });
  onward.end(body);
  const [answer] = (await once(onward, 'response')) as [IncomingMessage];
  const bytes = await buffer(answer);
  outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
  if (stumble === 'half') outgoing.write(bytes.subarray(0, bytes.length / 2), () => outgoing.destroy());
  else outgoing.end(bytes);
}
