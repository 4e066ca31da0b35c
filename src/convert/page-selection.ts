/** Pages that a client selected, and the document does not have. */
import { link, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ConversionJob, type Engine, INPUT_NAME } from '../engine/engine.ts';
import { PlatenError } from '../errors.ts';
import { PageRange } from '../shared/options/page-range.ts';
import type { Readers } from './reading/readers.ts';

/** Folder of the conversion of all pages, inside the workspace; also the suffix of its job id. */
const FOLDER_NAME = 'all-pages';

/**
 * LibreOffice fails to export no pages. If that may be why an export failed, this converts all pages and counts them.
 *
 * @param pages the selection.
 * @throws PlatenError `INVALID_PARAMETER` if the document has none of these pages; what the engine throws.
 */
export async function assertPages(
  engine: Engine,
  readers: Readers,
  job: ConversionJob,
  pages: string,
  failure: unknown,
  signal: AbortSignal,
): Promise<void> {
  const range = PageRange.read(pages);
  if (!range || !(failure instanceof PlatenError) || failure.reason !== 'unexportable') return;
  const folder = join(job.folder, FOLDER_NAME);
  await mkdir(folder, { mode: 0o700 });
  await link(join(job.folder, INPUT_NAME), join(folder, INPUT_NAME));
  await engine.convert({ ...job, id: `${job.id}-${FOLDER_NAME}`, folder }, signal);
  const total = await readers.countPages(folder, { signal });
  if (range.count(total) > 0) return;
  throw new PlatenError('INVALID_PARAMETER', {
    message: `The document has ${total} ${total === 1 ? 'page' : 'pages'}, and the parameter pages asks for none of them.`,
  });
}
