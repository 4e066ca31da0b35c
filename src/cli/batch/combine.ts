/** Makes one PDF of the documents of a batch. */
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { LARGEST_TOGETHER, MAX_COMBINED_FILES } from '../../accounts/plans/plans.ts';
import { fileName, OperatorError, PlatenError } from '../../errors.ts';
import type { ReadWarning } from '../../http/conversion/warnings-header.ts';
import { makeFolders } from '../local/folders.ts';
import { writeWhole } from '../local/whole-file.ts';
import { type CombinedResult, failureOf, readDocument } from './batch.ts';
import { type BatchConverter, BatchFailure, type ReadDocument, tooLarge } from './converter.ts';
import { assertFileName, assertNew } from './inputs.ts';

/**
 * @param documents their paths, as in {@link combineFiles}.
 * @param replaces whether the PDF takes the place of a file that is there.
 * @throws OperatorError if there are too many documents, the PDF cannot have this name, or it would replace one of these files.
 */
export async function assertCombinable(
  out: string,
  documents: readonly string[],
  others: readonly string[],
  replaces: boolean,
): Promise<void> {
  if (documents.length > MAX_COMBINED_FILES) {
    throw new OperatorError(
      `there are ${documents.length} documents, and one PDF is of up to ${MAX_COMBINED_FILES}`,
    );
  }
  await assertFileName(out);
  const one = await stat(out).catch(() => undefined);
  for (const path of new Set([...documents, ...others])) {
    // A document whose name is not UTF-8 is not found; it fails when it is read.
    const read = await stat(path).catch(() => undefined);
    if (one && read?.dev === one.dev && read.ino === one.ino)
      throw new OperatorError(`the PDF would replace ${path}, which is read`);
  }
  if (!replaces) await assertNew([{ output: out }], 'use --force to replace, or another name');
}

/**
 * Makes one PDF of the documents in files, in the order of these paths and each as often as it is there, in a file whose folder is
 * made. A failure of any kind is a result.
 *
 * @param replaces whether it takes the place of a file that is there when it is made.
 * @throws the signal's reason.
 */
export async function combineFiles(
  documents: readonly string[],
  out: string,
  converter: BatchConverter,
  signal: AbortSignal,
  replaces = true,
): Promise<CombinedResult> {
  signal.throwIfAborted();
  const began = performance.now();
  const nameOf = (file: number | undefined) => (file === undefined ? undefined : documents[file]);
  let reading: number | undefined;
  try {
    const read: ReadDocument[] = [];
    let bytes = 0;
    const limit = { ...converter.limit, bytes: LARGEST_TOGETHER * converter.limit.bytes };
    for (const [index, path] of documents.entries()) {
      reading = index;
      const content = await readDocument(path, converter.limit);
      reading = undefined;
      bytes += content.length;
      if (bytes > limit.bytes) throw tooLarge(limit, 'The documents are together');
      read.push({ content, name: basename(path) });
    }
    await makeFolders(dirname(out));
    const made = await converter.combine(read, (pdf) => writeWhole(out, pdf, replaces), signal);
    const warnings = made.warnings.map((warning) => withName(warning, nameOf(fileOf(warning))));
    const milliseconds = Math.round(performance.now() - began);
    return { documents, result: 'converted', pdf: out, pages: made.pages, milliseconds, warnings };
  } catch (error) {
    signal.throwIfAborted();
    const file = reading ?? fileAtFault(error);
    const failure = failureOf(error);
    if (file === undefined) return { documents, result: 'failed', ...failure };
    const { message, ...others } = failure;
    const said = message.replace(`${fileName(file)}: `, '');
    return { documents, result: 'failed', file, ...others, message: `${nameOf(file)}: ${said}` };
  }
}

/** Which of the documents an error is about. */
function fileAtFault(error: unknown): number | undefined {
  if (error instanceof BatchFailure) return error.file;
  return error instanceof PlatenError ? error.file?.index : undefined;
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
