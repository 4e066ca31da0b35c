import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { S3Store } from '../../src/storage/s3-store.ts';
import { S3Server } from '../support/s3-server.ts';
import { awsCredentials, keepsTheContract, keysOf, large, readAll } from './contract.ts';

const failed = { name: 'StorageError' };

async function open(t: Test) {
  const s3 = await S3Server.start(t);
  awsCredentials(t, s3.credentials);
  const { bucket, endpoint } = s3;
  const make = (patienceMs?: number, redirect = true) => {
    const settings = { bucket, endpoint, region: 'us-east-1', pathStyle: true, redirect };
    const store = new S3Store(settings, patienceMs);
    t.teardown(() => store.close());
    return store;
  };
  const store = make();
  const all = async () => [...(await keysOf(store)), ...(await s3.uploads()).values()];
  return { s3, store, all, make };
}

t.test('the contract', (t) => keepsTheContract(t, open));

t.test('an address is good for anyone', async (t) => {
  const { store, make } = await open(t);
  await store.put('jobs/1/result.pdf', Buffer.from('%PDF'), { type: 'application/pdf' });
  const disposition = 'attachment; filename="Bericht_.pdf"; filename*=UTF-8\'\'Bericht%20%C3%BC.pdf';
  const address = await store.address('jobs/1/result.pdf', { disposition, seconds: 60 });
  const answer = await fetch(String(address));
  t.equal(await answer.text(), '%PDF');
  t.equal(answer.headers.get('content-type'), 'application/pdf');
  t.equal(answer.headers.get('content-disposition'), disposition);
  t.equal(answer.headers.get('cache-control'), 'no-store');
  const unreachable = make(undefined, false);
  t.equal(await unreachable.address('jobs/1/result.pdf', { disposition, seconds: 60 }), undefined);
});

t.test('content is sent as it comes, not gathered in memory', async (t) => {
  const { s3, store } = await open(t);
  let read = 0;
  const content = Readable.from(
    (function* () {
      for (; read < 32_000_000; read += 65_536) yield Buffer.alloc(65_536);
    })(),
  );
  const most: number[] = [];
  let part = 0;
  s3.intercept = (request, _response, pass) => {
    if (request.url?.includes('partNumber=')) most.push(read - part++ * 5_242_880);
    pass();
  };
  await store.put('jobs/1/input', content);
  t.ok(part > 5);
  t.ok(Math.max(...most) < 12_000_000, `${Math.max(...most)} bytes in memory`);
});

t.test('errors of the service', async (t) => {
  const { s3, store, all } = await open(t);
  await store.put('jobs/1/pdf', large);
  const refuse = (status: number, code: string) => {
    s3.intercept = (request, response) => {
      request.resume();
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(`<Error><Code>${code}</Code><Message>no</Message></Error>`);
    };
  };
  for (const [status, code] of [
    [403, 'AccessDenied'],
    [404, 'NoSuchBucket'],
    [501, 'NotImplemented'],
  ] as const) {
    refuse(status, code);
    const error = { ...failed, message: new RegExp(code) };
    await t.rejects(store.put('jobs/1/pdf', Buffer.from('new')), error);
    await t.rejects(store.put('jobs/1/pdf', large), error);
    await t.rejects(store.open('jobs/1/pdf'), error);
    await t.rejects(store.remove('jobs/1/'), error);
    await t.rejects(keysOf(store), error);
  }
  refuse(500, 'InternalError');
  await t.rejects(store.open('jobs/1/pdf'), { ...failed, message: /InternalError/ });
  s3.intercept = (_request, _response, pass) => pass();
  t.strictSame(await all(), ['jobs/1/pdf']);
  t.ok((await readAll(store, 'jobs/1/pdf'))?.equals(large));
});

t.test('an error that is over at the next attempt is none', async (t) => {
  const { s3, store } = await open(t);
  let failures = 0;
  s3.intercept = (request, response, pass) => {
    if (failures++ % 2 === 1) return pass();
    request.resume();
    return response.writeHead(503).end();
  };
  await store.put('jobs/1/pdf', Readable.from([large]));
  t.ok((await readAll(store, 'jobs/1/pdf'))?.equals(large));
});

