/** The published document keeps its promises, and what would notice if it did not. */
import { readFile } from 'node:fs/promises';
import type { OpenAPIV3 } from 'openapi-types';
import t from 'tap';
import { incompatibilities } from '../../scripts/openapi-compatibility.ts';
import { readOpenApi } from '../support/openapi-document.ts';

const read = async (name: string) =>
  JSON.parse(await readFile(new URL(`../../openapi/${name}`, import.meta.url), 'utf8')) as OpenAPIV3.Document;
const current = await read('openapi.json');
const released = await read('released.json');
/** With nothing shared, so that a change is of one operation. */
const plain = readOpenApi('openapi.json') as OpenAPIV3.Document;

t.test('the document is compatible with the last release, whatever its version', (t) => {
  t.strictSame(
    incompatibilities(released, current),
    [],
    'clients of the last release would break: keep what they use; what breaks them is /v2, beside /v1',
  );
  t.end();
});

/** As a change is easiest to write. */
type Loose = { [key: string]: Loose };

const convert = (document: Loose) => document.paths?.['/v1/convert']?.post as Loose;
const rotate = (document: Loose) => document.paths?.['/v1/keys/rotate']?.post as Loose;
const schemas = (document: Loose) => document.components?.schemas as Loose;
const usage = (document: Loose) => schemas(document).Usage?.properties as Loose;
const overlap = (document: Loose) =>
  rotate(document).requestBody?.content?.['application/json']?.schema?.properties?.overlapSeconds as Loose;
const codesOf = (document: Loose, status: string) =>
  schemas(document)[String(errorOf(document, status).schema?.$ref).split('/').at(-1) ?? '']?.properties
    ?.code as Loose;
const errorOf = (document: Loose, status: string) =>
  convert(document).responses?.[status]?.content?.['application/json'] as Loose;
const form = (document: Loose) =>
  convert(document).requestBody?.content?.['multipart/form-data']?.schema as Loose;
const idempotencyKey = (document: Loose) =>
  parameters(document).find(({ name }) => String(name) === 'Idempotency-Key')?.schema as Loose;
const parameters = (document: Loose) => convert(document).parameters as unknown as Loose[];
const put = (target: Loose | undefined, key: string, value: unknown) =>
  Object.assign(target ?? {}, { [key]: value });
const drop = (target: Loose | undefined, key: string) => delete target?.[key];

/** Changes that break clients, and what is said of them. */
const breaking: readonly (readonly [change: (document: Loose) => unknown, problem: string])[] = [
  [(d) => drop(d.paths, '/v1/usage'), 'GET /v1/usage is gone'],
  [(d) => drop(d.paths?.['/v1/convert'], 'post'), 'POST /v1/convert is gone'],
  [(d) => put(convert(d), 'operationId', 'convert'), 'POST /v1/convert is no longer called convertDocument'],
  [(d) => put(d.paths?.['/v1']?.get, 'security', [{ apiKey: [] }]), 'GET /v1 wants credentials'],
  [(d) => drop(convert(d).responses, '429'), 'POST /v1/convert no longer documents 429'],
  [(d) => drop(codesOf(d, '401'), 'enum'), 'POST /v1/convert 401: the body.code may be anything'],
  [
    (d) => put(codesOf(d, '401'), 'enum', ['MISSING_AUTH', 'INVALID_API_KEY']),
    'POST /v1/convert 401: the body.code is no longer EXPIRED_API_KEY',
  ],
  [(d) => drop(usage(d), 'plan'), 'GET /v1/usage 200: the body.plan is gone'],
  [
    (d) => put(usage(d).plan, 'type', 'object'),
    'GET /v1/usage 200: the body.plan is object, no longer string',
  ],
  [(d) => put(usage(d).plan, 'nullable', true), 'GET /v1/usage 200: the body.plan may be null'],
  [
    (d) => put(usage(d).days?.items?.properties?.date, 'format', 'date-time'),
    'GET /v1/usage 200: the body.days[].date has the format date-time, no longer date',
  ],
  [
    (d) => put(usage(d).days?.items?.properties?.failures?.additionalProperties, 'type', 'string'),
    'GET /v1/usage 200: the body.days[].failures.* is string, no longer integer',
  ],
  [(d) => put(schemas(d).Usage, 'required', []), 'GET /v1/usage 200: the body.plan may be missing'],
  [
    (d) => put(usage(d).plan, 'oneOf', [{ type: 'string' }]),
    'GET /v1/usage 200: the body.plan is another union',
  ],
  [
    (d) => drop(convert(d).responses?.['200']?.headers, 'X-Conversion-Pages'),
    'POST /v1/convert 200: the header X-Conversion-Pages is gone',
  ],
  [
    (d) => drop(convert(d).responses?.['429']?.headers?.['Retry-After'], 'required'),
    'POST /v1/convert 429: the header Retry-After may be missing',
  ],
  [
    (d) => put(convert(d).responses?.['200'], 'content', { 'application/octet-stream': {} }),
    'POST /v1/convert 200: the body is no longer application/pdf',
  ],
  [
    (d) => put(parameters(d)[0], 'required', true),
    'POST /v1/convert: the parameter format (query) is required',
  ],
  [(d) => parameters(d).splice(0, 1), 'POST /v1/convert: the parameter format (query) is gone'],
  [
    (d) => put(parameters(d)[0]?.schema, 'enum', ['docx']),
    'POST /v1/convert: the parameter format (query) no longer takes pdf',
  ],
  [
    (d) => parameters(d).push({ in: 'header', name: 'X-New', required: true } as never),
    'POST /v1/convert: the new parameter X-New (header) is required',
  ],
  [(d) => put(rotate(d).requestBody, 'required', true), 'POST /v1/keys/rotate: the body is required'],
  [
    (d) => put(rotate(d).requestBody, 'content', {}),
    'POST /v1/keys/rotate: the body may no longer be application/json',
  ],
  [
    (d) => put(rotate(d).requestBody?.content?.['application/json']?.schema, 'required', ['overlapSeconds']),
    'POST /v1/keys/rotate: the body.overlapSeconds is required',
  ],
  [(d) => put(overlap(d), 'maximum', 60), 'POST /v1/keys/rotate: the body.overlapSeconds takes fewer values'],
  [
    (d) => put(idempotencyKey(d), 'pattern', '^\\x22[a-z]+\\x22$'),
    'POST /v1/convert: the parameter Idempotency-Key (header) takes fewer values',
  ],
  [(d) => drop(form(d).properties, 'file'), 'POST /v1/convert: the body.file is gone'],
  [(d) => put(overlap(d), 'enum', [60]), 'POST /v1/keys/rotate: the body.overlapSeconds takes only 60'],
];

