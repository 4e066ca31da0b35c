/** Prepares a job's folder for an attempt: removes what the last one left, and says what to do (src/kit/instructions.h). */
import { mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../system/remove-folder.ts';
import {
  ACCESSIBLE_NAME,
  type ConversionJob,
  type FinishingJob,
  OUTPUT_NAME,
  PICTURE_NAME,
  type PictureJob,
  UNFINISHED_NAME,
} from './engine.ts';
import { exportOptions } from './export-options.ts';
import { unavailable } from './outcome.ts';
import { drawCommand } from './poppler.ts';

/** Whatever an engine does. */
export type AnyJob = ConversionJob | FinishingJob | PictureJob;

/** The folder for temporary files, inside the job's. */
export const TEMPORARY_NAME = 'tmp';

/** What to do, for the kit. */
const TASK_NAME = 'task';

/**
 * Creates the folder for temporary files and the task. Every attempt starts like the first: with the input alone.
 *
 * @param attempt its number, from 1, and whether its PDF is to be tagged.
 * @throws PlatenError `SERVICE_UNAVAILABLE`
 */
export async function prepareFolder(
  job: AnyJob,
  { number, tagged }: { readonly number: number; readonly tagged: boolean },
): Promise<void> {
  const { folder } = job;
  const temporary = join(folder, TEMPORARY_NAME);
  try {
    if (number > 1) {
      for (const name of [OUTPUT_NAME, PICTURE_NAME]) await rm(join(folder, name), { force: true });
      await removeFolder(temporary);
    }
    mkdirSync(temporary, { mode: 0o700 });
    const lines = linesOf(job, tagged);
    writeFileSync(join(folder, TASK_NAME), lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  } catch (error) {
    throw unavailable(error);
  }
}

function linesOf(job: AnyJob, tagged: boolean): string[] {
  if ('qpdf' in job) return finishing(job);
  return 'page' in job ? [`draw ${drawCommand(job).join(' ')}`] : conversion(job, tagged);
}

function conversion(job: ConversionJob, tagged: boolean): string[] {
  const { updatesFields, compressesPunctuation, joinsScripts, clock } = job;
  return [
    `export ${exportOptions(job.export ?? {}, tagged)}`,
    ...(updatesFields ? ['update'] : []),
    ...(compressesPunctuation ? ['compressed'] : []),
    ...(joinsScripts ? ['joined'] : []),
    ...(clock === undefined ? [] : [`clock ${clock}`]),
  ];
}

function finishing(job: FinishingJob): string[] {
  return [
    ...(job.isAccessible ? ['accessible'] : []),
    `qpdf ${JSON.stringify(qpdfJob(job))}`,
    ...(job.password === undefined ? [] : [`password ${job.password}`]),
  ];
}

/** The whole job of qpdf's. */
export function qpdfJob({ folder, qpdf, isAccessible }: FinishingJob): object {
  const input = isAccessible ? ACCESSIBLE_NAME : UNFINISHED_NAME;
  return {
    inputFile: join(folder, input),
    outputFile: join(folder, OUTPUT_NAME),
    warningExit0: '',
    ...qpdf,
  };
}
