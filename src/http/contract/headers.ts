/** Headers of responses, as the OpenAPI document describes them. */

/** The schema of a header, and whether every response that lists it sends it. */
interface ResponseHeader {
  readonly type: 'string' | 'integer';
  readonly description: string;
  readonly required?: true;
  readonly [keyword: string]: unknown;
}

/** Headers by name. */
export type ResponseHeaders = Readonly<Record<string, ResponseHeader>>;

/** Headers of every response. */
export const requestIdHeader = {
  'X-Request-Id': {
    type: 'string',
    required: true,
    pattern: '^req_[0-9a-f]{32}$',
    description: 'Id of this request. Log it, and quote it when you ask support.',
    example: 'req_0123456789abcdef0123456789abcdef',
  },
} as const satisfies ResponseHeaders;

/** Headers of every response to a known key, unless its plan has no limited window. */
export const rateLimitHeaders = {
  'X-RateLimit-Limit': {
    type: 'integer',
    minimum: 0,
    description:
      'Limit of the rate window with the fewest requests left. Sent to a key, unless its plan has no windows.',
    example: 1000,
  },
  'X-RateLimit-Remaining': {
    type: 'integer',
    minimum: 0,
    description: 'Requests left in that window. At 0, wait until X-RateLimit-Reset.',
    example: 998,
  },
  'X-RateLimit-Reset': {
    type: 'integer',
    format: 'int64',
    minimum: 0,
    description: 'When that window ends, in Unix seconds.',
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
      'The rate window with the fewest requests left: name, requests left, seconds until it ends ' +
      '(draft-ietf-httpapi-ratelimit-headers-11).',
    example: '"hour";r=998;t=1234',
  },
} as const satisfies ResponseHeaders;

const retryAfter = {
  'Retry-After': {
    type: 'integer',
    required: true,
    minimum: 1,
    description: 'Seconds to wait before a retry.',
    example: 5,
  },
} as const satisfies ResponseHeaders;

/** Headers of responses by status, for all operations. */
export const headersByStatus: Readonly<Record<number, ResponseHeaders>> = {
  401: {
    'WWW-Authenticate': {
      type: 'string',
      required: true,
      description: 'The required scheme of the Authorization header.',
      example: 'Bearer',
    },
  },
  405: {
    Allow: {
      type: 'string',
      required: true,
      description: 'The methods of the path.',
      example: 'GET, HEAD',
    },
  },
  409: retryAfter,
  429: retryAfter,
  503: retryAfter,
};

/** Of a success that repeats another by its `Idempotency-Key`. */
export const replayHeader = {
  'Idempotent-Replayed': {
    type: 'string',
    enum: ['true'],
    description:
      'The request repeats an earlier one with the same Idempotency-Key, and is not billed. Not sent otherwise.',
    example: 'true',
  },
} as const satisfies ResponseHeaders;

/** Headers of a PDF, or of the picture of a page. */
export const pdfHeaders = {
  'Content-Length': {
    type: 'integer',
    format: 'int64',
    required: true,
    minimum: 1,
    description: 'Size of the body, in bytes. A shorter one is incomplete.',
    example: 37_982,
  },
  'Content-Disposition': {
    type: 'string',
    required: true,
    description: 'The name of the upload, with the extension .pdf, or .png (RFC 6266).',
    example: 'attachment; filename="report.pdf"',
  },
  'Repr-Digest': {
    type: 'string',
    required: true,
    pattern: '^sha-256=:[A-Za-z0-9+/]{43}=:$',
    description: 'SHA-256 of the body (RFC 9530).',
    example: 'sha-256=:+MQ+UlJ8OIeWinWbGhvylIqkYHUIDJUCihGOy8WrocQ=:',
  },
  'X-Conversion-Pages': {
    type: 'integer',
    required: true,
    minimum: 1,
    description: 'Number of pages of the PDF, also of the one that a picture is of.',
    example: 3,
  },
  'X-Conversion-Warnings': {
    type: 'string',
    maxLength: 2_048,
    description:
      'Where the PDF may differ from what its author expects, as a List of Tokens with Parameters (RFC 9651). Not sent ' +
      'without warnings. Codes: `TEXT_MISSING`, `CONTENT_OMITTED`, `GLYPHS_MISSING`, `PAGE_COUNT_DIFFERS`, `UNTAGGED`, ' +
      '`EXTERNAL_CONTENT_OMITTED`, `NONCONFORMING`, `TRACKED_CHANGES_APPLIED`, `TRACKED_CHANGES_OMITTED`, `COMMENTS_OMITTED`, ' +
      '`FONT_SUBSTITUTED`; `MORE_WARNINGS` if not all fit. More may be added. With a key, `GET /v1/conversions/{requestId}` has all of them.',
    example: 'PAGE_COUNT_DIFFERS;pages=4;word-pages=3, FONT_SUBSTITUTED;font="Garamond";by="Platen Garamond"',
  },
  'X-Conversion-Conformance': {
    type: 'string',
    description:
      'Whether the PDF keeps the standards of `pdfa` and `pdfua`, as a List of Tokens with Parameters (RFC 9651): `verdict` is `pass`, ' +
      '`fail` or `unchecked`, `failures` their number, with `more` if there are more. Not sent without them.',
    example: 'PDF/A-2b;verdict=pass, PDF/UA-1;verdict=fail;failures=3',
  },
  'Server-Timing': {
    type: 'string',
    required: true,
    description: 'Milliseconds of the phases `upload`, `queue` and `convert`.',
    example: 'upload;dur=4.1, queue;dur=0.2, convert;dur=38.9',
  },
} as const satisfies ResponseHeaders;

/** Headers of a job that was taken. */
export const takenHeaders = {
  Location: {
    type: 'string',
    required: true,
    description: 'The path of the job.',
    example: '/v1/jobs/job_019a3c5f2b7e0123456789abcdef0123',
  },
  ...retryAfter,
  ...replayHeader,
} as const satisfies ResponseHeaders;

/** Headers of a PDF that a job made. */
export const resultHeaders = {
  'Content-Length': pdfHeaders['Content-Length'],
  'Content-Disposition': pdfHeaders['Content-Disposition'],
  'Repr-Digest': pdfHeaders['Repr-Digest'],
  'X-Conversion-Pages': pdfHeaders['X-Conversion-Pages'],
  'X-Conversion-Conformance': pdfHeaders['X-Conversion-Conformance'],
} as const satisfies ResponseHeaders;

export function dispositionHeader(example: string) {
  return {
    'Content-Disposition': {
      type: 'string',
      required: true,
      description: 'A name for it (RFC 6266).',
      example,
    },
  } as const satisfies ResponseHeaders;
}

/** Says that an answer is a job because its client prefers that. */
export const preferenceHeader = {
  'Preference-Applied': {
    type: 'string',
    required: true,
    description: 'The preference that was followed (RFC 7240).',
    example: 'respond-async, wait=10',
  },
} as const satisfies ResponseHeaders;