/** Changes that clients do not notice. */
const compatible: readonly ((document: Loose) => unknown)[] = [
  (d) => put(d.paths, '/v1/new', d.paths?.['/v1']),
  (d) => put(convert(d).responses, '410', convert(d).responses?.['429']),
  (d) => put(codesOf(d, '403'), 'enum', [...(codesOf(d, '403').enum as unknown as string[]), 'NEW']),
  (d) => put(usage(d), 'new', { type: 'string' }),
  (d) => put(convert(d).responses?.['200']?.headers, 'X-New', { schema: { type: 'string' } }),
  (d) => parameters(d).push({ in: 'header', name: 'X-New', required: false } as never),
  (d) => put(parameters(d)[0]?.schema, 'enum', ['pdf', 'png', 'webp']),
  (d) => put(overlap(d), 'maximum', 10_000_000),
  (d) => put(usage(d).plan, 'description', 'Another text.'),
  // The same in another shape.
  (d) => put(errorOf(d, '401'), 'schema', { allOf: [{ $ref: '#/components/schemas/Error401' }] }),
  (d) => put(errorOf(d, '401'), 'schema', schemas(d).Error401),
  (d) => put(idempotencyKey(d), 'pattern', String(idempotencyKey(d).pattern).replaceAll('\\x22', '"')),
];

function changed(change: (document: Loose) => unknown): OpenAPIV3.Document {
  const copy = structuredClone(plain);
  change(copy as unknown as Loose);
  return copy;
}

t.test('what would break clients is noticed', (t) => {
  for (const [change, problem] of breaking) {
    const problems = incompatibilities(plain, changed(change));
    t.ok(problems.includes(problem), problem, { problems });
  }
  t.end();
});

t.test('a field of a form may be left to the query parameter that says the same', (t) => {
  const problem = 'POST /v1/convert: the body.format';
  const before = changed((d) => put(form(d).properties, 'format', { type: 'string', enum: ['pdf'] }));
  t.strictSame(incompatibilities(before, plain), []);
  const closed = changed((d) => put(form(d), 'additionalProperties', false));
  t.ok(incompatibilities(before, closed).includes(`${problem} is gone`), 'refused in the form');
  const without = changed((d) => put(convert(d), 'parameters', []));
  t.ok(incompatibilities(before, without).includes(`${problem} is gone`), 'nowhere else');
  const other = changed((d) => put(parameters(d)[0]?.schema, 'enum', ['png']));
  t.ok(incompatibilities(before, other).includes(`${problem} no longer takes pdf`), 'not the same');
  t.end();
});

t.test('what would not is allowed', (t) => {
  t.strictSame(incompatibilities(plain, current), []);
  for (const change of compatible) {
    const after = changed(change);
    t.notSame(after, plain, `${change}`);
    t.strictSame(incompatibilities(plain, after), [], `${change}`);
  }
  t.end();
});
