/** What one operation of the API is: where it is, what it takes, and everything that it answers. */
import type { FastifySchema } from 'fastify';
import { type TSchema, Type } from 'typebox';

export interface Operation {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly schema: FastifySchema & {
    /** Name of the method in generated clients. */
    readonly operationId: string;
    readonly tags: readonly ['conversion' | 'account' | 'service'];
    readonly summary: string;
    /** What it does, and what the client has to do. */
    readonly description: string;
    /** `[]`: for everyone. */
    readonly security: readonly Record<string, readonly string[]>[];
  };
}

/** For whoever has an API key. */
export const withApiKey = [{ apiKey: [] as string[] }];
/** For everyone. */
export const withoutKey: Record<string, string[]>[] = [];

/** One of some words. Unlike `Type.Enum` it says that they are strings, as OpenAPI 3.0 wants. */
export function words<const Word extends string>(
  values: readonly Word[],
  options: { description?: string } = {},
) {
  return Type.Enum([...values], { type: 'string', ...options });
}

/** A moment in UTC. */
export function time(description: string) {
  return Type.String({ format: 'date-time', description, examples: ['2026-11-21T08:00:00.000Z'] });
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

/** How long something took, where it came to that. */
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
