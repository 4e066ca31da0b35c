/** Schemas that the contracts of operations are made of. */
import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { PlatenError } from '../errors.ts';

/** One of several words. Unlike `Type.Enum` it declares strings, as OpenAPI 3.0 requires. */
export function words<const Word extends string>(
  values: readonly Word[],
  options: { description?: string } = {},
) {
  return Type.Enum([...values], { type: 'string', ...options });
}

/** What is sent: fields that nobody knows are refused. */
export function closed<Fields extends TProperties>(fields: Fields) {
  return Type.Object(fields, { additionalProperties: false });
}

/** An id that is sent, such as `job_…`. @param digits hexadecimal ones, after the prefix. */
export function id(prefix: string, digits: 18 | 32, description: string, example: string) {
  return Type.String({ pattern: `^${prefix}_[0-9a-f]{${digits}}$`, description, examples: [example] });
}

/** A moment in UTC. */
export function time(description: string) {
  return Type.String({ format: 'date-time', description });
}

/** A number of bytes, which may exceed 32 bits. */
export function bytes(description: string) {
  return Type.Integer({ format: 'int64', minimum: 0, description });
}

export function count(description: string) {
  return Type.Integer({ minimum: 0, description });
}

/** A value that may be missing. */
export function orNull<Schema extends TSchema>(schema: Schema, description: string) {
  return Type.Union([schema, Type.Null()], { description });
}

/** A moment in UTC that may be missing. */
export const timeOrNull = (description: string) => orNull(Type.String({ format: 'date-time' }), description);

/** A duration that may be missing. */
export const milliseconds = (description: string) =>
  orNull(Type.Number({ minimum: 0 }), `${description}, in ms. \`null\`: it was not reached.`);

/** A calendar month, in a query. */
export const month = () =>
  Type.Optional(
    Type.String({
      pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
      title: 'a calendar month as YYYY-MM',
      description: 'A calendar month (UTC) as YYYY-MM. Default: this month.',
    }),
  );

/** A schema with an `$id`, the name of its component. */
export type NamedSchema = TSchema & { readonly $id?: string };

/** By their names, all that others refer to. */
const referred = new Map<string, NamedSchema>();

/** What stands for a schema elsewhere. @throws Error when another one has its name. */
export function referenceTo(schema: NamedSchema): { readonly $ref: string } {
  const $ref = `${schema.$id}#`;
  if ((referred.get($ref) ?? schema) !== schema) throw new Error(`two schemas have the name ${schema.$id}`);
  referred.set($ref, schema);
  return { $ref };
}

/** A schema with a name in the document, inside another schema. */
export function named<Schema extends NamedSchema>(schema: Schema) {
  return Type.Unsafe<Static<Schema>>(referenceTo(schema));
}

/** The schemas that contracts refer to, and that these refer to in turn. */
export function schemasOf(contracts: unknown): NamedSchema[] {
  const found = new Set<NamedSchema>();
  const collect = (part: unknown): unknown =>
    JSON.stringify(part, (key, value) => {
      const schema = key === '$ref' ? referred.get(value) : undefined;
      if (!schema || found.has(schema)) return value;
      found.add(schema);
      return collect(schema);
    });
  collect(contracts);
  return [...found];
}

/** Query parameter: most entries of an answer. */
export function pageSize(standard: number, maximum: number) {
  return Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum,
      description: `Most entries on a page. Default: ${standard}.`,
    }),
  );
}

/** A time that may be sent. */
export const moment = (description: string, ...examples: readonly string[]) =>
  Type.Optional(
    Type.String({
      format: 'date-time',
      description,
      ...(examples.length > 0 && { examples: [...examples] }),
    }),
  );

/** Query parameter: where the next page begins. */
export const cursor = () =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'The `next` of the previous page. Default: the first page.',
    }),
  );

/** Field of an answer: where the next page begins. */
export const nextCursor = () =>
  orNull(Type.String(), 'Send it as `after` for the next page. `null`: this is the last page.');

/** The cursor of the next page, from a query. @throws PlatenError `INVALID_PARAMETER` if it is not valid. */
export function readCursor(
  text: string | undefined,
  isCursor: (text: string) => boolean,
): string | undefined {
  if (text === undefined || isCursor(text)) return text;
  throw new PlatenError('INVALID_PARAMETER', {
    message: 'after must be the "next" of the page before, or left out.',
  });
}
