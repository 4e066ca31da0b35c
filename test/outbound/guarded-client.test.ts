/** The way out, against hosts that mean no good. All of them are real sockets on loopback. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { readNetwork } from '../../src/outbound/addresses.ts';
import { GuardedClient, type GuardedClientOptions } from '../../src/outbound/guarded-client.ts';
import { OutboundError } from '../../src/outbound/outbound.ts';
import { certificate, repeats, says, startHost } from './support/hosts.ts';
import { startNameServer, type Zone } from './support/name-server.ts';

const MEGABYTE = 1_048_576;
const limits = { timeoutMs: 60_000, maxBytes: MEGABYTE };
const soon = { connectMs: 60_000, headerMs: 60_000, silenceMs: 60_000 };
const ok = (body: string, headers = '') =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;

const client = (options: Partial<GuardedClientOptions> = {}) =>
  new GuardedClient({
    allowHttp: true,
    allowNetworks: [readNetwork('127.0.0.1')],
    userAgent: 'Platen',
    patience: soon,
    ...options,
  });

const newPath = (t: Test): string => join(mkdtempSync(join(t.testdir(), 'd')), 'document');

/** Downloads from a host that talks like this. */
async function download(
  t: Test,
  talk: Parameters<typeof startHost>[1],
  { timeoutMs, ...options }: Partial<GuardedClientOptions> & { timeoutMs?: number } = {},
): Promise<unknown> {
  const { port } = await startHost(t, talk);
  const within = { ...limits, ...(timeoutMs !== undefined && { timeoutMs }) };
  return client(options).download(`http://127.0.0.1:${port}/`, newPath(t), within);
}

t.test('a document, and the headers that go out', async (t) => {
  const { port, received } = await startHost(t, says(ok('document')));
  const path = newPath(t);
  const sha256 = createHash('sha256').update('document').digest('hex');
  t.same(await client().download(`http://127.0.0.1:${port}/a?b=c#d`, path, limits), { bytes: 8, sha256 });
  t.equal(readFileSync(path, 'utf8'), 'document');
  t.equal(statSync(path).mode & 0o777, 0o600);
  t.same(received().split('\r\n').sort(), [
    '',
    '',
    'Accept-Encoding: identity',
    'Connection: close',
    'GET /a?b=c HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'User-Agent: Platen',
  ]);
});

t.test('a message, and its answer', async (t) => {
  const { port, received } = await startHost(
    t,
    says(`HTTP/1.1 503 No\r\nRetry-After: 7\r\n\r\n${'ä'.repeat(1_500)}`),
  );
  const url = `http://127.0.0.1:${port}/hook`;
  const headers = { 'Webhook-Id': 'msg_1', 'Content-Type': 'application/json' };
  t.same(await client().post(url, headers, '{"ä":1}', 60_000), {
    ...{ status: 503, retryAfter: '7' },
    body: 'ä'.repeat(1_024),
  });
  t.match(received(), /^POST \/hook HTTP\/1.1\r\n/);
  t.match(received(), '\r\nContent-Length: 8\r\n');
  t.match(received(), /\r\n\r\n\{"ä":1\}$/);
});

t.test('redirects are not followed', async (t) => {
  const inner = await startHost(t, says(ok('secret')));
  const redirect = `HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:${inner.port}/\r\nContent-Length: 0\r\n\r\n`;
  await t.rejects(download(t, says(redirect)), { name: 'OutboundError', failure: 'status', status: 302 });
  const { port } = await startHost(t, says(redirect));
  t.match(await client().post(`http://127.0.0.1:${port}/`, {}, '', 60_000), { status: 302 });
  t.equal(inner.connections(), 0);
});