t.test('an object that S3 does not remove', async (t) => {
  const { s3, store } = await open(t);
  await store.put('jobs/1/pdf', Buffer.from('x'));
  s3.intercept = (request, response, pass) => {
    if (request.method !== 'POST') return pass();
    request.resume();
    const error = '<Error><Key>jobs/1/pdf</Key><Code>InternalError</Code></Error>';
    return response.end(`<DeleteResult>${error}</DeleteResult>`);
  };
  await t.rejects(store.remove('jobs/1/'), { ...failed, message: /jobs\/1\/pdf.*InternalError/ });
});

t.test('a service that does not list uploads in parts', async (t) => {
  const { s3, store } = await open(t);
  await store.put('jobs/1/pdf', Buffer.from('x'));
  s3.intercept = (request, response, pass) => {
    if (!request.url?.includes('uploads')) return pass();
    return response.writeHead(501).end('<Error><Code>NotImplemented</Code></Error>');
  };
  await store.remove('jobs/1/');
  t.strictSame(await keysOf(store), []);
});

t.test('a service that is away', async (t) => {
  const { s3, store } = await open(t);
  const { endpoint } = s3;
  s3.stop();
  await t.rejects(store.open('jobs/1/pdf'), { ...failed, message: /ECONNREFUSED/ }, endpoint);
});

t.test('a service that does not answer', async (t) => {
  const { s3, make } = await open(t);
  const store = make(100);
  s3.intercept = (request) => request.resume();
  await t.rejects(store.put('jobs/1/pdf', large), failed);
  await t.rejects(store.put('jobs/1/pdf', Buffer.from('x')), failed);
  await t.rejects(store.open('jobs/1/pdf'), failed);
  await t.rejects(store.remove('jobs/1/'), failed);
  await t.rejects(keysOf(store), failed);
});

t.test('a service that stops in the middle of an answer', async (t) => {
  const { s3, store, make } = await open(t);
  await store.put('jobs/1/pdf', Buffer.from('x'));
  s3.intercept = (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-length': '1000' }).write('<ListBucketResult>');
  };
  await t.rejects(keysOf(make(100)), failed);
  const silent = await make(1_000).open('jobs/1/pdf');
  t.equal(silent?.bytes, 1_000);
  await t.rejects(buffer(silent?.stream ?? Readable.from([])), { ...failed, message: /nothing for 1000 ms/ });
  let answer: ServerResponse | undefined;
  s3.intercept = (_request, response) => {
    answer = response;
    response.writeHead(200, { 'content-length': '1000' }).write('%PDF');
  };
  const cut = await store.open('jobs/1/pdf');
  answer?.destroy();
  await t.rejects(buffer(cut?.stream ?? Readable.from([])), failed);
});

t.test('a signal ends a request that is not answered', async (t) => {
  const { s3, store, all } = await open(t);
  for (const content of [Buffer.from('x'), large]) {
    const controller = new AbortController();
    const reason = new Error('canceled');
    s3.intercept = (request, _response, pass) => {
      if (request.method === 'PUT') controller.abort(reason);
      else pass();
    };
    await t.rejects(store.put('jobs/1/pdf', content, { signal: controller.signal }), reason);
  }
  const controller = new AbortController();
  s3.intercept = () => controller.abort(new Error('canceled'));
  await t.rejects(store.open('jobs/1/pdf', { signal: controller.signal }), { message: 'canceled' });
  s3.intercept = (_request, _response, pass) => pass();
  t.strictSame(await all(), []);
});

t.test('what a server that died has left of an upload goes with the rest', async (t) => {
  const { s3, store } = await open(t);
  // The cut connections are all that S3 sees of a death.
  s3.intercept = (request, _response, pass) => {
    if (request.method === 'DELETE') request.destroy();
    else pass();
  };
  for (const key of ['jobs/1/pdf', 'jobs/2/pdf']) {
    const content = new PassThrough();
    const put = t.rejects(store.put(key, content), { message: 'dead' });
    if (!content.write(large)) await once(content, 'drain');
    content.destroy(new Error('dead'));
    await put;
  }
  s3.intercept = (_request, _response, pass) => pass();
  t.strictSame([...(await s3.uploads()).values()].sort(), ['jobs/1/pdf', 'jobs/2/pdf']);
  await store.remove('jobs/1/');
  t.strictSame([...(await s3.uploads()).values()], ['jobs/2/pdf']);
});
