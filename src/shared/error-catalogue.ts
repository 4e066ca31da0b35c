/**
 * The error catalogue: every code, and all that is said of it. The guide's page about errors is made from it (`npm run openapi`), and
 * the pages of the browser read it as well, so it imports nothing.
 */

/** Texts are Markdown, and their links are those of a page of the guide. */
export interface CatalogueEntry {
  /** HTTP status code of the answer. */
  readonly status: number;
  /** Statuses that say more, of answers to what was no whole request. */
  readonly otherStatuses?: readonly number[];
  /** Whether the same request can succeed later, unless the status says it. */
  readonly retry?: string;
  /** The text of the answer, unless the error is raised with a more specific one. Plain text. */
  readonly message: string;
  /** What has happened, for everybody: operators read it, and the guide begins with it. */
  readonly cause: string;
  /** What else the guide says of the cause. */
  readonly details?: string;
  /** What callers do about it. */
  readonly advice: string;
  /** What operators do about it. */
  readonly operators?: string;
}

/** By section of the guide, in its order. */
export const sections = {
  'The address': {
    NOT_FOUND: {
      status: 404,
      message: 'There is no such endpoint. GET /v1 lists the endpoints.',
      cause:
        'There is no such endpoint; often `/v1` is missing, or there is a trailing slash. For `GET ' +
        '/v1/conversions/{requestId}`: your account has [no such conversion](warnings.md#in-full-as-json).',
      advice: "Compare the path with `GET /v1`, or the id with the conversion's `X-Request-Id`.",
    },
    METHOD_NOT_ALLOWED: {
      status: 405,
      message:
        'This endpoint does not support the method. The Allow header lists the methods that it supports.',
      cause:
        'The endpoint does not support this method. HTTP libraries that follow a redirect from `http:` to ' +
        '`https:` turn `POST` into `GET`.',
      advice: 'Use a method of the header `Allow`, and the final `https:` address.',
    },
  },
  'The key': {
    MISSING_AUTH: {
      status: 401,
      message: 'Send your API key in the Authorization header: "Authorization: Bearer svc_…".',
      cause: 'The request has no `Authorization` header.',
      advice:
        'Send `Authorization: Bearer svc_…`. If you do, a proxy or a redirect to another host may have ' +
        'dropped it.',
    },
    INVALID_API_KEY: {
      status: 401,
      message:
        'This API key is not valid. Check that you copied all of it, and that it has not been revoked.',
      cause: 'The header is not `Bearer` and a key, or the key is incomplete, unknown or revoked.',
      advice:
        "Trim white space. Compare the key's last four characters with the list in [the " +
        'console](console.md).',
    },
    EXPIRED_API_KEY: {
      status: 401,
      message: 'This API key has expired. Ask your operator for a new one.',
      cause: 'The key expired, or the overlap after its rotation is over.',
      advice: 'Use its successor, or [make a key](keys.md).',
    },
    ACCOUNT_SUSPENDED: {
      status: 403,
      message: 'This account is suspended. Ask your operator; its keys work again once it is resumed.',
      cause: 'The account is suspended, or will be deleted.',
      details:
        '[Jobs](jobs.md) wait; their results expire as usual. In [the console](console.md#roles), members ' +
        'may read and export only.',
      advice: 'Ask your operator why the account is suspended.',
      operators: 'Resume or restore it on its page.',
    },
    IP_NOT_ALLOWED: {
      status: 403,
      message: 'This API key may not be used from your address. Ask your operator to allow the address.',
      cause: 'The key works from certain addresses only, and the request came from another.',
      details: 'The message names yours; often it is a new NAT gateway, or IPv6.',
      advice:
        'Send from an allowed address, or allow this one in [the console](console.md). If it is not yours, ' +
        'find out who used the key.',
    },
    ORIGIN_NOT_ALLOWED: {
      status: 403,
      message:
        'This API key may not be used by pages of this origin. Add the origin to the key, or send the request from a server.',
      cause: 'A page of a browser sent the request, and its origin is not one of the key.',
      details:
        'The message names the origin. Only `pk` keys [have origins](browser.md); an `sk` key works in no page. Browsers ' +
        'hide this answer from the page.',
      advice:
        'Add the origin to the `pk` key in [the console](console.md). If your server passes on requests of browsers, ' +
        'leave out their header `Origin`.',
    },
    INSUFFICIENT_PERMISSIONS: {
      status: 403,
      message: 'This API key lacks the permission for this endpoint. Use a key that holds it.',
      cause: 'The key lacks the permission of the endpoint.',
      details:
        'Permissions are `convert`, `jobs`, `webhooks`, `usage` and `rotate`. On a rotation also: the ' +
        "key's [successor was used already](keys.md#the-answer-got-lost).",
      advice: 'Use a key that has the permission.',
    },
  },
  Limits: {
    RATE_LIMIT_EXCEEDED: {
      status: 429,
      message: 'Too many requests. Wait for retryAfter seconds, then retry.',
      cause: 'A limit of the account or of the address was reached.',
      details:
        'The message says which:\n' +
        '\n' +
        '- a [window](limits.md#windows) of your plan;\n' +
        '- invalid or expired keys from your address, 300 a minute by default; valid keys still work;\n' +
        "- [rotations](keys.md#replace-a-key-without-downtime) of your account's keys, 100 a day;\n" +
        '- open [jobs](jobs.md) of your plan.',
      advice:
        '[Wait](retries.md#how-long-to-wait-between-attempts) for the seconds of `Retry-After`; a full day ' +
        'can take hours. If it happens often, spread the work or ask for a higher plan.',
    },
    QUOTA_EXCEEDED: {
      status: 403,
      message: 'The monthly quota of this account is used up.',
      cause: "The month's conversions are used up, or reserved by running ones.",
      advice:
        'Ask your operator for a higher plan, or wait until [the quota](limits.md#the-monthly-quota) ' +
        'renews: the message says when.',
      operators: 'A larger plan helps at once.',
    },
    FEATURE_NOT_IN_PLAN: {
      status: 403,
      message:
        'The request uses an option that your plan lacks. Leave it out, or ask your operator for a plan that has it.',
      cause: 'The plan lacks an [option](options.md) of the request, or the option needs a key.',
      details: 'The message names it.',
      advice: 'Leave the option out, or ask your operator for a plan that has it.',
    },
  },
  'The request': {
    INVALID_PARAMETER: {
      status: 400,
      message: 'A parameter has a value that is not supported.',
      cause:
        'A query parameter, form field or JSON field is unknown or has an invalid value, or ' +
        '[options](options.md#what-cannot-be-combined) exclude each other.',
      advice: 'Correct what the message names.',
    },
    INVALID_REQUEST: {
      status: 400,
      otherStatuses: [408, 431],
      retry: '408 only',
      message: 'The request could not be read. Send a complete multipart/form-data body with a "file" field.',
      cause: 'The request could not be read; usually the transfer broke off.',
      details:
        'Or there was no form, a malformed or incomplete one, two documents, more than ten attachments, ' +
        'too many fields, a part header of over 16 kB, a compressed body. 408: it took too long to arrive. ' +
        '431: its header is too large.',
      advice:
        'Let your HTTP library build the form and set `Content-Type`, with its `boundary`. With 408, check ' +
        "your upload's speed.",
    },
    MISSING_FILE: {
      status: 400,
      message: 'The form has no file. Send the document as the multipart field "file".',
      cause: 'The form has no file in the field `file`.',
      advice: 'Send the document in that field, with a file name: without one it is text.',
    },
    REQUEST_IN_PROGRESS: {
      status: 409,
      message:
        'A request with this Idempotency-Key is still running. Wait for the seconds in the Retry-After header, then retry.',
      cause: 'A request with the same `Idempotency-Key` is still running.',
      details:
        'Your client gave up [too early](retries.md#how-long-to-wait-for-an-answer), or two programs work ' +
        'on the same document. Or a file of a [job](jobs.md) is not converted yet.',
      advice: 'Wait, then send the same request. After a server crash, the key is free within ten seconds.',
    },
    IDEMPOTENCY_KEY_REUSED: {
      status: 422,
      message:
        'Another document was converted with this Idempotency-Key. Use a new key for each document, and the same key only to repeat a request.',
      cause: 'Another document came with this `Idempotency-Key` in the last 24 hours.',
      advice:
        'Use [one key per document](retries.md#retry-without-paying-twice), and a new one when it changes.',
    },
  },
  'The document': {
    FILE_TOO_LARGE: {
      status: 400,
      message: 'The file is larger than this endpoint accepts.',
      cause: 'The file is larger than the endpoint accepts.',
      details: '`limits.maxFileBytes` of `GET /v1` has the limit: 25 MB, or 5 MB without a key, by default.',
      advice: "Compress the document's pictures.",
    },
    INVALID_FILE_TYPE: {
      status: 400,
      message: 'The file is not a DOCX document. Send a Word document (.docx).',
      cause: 'The content is not a DOCX, whatever its name.',
      details:
        'The message says what it is: `.doc`, `.odt`, a PDF, an empty file, or a template or macro-enabled ' +
        'document, if your operator does not accept these (`accepts` in `GET /v1`).',
      advice: 'Ask the author for a `.docx`.',
    },
    CORRUPTED_FILE: {
      status: 400,
      message:
        'The document is damaged and cannot be read. Open it in a word processor, save it again, and retry.',
      cause:
        'The DOCX is damaged, exceeds a [package limit](documents.md#package-limits), takes too long to ' +
        'read, or the engine cannot read it.',
      details:
        'The message says so. It is damaged if the transfer broke, or the program that wrote it has a bug. ' +
        'One that took too long is refused at once for ten minutes.',
      advice:
        'Open it in a word processor and save it again; simplify it if the message names a limit. If your ' +
        'own program writes it, try it in Word.',
    },
    PASSWORD_PROTECTED: {
      status: 400,
      message: 'The document is protected with a password. Remove the password and send it again.',
      cause: 'The document is encrypted, and [`password`](options.md#passwords) is missing or wrong.',
      advice:
        'Send the form field `password`, which needs a key, or ask for the document without a password.',
    },
    FETCH_FAILED: {
      status: 400,
      message: 'The document could not be fetched from its address. Check the address, or send the document.',
      cause: 'A document of a [job by URL](jobs.md#by-url) could not be fetched; the message says why.',
      details: 'A host that was away or busy was asked three times.',
      advice: 'Check that the address answers 200 without a redirect, from the public Internet.',
    },
  },
  'The service': {
    CONVERSION_FAILED: {
      status: 500,
      message: 'The document could not be converted. Simplify it, or contact support with the requestId.',
      cause: 'The document crashed the engine, or exhausted its time or memory.',
      details:
        'For ten minutes (by default), the same file is refused at once. Or a file of a [job](jobs.md) ' +
        'broke off three times, as its servers died under it. Or you asked for `pdfa`, and the document ' +
        'shows a PDF as a picture. Or `failOn` refuses the PDF: then the body has its ' +
        '[`warnings`](warnings.md#no-pdf-rather-than-a-loss), and nothing is remembered.',
      advice: 'Simplify the document: fewer nested tables, smaller pictures, several parts. Or ask support.',
    },
    INTERNAL_ERROR: {
      status: 500,
      retry: 'yes, a few times',
      message:
        'Something went wrong on our side. Retry, and contact support with the requestId if it persists.',
      cause: 'A bug of the service.',
      advice: 'Retry with back-off. If it persists, ask support, with the `requestId`.',
      operators: 'Look for the request id in the log.',
    },
    OVERLOADED: {
      status: 503,
      message: 'The service is busy. Wait for the seconds in the Retry-After header, then retry.',
      cause: 'The queue is full, or the document would wait too long.',
      details:
        'Or your upload stalled (under 500 bytes a second), or the server lacks CPU time. Senders with the ' +
        'most requests at a time are refused first.',
      advice: 'Wait for the seconds of `Retry-After`, and send fewer documents at a time.',
      operators: 'More workers help.',
    },
    SERVICE_UNAVAILABLE: {
      status: 503,
      message:
        'The service is not available now. Wait for the seconds in the Retry-After header, then retry.',
      cause:
        'The service starts, stops, is in maintenance, cannot reach its Redis or its engine, or lacks ' +
        'memory.',
      details: 'While it stops, it ends uploads that stall for five seconds.',
      advice:
        'Wait for the seconds of `Retry-After`. `GET /v1/health` answers 200 when a conversion would ' +
        'succeed.',
    },
  },
} as const satisfies Record<string, Record<string, CatalogueEntry>>;

/** All entries, by code. */
export const catalogue = {
  ...sections['The address'],
  ...sections['The key'],
  ...sections.Limits,
  ...sections['The request'],
  ...sections['The document'],
  ...sections['The service'],
};

/** A code of the catalogue. */
export type ErrorCode = keyof typeof catalogue;

/** What is said of a code; undefined if it is none. */
export function entryOf(code: string): CatalogueEntry | undefined {
  return Object.hasOwn(catalogue, code) ? catalogue[code as ErrorCode] : undefined;
}

/** A text of the catalogue without its links and code, for a page that has neither. */
export function plainText(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '');
}