t.test('names', async (t) => {
  const names = async (zone: Zone, options: Partial<GuardedClientOptions> = {}) => {
    const { address, asked } = await startNameServer(t, zone);
    return { asked, names: client({ nameServers: [address], ...options }) };
  };

  t.test('are connected to where they were found', async (t) => {
    const { port, received } = await startHost(t, says(ok('document')));
    const { names: own, asked } = await names((_name, family) => (family === 4 ? ['127.0.0.1'] : []));
    t.match(await own.download(`http://platen.test:${port}/`, newPath(t), limits), { bytes: 8 });
    t.match(received(), `\r\nHost: platen.test:${port}\r\n`);
    t.same(asked.sort(), ['4 platen.test', '6 platen.test'], 'once each, and without search domains');
  });

  t.test('that change their answer lead nowhere else', async (t) => {
    const outside = await startHost(t, says(ok('document')));
    const inside = await startHost(t, says(ok('secret')), { address: '127.0.0.2', port: outside.port });
    let answers = 0;
    const { names: own } = await names((_name, family) => {
      if (family === 6) return [];
      answers++;
      return [answers === 1 ? '127.0.0.1' : '127.0.0.2'];
    });
    const get = () => own.download(`http://rebind.test:${outside.port}/`, newPath(t), limits);
    t.match(await get(), { bytes: 8 }, 'the address that was checked is connected to');
    await t.rejects(
      get(),
      { name: 'OutboundError', failure: 'unreachable' },
      'and each time it is checked anew',
    );
    t.equal(outside.connections(), 1);
    t.equal(inside.connections(), 0);
  });

  t.test('with one bad address are refused, and look like those that there are not', async (t) => {
    const { port, connections } = await startHost(t, says(ok('document')));
    const zones: Record<string, Zone> = {
      'private beside good': (_, family) => (family === 4 ? ['127.0.0.1', '10.0.0.1'] : []),
      metadata: (_, family) => (family === 4 ? ['169.254.169.254'] : []),
      'loopback of IPv6': (_, family) => (family === 4 ? ['127.0.0.1'] : ['::1']),
      mapped: (_, family) => (family === 4 ? [] : ['::ffff:7f00:1']),
      unknown: () => [],
    };
    const errors = new Set<string>();
    for (const [what, zone] of Object.entries(zones)) {
      const { names: own } = await names(zone);
      const get = own.download(`http://platen.test:${port}/`, newPath(t), limits);
      const error = (await t.rejects(
        get,
        { name: 'OutboundError', failure: 'unreachable' },
        what,
      )) as unknown as Error;
      errors.add(String(await get.catch(({ message }: Error) => message)));
      t.ok(error);
    }
    t.equal(errors.size, 1, 'all with the same words');
    t.notMatch([...errors].join(), /\d+\.\d+|::|private/);
    t.equal(connections(), 0);
  });

  t.test('that no server tells end with the time', async (t) => {
    const { names: own } = await names(() => undefined, { patience: { ...soon, connectMs: 50 } });
    await t.rejects(own.download('http://silent.test/', newPath(t), limits), {
      name: 'OutboundError',
      failure: 'timeout',
    });
  });

  t.test('of this machine are not known', async (t) => {
    const { names: own, asked } = await names(() => []);
    await t.rejects(own.download('http://localhost:8080/', newPath(t), limits), {
      name: 'OutboundError',
      failure: 'unreachable',
    });
    t.ok(asked.every((line) => line.endsWith(' localhost')));
  });
});

t.test('TLS', async (t) => {
  const nameServer = await startNameServer(t, (_, family) => (family === 4 ? ['127.0.0.1'] : []));
  const { port } = await startHost(t, says(ok('document')), { isSecure: true });
  const plain = await startHost(t, says(ok('document')));
  const own = client({ nameServers: [nameServer.address], ca: certificate });
  const get = (by: GuardedClient, host: string) => by.download(`https://${host}/`, newPath(t), limits);
  t.match(await get(own, `platen.test:${port}`), { bytes: 8 });
  t.match(await get(own, `127.0.0.1:${port}`), { bytes: 8 });
  const refused = { name: 'OutboundError', failure: 'unreachable', message: /certificate is not valid/ };
  await t.rejects(get(own, `other.test:${port}`), refused, 'of another name');
  await t.rejects(get(client(), `127.0.0.1:${port}`), refused, 'of an unknown authority');
  await t.rejects(get(own, `127.0.0.1:${plain.port}`), refused, 'without TLS');
});

