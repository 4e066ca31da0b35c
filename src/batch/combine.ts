/** Makes one PDF of the documents of a batch. */
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { fileName, OperatorError, PlatenError } from '../errors.ts';
import type { ReadWarning } from '../http/conversion/warnings-header.ts';
import { makeFolders } from '../local/folders.ts';
import { writeWhole } from '../local/whole-file.ts';
import { MAX_COMBINED_FILES } from '../plans/plans.ts';
import { type BatchResult, failureOf, readDocument } from './batch.ts';
import { type BatchConverter, BatchFailure, type ReadDocument, tooLarge } from './converter.ts';
import type { BatchDocument } from './inputs.ts';

/** All documents together may be as large as so many of the largest size, as with the service. */
const LARGEST_TOGETHER = 4;

/** @throws OperatorError if there are too many documents, or the PDF would replace one of these files. */
export async function assertCombinable(
  out: string,
  documents: readonly BatchDocument[],
  others: readonly string[],
): Promise<void> {
  if (documents.length > MAX_COMBINED_FILES) {
    throw new OperatorError(
      `there are ${documents.length} documents, and one PDF is of up to ${MAX_COMBINED_FILES}`,
    );
  }
  const one = await stat(out).catch(() => undefined);
  for (const path of [...documents.map((each) => each.path), ...others]) {
    const { dev, ino } = await stat(path);
    if (dev === one?.dev && ino === one.ino)
      throw new OperatorError(`the PDF would replace ${path}, which is read`);
  }
}

/**
 * Makes one PDF of the documents, in their order, in a file whose folder is made. A failure of any kind is a result: of the document
 * that failed, or else of the file.
 *
 * @throws the signal's reason.
 */
export async function combineFiles(
  documents: readonly BatchDocument[],
  out: string,
  converter: BatchConverter,
  signal: AbortSignal,
): Promise<BatchResult> {
  signal.throwIfAborted();
  const began = performance.now();
  const nameOf = (file: number | undefined) => (file === undefined ? undefined : documents[file]?.path);
  let reading: string | undefined;
  try {
    const read: ReadDocument[] = [];
    let bytes = 0;
    const limit = { ...converter.limit, bytes: LARGEST_TOGETHER * converter.limit.bytes };
    for (const { path } of documents) {
      reading = path;
      const content = await readDocument(path, converter.limit);
      reading = undefined;
      bytes += content.length;
      if (bytes > limit.bytes) throw tooLarge(limit, 'The documents are together');
      read.push({ content, name: basename(path) });
    }
    await makeFolders(dirname(out));
    const made = await converter.combine(read, (pdf) => writeWhole(out, pdf), signal);
    const warnings = made.warnings.map((warning) => withName(warning, nameOf(fileOf(warning))));
    const milliseconds = Math.round(performance.now() - began);
    return {
      ...{ document: out, result: 'converted', pdf: out, documents: documents.length },
      ...{ pages: made.pages, milliseconds, warnings },
    };
  } catch (error) {
    signal.throwIfAborted();
    const file =
      error instanceof BatchFailure
        ? error.file
        : error instanceof PlatenError
          ? error.file?.index
          : undefined;
    const { message, ...failure } = failureOf(error);
    return {
      ...{ document: nameOf(file) ?? reading ?? out, result: 'failed', ...failure },
      message: file === undefined ? message : message.replace(`${fileName(file)}: `, ''),
    };
  }
}

function fileOf({ file }: ReadWarning): number | undefined {
  return typeof file === 'number' ? file : undefined;
}

/** Says the document's path in place of its number. */
function withName(warning: ReadWarning, path: string | undefined): ReadWarning {
  const { file } = warning;
  if (file === undefined || path === undefined) return warning;
  return { ...warning, message: warning.message.replace(fileName(file), path) };
}
