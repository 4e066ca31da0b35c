/** The tool that converts a document. */
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { type Static, type TSchema, Type } from 'typebox';
import { PASSWORD_FIELD } from '../../convert/package/refusal.ts';
import { MAX_ATTACHMENTS } from '../../http/conversion/attachment-parts.ts';
import type { ReadWarning } from '../../http/conversion/warnings-header.ts';
import type { secretFields } from '../../shared/options/conversion-options.ts';
import { failureOf } from '../batch/batch.ts';
import { BatchFailure, type SizeLimit, tooLarge } from '../batch/converter.ts';
import { resultPath } from '../batch/inputs.ts';
import { readRequest } from '../batch/request.ts';
import { pdfOptionsSchema } from './pdf-options.ts';
import { type Reach, shown } from './reach.ts';
import type { Source } from './sources.ts';
import type { Answer, Tool } from './tool.ts';
import type { Turns } from './turns.ts';
import { describeWarnings, warningsSchema } from './warnings.ts';

/** As much as Linux takes (PATH_MAX). */
const MAX_PATH = 4_096;

const path = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: MAX_PATH,
    title: `a path of 1 to ${MAX_PATH} characters`,
    description,
  });

const passwordFiles = {
  password: Type.Optional(path('Of the document, if Word protects it with one.')),
  userPassword: Type.Optional(path('Opens the PDF.')),
  ownerPassword: Type.Optional(path('Opens the PDF with all rights.')),
} as const satisfies Record<(typeof secretFields)[number], TSchema>;

/** @param folders those that are open, as a text. */
const inputSchema = (folders: string) =>
  Type.Object(
    {
      document: path(`The document: its path in ${folders}. A relative one is in the first folder.`),
      pdf: Type.Optional(
        path(
          'The PDF to make, as a path that ends in .pdf. Default: beside the document, with its name. Its folder is made.',
        ),
      ),
      overwrite: Type.Optional(
        Type.Boolean({ description: 'Whether to replace a file that is there already. Default: false.' }),
      ),
      options: Type.Optional(pdfOptionsSchema),
      attachments: Type.Optional(
        Type.Array(path('A file.'), {
          maxItems: MAX_ATTACHMENTS,
          title: `a list of up to ${MAX_ATTACHMENTS} paths`,
          description: 'Files to embed in the PDF: their paths.',
        }),
      ),
      passwordFiles: Type.Optional(
        Type.Object(passwordFiles, {
          additionalProperties: false,
          description: 'Files that hold passwords: their paths. So none is in a conversation.',
        }),
      ),
    },
    { additionalProperties: false },
  );

const outputSchema = Type.Object({
  pdf: Type.String({ description: 'The path of the PDF.' }),
  pages: Type.Integer({ minimum: 1 }),
  bytes: Type.Integer({ minimum: 0, description: 'The size of the PDF.' }),
  warnings: warningsSchema,
});

interface ConvertContext {
  readonly reach: Reach;
  readonly source: Source;
  readonly turns: Turns;
}

type Input = Static<ReturnType<typeof inputSchema>>;

export function convertTool(context: ConvertContext): Tool<ReturnType<typeof inputSchema>> {
  const { reach, turns } = context;
  return {
    name: 'convert_document',
    title: 'Convert a Word document to PDF',
    description:
      'Converts a Word document (DOCX) in a file to a PDF in a file. Answers its pages, its size, and how it may differ from what Word ' +
      'prints: losses first, then notes.',
    input: inputSchema(reach.folders.map(shown).join(', ')),
    output: outputSchema,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: (input, signal) =>
      turns.take(
        () =>
          convert(input, context, signal).catch((error: unknown) => {
            signal.throwIfAborted();
            throw inArguments(error, input);
          }),
        signal,
      ),
  };
}

async function convert(
  {
    document,
    pdf = resultPath(document, 'pdf'),
    overwrite = false,
    options = {},
    attachments = [],
    passwordFiles = {},
  }: Input,
  { reach, source }: ConvertContext,
  signal: AbortSignal,
): Promise<Answer> {
  const limit = await source.limit(signal);
  const read = (name: string, bytes: number) => reach.readFirst(name, bytes);
  const content = await readDocument(reach, document, limit);
  const request = await readRequest({ options, attachments, secretFiles: passwordFiles }, limit, read);
  const files = [document, ...attachments, ...Object.values(passwordFiles)];
  if (files.some((name) => reach.absolute(name) === reach.absolute(pdf))) {
    throw new BatchFailure('INVALID_PARAMETER', `The PDF would replace ${shown(pdf)}, which is read.`);
  }
  await reach.assertFree(pdf, overwrite);
  let bytes = 0;
  const keep = async (stream: Readable) => {
    bytes = await reach.write(pdf, stream, overwrite);
  };
  const order = { document: { content, name: basename(document) }, request, keep };
  const { pages, warnings } = await source.convert(order, signal);
  return answer({ pdf: reach.absolute(pdf), pages, bytes }, warnings);
}

/** A failure with the names of arguments in place of those of a form. */
function inArguments(error: unknown, { options }: Input): BatchFailure {
  const { code, message, warnings } = failureOf(error);
  // The rest of such a message repeats a warning, with names of the document.
  const isRefusal = message.startsWith('failOn=');
  const named = message
    .replace(PASSWORD_FIELD, 'passwordFiles.password')
    .replace(/^(?=password must )|\b(?=(?:user|owner)Password\b)/g, 'passwordFiles.');
  return new BatchFailure(code, isRefusal ? `failOn=${options?.failOn} refuses the PDF.` : named, {
    cause: error,
    warnings,
  });
}

/** @throws BatchFailure; PlatenError `FILE_TOO_LARGE` */
async function readDocument(reach: Reach, document: string, limit: SizeLimit): Promise<Buffer> {
  const content = await reach.readFirst(document, limit.bytes + 1);
  if (content.length > limit.bytes) throw tooLarge(limit);
  return content;
}

function answer(
  made: { readonly pdf: string; readonly pages: number; readonly bytes: number },
  warnings: readonly ReadWarning[],
): Answer {
  const { lines, data } = describeWarnings(warnings);
  const { pdf, pages, bytes } = made;
  const first = `${shown(pdf)}: ${pages === 1 ? '1 page' : `${pages} pages`}, ${bytes} bytes.`;
  return { text: [first, ...lines].join('\n'), data: { ...made, warnings: data } };
}