t.test('slow hosts', async (t) => {
  const late = { name: 'OutboundError', failure: 'timeout' };
  t.test('that think before they answer', async (t) => {
    const think = (socket: { end(text: string): unknown }) => void setTimeout(() => socket.end(ok('a')), 300);
    t.match(await download(t, think, { patience: { ...soon, silenceMs: 50 } }), { bytes: 1 });
  });
  t.test('that never answer', async (t) => {
    await t.rejects(
      download(t, () => {}, { patience: { ...soon, headerMs: 50 } }),
      late,
    );
    await t.rejects(
      download(t, () => {}, { timeoutMs: 50 }),
      late,
    );
  });
  t.test('that go on sending their header', async (t) => {
    await t.rejects(
      download(t, (socket) => void socket.write('HTTP/1.1 200 OK\r\nX-A: b\r\n'), {
        patience: { ...soon, headerMs: 50 },
      }),
      late,
    );
  });
  t.test('that go on sending their body', async (t) => {
    const start = 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc';
    const begin = (socket: { write(text: string): unknown }) => void socket.write(start);
    await t.rejects(download(t, begin, { patience: { ...soon, silenceMs: 50 } }), late);
    await t.rejects(download(t, begin, { timeoutMs: 50 }), late);
  });
  t.test('that never finish the handshake', async (t) => {
    const { port } = await startHost(t, () => {});
    const own = client({ patience: { ...soon, connectMs: 50 } });
    await t.rejects(own.download(`https://127.0.0.1:${port}/`, newPath(t), limits), late);
  });
});

t.test('a lack of descriptors is not the fault of a host', async (t) => {
  const isOurs = (error: Error) => !(error instanceof OutboundError);
  const { port } = await startHost(t, says(ok('document')));
  const path = newPath(t);
  const [, usual = ''] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  const limit = (soft: string) =>
    t.equal(spawnSync('prlimit', ['--pid', String(process.pid), `--nofile=${soft}:`]).status, 0);
  const taken: number[] = [];
  limit(String(readdirSync('/proc/self/fd').length + 64));
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch (error) {
    t.match(error, { code: 'EMFILE' });
  }
  const urls = [`http://127.0.0.1:${port}/`, `https://127.0.0.1:${port}/`];
  const errors = await Promise.all(
    urls.map((url) =>
      client()
        .download(url, path, limits)
        .catch((error: Error) => error),
    ),
  ).finally(() => {
    for (const fd of taken) closeSync(fd);
  });
  limit(usual);
  for (const error of errors) t.ok(error instanceof Error && isOurs(error), String(error));
  t.match(await client().download(urls[0] as string, path, limits), { bytes: 8 });
});

