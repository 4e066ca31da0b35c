/**
 * Serialisers of responses. Operations share most of their errors, so each schema is compiled once: once per route would cost
 * half a second at start.
 */
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Factories = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;
type BuildSerializer = NonNullable<Factories['buildSerializer']>;
type Compile = ReturnType<BuildSerializer>;

/** Fastify's `schemaController` for one application; named schemas are the same in all scopes. */
export function sharedSerializers(): NonNullable<FastifyServerOptions['schemaController']> {
  const compiled = new Map<string, ReturnType<Compile>>();
  const select: BuildSerializer = SerializerSelector();
  const buildSerializer: BuildSerializer = (named, options) => {
    const compile = select(named, options);
    return (route) => {
      const text = JSON.stringify(route.schema);
      const known = compiled.get(text);
      if (known) return known;
      const serialize = compile(route);
      compiled.set(text, serialize);
      return serialize;
    };
  };
  return { compilersFactory: { buildSerializer } };
}
