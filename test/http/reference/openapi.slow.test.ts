/** The OpenAPI document: the committed one is current, complete, and made of what serialises the answers. */
import { readFile } from 'node:fs/promises';
import Fastify from 'fastify';
import t from 'tap';
import { jsonText } from '../../../scripts/json-text.ts';
import { catalogue, type ErrorCode, PlatenError } from '../../../src/errors.ts';
import { consoleOperations } from '../../../src/http/console/operations.ts';
import type { Operation } from '../../../src/http/contract/operation.ts';
import { addSchemas } from '../../../src/http/contract/responses.ts';
import { errorHandling } from '../../../src/http/core/errors.ts';
import { everyAnswerHeaders } from '../../../src/http/core/every-answer.ts';
import { operatorOperations } from '../../../src/http/operator/operations.ts';
import {
  buildConsoleDocument,
  buildDocument,
  buildOperatorDocument,
} from '../../../src/http/reference/openapi.ts';
import { operations } from '../../../src/http/reference/operations.ts';
import { openApiText, readOpenApi } from '../../support/openapi-document.ts';

interface Example {
  readonly value: { readonly code: ErrorCode } & Readonly<Record<string, unknown>>;
}

interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, ErrorSchema>> };
}

interface ErrorSchema {
  readonly type: string;
  readonly properties: { readonly code: { readonly enum: readonly string[] } };
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly { readonly name: string; readonly schema: object }[];
  readonly responses: Readonly<
    Record<string, { content?: Record<string, { schema: object; examples?: Record<string, Example> }> }>
  >;
}

/** As many as 150 kB for 28 operations. */
const BYTES_AN_OPERATION = 5_357;
const root = new URL('../../../', import.meta.url);
const committed = openApiText('openapi.json');
const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as { version: string };
const document = readOpenApi('openapi.json') as Document;
const documented = operationsOf(document);
const operatorFile = openApiText('operator.json');
const operatorDocument = readOpenApi('operator.json') as Document;
const consoleFile = openApiText('console.json');
const consoleDocument = readOpenApi('console.json') as Document;

function operationsOf({ paths }: Document) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** Of its refusals. */
function examplesOf({ responses }: DocumentedOperation): Example[] {
  return Object.entries(responses).flatMap(([status, { content }]) =>
    Number(status) < 400 ? [] : Object.values(content?.['application/json']?.examples ?? {}),
  );
}

t.test('the committed document is current', async (t) => {
  const current = jsonText(await buildDocument(version));
  t.ok(
    committed === current,
    'openapi/openapi.json is stale: run npm run openapi, and commit what it writes',
  );
});

t.test('the committed document of the operator API is current', async (t) => {
  const current = jsonText(await buildOperatorDocument(version));
  t.ok(
    operatorFile === current,
    'openapi/operator.json is stale: run npm run openapi, and commit what it writes',
  );
  const ids = operationsOf(operatorDocument).map(({ operation }) => operation.operationId);
  t.equal(new Set(ids).size, operatorOperations.length, 'every operation has an id of its own');
});

t.test('the committed document of the console API is current', async (t) => {
  const current = jsonText(await buildConsoleDocument(version));
  t.ok(
    consoleFile === current,
    'openapi/console.json is stale: run npm run openapi, and commit what it writes',
  );
  const ids = operationsOf(consoleDocument).map(({ operation }) => operation.operationId);
  t.equal(new Set(ids).size, consoleOperations.length, 'every operation has an id of its own');
});

t.test('what clients load says each thing once, and options before what cannot be combined', (t) => {
  const served = Buffer.byteLength(JSON.stringify(JSON.parse(committed)));
  t.ok(served < BYTES_AN_OPERATION * operations.length, `${served} bytes`);
  const description = String(document.paths['/v1/convert']?.post?.description);
  t.match(description, '(/v1/docs/guide/options#what-cannot-be-combined)');
  t.ok(description.length < 1_000, 'the reference shows it above the parameters');
  t.end();
});

t.test('every code of the catalogue has an example', (t) => {
  const codes = documented.flatMap(({ operation }) => examplesOf(operation).map(({ value }) => value.code));
  t.strictSame([...new Set(codes)].sort(), Object.keys(catalogue).sort());
  t.end();
});

