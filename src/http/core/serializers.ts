/**
 * Serialisers of responses. Operations share most of their errors, so each schema is compiled once, and with no more named
 * schemas than it refers to, as the compiler reads them all: once per route would cost half a second at start.
 */
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Factories = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;
type BuildSerializer = NonNullable<Factories['buildSerializer']>;
type Compile = ReturnType<BuildSerializer>;

/**
 * Fastify's `schemaController` for one application; named schemas are the same in all scopes.
 *
 * @param plain names of schemas whose values are made field by field, and go out as they are: the many alternatives in them
 * would take half a second to compile.
 */
export function sharedSerializers(
  plain: readonly string[] = [],
): NonNullable<FastifyServerOptions['schemaController']> {
  const compiled = new Map<string, ReturnType<Compile>>();
  const select: BuildSerializer = SerializerSelector();
  const buildSerializer: BuildSerializer = (named, options) => {
    return (route) => {
      const text = JSON.stringify(route.schema);
      const known = compiled.get(text);
      if (known) return known;
      const isPlain = plain.some((name) => text.includes(`"$ref":"${name}#"`));
      const serialize = isPlain
        ? (JSON.stringify as ReturnType<Compile>)
        : select(referenced(text, named as Named), options)(route);
      compiled.set(text, serialize);
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
