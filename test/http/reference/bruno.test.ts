/** The collection for Bruno: every operation is in it, and its requests work as they stand. */
import { buffer } from 'node:stream/consumers';
import type { OpenAPIV3_1 } from 'openapi-types';
import t from 'tap';
import { fromBufferPromise } from 'yauzl';
import { get, send } from '../../e2e/support/requests.ts';
import { Service } from '../../support/service.ts';

const service = await Service.start(t);
const { key } = await service.createKey();

async function readArchive(zip: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const opened = await fromBufferPromise(zip);
  for await (const entry of opened.eachEntry())
    files.set(entry.fileName, await buffer(await opened.openReadStreamPromise(entry)));
  return files;
}

/** The lines of each block, without those that are switched off. */
function blocksOf(text: string): Map<string, readonly string[]> {
  const blocks = [...text.matchAll(/^([\w:-]+) [{[]\n((?: {2}.*\n|\n)*)[}\]]$/gm)];
  t.equal(blocks.map(([block]) => `${block}\n`).join('\n'), text, 'nothing else is in it');
  return new Map(
    blocks.map(([, name = '', lines = '']) => [
      name,
      lines
        .split('\n')
        .map((line) => line.slice(2))
        .filter((line) => line !== '' && !line.startsWith('~')),
    ]),
  );
}

/** `name: value` of each line. */
function pairsOf(lines: readonly string[] = []): Map<string, string> {
  return new Map(lines.map((line) => line.split(/: ?(.*)/s).slice(0, 2) as [string, string]));
}

const zip = await get(service, '/v1/docs/bruno.zip');
const files = await readArchive(zip.body);
const requests = [...files]
  .filter(([name]) => /\/(?!folder)\w[\w-]*\.bru$/.test(name) && !/collection|environments/.test(name))
  .map(([name, text]) => {
    const blocks = blocksOf(text.toString());
    const method = ['get', 'post', 'patch', 'delete'].find((each) => blocks.has(each)) ?? '';
    const { url = '', body = '', auth = '' } = Object.fromEntries(pairsOf(blocks.get(method)));
    const seq = Number(pairsOf(blocks.get('meta')).get('seq'));
    return { name: name.replace(/.*\/|\.bru$/g, ''), blocks, method, url, body, auth, seq };
  })
  .sort((one, other) => one.seq - other.seq);

t.test('every operation is in it, once for each type of body', async (t) => {
  t.match(zip, { status: 200 });
  t.equal(zip.headers.get('content-type'), 'application/zip');
  const document = JSON.parse(String((await get(service, '/v1/openapi.json')).body)) as OpenAPIV3_1.Document;
  const bodies = { 'multipart/form-data': 'multipartForm', 'application/json': 'json' };
  const expected = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, OpenAPIV3_1.OperationObject>).flatMap(([method, operation]) => {
      const { content = { none: {} } } = (operation.requestBody ??
        {}) as Partial<OpenAPIV3_1.RequestBodyObject>;
      const auth = operation.security?.length === 0 ? 'none' : 'inherit';
      const url = `{{url}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
      return Object.keys(content).map((type) =>
        [method, url, bodies[type as keyof typeof bodies] ?? type, auth].join(' '),
      );
    }),
  );
  t.strictSame(
    requests.map(({ method, url, body, auth }) => [method, url, body, auth].join(' ')).sort(),
    expected.sort(),
  );
  t.match(JSON.parse(String(files.get('platen/bruno.json'))), { version: '1', type: 'collection' });
  const collection = blocksOf(String(files.get('platen/collection.bru')));
  t.strictSame(collection.get('auth:bearer'), ['token: {{key}}']);
  const environment = blocksOf(String(files.get('platen/environments/Local.bru')));
  t.strictSame(environment.get('vars'), ['url: http://localhost:3000']);
  t.strictSame(environment.get('vars:secret'), ['key'], 'which Bruno keeps out of the file');
});

/** What each gets, in an order in which a job has ended before its PDF is wanted, and nothing is gone that a later one needs. */
const statuses: Readonly<Record<string, number>> = {
  convertDocument: 200,
  convertDocumentPublic: 200,
  combineDocuments: 200,
  getConversion: 200,
  createJob: 202,
  // There is no egress.
  'createJob-json': 503,
  listJobs: 200,
  getJob: 200,
  getJobEvents: 200,
  getJobFile: 200,
  getJobArchive: 200,
  cancelJob: 200,
  deleteJob: 204,
  createWebhook: 201,
  listWebhooks: 200,
  getWebhook: 200,
  changeWebhook: 200,
  rotateWebhookSecret: 201,
  rotateDefaultWebhookSecret: 201,
  testWebhook: 202,
  listWebhookDeliveries: 200,
  retryWebhookDelivery: 202,
  deleteWebhook: 204,
  getUsage: 200,
  getHealth: 200,
  getLiveness: 200,
  getReadiness: 200,
  getInfo: 200,
  getOpenApi: 200,
  rotateKey: 201,
};

t.test('the requests work as they stand', async (t) => {
  const variables: Record<string, string> = { url: '' };
  const filled = (text: string) =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => variables[name] ?? placeholder);
  const order = Object.keys(statuses);
  t.strictSame(requests.map(({ name }) => name).sort(), order.toSorted());
  const inOrder = requests.toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
  for (const { name, blocks, method, url, auth } of inOrder) {
    let path = filled(url);
    for (const [parameter, value] of pairsOf(blocks.get('params:path')))
      path = path.replace(`:${parameter}`, filled(value));
    const json = blocks.get('body:json')?.join('\n');
    const form = new FormData();
    for (const [field, value] of pairsOf(blocks.get('body:multipart-form'))) {
      const [, file] = /^@file\((.+)\)$/.exec(value) ?? [];
      if (file === undefined) form.append(field, value);
      else form.append(field, new File([new Uint8Array(files.get(`platen/${file}`) ?? [])], file));
    }
    const answer = await send(service, path, {
      method: method.toUpperCase(),
      ...(auth === 'inherit' && { key }),
      ...(json !== undefined && { body: json, headers: { 'content-type': 'application/json' } }),
      ...(blocks.has('body:multipart-form') && { body: form }),
    });
    t.equal(answer.status, statuses[name], `${name}: ${answer.body.toString('latin1', 0, 200)}`);
    if (answer.status >= 400) continue;
    for (const [variable, expression] of pairsOf(blocks.get('vars:post-response'))) {
      const [, header] = /^res\.headers\['(.+)'\]$/.exec(expression) ?? [];
      const value = header === undefined ? JSON.parse(String(answer.body)).id : answer.headers.get(header);
      variables[variable] = String(value);
    }
  }
});
