/**
 * The error catalogue: every code, and what is said of it. Pages read it as well, so it imports nothing. The guide explains the codes at
 * length, in docs/guide/errors.md.
 */

interface CatalogueEntry {
  /** HTTP status code of the answer. */
  readonly status: number;
  /** The text of the answer, unless the error is raised with a more specific one. */
  readonly message: string;
  /** What has happened, for operators. Undefined where they see no request with the code: it has no key. */
  readonly explanation?: string;
  /** What customers do about it. Undefined where they see no request with the code. */
  readonly advice?: string;
}

export const catalogue = {
  MISSING_AUTH: {
    status: 401,
    message: 'Send your API key in the Authorization header: "Authorization: Bearer svc_…".',
  },
  INVALID_API_KEY: {
    status: 401,
    message: 'This API key is not valid. Check that you copied all of it, and that it has not been revoked.',
  },
  EXPIRED_API_KEY: {
    status: 401,
    message: 'This API key has expired. Ask your operator for a new one.',
    explanation: 'The key is past its expiration date. Create or rotate a key.',
    advice: 'Create or rotate a key.',
  },
  ACCOUNT_SUSPENDED: {
    status: 403,
    message: 'This account is suspended. Ask your operator; its keys work again once it is resumed.',
    explanation: 'The account is suspended, or will be deleted. Resume or restore it on its page.',
    advice: 'Ask your operator why the account is suspended.',
  },
  IP_NOT_ALLOWED: {
    status: 403,
    message: 'This API key may not be used from your address. Ask your operator to allow the address.',
    explanation: 'The request came from an address outside the IP restrictions of the key.',
    advice: 'The address is not among the IP restrictions of the key: add it, or find out who used the key.',
  },
  INSUFFICIENT_PERMISSIONS: {
    status: 403,
    message: 'This API key lacks the permission for this endpoint. Use a key that holds it.',
    explanation: 'The key does not hold the permission that this endpoint needs.',
    advice: 'Use a key with the permission for this endpoint.',
  },
  FEATURE_NOT_IN_PLAN: {
    status: 403,
    message:
      'The request uses an option that your plan lacks. Leave it out, or ask your operator for a plan that has it.',
    explanation: 'The request asked for an option that the plan of the account lacks.',
    advice: 'Leave the option out, or ask your operator for a plan that has it.',
  },
  QUOTA_EXCEEDED: {
    status: 403,
    message: 'The monthly quota of this account is used up.',
    explanation: 'The conversions of the month are used up or reserved. A larger plan helps at once.',
    advice: 'Wait for the next month, or ask your operator for a larger plan.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    message: 'Too many requests. Wait for retryAfter seconds, then retry.',
    explanation: 'A limit of the account or of the address was reached.',
    advice: 'Send requests more slowly, and wait for retryAfter seconds.',
  },
  MISSING_FILE: {
    status: 400,
    message: 'The form has no file. Send the document as the multipart field "file".',
    explanation: 'The form had no part "file".',
    advice: 'Send the document as the field “file” of the form.',
  },
  INVALID_PARAMETER: {
    status: 400,
    message: 'A parameter has a value that is not supported.',
    explanation: 'A parameter had a value that is not supported.',
    advice: 'Correct the parameter that the message names.',
  },
  INVALID_REQUEST: {
    status: 400,
    message: 'The request could not be read. Send a complete multipart/form-data body with a "file" field.',
    explanation: 'The body was not a complete form. Usually the transfer broke off.',
    advice: 'The upload broke off or was malformed. Send it again.',
  },
  INVALID_FILE_TYPE: {
    status: 400,
    message: 'The file is not a DOCX document. Send a Word document (.docx).',
    explanation: 'The file is not a Word document, whatever its name says.',
    advice: 'Send a Word document (DOCX), whatever the name of the file says.',
  },
  FILE_TOO_LARGE: {
    status: 400,
    message: 'The file is larger than this endpoint accepts.',
    explanation: 'The file is larger than the endpoint accepts.',
    advice: 'Make the document smaller, for example by compressing its pictures.',
  },
  CORRUPTED_FILE: {
    status: 400,
    message:
      'The document is damaged and cannot be read. Open it in a word processor, save it again, and retry.',
    explanation: 'The document is damaged, or exceeds a package limit.',
    advice: 'Open the document in a word processor, save it again, and send that.',
  },
  FETCH_FAILED: {
    status: 400,
    message: 'The document could not be fetched from its address. Check the address, or send the document.',
    explanation: 'A document could not be fetched from its address; the customer was told why.',
    advice: 'Check the address of the document, or send the document itself.',
  },
  PASSWORD_PROTECTED: {
    status: 400,
    message: 'The document is protected with a password. Remove the password and send it again.',
    explanation: 'The document is encrypted.',
    advice: 'Send the password, or remove the password from the document.',
  },
  NOT_FOUND: {
    status: 404,
    message: 'There is no such endpoint. GET /v1 lists the endpoints.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message:
      'This endpoint does not support the method. The Allow header lists the methods that it supports.',
  },
  REQUEST_IN_PROGRESS: {
    status: 409,
    message:
      'A request with this Idempotency-Key is still running. Wait for the seconds in the Retry-After header, then retry.',
    explanation: 'Another request with the same Idempotency-Key had not ended.',
    advice: 'Wait for the first request with this Idempotency-Key.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message:
      'Another document was converted with this Idempotency-Key. Use a new key for each document, and the same key only to repeat a request.',
    explanation: 'Another document was converted under the same Idempotency-Key in the last 24 hours.',
    advice: 'Use a new Idempotency-Key for each document.',
  },
  CONVERSION_FAILED: {
    status: 500,
    message: 'The document could not be converted. Simplify it, or contact support with the requestId.',
    explanation: 'The document exhausted its budget, or crashed LibreOffice.',
    advice: 'Simplify the document, or split it. If that does not help, ask your operator.',
  },
  INTERNAL_ERROR: {
    status: 500,
    message:
      'Something went wrong on our side. Retry, and contact support with the requestId if it persists.',
    explanation: 'A bug of the service. Look for the request id in the log.',
    advice: 'Send it again; if that does not help, give the request id to your operator.',
  },
  OVERLOADED: {
    status: 503,
    message: 'The service is busy. Wait for the seconds in the Retry-After header, then retry.',
    explanation: 'There was no place in the queue, or the wait would have been too long. More workers help.',
    advice: 'Send it again after the seconds in the Retry-After header.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'The service is not available now. Wait for the seconds in the Retry-After header, then retry.',
    explanation: 'The service was in maintenance, starting, stopping, or without Redis or its engine.',
    advice: 'Send it again after the seconds in the Retry-After header.',
  },
} as const satisfies Record<string, CatalogueEntry>;

/** A code of the catalogue. */
export type ErrorCode = keyof typeof catalogue;

/** What is said of a code; undefined if it is none. */
export function entryOf(code: string): CatalogueEntry | undefined {
  return Object.hasOwn(catalogue, code) ? catalogue[code as ErrorCode] : undefined;
}
