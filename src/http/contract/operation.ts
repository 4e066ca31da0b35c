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
/** Needs no key. */
export const withoutKey: Record<string, string[]>[] = [];
