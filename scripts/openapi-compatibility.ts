/**
 * Checks whether clients generated from one OpenAPI 3.0 document keep working with another.
 *
 * What a client sends must still be accepted, and what it reads must still exist. Paths, operations, responses, codes, fields
 * and headers may be added: clients ignore what they do not know.
 */
import type { OpenAPIV3 } from 'openapi-types';

type Document = OpenAPIV3.Document;
type Schema = OpenAPIV3.SchemaObject | OpenAPIV3.ReferenceObject;

/** Who writes the value. Requests: what was allowed stays allowed. Responses: what was promised stays true. */
type Direction = 'request' | 'response';

/** A schema with references resolved and `allOf` merged. */
interface Shape {
  readonly type: string | undefined;
  readonly format: string | undefined;
  readonly pattern: string | undefined;
  readonly nullable: boolean;
  readonly values: readonly unknown[] | undefined;
  /** As text: people must judge changes of unions. */
  readonly unions: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly properties: ReadonlyMap<string, Schema>;
  readonly required: ReadonlySet<string>;
  readonly isClosed: boolean;
  readonly items: Schema | undefined;
  readonly others: Schema | undefined;
}

/** A schema, whatever its type. */
type Part = OpenAPIV3.BaseSchemaObject & { readonly type?: string; readonly items?: Schema };

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** What is missing or narrower in the newer document, one line each; empty if compatible. */
export function incompatibilities(before: Document, after: Document): string[] {
  return new Comparison(before, after).run();
}

class Comparison {
  readonly #before: Document;
  readonly #after: Document;
  readonly #problems: string[] = [];

  constructor(before: Document, after: Document) {
    this.#before = before;
    this.#after = after;
  }

  run(): string[] {
    for (const [path, item] of Object.entries(this.#before.paths)) {
      for (const method of methods) {
        const before = item?.[method];
        if (!before) continue;
        const after = this.#after.paths[path]?.[method];
        const where = `${method.toUpperCase()} ${path}`;
        if (after) this.#operation(where, before, after);
        else this.#problems.push(`${where} is gone`);
      }
    }
    return this.#problems;
  }

  #operation(where: string, before: OpenAPIV3.OperationObject, after: OpenAPIV3.OperationObject): void {
    if (before.operationId !== after.operationId) {
      this.#problems.push(`${where} is no longer called ${before.operationId}`);
    }
    const open = (operation: OpenAPIV3.OperationObject) =>
      (operation.security ?? []).length === 0 ||
      operation.security?.some((one) => Object.keys(one).length === 0);
    if (open(before) && !open(after)) this.#problems.push(`${where} wants credentials`);
    this.#parameters(where, before, after);
    this.#body(where, before, after);
    for (const [status, response] of Object.entries(before.responses)) {
      const now = after.responses[status];
      if (!now) this.#problems.push(`${where} no longer documents ${status}`);
      else this.#response(`${where} ${status}`, resolve(this.#before, response), resolve(this.#after, now));
    }
  }

