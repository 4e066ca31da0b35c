/** POST /v1/convert and POST /v1/public/convert: a DOCX in, its PDF out. */
import { Type } from 'typebox';
import type { ErrorCode } from '../../errors.ts';
import { words } from '../../operations/schema.ts';
import { formats } from '../../shared/options/conversion-options.ts';
import { IDEMPOTENCY_KEY_PATTERN } from '../access/idempotency-key.ts';
import { simulations } from '../access/simulation.ts';
import {
  pdfHeaders,
  preferenceHeader,
  rateLimitHeaders,
  replayHeader,
  requestIdHeader,
  takenHeaders,
} from '../contract/headers.ts';
import { type Operation, withApiKey, withoutKey } from '../contract/operation.ts';
import { CONVERSION, errorResponses, jsonResponse, keyErrors } from '../contract/responses.ts';
import { MAX_ATTACHMENTS } from './attachment-parts.ts';
import { Job, jobExample } from './job-body.ts';
import { options, publicOptions } from './options.contract.ts';

const description =
  'Send a Word document (.docx) as the field `file` of a multipart form. The answer is the whole PDF, in the same ' +
  'response; the service keeps neither. The content of the file decides what it is, not its name or type.\n\n' +
  'Check the status before you store the body: errors are JSON. Wait up to 180 seconds for the answer; what to ' +
  'retry, and when, stands at the top.';

/**
 * Errors of a document, its upload and its conversion: one type for clients. FETCH_FAILED, of a job by URL, can only be simulated
 * here.
 */
const conversionErrors = [
  'MISSING_FILE',
  'INVALID_PARAMETER',
  'INVALID_REQUEST',
  'INVALID_FILE_TYPE',
  'FILE_TOO_LARGE',
  'CORRUPTED_FILE',
  'FETCH_FAILED',
  'PASSWORD_PROTECTED',
  'RATE_LIMIT_EXCEEDED',
  'CONVERSION_FAILED',
  'INTERNAL_ERROR',
  'OVERLOADED',
  'SERVICE_UNAVAILABLE',
] as const satisfies ErrorCode[];

/** Of operations that convert with a key. */
export const keyedErrors = errorResponses(
  CONVERSION,
  [
    ...keyErrors,
    'FEATURE_NOT_IN_PLAN',
    'QUOTA_EXCEEDED',
    'REQUEST_IN_PROGRESS',
    'IDEMPOTENCY_KEY_REUSED',
    ...conversionErrors,
  ],
  { withKey: true },
);

const query = Type.Object(options, { additionalProperties: false });
/** Without a key there is no plan; see features.ts. */
const publicQuery = Type.Object(publicOptions, { additionalProperties: false });

/** Read before the body; see idempotency-key.ts and simulation.ts. */
export const conversionHeaders = {
  Prefer: Type.Optional(
    Type.String({
      description:
        '`respond-async`: answer at once, with a job. `respond-async, wait=10`: answer with the PDF if it is there within 10 ' +
        'seconds (at most 120), else with the job. Needs the permission and the feature `jobs`; a service without jobs ' +
        'ignores it (RFC 7240).',
    }),
  ),
  'Idempotency-Key': Type.Optional(
    Type.String({
      pattern: IDEMPOTENCY_KEY_PATTERN,
      description:
        'Makes a retry safe: requests with the same key and document within 24 hours are billed and counted ' +
        'once. Send a ' +
        'new UUID for each document, and the same one with each retry. With or without quotes ' +
        '(draft-ietf-httpapi-idempotency-key-header-07).',
    }),
  ),
  'Platen-Simulate': Type.Optional(
    words(simulations, {
      description:
        'With a test key: answer with this error, or convert 10 seconds slower, to test your program. Live keys get ' +
        '`INVALID_PARAMETER`.',
    }),
  ),
};

/**
 * For documentation only: upload.ts reads the parts one by one. The description of the query parameter covers the
 * field `format`, as OpenAPI Generator 4 would make two arguments of the same name, which does not compile.
 */
