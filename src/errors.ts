/** The error catalogue: every code, with its HTTP status and public text. */

interface CatalogueEntry {
  /** HTTP status code of the answer. */
  readonly status: number;
  /** Public text, unless the error is raised with a more specific one. */
  readonly message: string;
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
  EXPIRED_API_KEY: { status: 401, message: 'This API key has expired. Ask your operator for a new one.' },
  ACCOUNT_SUSPENDED: {
    status: 403,
    message: 'This account is suspended. Ask your operator; its keys work again once it is resumed.',
  },
  IP_NOT_ALLOWED: {
    status: 403,
    message: 'This API key may not be used from your address. Ask your operator to allow the address.',
  },
  INSUFFICIENT_PERMISSIONS: {
    status: 403,
    message: 'This API key lacks the permission for this endpoint. Use a key that holds it.',
  },
  FEATURE_NOT_IN_PLAN: {
    status: 403,
    message:
      'The request uses an option that your plan lacks. Leave it out, or ask your operator for a plan that has it.',
  },
  QUOTA_EXCEEDED: { status: 403, message: 'The monthly quota of this account is used up.' },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    message: 'Too many requests. Wait for retryAfter seconds, then retry.',
  },
  MISSING_FILE: {
    status: 400,
    message: 'The form has no file. Send the document as the multipart field "file".',
  },
  INVALID_PARAMETER: { status: 400, message: 'A parameter has a value that is not supported.' },
  INVALID_REQUEST: {
    status: 400,
    message: 'The request could not be read. Send a complete multipart/form-data body with a "file" field.',
  },
  INVALID_FILE_TYPE: {
    status: 400,
    message: 'The file is not a DOCX document. Send a Word document (.docx).',
  },
  FILE_TOO_LARGE: { status: 400, message: 'The file is larger than this endpoint accepts.' },
  CORRUPTED_FILE: {
    status: 400,
    message:
      'The document is damaged and cannot be read. Open it in a word processor, save it again, and retry.',
  },
  FETCH_FAILED: {
    status: 400,
    message: 'The document could not be fetched from its address. Check the address, or send the document.',
  },
  PASSWORD_PROTECTED: {
    status: 400,
    message: 'The document is protected with a password. Remove the password and send it again.',
  },
  NOT_FOUND: { status: 404, message: 'There is no such endpoint. GET /v1 lists the endpoints.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message:
      'This endpoint does not support the method. The Allow header lists the methods that it supports.',
  },
  REQUEST_IN_PROGRESS: {
    status: 409,
    message:
      'A request with this Idempotency-Key is still running. Wait for the seconds in the Retry-After header, then retry.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message:
      'Another document was converted with this Idempotency-Key. Use a new key for each document, and the same key ' +
      'only to repeat a request.',
  },
  CONVERSION_FAILED: {
    status: 500,
    message: 'The document could not be converted. Simplify it, or contact support with the requestId.',
  },
  INTERNAL_ERROR: {
    status: 500,
    message:
      'Something went wrong on our side. Retry, and contact support with the requestId if it persists.',
  },
  OVERLOADED: {
    status: 503,
    message: 'The service is busy. Wait for the seconds in the Retry-After header, then retry.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'The service is not available now. Wait for the seconds in the Retry-After header, then retry.',
  },
} as const satisfies Record<string, CatalogueEntry>;

/** A code of the catalogue. */
export type ErrorCode = keyof typeof catalogue;

/** Why the preflight refused a file: for logs and metrics, never for clients. */
export const refusalReasons = [
  'not-a-document',
  'template',
  'macro-enabled',
  'encrypted',
  'damaged',
  'polyglot',
  'overlap',
  'header-mismatch',
  'bad-name',
  'duplicate-name',
  'bad-method',
  'bad-size',
  'bad-crc',
  'main-part',
  'too-many-entries',
  'part-too-large',
  'package-too-large',
  'nesting',
  'attributes',
  'paragraph',
  'styles',
  'data-binding',
  'doctype',
  'encoding',
  'pixels',
  'time',
] as const;

/** One of the reasons of the preflight. */
export type RefusalReason = (typeof refusalReasons)[number];

/** The limit that a request exceeded. */
export const limitReasons = [
  'second',
  'hour',
  'day',
  'month',
  'public-second',
  'public-hour',
  'rotations',
  'jobs',
  'failed-authentication',
  'sign-in',
  'console',
  'event-loop',
  'workspaces',
] as const;

/** One of the limits. */
export type LimitReason = (typeof limitReasons)[number];

/**
 * Why the queue refused: no place, expected wait too long, wait too long, displaced by another sender, displaced as stalled, no
 * place for an upload.
 */
export const overloadReasons = ['full', 'late', 'timeout', 'displaced', 'stalled', 'uploads'] as const;

/** One of the reasons of the queue. */
export type OverloadReason = (typeof overloadReasons)[number];

/**
 * How a document failed in the engine: an exhausted budget, a crash, the memory of either, an unloadable document, a process
 * killed from outside; or that it cannot become a PDF/A.
 */
export const failureReasons = [
  'time',
  'cpu',
  'memory',
  'file',
  'crash',
  'kit',
  'poison',
  'unloadable',
  'killed',
  'unexportable',
  'pdf-picture',
] as const;

/** One of the failures in the engine. */
export type FailureReason = (typeof failureReasons)[number];

/** Why an error was raised, from a small set of words. */
export type Reason = RefusalReason | LimitReason | OverloadReason | FailureReason;

export interface PlatenErrorOptions {
  /** Public text instead of the catalogue's. No path, stack or other customer's data. */
  readonly message?: string;
  /** Seconds after which a retry makes sense; rounded up, at least 1. */
  readonly retryAfter?: number;
  /** For logs and metrics, never for clients. */
  readonly reason?: Reason | undefined;
  /** For the log, never for clients. */
  readonly cause?: unknown;
}

/** A failure with a code of the catalogue. Its `message` is public; its `cause` is for the log. */
export class PlatenError extends Error {
  override readonly name = 'PlatenError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly reason: Reason | undefined;

  /** `OVERLOADED` always has a reason. */
  constructor(code: Exclude<ErrorCode, 'OVERLOADED'>, options?: PlatenErrorOptions);
  constructor(code: ErrorCode, options: PlatenErrorOptions & { readonly reason: Reason });
  constructor(code: ErrorCode, options: PlatenErrorOptions = {}) {
    super(options.message ?? catalogue[code].message, { cause: options.cause });
    this.code = code;
    this.status = catalogue[code].status;
    this.reason = options.reason;
    this.retryAfter =
      options.retryAfter === undefined ? undefined : Math.max(1, Math.ceil(options.retryAfter));
  }
}

/** An error for the operator (configuration, command line, machine), whose message says all they need. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** Something that is named does not exist, or not for who names it. */
export class NotFoundError extends OperatorError {
  /** What it would be, as in "There is no such key." */
  readonly what: string;

  constructor(what: string, id: string) {
    super(`there is no ${what} "${id}"`);
    this.what = what;
  }
}

/** Codes of a temporary shortage: of space, file descriptors or memory. */
const shortages: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM']);

/** Whether a system call failed because of a temporary shortage on this machine. */
export function isShortage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && shortages.has(error.code);
}