  #parameters(where: string, before: OpenAPIV3.OperationObject, after: OpenAPIV3.OperationObject): void {
    const old = parametersOf(this.#before, before);
    const current = parametersOf(this.#after, after);
    for (const [name, parameter] of old) {
      const now = current.get(name);
      if (!now) {
        this.#problems.push(`${where}: the parameter ${name} is gone`);
        continue;
      }
      if (now.required && !parameter.required) {
        this.#problems.push(`${where}: the parameter ${name} is required`);
      }
      this.#schema(`${where}: the parameter ${name}`, parameter.schema, now.schema, 'request');
    }
    for (const [name, parameter] of current) {
      if (!old.has(name) && parameter.required) {
        this.#problems.push(`${where}: the new parameter ${name} is required`);
      }
    }
  }

  #body(
    where: string,
    operationBefore: OpenAPIV3.OperationObject,
    operationAfter: OpenAPIV3.OperationObject,
  ): void {
    const before = resolve(this.#before, operationBefore.requestBody);
    const after = resolve(this.#after, operationAfter.requestBody);
    const query = [...parametersOf(this.#after, operationAfter).values()].filter((one) => one.in === 'query');
    const alternatives = new Map(query.map(({ name, schema }) => [name, schema]));
    if (after?.required && !before?.required) this.#problems.push(`${where}: the body is required`);
    for (const [type, media] of Object.entries(before?.content ?? {})) {
      const now = after?.content[type];
      if (now) this.#schema(`${where}: the body`, media.schema, now.schema, 'request', alternatives);
      else this.#problems.push(`${where}: the body may no longer be ${type}`);
    }
  }

  #response(where: string, before: OpenAPIV3.ResponseObject, after: OpenAPIV3.ResponseObject): void {
    for (const [name, one] of Object.entries(before.headers ?? {})) {
      const header = resolve(this.#before, one);
      const now = resolve(this.#after, after.headers?.[name]);
      if (!now) {
        this.#problems.push(`${where}: the header ${name} is gone`);
        continue;
      }
      if (header.required && !now.required)
        this.#problems.push(`${where}: the header ${name} may be missing`);
      this.#schema(`${where}: the header ${name}`, header.schema, now.schema, 'response');
    }
    for (const [type, media] of Object.entries(before.content ?? {})) {
      const now = after.content?.[type];
      if (now) this.#schema(`${where}: the body`, media.schema, now.schema, 'response');
      else this.#problems.push(`${where}: the body is no longer ${type}`);
    }
  }

  /** @param alternatives What a request may say in the place of a field of an open object that is no longer listed. */
  #schema(
    where: string,
    before: Schema | undefined,
    after: Schema | undefined,
    direction: Direction,
    alternatives: ReadonlyMap<string, Schema | undefined> = new Map(),
  ): void {
    if (!before || !after) {
      if (before !== after) this.#problems.push(`${where} has a schema in one document only`);
      return;
    }
    const old = shapeOf(this.#before, before);
    const now = shapeOf(this.#after, after);
    if (old.type !== now.type) this.#problems.push(`${where} is ${now.type}, no longer ${old.type}`);
    if (old.format !== now.format) {
      this.#problems.push(`${where} has the format ${now.format}, no longer ${old.format}`);
    }
    if (old.unions !== now.unions) this.#problems.push(`${where} is another union`);
    if (direction === 'request') this.#accepted(where, old, now);
    else this.#promised(where, old, now);
    for (const [name, schema] of old.properties) {
      const present = now.properties.get(name) ?? (now.isClosed ? undefined : alternatives.get(name));
      if (present) this.#schema(`${where}.${name}`, schema, present, direction);
      else this.#problems.push(`${where}.${name} is gone`);
    }
    if (old.items) this.#schema(`${where}[]`, old.items, now.items, direction);
    if (old.others) this.#schema(`${where}.*`, old.others, now.others, direction);
  }

  /** What a client could send, it can send. */
  #accepted(where: string, old: Shape, now: Shape): void {
    const narrower =
      now.minimum > old.minimum ||
      now.maximum < old.maximum ||
      (now.pattern !== undefined && now.pattern !== old.pattern) ||
      (old.nullable && !now.nullable) ||
      (now.isClosed && !old.isClosed);
    if (narrower) this.#problems.push(`${where} takes fewer values`);
    if (now.values && !old.values) this.#problems.push(`${where} takes only ${now.values.join(', ')}`);
    for (const value of old.values ?? []) {
      if (now.values && !now.values.includes(value)) this.#problems.push(`${where} no longer takes ${value}`);
    }
    for (const name of now.required) {
      if (!old.required.has(name)) this.#problems.push(`${where}.${name} is required`);
    }
  }

  /** What a client could rely on, it can rely on. A value that is gone is one that programs still wait for. */
  #promised(where: string, old: Shape, now: Shape): void {
    if (now.nullable && !old.nullable) this.#problems.push(`${where} may be null`);
    if (old.values && !now.values) this.#problems.push(`${where} may be anything`);
    for (const value of old.values ?? []) {
      if (now.values && !now.values.includes(value)) this.#problems.push(`${where} is no longer ${value}`);
    }
    for (const name of old.required) {
      if (now.properties.has(name) && !now.required.has(name)) {
        this.#problems.push(`${where}.${name} may be missing`);
      }
    }
  }
}

function parametersOf(
  document: Document,
  { parameters = [] }: OpenAPIV3.OperationObject,
): Map<string, OpenAPIV3.ParameterObject> {
  const resolved = parameters.map((parameter) => resolve(document, parameter));
  return new Map(resolved.map((parameter) => [`${parameter.name} (${parameter.in})`, parameter]));
}

function shapeOf(document: Document, schema: Schema): Shape {
  const { allOf = [], ...own } = resolve(document, schema);
  const parts: readonly Part[] = [own, ...allOf.map((part) => resolve(document, part))];
  const last = <Key extends keyof Part>(key: Key): Part[Key] | undefined =>
    parts.findLast((part) => part[key] !== undefined)?.[key];
  const others = last('additionalProperties');
  const unions = parts.flatMap(({ anyOf, oneOf }) => [anyOf, oneOf]);
  return {
    type: last('type'),
    format: last('format'),
    pattern: plainPattern(last('pattern')),
    nullable: last('nullable') ?? false,
    values: last('enum'),
    unions: JSON.stringify(unions.filter((union) => union !== undefined)),
    minimum: Math.max(...parts.map((part) => part.minimum ?? part.minLength ?? -Infinity)),
    maximum: Math.min(...parts.map((part) => part.maximum ?? part.maxLength ?? Infinity)),
    properties: new Map(parts.flatMap(({ properties = {} }) => Object.entries(properties))),
    required: new Set(parts.flatMap(({ required = [] }) => required)),
    isClosed: others === false,
    items: last('items'),
    others: typeof others === 'object' ? others : undefined,
  };
}

/** The pattern with the characters themselves in place of their hexadecimal escapes, but for those of the syntax. */
function plainPattern(pattern: string | undefined): string | undefined {
  return pattern?.replaceAll(/\\(?:x([0-9a-f]{2})|.)/gi, (written: string, code: string | undefined) => {
    const character = code === undefined ? '' : String.fromCharCode(Number.parseInt(code, 16));
    return /^[^^$\\.*+?()[\]{}|/-]$/.test(character) ? character : written;
  });
}

/** Resolves a reference (RFC 6901). */
function resolve<T extends object | undefined>(
  document: Document,
  value: T | OpenAPIV3.ReferenceObject,
): Exclude<T, OpenAPIV3.ReferenceObject> {
  if (value === undefined || !('$ref' in value)) return value as Exclude<T, OpenAPIV3.ReferenceObject>;
  const steps = value.$ref.slice(2).split('/');
  const target = steps.reduce<unknown>(
    (parent, step) => (parent as Record<string, unknown>)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
  return resolve(document, target as T | OpenAPIV3.ReferenceObject);
}
