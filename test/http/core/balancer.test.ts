/** docker/haproxy.cfg as it is shipped, in Debian's HAProxy, before the service. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import t from 'tap';
import { operatorToken } from '../../e2e/support/operator.ts';
import { bearer } from '../../e2e/support/requests.ts';
import { startNameServer } from '../../outbound/support/name-server.ts';
import { CONFIGURATION, HAPROXY, startBalancer } from '../../support/balancer.ts';
import { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const PUBLIC = '198.51.100.7';
const PRIVATE = '10.9.8.7';

const folder = await mkdtemp(join(tmpdir(), 'platen-balancer-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
const service = await Service.start(t, { env: { TRUST_PROXY: '127.0.0.1' } });
const { hostname, port } = new URL(service.url);
const authorization = bearer(await operatorToken(service));

const names = await startNameServer(t, (_name, family) => (family === 4 ? [hostname] : []));
/** The PROXY protocol lets a local client have any address. */
const { socketPath } = await startBalancer(t, {
  ...{ folder, servers: `platen.test:${port}`, nameServer: names.address },
  acceptsProxy: true,
});

interface Seen {
  readonly status: number | undefined;
  /** Whether the service answered, and not HAProxy. */
  readonly served: boolean;
  readonly body: string;
}

async function ask(socket: Socket, path: string, headers: Readonly<Record<string, string>>): Promise<Seen> {
  const options = { path, headers: { host: 'platen', connection: 'close', ...headers } };
  const sent = request({ ...options, createConnection: () => socket }).end();
  const [response] = await once(sent, 'response', { signal: AbortSignal.timeout(60_000) });
  const { statusCode, headers: received } = response;
  return { status: statusCode, served: 'x-request-id' in received, body: await text(response) };
}

/** Asks the service itself, as the operator. */
const askServer = (path: string) => ask(connect(Number(port), hostname), path, authorization);

/** Asks HAProxy, as a client of this address who has the operator's token. */
function askBalancer(from: string, path: string, headers = {}): Promise<Seen> {
  const socket = connect(socketPath);
  socket.write(`PROXY TCP4 ${from} 192.0.2.1 50000 80\r\n`);
  return ask(socket, path, { ...authorization, ...headers });
}

await until('HAProxy has found the service', async () => (await askBalancer(PRIVATE, '/v1')).served);

const literal = ['/operator/v1/health', '/operator/v1/health?x=%6f', '/dashboard', '/dashboard/', '/metrics'];
/** Spellings that the router would accept as one of those, if nothing prevented it. */
const disguised = [
  '/%6fperator/v1/health',
  '/%6Fperator/v1/health',
  '/operato%72/v1/health',
  '/%6f%70%65%72%61%74%6f%72/v1/health',
  '/%64ashboard',
  '/%64ashboard/',
  '/%6detrics',
  '/metric%73?x',
  'http://platen/%6fperator/v1/health',
];
/** Spellings that the router does not accept as one of those, but another router might. */
const similar = [
  '/OPERATOR/v1/health',
  '/Metrics',
  '/metrics/',
  '/metrics%00',
  '/operator%2fv1%2fhealth',
  '//operator/v1/health',
  '/./operator/v1/health',
  '/v1/../operator/v1/health',
  '/v1/%2e%2e/operator/v1/health',
  '/%2foperator/v1/health',
  '/%256fperator/v1/health',
  '/;/operator/v1/health',
  '/%00/operator/v1/health',
];

t.test('HAProxy takes the file', async (t) => {
  const { stderr } = await promisify(execFile)(HAPROXY, ['-c', '-f', CONFIGURATION], { env: {} });
  t.equal(stderr, '', 'without a warning');
});

t.test('the public cannot reach any path of the operator, however it is spelled', async (t) => {
  for (const path of [...literal, 'http://platen/operator/v1/health', ...disguised]) {
    t.match(await askBalancer(PUBLIC, path), { status: 404, served: false }, path);
  }
  for (const path of similar) t.match(await askBalancer(PUBLIC, path), { status: 404 }, path);
  t.match(await askBalancer(PUBLIC, '/%6fperator/v1/health%zz'), { status: 400, served: false });
  for (const path of ['/v1', '/v1/openapi.json', '/', '/health/ready']) {
    t.match(await askBalancer(PUBLIC, path), { status: 200, served: true }, path);
  }
});

t.test('private networks can reach the pages and the API, but not the metrics', async (t) => {
  for (const path of literal) {
    const expected = path === '/metrics' ? { status: 404, served: false } : { status: 200, served: true };
    t.match(await askBalancer(PRIVATE, path), expected, path);
  }
  const claimed = { 'x-forwarded-for': PRIVATE, forwarded: `for=${PRIVATE}` };
  t.match(await askBalancer(PUBLIC, '/dashboard', claimed), { status: 404, served: false }, 'a claim');
});

t.test('the service itself takes one spelling only', async (t) => {
  for (const path of [...literal, 'http://platen/operator/v1/health']) {
    t.match(await askServer(path), { status: 200 }, path);
  }
  for (const path of [...disguised, ...similar, '/metrics#']) {
    const { status, body } = await askServer(path);
    t.match({ status, ...JSON.parse(body) }, { status: 404, code: 'NOT_FOUND' }, path);
  }
});

t.test('it finds fifty servers by their name, and sends requests to all', async (t) => {
  const addresses = Array.from({ length: 50 }, (_, n) => `127.0.1.${n + 1}`);
  let shared = 0;
  for (const address of addresses) {
    const server = createServer((_request, response) => response.end(address));
    server.listen(shared, address);
    await once(server, 'listening');
    shared = (server.address() as AddressInfo).port;
    t.teardown(() => {
      server.close();
      server.closeAllConnections();
    });
  }
  const { address: nameServer } = await startNameServer(t, (_name, family) =>
    family === 4 ? addresses : [],
  );
  const own = await mkdtemp(join(tmpdir(), 'platen-balancer-'));
  t.teardown(() => rm(own, { recursive: true, force: true }));
  const balancer = await startBalancer(t, { folder: own, servers: `platen.test:${shared}`, nameServer });
  const seen = new Set<string>();
  await until('all servers answer', async () => {
    const asked = addresses.map(() => ask(connect(balancer.socketPath), '/', {}));
    for (const { status, body } of await Promise.all(asked)) if (status === 200) seen.add(body);
    return seen.size === addresses.length;
  });
  t.strictSame([...seen].sort(), [...addresses].sort());
});