t.test('every operation has an id of its own, and each response a status of its own', (t) => {
  const ids = documented.map(({ operation }) => operation.operationId);
  t.equal(new Set(ids).size, operations.length);
  for (const { operation } of documented) {
    for (const status of Object.keys(operation.responses)) t.match(status, /^[1-5]\d\d$/);
  }
  t.end();
});

t.test(
  'each response to an error refers to a whole schema with its codes, which other responses share',
  (t) => {
    for (const { components, ...rest } of [document, operatorDocument, consoleDocument]) {
      const names = new Set<string>();
      let count = 0;
      for (const { operation } of operationsOf({ components, ...rest })) {
        for (const [status, { content }] of Object.entries(operation.responses)) {
          const { schema, examples = {} } = content?.['application/json'] ?? {};
          if (!schema || Number(status) < 400) continue;
          const where = `${operation.operationId} ${status}`;
          const [, name = ''] =
            /^\{"\$ref":"#\/components\/schemas\/(\w*Error\d{3})"\}$/.exec(JSON.stringify(schema)) ?? [];
          t.match(name, new RegExp(`Error${status}$`), where);
          const error = components.schemas[name];
          t.strictSame(error?.properties.code.enum, Object.keys(examples), `${where}: codes`);
          t.match(error, { type: 'object', properties: { message: { type: 'string' } } }, where);
          t.notOk(error && 'allOf' in error, `${where}: no allOf`);
          names.add(name);
          count += 1;
        }
      }
      t.ok(names.size < count / 2, `${names.size} schemas for ${count} responses`);
    }
    t.end();
  },
);

t.test('no pattern has a quote: generators put it between quotes', (t) => {
  for (const text of [committed, operatorFile, consoleFile]) t.notMatch(text, /"pattern": ".*\\"/);
  t.end();
});

t.test('two schemas with one title are refused', async (t) => {
  const [like] = operations;
  const clashing = ['string', 'number'].map((type) => {
    const schema = { title: 'Error400', type };
    const response = { 400: { description: type, content: { 'application/json': { schema } } } };
    return { ...like, path: `/${type}`, schema: { ...like?.schema, response } } as Operation;
  });
  await t.rejects(buildDocument(version, clashing), /two schemas have the title Error400/);
});

t.test('no parameter has an example: forms and HTTP tools send it, the same for every document', (t) => {
  const parameters = documented.flatMap(({ operation }) => operation.parameters ?? []);
  t.ok(parameters.length > 0);
  for (const { name, schema, ...rest } of parameters) {
    t.strictSame(
      [...Object.keys(schema), ...Object.keys(rest)].filter((field) => field.startsWith('example')),
      [],
      name,
    );
  }
  t.end();
});

t.test('the schemas drop and change nothing of an error', async (t) => {
  const app = Fastify({ genReqId: () => 'req_0123456789abcdef0123456789abcdef' });
  await app.register(everyAnswerHeaders);
  await app.register(errorHandling);
  addSchemas(app, operations);
  for (const { method, path, schema } of operations) {
    if (path === '/v1/openapi.json') continue;
    const { response } = schema;
    app.route({
      method,
      url: path,
      schema: { response },
      handler: async ({ headers }) => {
        const code = headers['x-code'] as ErrorCode;
        const reason = 'full';
        throw new PlatenError(code, code === 'RATE_LIMIT_EXCEEDED' ? { reason, retryAfter: 7 } : { reason });
      },
    });
  }
  t.teardown(() => app.close());
  for (const { path, method, operation } of documented) {
    if (path === '/v1/openapi.json') continue;
    for (const { value } of examplesOf(operation)) {
      const { statusCode, body, headers } = await app.inject({
        method: method as 'get',
        url: path,
        headers: { 'x-code': value.code },
      });
      const { status } = catalogue[value.code];
      t.equal(statusCode, status, `${operation.operationId} ${value.code}`);
      t.equal(headers['content-type'], 'application/json; charset=utf-8');
      const answer = JSON.parse(body);
      t.equal(answer.code, value.code);
      t.strictSame(Object.keys(answer).sort(), Object.keys(value).sort(), 'the fields of the example');
      if (status === 429) t.equal(answer.retryAfter, 7);
    }
  }
});
