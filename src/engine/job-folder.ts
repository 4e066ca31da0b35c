/** Prepares a job's folder for an attempt: removes what the last one left, and says what to do (src/kit/instructions.h). */
import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../system/remove-folder.ts';
import {
  ACCESSIBLE_NAME,
  BITMAP_NAME,
  type ConversionJob,
  type FinishingJob,
  INPUT_NAME,
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
      for (const name of [OUTPUT_NAME, PICTURE_NAME, BITMAP_NAME])
        await rm(join(folder, name), { force: true });
      await removeFolder(temporary);
    }
    mkdirSync(temporary, { mode: 0o700 });
    // LibreOffice opens it there: its path, against which it resolves relative links, is in the PDF.
    if (isConversion(job)) linkSync(join(folder, INPUT_NAME), join(temporary, INPUT_NAME));
    writeTask(folder, linesOf(job, tagged));
  } catch (error) {
    throw unavailable(error);
  }
}

function isConversion(job: AnyJob): job is ConversionJob {
  return !('qpdf' in job || 'page' in job);
}

/**
 * Prepares a room for a document: a folder whose child stays for several. The document is taken from its own folder.
 *
 * @throws PlatenError `SERVICE_UNAVAILABLE`
 */
export async function prepareRoom(room: string, job: ConversionJob): Promise<void> {
  const input = join(room, TEMPORARY_NAME, INPUT_NAME);
  try {
    mkdirSync(join(room, TEMPORARY_NAME), { recursive: true, mode: 0o700 });
    for (const path of [input, join(room, OUTPUT_NAME)]) await rm(path, { force: true });
    linkSync(join(job.folder, INPUT_NAME), input);
    writeTask(room, conversion(job, job.export?.tagged ?? true));
  } catch (error) {
    throw unavailable(error);
  }
}

function writeTask(folder: string, lines: readonly string[]): void {
  writeFileSync(join(folder, TASK_NAME), lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
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
