/** POST /v1/combine: several DOCX in, one PDF out. */
import { type TSchema, Type } from 'typebox';
import { MAX_COMBINED_FILES } from '../../accounts/plans/plans.ts';
import { pdfHeaders, rateLimitHeaders, replayHeader, requestIdHeader } from '../contract/headers.ts';
import { type Operation, withApiKey } from '../contract/operation.ts';
import { conversionHeaders, keyedErrors, UploadForm } from './convert.contract.ts';
import { options, pageNumbers } from './options.contract.ts';

const { format, page: _, width: __, background: ___, ...others } = options;

/** An option or field whose text says something else for several documents. */
const described = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Optional({ ...schema, description });

/** The options of `POST /v1/convert`, but for those of pictures. */
const query = Type.Object(
  {
    format: described(format, '`pdf`, as a picture is of one document.'),
    ...others,
    pageNumbers,
    bookmarks: described(
      others.bookmarks,
      'Whether there is a bookmark for each document, its title or else its file name, above those of its headings. Default: true.',
    ),
  },
  { additionalProperties: false },
);

const { 'Idempotency-Key': idempotencyKey } = conversionHeaders;

/** For documentation only: upload.ts reads the parts one by one. */
export const CombinationForm = Type.Object({
  ...UploadForm.properties,
  file: Type.Array(Type.String({ format: 'binary' }), {
    minItems: 1,
    maxItems: MAX_COMBINED_FILES,
    description:
      `The documents, each as a part of this name: up to ${MAX_COMBINED_FILES}, or fewer as the plan ` +
      'says for jobs.',
  }),
  password: described(
    UploadForm.properties.password,
    'Opens the documents that Word protects with a password: the same for all.',
  ),
});

export const combineDocuments = {
  method: 'POST',
  path: '/v1/combine',
  schema: {
    operationId: 'combineDocuments',
    tags: ['conversion'],
    summary: 'Convert several DOCX to one PDF',
    description:
      'Send Word documents (.docx) as fields `file` of a multipart form, in order. The answer is one PDF, ' +
      'with the tags, bookmarks, links, form fields and attachments of each.\n\n' +
      'Each document is converted as by `POST /v1/convert`. If one cannot be, there is no PDF, and nothing is billed: the error says ' +
      'in `file` and `fileName` which, and its message begins with `files[0]` for the first.\n\n' +
      'It counts as one request, and each document as a conversion; the quota is reserved for all or none. `limits` of `GET /v1` say ' +
      'how large a file, and all together, may be. All of it may take as long as one conversion, with its waits: 90 seconds from the ' +
      'end of the upload by default. Take a [job](/v1/docs/guide/jobs) with `combine=true` for more.\n\n' +
      '`pages` is of each document, and `failOn` of any. All else is of the whole, which `title` also names.\n\n' +
      'Needs a key with the permission `convert`. `Prefer: respond-async` is ignored.',
    security: withApiKey,
    consumes: ['multipart/form-data'],
    querystring: query,
    headers: Type.Object({
      'Idempotency-Key': idempotencyKey,
      'Platen-Simulate': Type.Optional(
        Type.String({
          description:
            'As of `POST /v1/convert`, or of one document: `2=CORRUPTED_FILE` is about `files[1]`.',
        }),
      ),
    }),
    response: {
      200: {
        description: 'The whole PDF.',
        headers: { ...requestIdHeader, ...pdfHeaders, ...replayHeader, ...rateLimitHeaders },
        content: { 'application/pdf': { schema: Type.String({ format: 'binary' }) } },
      },
      ...keyedErrors,
    },
  },
} as const satisfies Operation;
