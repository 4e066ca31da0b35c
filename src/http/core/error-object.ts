/** The body of every error. */
import { STATUS_CODES } from 'node:http';
import { type Static, Type } from 'typebox';
import { catalogue, type ErrorCode, type PlatenError } from '../../errors.ts';

export const ErrorObject = Type.Object(
  {
    code: Type.Enum(Object.keys(catalogue) as ErrorCode[], {
      type: 'string',
      description:
        'What happened, for programs: decide by it. Codes may be added; take an unknown one by its status.',
    }),
    error: Type.String({ description: 'The text of the HTTP status.' }),
    message: Type.String({ description: 'For people: what happened and what to do next. It may change.' }),
    requestId: Type.String({ description: 'As the header X-Request-Id. Quote it when you ask support.' }),
    timestamp: Type.String({ format: 'date-time', description: 'When it was answered, UTC.' }),
    retryAfter: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Seconds to wait before you retry. With status 429 only.' }),
    ),
  },
  { $id: 'ErrorObject', description: 'Every error has this body.' },
);

export type ErrorObject = Static<typeof ErrorObject>;

/** Default `Retry-After` in seconds, by status. */
export const defaultRetryAfter: Readonly<Record<number, number>> = { 409: 2, 429: 5, 503: 5 };

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorObject;
}

/** The whole answer to an error. */
export function errorAnswer(error: PlatenError, requestId: string): ErrorAnswer {
  const { status } = error;
  const fallback = defaultRetryAfter[status];
  const retryAfter = fallback === undefined ? undefined : (error.retryAfter ?? fallback);
  const headers: Record<string, string> = {};
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (retryAfter !== undefined) headers['retry-after'] = `${retryAfter}`;
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
