/** What an engine finds in a job's folder when it begins. */
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../system/remove-folder.ts';
import { type Job, OUTPUT_NAME } from './engine.ts';
import { unavailable } from './outcome.ts';

/** The folder for temporary files, inside the job's. */
export const TEMPORARY_NAME = 'tmp';

/**
 * Makes the folder for temporary files. Another attempt starts as the first did: with the input alone.
 *
 * @param attempt its number, from 1.
 * @throws PlatenError `SERVICE_UNAVAILABLE`
 */
export async function prepareFolder({ folder }: Job, attempt: number): Promise<void> {
  const temporary = join(folder, TEMPORARY_NAME);
  try {
    if (attempt > 1) {
      await rm(join(folder, OUTPUT_NAME), { force: true });
      await removeFolder(temporary);
    }
    mkdirSync(temporary, { mode: 0o700 });
  } catch (error) {
    throw unavailable(error);
  }
}
