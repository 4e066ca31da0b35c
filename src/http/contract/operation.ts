/** An operation of the API: its path, its parameters and all its responses. */
import type { FastifySchema } from 'fastify';

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
/**
 * Contracts of what a key may do with one subject.
 *
 * @param needs what each of them needs, behind its description.
 */
export function contractsOf<const Tag extends Operation['schema']['tags'][0]>(tag: Tag, needs: string) {
  return <const Schema extends FastifySchema>({
    method,
    path,
    id: operationId,
    says: [summary, what],
    schema,
  }: {
    readonly method: Operation['method'];
    readonly path: string;
    readonly id: string;
    /** The summary, and what it does. */
    readonly says: readonly [string, string];
    readonly schema: Schema;
  }) => {
    const described = { summary, description: `${what} ${needs}` };
    const tags: readonly [Tag] = [tag];
    return { method, path, schema: { operationId, tags, ...described, security: withApiKey, ...schema } };
  };
}
/** Needs no key. */
export const withoutKey: Record<string, string[]>[] = [];