t.test('hosts that send too much', async (t) => {
  t.test('a body of a length that is not allowed is not read', async (t) => {
    const start = `HTTP/1.1 200 OK\r\nContent-Length: ${MEGABYTE + 1}\r\n\r\n`;
    await t.rejects(
      download(t, (socket) => void socket.write(start)),
      { name: 'OutboundError', failure: 'size' },
    );
  });
  t.test('an endless body', async (t) => {
    const block = 'a'.repeat(65_536);
    const head = 'HTTP/1.1 200 OK\r\n';
    await t.rejects(download(t, repeats(block, `${head}\r\n`)), { name: 'OutboundError', failure: 'size' });
    const chunk = `10000\r\n${block}\r\n`;
    const chunked = repeats(chunk, `${head}Transfer-Encoding: chunked\r\n\r\n`);
    await t.rejects(download(t, chunked), { name: 'OutboundError', failure: 'size' });
  });
  t.test('an endless header', async (t) => {
    const broken = { name: 'OutboundError', failure: 'unreachable' };
    const fields = 'X-A: b\r\n'.repeat(100);
    const letters = 'a'.repeat(1_000);
    const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
    await t.rejects(download(t, repeats(fields, 'HTTP/1.1 200 OK\r\n')), broken);
    await t.rejects(download(t, repeats(letters, 'HTTP/1.1 200 OK\r\nX-A: ')), broken);
    await t.rejects(download(t, repeats(letters, 'HTTP/1.1 200 ')), broken, 'a reason');
    const interim = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10);
    await t.rejects(download(t, repeats(interim)), broken, 'interim answers');
    await t.rejects(download(t, repeats(fields, `${chunked}0\r\n`)), broken, 'trailers');
    await t.rejects(download(t, repeats(letters, `${chunked}1;a=`)), broken, 'an extension of a chunk');
  });
  t.test('a bomb is not unpacked', async (t) => {
    const bomb = gzipSync(Buffer.alloc(50 * MEGABYTE));
    for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip']) {
      const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${bomb.length}\r\n\r\n`;
      const talk: Parameters<typeof startHost>[1] = (socket) => {
        socket.write(head);
        socket.end(bomb);
      };
      await t.rejects(
        download(t, talk),
        { name: 'OutboundError', failure: 'size', message: /compressed/ },
        encoding,
      );
    }
    for (const encoding of ['identity', 'Identity', ''])
      t.match(await download(t, says(ok('document', `Content-Encoding: ${encoding}\r\n`))), { bytes: 8 });
  });
  t.test('the body of an answer to a message is not read', async (t) => {
    const { port } = await startHost(t, repeats('a'.repeat(65_536), 'HTTP/1.1 200 OK\r\n\r\n'));
    t.match(await client().post(`http://127.0.0.1:${port}/`, {}, '', 60_000), { status: 200 });
  });
});

t.test('hosts that break off or speak something else', async (t) => {
  const broken = { name: 'OutboundError', failure: 'unreachable' };
  await t.rejects(download(t, says('')), broken);
  await t.rejects(download(t, says('SSH-2.0-OpenSSH\r\n')), broken);
  const { port } = await startHost(t, says('HTTP/1.1 000 No status\r\nContent-Length: 0\r\n\r\n'));
  await t.rejects(client().post(`http://127.0.0.1:${port}/`, {}, '', 60_000), broken, 'no status of HTTP');
  await t.rejects(download(t, says('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc')), broken);
  await t.rejects(
    download(t, says('HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc')),
    broken,
  );
  await t.rejects(
    download(t, says('HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc')),
    broken,
  );
  await t.rejects(
    download(t, says('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n')),
    broken,
  );
  await t.rejects(
    download(t, (socket) => socket.resetAndDestroy()),
    broken,
  );
  await t.rejects(client().download('http://127.0.0.1:1024/', newPath(t), limits), broken, 'nobody listens');
});

t.test('what a client wrote does not break out of its place', async (t) => {
  const { port, received, connections } = await startHost(t, says(ok('document')));
  const url = `http://127.0.0.1:${port}/`;
  for (const path of ['a\r\nX-Evil: 1', 'a%0d%0aX-Evil:%201', 'ä\u2028b', '"><script>', "'; rm"]) {
    await client()
      .download(`${url}${path}`, newPath(t), limits)
      .catch((error: { failure: string }) => t.equal(error.failure, 'forbidden'));
  }
  t.notMatch(received(), /^X-Evil/m);
  const before = connections();
  for (const headers of [{ 'X-A': 'b\r\nX-Evil: 1' }, { 'X-A\r\nX-Evil': '1' }, { 'X-A': 'b\0' }]) {
    await t.rejects(client().post(url, headers, '', 60_000), { name: 'OutboundError', failure: 'forbidden' });
  }
  t.equal(connections(), before);
});

t.test('a file that cannot be written is not the fault of the host', async (t) => {
  const { port } = await startHost(t, says(ok('document')));
  const path = join(newPath(t), 'in', 'no', 'folder');
  await t.rejects(client().download(`http://127.0.0.1:${port}/`, path, limits), { code: /ENOENT|ENOTDIR/ });
});
