/**
 * Serialisers of responses. Operations share most of their errors, so each schema is compiled once, and with no more named
 * schemas than it refers to, as the compiler reads them all: once per route would cost half a second. It is compiled for the
 * first response that needs it: most servers never send most of them, and a start need not wait.
 */
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Factories = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;
type BuildSerializer = NonNullable<Factories['buildSerializer']>;
type Compile = ReturnType<BuildSerializer>;
type Serialize = ReturnType<Compile>;

const select: BuildSerializer = SerializerSelector();
/** By the JSON text of the schema and of the named ones, for all applications of the process: a test builds many. */
const compiled = new Map<string, Serialize>();

/**
 * Fastify's `schemaController`; the options of its serialiser are left as they are.
 *
 * @param plain names of schemas whose values are made field by field, and go out as they are: the many alternatives in them
 * would take half a second to compile.
 */
export function sharedSerializers(
  plain: readonly string[] = [],
): NonNullable<FastifyServerOptions['schemaController']> {
  const buildSerializer: BuildSerializer = (named, options) => {
    // Most routes of an application share most of their schemas.
    const known = new Map<string, Serialize>();
    return (route) => {
      const text = JSON.stringify(route.schema);
      const shared = known.get(text);
      if (shared) return shared;
      if (plain.some((name) => text.includes(`"$ref":"${name}#"`))) return JSON.stringify as Serialize;
      let own: Serialize | undefined;
      const serialize: Serialize = (data) => {
        if (!own) {
          const around = referenced(text, named as Named);
          const whole = JSON.stringify([route.schema, around]);
          own = compiled.get(whole) ?? select(around, options)(route);
          compiled.set(whole, own);
        }
        return own(data);
      };
      known.set(text, serialize);
      return serialize;
    };
  };
  return { compilersFactory: { buildSerializer } };
}

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
