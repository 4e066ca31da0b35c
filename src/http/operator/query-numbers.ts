/** Numbers in the query of a request, which arrive as text. */
import type { FastifyInstance } from 'fastify';

const DIGITS = /^\d{1,9}$/;

interface Properties {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
}

/** Has a scope read parameters as numbers where their schema says so. What is no number fails the schema. */
export function readQueryNumbers(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ routeOptions, query }) => {
    const { properties = {} } = (routeOptions.schema?.querystring ?? {}) as Properties;
    const values = query as Record<string, unknown>;
    for (const [name, { type }] of Object.entries(properties)) {
      const value = values[name];
      if (type === 'integer' && typeof value === 'string' && DIGITS.test(value)) values[name] = Number(value);
    }
  });
}
