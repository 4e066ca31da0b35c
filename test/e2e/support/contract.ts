/** The published OpenAPI document, and whether an answer is one that it promises. */
import { readFileSync } from 'node:fs';
import { Ajv2019, type ValidateFunction } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';

export interface DocumentedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  unevaluatedProperties?: boolean;
}

interface Operation {
  /** Where it stands in the document. */
  readonly steps: readonly string[];
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly headers: Readonly<Record<string, { readonly required?: boolean; readonly schema: Schema }>>;
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<Operation, 'steps'>>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Paths that answer as another does. */
const aliases: Readonly<Record<string, string>> = { '/health': '/v1/health', '/v1/info': '/v1' };
/** The operator's and the pages for a browser, which partners do not generate clients for. */
const NOT_PUBLISHED = /^\/($|assets(\/|$)|metrics$|operator\/|v1\/docs(\/|$))/;
/** By which references to the document are resolved. */
const DOCUMENT_URI = 'urn:platen:openapi';
/** What an answer may have although its response does not list it. */
const UNLISTED = new Set(['content-length']);

const file = new URL('../../../openapi/openapi.json', import.meta.url);
const document = JSON.parse(readFileSync(file, 'utf8')) as Document;
/** By path and method. */
const paths = new Map(
  Object.entries(document.paths).map(([path, item]) => [
    path,
    new Map(
      Object.entries(item).map(([method, { responses }]): [string, Operation] => [
        method,
        { steps: ['paths', path, method], responses },
      ]),
    ),
  ]),
);
const operations = [...paths.values()].flatMap((item) => [...item.values()]);
const headerNames = new Set(
  operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ headers }) => Object.keys(headers).map((name) => name.toLowerCase())),
  ),
);

for (const schema of Object.values(document.components.schemas)) closeInside(schema);
const ajv = new Ajv2019({ strict: false, allErrors: true, coerceTypes: false });
addFormats.default(ajv);
ajv.addSchema(document, DOCUMENT_URI);
const validators = new Map<string, ValidateFunction>();
const numbers = new Ajv2019({ strict: false, coerceTypes: true });
addFormats.default(numbers);

/**
 * Asserts that the published document has this answer: its status for the operation, its content type, its headers and
 * its body, with no field or header more.
 *
 * @param method undefined, with the target: what was asked is not known, and the answer has to be one of any operation.
 * @throws Error that says what is not documented.
 */
export function assertDocumented(answer: DocumentedAnswer, method?: string, target = ''): void {
  const path = target.replace(/^https?:\/\/[^/?]*/i, '').replace(/[?#].*$/s, '');
  if (NOT_PUBLISHED.test(path)) return;
  const problems: string[] = [];
  for (const operation of method === undefined ? operations : [operationOf(method, path, answer)]) {
    const problem = problemOf(answer, operation, method === 'HEAD');
    if (problem === undefined) return;
    problems.push(problem);
  }
  const asked = method === undefined ? 'a request' : `${method} ${path}`;
  const reasons = [...new Set(problems)].join('; ');
  throw new Error(`openapi/openapi.json does not document the answer to ${asked}: ${reasons}`);
}

/** The operation whose responses hold; of a path or method that there is not, the errors of another. */
function operationOf(method: string, path: string, { status }: DocumentedAnswer): Operation {
  const item = paths.get(aliases[path] ?? path);
  const operation = item?.get(method === 'HEAD' ? 'get' : method.toLowerCase());
  if (operation) return operation;
  const [other] = item?.values() ?? operations;
  if (!other || status < 400) throw new Error(`openapi/openapi.json does not document ${method} ${path}`);
  return other;
}

function problemOf(answer: DocumentedAnswer, operation: Operation, isHead: boolean): string | undefined {
  const { status, headers } = answer;
  const response = operation.responses[status];
  if (!response) return `status ${status}`;
  const headerProblem = problemOfHeaders(headers, response);
  if (headerProblem !== undefined) return headerProblem;
  const type = headers.get('content-type')?.split(';')[0] ?? 'none';
  if (!(type in response.content)) return `content type ${type} with status ${status}`;
  return isHead ? undefined : problemOfBody(answer.body, type, status, operation);
}

function problemOfHeaders(headers: Headers, response: Response): string | undefined {
  const listed = new Map(
    Object.entries(response.headers).map(([name, header]) => [name.toLowerCase(), header]),
  );
  for (const [name, { required, schema }] of listed) {
    const value = headers.get(name);
    if (value === null && required) return `no header ${name}`;
    if (value !== null && !numbers.validate(schema, value)) return `header ${name}: ${value}`;
  }
  return [...headerNames]
    .filter((name) => headers.has(name) && !listed.has(name) && !UNLISTED.has(name))
    .map((name) => `header ${name}`)[0];
}

function problemOfBody(body: Buffer, type: string, status: number, { steps }: Operation): string | undefined {
  if (type === 'application/pdf') {
    return body.subarray(0, 5).toString('latin1') === '%PDF-' ? undefined : 'a body that is no PDF';
  }
  const validate = validatorOf([...steps, 'responses', `${status}`, 'content', type, 'schema']);
  if (validate(JSON.parse(body.toString('utf8')))) return undefined;
  return `body: ${ajv.errorsText(validate.errors)}`;
}

/** Compiled once. A JSON pointer (RFC 6901) in a fragment. */
function validatorOf(steps: readonly string[]): ValidateFunction {
  const pointer = steps.map((step) => encodeURIComponent(step.replaceAll('/', '~1'))).join('/');
  const known = validators.get(pointer);
  if (known) return known;
  const validate = ajv.compile({ $ref: `${DOCUMENT_URI}#/${pointer}`, unevaluatedProperties: false });
  validators.set(pointer, validate);
  return validate;
}

/** The document leaves room for fields to come; the answers of this version have none that it does not list. */
function closeInside(schema: Schema): void {
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])];
  for (const each of inner) {
    if (each.properties) each.unevaluatedProperties = false;
    closeInside(each);
  }
}
