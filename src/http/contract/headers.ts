/** Headers of responses, as the OpenAPI document describes them. */

/** The schema of a header, and whether each response that lists it has it. */
export interface ResponseHeader {
  readonly type: 'string' | 'integer';
  readonly description: string;
  readonly required?: true;
  readonly [keyword: string]: unknown;
}

/** Headers by name. */
export type ResponseHeaders = Readonly<Record<string, ResponseHeader>>;

/** Every response. */
export const requestIdHeader = {
  'X-Request-Id': {
    type: 'string',
    required: true,
    pattern: '^req_[0-9a-f]{32}$',
    description: 'Names this request. Log it, and quote it when you ask support.',
    example: 'req_0123456789abcdef0123456789abcdef',
  },
} as const satisfies ResponseHeaders;

/** Every response to a key, unless no window of its plan is limited. */
export const rateLimitHeaders = {
  'X-RateLimit-Limit': {
    type: 'integer',
    minimum: 0,
    description:
      'How many requests the rate window with the least left takes. Not sent where the plan has no windows.',
    example: 1000,
  },
  'X-RateLimit-Remaining': {
    type: 'integer',
    minimum: 0,
    description: 'How many requests that window has left. At 0, wait until X-RateLimit-Reset.',
    example: 998,
  },
  'X-RateLimit-Reset': {
    type: 'integer',
    format: 'int64',
    minimum: 0,
    description: 'When that window ends and is full again, in Unix seconds.',
    example: 1_798_761_600,
  },
  'RateLimit-Policy': {
    type: 'string',
    description:
      'All rate windows: name, quota and length in seconds (draft-ietf-httpapi-ratelimit-headers-11).',
    example: '"second";q=100;w=1, "hour";q=1000;w=3600, "day";q=10000;w=86400',
  },
  RateLimit: {
    type: 'string',
    description:
      'The rate window with the least left: name, requests left, seconds until it ends ' +
      '(draft-ietf-httpapi-ratelimit-headers-11).',
    example: '"hour";r=998;t=1234',
  },
} as const satisfies ResponseHeaders;

const retryAfter = {
  'Retry-After': {
    type: 'integer',
    required: true,
    minimum: 1,
    description: 'Wait for so many seconds before you retry.',
    example: 5,
  },
} as const satisfies ResponseHeaders;

/** What the responses of a status have, whatever the operation. */
export const headersByStatus: Readonly<Record<number, ResponseHeaders>> = {
  401: {
    'WWW-Authenticate': {
      type: 'string',
      required: true,
      description: 'The scheme of the Authorization header that is wanted.',
      example: 'Bearer',
    },
  },
  405: {
    Allow: {
      type: 'string',
      required: true,
      description: 'The methods that the path has.',
      example: 'GET, HEAD',
    },
  },
  409: retryAfter,
  429: retryAfter,
  503: retryAfter,
};

/** A delivered PDF. */
export const pdfHeaders = {
  'Content-Length': {
    type: 'integer',
    format: 'int64',
    required: true,
    minimum: 1,
    description: 'Size of the PDF, in bytes. A body that is shorter broke off.',
    example: 37_982,
  },
  'Content-Disposition': {
    type: 'string',
    required: true,
    description: 'The name of the upload, with the extension .pdf (RFC 6266).',
    example: 'attachment; filename="report.pdf"',
  },
  'X-Conversion-Pages': {
    type: 'integer',
    required: true,
    minimum: 1,
    description: 'Number of pages of the PDF.',
    example: 3,
  },
  'X-Conversion-Warnings': {
    type: 'string',
    maxLength: 2_048,
    description:
      'What the PDF may have that its author does not expect, as a List of Tokens with Parameters (RFC 9651). Not sent ' +
      'where there is nothing to say. Codes: `GLYPHS_MISSING`, `PAGE_COUNT_DIFFERS`, `UNTAGGED`, ' +
      '`EXTERNAL_CONTENT_OMITTED`, `TRACKED_CHANGES_APPLIED`, `COMMENTS_OMITTED`, `FONT_SUBSTITUTED`; `MORE_WARNINGS` where not all fit. More may ' +
      'be added. With a key, `GET /v1/conversions/{requestId}` has all of them.',
    example: 'PAGE_COUNT_DIFFERS;pages=4;word-pages=3, FONT_SUBSTITUTED;font="Garamond";by="Platen Garamond"',
  },
  'Server-Timing': {
    type: 'string',
    required: true,
    description: 'Milliseconds of the phases `upload`, `queue` and `convert`.',
    example: 'upload;dur=4.1, queue;dur=0.2, convert;dur=38.9',
  },
} as const satisfies ResponseHeaders;
