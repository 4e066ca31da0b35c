/** POST /v1/combine: several DOCX in, one PDF out. */
import { type TSchema, Type } from 'typebox';
import { MAX_COMBINED_FILES } from '../../plans/plans.ts';
import { pdfHeaders, rateLimitHeaders, replayHeader, requestIdHeader } from '../contract/headers.ts';
import { type Operation, withApiKey } from '../contract/operation.ts';
import { errorResponses, keyErrors, OF_FILES } from '../contract/responses.ts';
import { conversionErrors, conversionHeaders, UploadForm } from './convert.contract.ts';
import { options } from './options.contract.ts';

const { format, page: _, width: __, background: ___, ...others } = options;

/** An option or field whose text says something else for several documents. */
const described = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Optional({ ...schema, description });
/** What it means for several documents, and then what it means for one. */
const more = <Schema extends TSchema>(what: string, schema: Schema) =>
  described(schema, `${what} ${Object(schema).description}`);

/** The options of `POST /v1/convert`, but for those of pictures. */
const query = Type.Object(
  {
    format: described(format, '`pdf`. A picture is of one document: `png` is an `INVALID_PARAMETER`.'),
    ...others,
    pages: more('Of each document.', others.pages),
    bookmarks: described(
      others.bookmarks,
      'Whether there is a bookmark for each document, with those of its headings below it. Its text is the title of the ' +
        'document, or else its file name. Default: true.',
    ),
    title: described(
      others.title,
      'The title of the whole PDF, which also names the file. Default: that of the first document.',
    ),
    author: described(others.author, 'The author of the whole PDF. Default: that of the first document.'),
    subject: described(others.subject, 'The subject of the whole PDF. Default: that of the first document.'),
    keywords: described(
      others.keywords,
      'The keywords of the whole PDF. Default: those of the first document.',
    ),
    failOn: more('Of any document: the error names the file.', others.failOn),
  },
  { additionalProperties: false },
);

const { 'Idempotency-Key': idempotencyKey, 'Platen-Simulate': simulate } = conversionHeaders;

/** For documentation only: upload.ts reads the parts one by one. */
export const CombinationForm = Type.Object({
  ...UploadForm.properties,
  file: Type.Array(Type.String({ format: 'binary' }), {
    minItems: 1,
    maxItems: MAX_COMBINED_FILES,
    description:
      `The documents, each as a part of this name, in the order of the PDF: up to ${MAX_COMBINED_FILES}, or fewer as the plan ` +
      'says for jobs. The same document may come more than once.',
  }),
  password: described(
    UploadForm.properties.password,
    'Opens the documents that Word protects with a password: the same for all. Ignored by others.',
  ),
  attachment: more('Of the whole PDF.', UploadForm.properties.attachment),
});

export const combineDocuments = {
  method: 'POST',
  path: '/v1/combine',
  schema: {
    operationId: 'combineDocuments',
    tags: ['conversion'],
    summary: 'Convert several DOCX to one PDF',
    description:
      'Send Word documents (.docx) as fields `file` of a multipart form, in the order in which you want them. The answer is one PDF ' +
      'of all of them, in the same response. It has one tree of tags, the bookmarks, links, form fields and attachments of each ' +
      'document, and what the options ask for as a whole, such as PDF/A, PDF/UA, encryption or Factur-X.\n\n' +
      'Each document is converted as by `POST /v1/convert`, several at a time. If one cannot be, there is no PDF: the error ' +
      'says in `file` and `fileName` which, and its message begins with `files[0]` for the first. Nothing is billed then.\n\n' +
      'It counts as one request, and each document as a conversion, against the quota and on the bill; the quota is ' +
      'reserved for all documents or none. A file may have 25 MB, and all together 100 MB, attachments included, unless ' +
      'the operator set another limit: see `limits.maxFileBytes` of `GET /v1`, and four times as much. All of it may take as ' +
      'long as one conversion, with its waits: 90 seconds from the end of the upload by default. Take a [job](/v1/docs/guide/jobs) ' +
      'for more, which gives a PDF for each file.\n\n' +
      'Needs a key with the permission `convert`. `Prefer: respond-async` is ignored.',
    security: withApiKey,
    consumes: ['multipart/form-data'],
    querystring: query,
    headers: Type.Object({ 'Idempotency-Key': idempotencyKey, 'Platen-Simulate': simulate }),
    response: {
      200: {
        description: 'The whole PDF.',
        headers: { ...requestIdHeader, ...pdfHeaders, ...replayHeader, ...rateLimitHeaders },
        content: { 'application/pdf': { schema: Type.String({ format: 'binary' }) } },
      },
      ...errorResponses(
        OF_FILES,
        [
          ...keyErrors,
          'FEATURE_NOT_IN_PLAN',
          'QUOTA_EXCEEDED',
          'REQUEST_IN_PROGRESS',
          'IDEMPOTENCY_KEY_REUSED',
          ...conversionErrors,
        ],
        { withKey: true },
      ),
    },
  },
} as const satisfies Operation;
