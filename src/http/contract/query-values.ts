/** Numbers and truth values in the query of a request, which arrive as text. */
import type { FastifyInstance } from 'fastify';

const DIGITS = /^\d{1,9}$/;

interface Properties {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
}

/** Has a scope read parameters by the types of their schemas. What has another form stays text, and fails the schema. */
export function readQueryValues(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ routeOptions, query }) => {
    const { properties = {} } = (routeOptions.schema?.querystring ?? {}) as Properties;
    const values = query as Record<string, unknown>;
    for (const [name, { type }] of Object.entries(properties)) {
      const value = values[name];
      if (type === 'integer' && typeof value === 'string' && DIGITS.test(value)) values[name] = Number(value);
      if (type === 'boolean' && (value === 'true' || value === 'false')) values[name] = value === 'true';
    }
  });
}
