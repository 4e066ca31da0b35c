/**
 * Services that answer wrongly or not at all, and PDFs that are lost on their way. test/e2e/convert-command.test.ts has a
 * service that is well.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { failureOf } from '../../../src/cli/batch/batch.ts';
import { BatchFailure } from '../../../src/cli/batch/converter.ts';
import { findService, ServiceConverter } from '../../../src/cli/batch/service-converter.ts';
import { writeWhole } from '../../../src/cli/local/whole-file.ts';

/** More than what is sent before the receiver reads. */
const MANY_BYTES = 10_000_000;
const never = new AbortController().signal;
const request = { query: {}, options: {}, secrets: {}, attachments: undefined };

async function serve(t: Test, answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

t.test('an address that is none of a service', async (t) => {
  let requests = 0;
  const url = await serve(t, ({ url = '' }, response) => {
    requests++;
    if (url.startsWith('/elsewhere')) response.writeHead(302, { location: '/' });
    response.end(url.startsWith('/list') ? '[1]' : '<h1>Hello</h1>');
  });
  await t.rejects(findService(url, never), { message: `${url} is not the address of a Platen service` });
  await t.rejects(findService(`${url}/list`, never), {
    message: `${url}/list is not the address of a Platen service`,
  });
  await t.rejects(findService(`${url}/elsewhere`, never), { message: /The service answered 302/ });
  t.equal(requests, 3, 'nothing is asked twice');
});

t.test('an answer that is no PDF', async (t) => {
  const url = await serve(t, (incoming, response) => {
    incoming.resume();
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
  });
  const converter = new ServiceConverter(
    { url, accepts: ['docx'], limit: { bytes: 1_000, setBy: 'the service' } },
    'key',
    request,
  );
  const kept: Buffer[] = [];
  await t.rejects(
    converter.convert(
      { content: Buffer.from('a'), name: 'a.docx' },
      async (pdf) => {
        kept.push(await buffer(pdf));
      },
      never,
    ),
    new BatchFailure('INTERNAL_ERROR', 'The answer is not the PDF of a Platen service.'),
  );
  t.strictSame(kept, []);
});

/** Converts into a folder that is missing. */
function intoNothing(t: Test, url: string) {
  const limit = { bytes: 1_000, setBy: 'the service' } as const;
  const converter = new ServiceConverter({ url, accepts: ['docx'], limit }, 'key', request, 2_000);
  const path = join(t.testdir({}), 'missing', 'a.pdf');
  const keep = (pdf: Readable) => writeWhole(path, pdf);
  return t.rejects(converter.convert({ content: Buffer.from('a'), name: 'a.docx' }, keep, never), {
    name: 'OperatorError',
    message: /cannot be written: ENOENT/,
  });
}

t.test('a PDF that cannot be written is no failure of the service', async (t) => {
  let requests = 0;
  const url = await serve(t, (incoming, response) => {
    requests++;
    incoming.resume();
    response.writeHead(200, { 'content-type': 'application/pdf', 'x-conversion-pages': '1' });
    response.end(Buffer.alloc(MANY_BYTES));
  });
  await intoNothing(t, url);
  t.equal(requests, 1, 'it is not asked again');
});

t.test('a PDF that cannot be written and never ends is not waited for', async (t) => {
  let closed: Promise<unknown> | undefined;
  const url = await serve(t, (incoming, response) => {
    incoming.resume();
    closed = once(response, 'close');
    response.writeHead(200, { 'content-type': 'application/pdf', 'x-conversion-pages': '1' });
    response.write('a');
  });
  await intoNothing(t, url);
  await closed;
  t.pass('the connection is closed');
});

t.test('a PDF that breaks off is asked for again', async (t) => {
  let requests = 0;
  const url = await serve(t, (incoming, response) => {
    requests++;
    incoming.resume();
    const digest = createHash('sha256').update('whole').digest('base64');
    const headers = { 'content-type': 'application/pdf', 'x-conversion-pages': '1' };
    response.writeHead(200, { ...headers, 'repr-digest': `sha-256=:${digest}:` });
    if (requests === 1) response.write('wh', () => response.destroy());
    else response.end(requests === 2 ? 'other' : 'whole');
  });
  const limit = { bytes: 1_000, setBy: 'the service' } as const;
  const converter = new ServiceConverter({ url, accepts: ['docx'], limit }, 'key', request);
  const path = join(t.testdir({}), 'a.pdf');
  const made = await converter.convert(
    { content: Buffer.from('a'), name: 'a.docx' },
    (pdf) => writeWhole(path, pdf),
    never,
  );
  t.match(made, { pages: 1 });
  t.equal(await readFile(path, 'utf8'), 'whole');
  t.equal(requests, 3);
});

t.test('a service that is away', async (t) => {
  let requests = 0;
  const url = await serve(t, (incoming, response) => {
    requests++;
    incoming.resume();
    response.writeHead(503).end();
  });
  const limit = { bytes: 1_000, setBy: 'the service' } as const;
  const converter = new ServiceConverter({ url, accepts: ['docx'], limit }, 'key', request, 2_000);
  const convert = () =>
    converter.convert({ content: Buffer.from('a'), name: 'a.docx' }, async () => {}, never);
  await t.rejects(convert(), { code: 'SERVICE_UNAVAILABLE' });
  t.ok(requests > 1, `${requests} attempts`);
  requests = 0;
  await t.rejects(convert(), { code: 'SERVICE_UNAVAILABLE' });
  t.equal(requests, 1, 'the next document finds out by one');
});

t.test('a PDF that failOn refuses: its warnings, if they are some', async (t) => {
  const font = { code: 'FONT_SUBSTITUTED', level: 'note', message: 'No Arial.', font: 'Arial' };
  const refusedWith = async (warnings: unknown) => {
    const url = await serve(t, (incoming, response) => {
      incoming.resume();
      const body = JSON.stringify({ code: 'CONVERSION_FAILED', message: 'Refused.', warnings });
      response.writeHead(422, { 'content-type': 'application/json' }).end(body);
    });
    const limit = { bytes: 1_000, setBy: 'the service' } as const;
    const converter = new ServiceConverter({ url, accepts: ['docx'], limit }, 'key', request);
    const document = { content: Buffer.from('a'), name: 'a.docx' };
    return failureOf(await converter.convert(document, async () => {}, never).catch((error) => error));
  };
  const failure = { code: 'CONVERSION_FAILED', message: 'Refused.' };
  t.strictSame(await refusedWith([font, { code: 7 }, null]), { ...failure, warnings: [font] });
  for (const none of [undefined, 'many', [], {}]) t.strictSame(await refusedWith(none), failure);
});
