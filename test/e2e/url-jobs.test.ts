/** Documents by URL, on a whole service with its own egress, from hosts on loopback. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { ended, type JobBody } from '../http/jobs/support.ts';
import { certificate, certificateFile, privateKey } from '../outbound/support/hosts.ts';
import { docx } from '../support/documents.ts';
import { type Received, Receiver, verified } from '../support/receiver.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly } from './support/assertions.ts';
import { send } from './support/requests.ts';

const document = docx();
/** Requests by path. */
const asked: string[] = [];
let isHanging = false;

function serve({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
  asked.push(url);
  if (url.startsWith('/hang') && isHanging) return;
  if (url.startsWith('/missing')) response.writeHead(404).end();
  else if (url.startsWith('/moved')) response.writeHead(302, { location: '/document.docx' }).end();
  else if (url.startsWith('/flaky') && asked.filter((each) => each === url).length === 1) {
    response.writeHead(503).end();
  } else if (headers.authorization ?? headers.cookie) response.writeHead(400).end();
  else response.end(url.startsWith('/huge') ? Buffer.alloc(2_000_000) : document);
}

const plain = createPlainServer(serve).listen(0, '127.0.0.1');
const secure = createSecureServer({ key: privateKey, cert: certificate }, serve).listen(0, '127.0.0.1');
await Promise.all([once(plain, 'listening'), once(secure, 'listening')]);
t.teardown(() => {
  for (const host of [plain, secure]) {
    host.close();
    host.closeAllConnections();
  }
});
const address = (host: typeof plain, path: string) => {
  const scheme = host === plain ? 'http' : 'https';
  return `${scheme}://127.0.0.1:${(host.address() as AddressInfo).port}${path}`;
};

const server = await Server.start({
  env: {
    EGRESS: 'auto',
    EGRESS_ALLOW_HTTP: 'true',
    EGRESS_ALLOW_NETWORKS: '127.0.0.1/32',
    MAX_FILE_MB: '1',
    NODE_EXTRA_CA_CERTS: certificateFile,
    PUBLIC_URL: 'https://pdf.example.com',
    SMTP_URL: 'smtp://user:a-secret@mail.example.com',
    MAIL_FROM: 'pdf@example.com',
    OIDC_ISSUER: 'https://issuer.example.com',
    OIDC_CLIENT_ID: 'platen',
    OIDC_CLIENT_SECRET: 'a-secret',
  },
});
const { key } = await server.createKey();
await server.logged('egress is ready');
const egress = async () => (await server.processes()).find(({ command }) => command.includes('egress/main'));

async function take(files: readonly { url: string; name?: string }[], more: object = {}): Promise<JobBody> {
  const taken = await send(server, '/v1/jobs', {
    key,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ files, ...more }),
  });
  t.equal(taken.status, 202, taken.body.toString());
  return JSON.parse(taken.body.toString());
}

t.test('egress has no secrets that it does not need', async (t) => {
  const environment = await readFile(`/proc/${(await egress())?.pid}/environ`, 'latin1');
  t.match(environment, 'EGRESS_ALLOW_HTTP=true');
  t.notMatch(environment, /a-secret|OIDC_/);
});

t.test('each document is fetched and converted, or its file says why not', async (t) => {
  const receiver = await Receiver.start(t);
  const made = await send(server, '/v1/webhooks/secret', { key });
  const { secret } = JSON.parse(made.body.toString());
  const { id, files } = await take(
    [
      { url: address(plain, '/document.docx?signature=secret') },
      { url: address(secure, '/%C3%9Cbersicht.docx') },
      { url: address(plain, '/flaky.docx'), name: 'named.docx' },
      { url: address(plain, '/missing.docx') },
      { url: address(plain, '/moved.docx') },
      { url: address(plain, '/huge.docx') },
      { url: address(plain, '/inner.docx').replace('127.0.0.1', '127.0.0.2') },
      { url: 'http://169.254.169.254/latest/meta-data/' },
    ],
    { options: { pdfa: '2b', title: 'Secret' }, metadata: { order: '7' }, webhook: receiver.url() },
  );
  t.match(files.map(({ name }) => name).slice(0, 3), ['document.docx', 'Übersicht.docx', 'named.docx']);
  const job = await ended(server, key, id);
  t.match(job, { state: 'completed', counts: { succeeded: 3, failed: 5 }, metadata: { order: '7' } });
  t.match(job.files, [
    { state: 'succeeded', bytes: document.length, pdf: { pages: 1 } },
    { state: 'succeeded', sha256: /^[0-9a-f]{64}$/ },
    { state: 'succeeded' },
    ...[/status 404/, /status 302/, /larger than 1 MB/, /public Internet/, /public Internet/].map(
      (message) => ({
        state: 'failed',
        pdf: null,
        error: { code: 'FETCH_FAILED', message },
      }),
    ),
  ]);
  await until('its owner is told', () => receiver.received.length > 0);
  t.match(verified(receiver.received[0] as Received, secret), { type: 'job.completed' });
  t.equal(asked.filter((url) => url === '/missing.docx').length, 1, 'what cannot pass is not repeated');
  const { body } = await send(server, '/v1/usage', { method: 'GET', key });
  t.match(JSON.parse(body.toString()), { conversions: { used: 3 } });
  t.notMatch(JSON.stringify(server.log), 'signature=secret', 'an address may hold a secret');
});

t.test('the next process continues the fetches and messages of a killed one', async (t) => {
  isHanging = true;
  t.equal((await send(server, '/v1/webhooks/secret', { key })).status, 201);
  const webhook = address(plain, '/hang/hook');
  const told = await take([{ url: address(plain, '/told.docx') }], { webhook });
  await until('its end is being told', async () => asked.includes('/hang/hook'));
  const { id } = await take([{ url: address(plain, '/hang.docx') }]);
  await until('it is asked for', async () => asked.includes('/hang.docx'));
  isHanging = false;
  const killed = await egress();
  process.kill(Number(killed?.pid), 'SIGKILL');
  t.match(await ended(server, key, id), { counts: { succeeded: 1, failed: 0 } });
  const { body } = await send(server, '/v1/usage', { method: 'GET', key });
  t.match(JSON.parse(body.toString()), { conversions: { used: 5 } });
  await until('it is told again', () => asked.filter((url) => url === '/hang/hook').length === 2);
  const line = await server.logged('webhook', ({ webhook: target }) => target === told.id);
  t.match(line, { state: 'delivered', status: 200 });
  await server.logged('a process ended', ({ process: name }) => name === 'egress');
});

t.test('and it ends with its service', async (t) => {
  t.ok(await egress());
  await endsCleanly(t, server);
});
