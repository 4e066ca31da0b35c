/** The one body that every error answers with. */
import { STATUS_CODES } from 'node:http';
import { type Static, Type } from 'typebox';
import { catalogue, type ErrorCode, type PlatenError } from '../errors.ts';

export const ErrorObject = Type.Object(
  {
    code: Type.Enum(Object.keys(catalogue) as ErrorCode[], {
      description: 'Stable, for programs. See the error catalogue.',
    }),
    error: Type.String({ description: 'The text of the HTTP status.' }),
    message: Type.String({ description: 'For people: what happened and what to do next.' }),
    requestId: Type.String({ description: 'The same as the X-Request-Id header; quote it to support.' }),
    timestamp: Type.String({ format: 'date-time', description: 'UTC.' }),
    retryAfter: Type.Optional(Type.Integer({ minimum: 1, description: 'Seconds to wait; with status 429.' })),
  },
  { description: 'Every error has this shape.' },
);

export type ErrorObject = Static<typeof ErrorObject>;

/** Seconds a client waits after a 503 that has no better answer. */
export const DEFAULT_RETRY_AFTER = 5;

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorObject;
}

/** The whole answer to an error. */
export function errorAnswer(error: PlatenError, requestId: string): ErrorAnswer {
  const { status } = error;
  const retryAfter = error.retryAfter ?? (status === 429 || status === 503 ? DEFAULT_RETRY_AFTER : undefined);
  const headers: Record<string, string> = {};
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (retryAfter !== undefined && (status === 429 || status === 503))
    headers['retry-after'] = `${retryAfter}`;
  return {
    status,
    headers,
    body: {
      code: error.code,
      error: STATUS_CODES[status] ?? 'Error',
      message: error.message,
      requestId,
      timestamp: new Date().toISOString(),
      ...(status === 429 && retryAfter !== undefined ? { retryAfter } : {}),
    },
  };
}