export const PublicUploadForm = Type.Object({
  file: Type.String({
    format: 'binary',
    description: 'The document, sent as a file. Its file name names the PDF.',
  }),
});

/** Otherwise the page of the reference would send samples of optional fields, such as a password. */
const noExample = [''];

/** The same, of the endpoint with keys. */
export const UploadForm = Type.Object({
  ...PublicUploadForm.properties,
  password: Type.Optional(
    Type.String({
      maxLength: 255,
      examples: noExample,
      description: 'Opens the document, if Word protects it with a password; ignored if not.',
    }),
  ),
  userPassword: Type.Optional(
    Type.String({
      maxLength: 127,
      examples: noExample,
      description:
        'Encrypts the PDF with AES-256; it opens with this password. Up to 127 bytes of UTF-8. Not with `pdfa`. Feature ' +
        '`encryption`.',
    }),
  ),
  ownerPassword: Type.Optional(
    Type.String({
      maxLength: 127,
      examples: noExample,
      description:
        'Encrypts the PDF; with this password it opens with all rights, without it with those in `allow`. As `userPassword`.',
    }),
  ),
  attachment: Type.Optional(
    Type.Array(Type.String({ format: 'binary' }), {
      maxItems: MAX_ATTACHMENTS,
      examples: [[]],
      description:
        `Files to embed in the PDF: up to ${MAX_ATTACHMENTS} parts of this name, each under the file name that it gets there, with ` +
        'its Content-Type. Names must differ. With PDF/A, only in `pdfa=3b`. Feature `attachments`.',
    }),
  ),
});

const binary = Type.String({ format: 'binary' });
/** By type. */
export const contentOfResults = {
  [formats.pdf.type]: { schema: binary },
  [formats.png.type]: { schema: binary },
} as const;

const pdf = (withKey: boolean) => ({
  description: 'The whole PDF; with `format=png`, the picture of a page.',
  headers: { ...requestIdHeader, ...pdfHeaders, ...(withKey && { ...replayHeader, ...rateLimitHeaders }) },
  content: contentOfResults,
});

export const convertDocument = {
  method: 'POST',
  path: '/v1/convert',
  schema: {
    operationId: 'convertDocument',
    tags: ['conversion'],
    summary: 'Convert a DOCX to PDF',
    description:
      `${description}\n\nNeeds a key with the permission \`convert\`. A file may have 25 MB (26,214,400 bytes), together ` +
      'with its attachments, unless the operator set another limit: see `limits.maxFileBytes` of `GET /v1`. Some options ' +
      '[cannot be combined](/v1/docs/guide/options#what-cannot-be-combined).',
    security: withApiKey,
    consumes: ['multipart/form-data'],
    querystring: query,
    headers: Type.Object(conversionHeaders),
    response: {
      200: pdf(true),
      202: jsonResponse(Job, {
        description: 'With `Prefer: respond-async`: the job that the conversion has become.',
        example: jobExample,
        headers: { ...takenHeaders, ...preferenceHeader },
        withKey: true,
      }),
      ...keyedErrors,
    },
  },
} as const satisfies Operation;

export const convertDocumentPublic = {
  method: 'POST',
  path: '/v1/public/convert',
  schema: {
    operationId: 'convertDocumentPublic',
    tags: ['conversion'],
    summary: 'Convert a DOCX to PDF without a key',
    description:
      `${description}\n\nThe other options of \`POST /v1/convert\` need a key. This endpoint needs none, ` +
      'and limits the documents per address: ' +
      'see `limits.publicPerHour` and `limits.publicPerSecond` of `GET /v1`. A file may have 5 MB ' +
      '(5,242,880 bytes) unless the operator set another limit: `limits.publicMaxFileBytes`.',
    security: withoutKey,
    consumes: ['multipart/form-data'],
    querystring: publicQuery,
    response: {
      200: pdf(false),
      ...errorResponses('PublicConversion', ['FEATURE_NOT_IN_PLAN'], { withKey: true }),
      ...errorResponses(CONVERSION, conversionErrors, { withKey: true }),
    },
  },
} as const satisfies Operation;
