/** An operation of the API: its path, its parameters and all its responses. */
import type { FastifySchema } from 'fastify';
import { type TSchema, Type } from 'typebox';

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly schema: FastifySchema & {
    /** Name of the method in generated clients. */
    readonly operationId: string;
    readonly tags: readonly ['conversion' | 'jobs' | 'webhooks' | 'account' | 'service'];
    readonly summary: string;
    /** What it does, and what the client must do. */
    readonly description: string;
    /** `[]`: no key needed. */
    readonly security: readonly Record<string, readonly string[]>[];
  };
}

/** Requires an API key. */
export const withApiKey = [{ apiKey: [] as string[] }];
/** Needs no key. */
export const withoutKey: Record<string, string[]>[] = [];

/** One of several words. Unlike `Type.Enum` it declares strings, as OpenAPI 3.0 requires. */
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
