/** The published OpenAPI documents, and whether an answer is one that they promise. */
import { Ajv2019, type ValidateFunction } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import { type DocumentName, readOpenApi } from '../../support/openapi-document.ts';

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
  /** The file of its document. */
  readonly file: string;
  /** Where it stands in the document. */
  readonly steps: readonly string[];
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly headers: Readonly<Record<string, { readonly required?: boolean; readonly schema: Schema }>>;
  /** Undefined where there is no body. */
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Pick<Operation, 'responses'>>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Aliases of paths. */
const aliases: Readonly<Record<string, string>> = { '/health': '/v1/health', '/v1/info': '/v1' };
/** The pages for a browser and for programs that read, and what monitoring reads. */
const NOT_PUBLISHED =
  /^\/($|(llms\.txt|sample\.docx|\.well-known\/security\.txt)$|dashboard(\/|$)|assets(\/|$)|metrics$|v1\/docs(\/|$))/;
/** Paths with this prefix are in the operator's document. */
const OPERATOR_PATH = '/operator/';
/** Headers of HTTP itself, or for browsers, which no response has to list. */
const UNLISTED = new Set([
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'date',
  'etag',
  'keep-alive',
  'last-modified',
  'referrer-policy',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
]);

const ajv = new Ajv2019({ strict: false, allErrors: true, coerceTypes: false });
addFormats.default(ajv);
const numbers = new Ajv2019({ strict: false, coerceTypes: true });
addFormats.default(numbers);
/** By the file and the JSON text of their schema: most operations share most of their headers and errors. */
const validators = new Map<string, ValidateFunction>();

type Paths = ReadonlyMap<string, ReadonlyMap<string, Operation>>;

const paths = readDocument('openapi.json');
const operatorPaths = readDocument('operator.json');
const operations = [...paths.values()].flatMap((item) => [...item.values()]);

/** The operations of a document by path and method. */
function readDocument(file: DocumentName): Paths {
  const document = readOpenApi(file) as Document;
  for (const schema of Object.values(document.components.schemas)) closeInside(schema);
  ajv.addSchema(document, uriOf(file));
  return new Map(
    Object.entries(document.paths).map(([path, item]) => [
      path,
      new Map(
        Object.entries(item).map(([method, { responses }]): [string, Operation] => [
          method,
          { file, steps: ['paths', path, method], responses },
        ]),
      ),
    ]),
  );
}

/** The base by which references to a document are resolved. */
function uriOf(file: string): string {
  return `urn:platen:${file}`;
}

/**
 * Asserts that the published document allows this answer: its status for the operation, content type, headers and
 * body, without any other field or header.
 *
 * @param method undefined, like the target, if the request is unknown: the answer may then be of any operation.
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
  throw new Error(`the OpenAPI document does not document the answer to ${asked}: ${reasons}`);
}

/** The operation whose responses apply; for an unknown path or method, one with the same errors. */
function operationOf(method: string, path: string, { status }: DocumentedAnswer): Operation {
  const known = path.startsWith(OPERATOR_PATH) ? operatorPaths : paths;
  const item = known.get(aliases[path] ?? path) ?? itemByTemplate(known, path);
  const operation = item?.get(method === 'HEAD' ? 'get' : method.toLowerCase());
  if (operation) return operation;
  const [other] = item?.values() ?? [...known.values()].flatMap((each) => [...each.values()]);
  if (!other || status < 400) throw new Error(`the OpenAPI document does not document ${method} ${path}`);
  return other;
}

/** The path whose template, such as `/accounts/{account}`, fits. */
function itemByTemplate(known: Paths, path: string): ReturnType<Paths['get']> {
  for (const [template, item] of known) {
    const pattern = template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
    if (new RegExp(`^${pattern}$`).test(path)) return item;
  }
  return undefined;
}

function problemOf(answer: DocumentedAnswer, operation: Operation, isHead: boolean): string | undefined {
  const { status, headers } = answer;
  const response = operation.responses[status];
  if (!response) return `status ${status}`;
  const headerProblem = problemOfHeaders(headers, response);
  if (headerProblem !== undefined) return headerProblem;
  if (!response.content) return answer.body.length === 0 ? undefined : `a body with status ${status}`;
  const type = headers.get('content-type')?.split(';')[0] ?? 'none';
  if (!(type in response.content)) return `content type ${type} with status ${status}`;
  return isHead ? undefined : problemOfBody(answer.body, type, status, operation);
}

function problemOfHeaders(headers: Headers, response: Response): string | undefined {
  const kept = headers.get('cache-control');
  if (kept !== 'no-store') return `cache-control ${kept}`;
  const listed = new Map(
    Object.entries(response.headers).map(([name, header]) => [name.toLowerCase(), header]),
  );
  for (const [name, { required, schema }] of listed) {
    const value = headers.get(name);
    if (value === null && required) return `no header ${name}`;
    if (value === null) continue;
    const validate = compiledOnce(JSON.stringify(schema), () => numbers.compile(schema));
    if (!validate(value)) return `header ${name}: ${value}`;
  }
  return [...headers.keys()]
    .filter((name) => !listed.has(name) && !UNLISTED.has(name))
    .map((name) => `header ${name}`)[0];
}

function problemOfBody(
  body: Buffer,
  type: string,
  status: number,
  { file, steps, responses }: Operation,
): string | undefined {
  if (type === 'application/pdf') {
    return body.subarray(0, 5).toString('latin1') === '%PDF-' ? undefined : 'a body that is no PDF';
  }
  if (type === 'image/png') {
    return body.subarray(1, 4).toString('latin1') === 'PNG' ? undefined : 'a body that is no PNG';
  }
  if (type === 'application/zip') {
    return body.subarray(0, 2).toString('latin1') === 'PK' ? undefined : 'a body that is no ZIP archive';
  }
  if (type.startsWith('text/')) return undefined;
  const schema = JSON.stringify(responses[status]?.content?.[type]?.schema);
  const validate = compiledOnce(`${file} ${schema}`, () => {
    const pointer = pointerTo([...steps, 'responses', `${status}`, 'content', type, 'schema']);
    return ajv.compile({ $ref: `${uriOf(file)}#${pointer}`, unevaluatedProperties: false });
  });
  if (validate(JSON.parse(body.toString('utf8')))) return undefined;
  return `body: ${ajv.errorsText(validate.errors)}`;
}

function compiledOnce(name: string, compile: () => ValidateFunction): ValidateFunction {
  const validate = validators.get(name) ?? compile();
  validators.set(name, validate);
  return validate;
}

/** A JSON pointer (RFC 6901) in a fragment. */
function pointerTo(steps: readonly string[]): string {
  return steps.map((step) => `/${encodeURIComponent(step.replaceAll('/', '~1'))}`).join('');
}

/** The document allows future fields; answers of this version may have listed fields only. */
function closeInside(schema: Schema): void {
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])];
  for (const each of inner) {
    if (each.properties) each.unevaluatedProperties = false;
    closeInside(each);
  }
}
