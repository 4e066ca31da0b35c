/**
 * Serialisers of responses. Operations share most of their errors, so each schema is compiled once, and with no more named
 * schemas than it refers to, as the compiler reads them all: once per route would cost half a second at start.
 */
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Factories = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;
type BuildSerializer = NonNullable<Factories['buildSerializer']>;
type Compile = ReturnType<BuildSerializer>;

const select: BuildSerializer = SerializerSelector();
/** By the JSON text of the schema and of the named ones, for all applications of the process: a test builds many. */
const compiled = new Map<string, ReturnType<Compile>>();

const buildSerializer: BuildSerializer = (named, options) => {
  // Most routes of an application share most of their schemas.
  const known = new Map<string, ReturnType<Compile>>();
  return (route) => {
    const text = JSON.stringify(route.schema);
    let serialize = known.get(text);
    if (serialize) return serialize;
    const around = referenced(text, named as Named);
    const whole = JSON.stringify([route.schema, around]);
    serialize = compiled.get(whole) ?? select(around, options)(route);
    known.set(text, serialize);
    compiled.set(whole, serialize);
    return serialize;
  };
};

/** Fastify's `schemaController`; the options of its serialiser are left as they are. */
export const sharedSerializers: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: { buildSerializer },
};

type Named = Record<string, unknown>;

/** The named schemas that the JSON text of a schema refers to, and those that they refer to. */
function referenced(text: string, named: Named, found: Named = {}): Named {
  for (const [, name = ''] of text.matchAll(/"\$ref":"([^"#]+)#/g)) {
    if (name in found) continue;
    found[name] = named[name];
    referenced(JSON.stringify(named[name]), named, found);
  }
  return found;
}
