/** Prepares a job's folder for an attempt. */
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../system/remove-folder.ts';
import { type Job, OUTPUT_NAME } from './engine.ts';
import { unavailable } from './outcome.ts';

/** The folder for temporary files, inside the job's. */
export const TEMPORARY_NAME = 'tmp';

/**
 * Creates the folder for temporary files. Every attempt starts like the first: with the input alone.
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
