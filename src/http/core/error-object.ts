/** The body of every error. */
import { STATUS_CODES } from 'node:http';
import { type Static, Type } from 'typebox';
import { RefusedPdf } from '../../convert/report/accepted.ts';
import { catalogue, type ErrorCode, type PlatenError } from '../../errors.ts';
import { warningSchema } from '../../operations/warning-schema.ts';

export const ErrorObject = Type.Object(
  {
    code: Type.Enum(Object.keys(catalogue) as ErrorCode[], {
      type: 'string',
      description:
        'What happened. Decide by this code. Codes may be added; treat an unknown code by its status.',
    }),
    error: Type.String({ description: 'The text of the HTTP status.' }),
    message: Type.String({
      description: 'What happened and what to do next, for people. The text may change.',
    }),
    requestId: Type.String({
      description: 'The value of the header X-Request-Id. Quote it when you ask support.',
    }),
    timestamp: Type.String({ format: 'date-time', description: 'Time of the answer, UTC.' }),
    retryAfter: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Seconds to wait before a retry. With status 429 only.' }),
    ),
    file: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Of `POST /v1/combine`: the part `file` that it is about, counted from 0, as in `files[0]`. Left out if it is about none or all.',
      }),
    ),
    fileName: Type.Optional(
      Type.String({ description: 'The file name of that part. Left out if it has none.' }),
    ),
    warnings: Type.Optional(
      Type.Array(warningSchema, {
        description:
          'The warnings for which `failOn` refused the PDF. Only with the code `CONVERSION_FAILED`.',
      }),
    ),
  },
  { $id: 'ErrorObject', description: 'Every error has this body.' },
);

export type ErrorObject = Static<typeof ErrorObject>;

/** Default `Retry-After` in seconds, by status. */
export const defaultRetryAfter: Readonly<Record<number, number>> = { 409: 2, 429: 5, 503: 5 };

interface ErrorAnswer {
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
      ...(error.file && {
        file: error.file.index,
        ...(error.file.name !== null && { fileName: error.file.name }),
      }),
      ...(status === 429 && retryAfter !== undefined && { retryAfter }),
      ...(error instanceof RefusedPdf && { warnings: error.warnings }),
    },
  };
}
