/**
 * The record of a job in Redis: one hash. take-job.lua and job-records.ts name the job's own fields; those of file N begin with `N:` — `state`,
 * `about` (JSON: its document), `startedAt`, `endedAt`, `tries`, `result` and `error` (JSON). If the files become one PDF, its `tries` and
 * `result` begin with `0:`, and the files change their states together.
 */
import type { Environment } from '../accounts/keys/format.ts';
import { PlatenError } from '../errors.ts';
import {
  type FileResult,
  type FileState,
  fileStates,
  type Job,
  type JobFile,
  type JobState,
  type JobSummary,
  type SimulatedFileError,
  WHOLE,
} from './job.ts';

/** What is known of a file when its job is taken; for one that is to be fetched, only its name. */
export interface FileIntake extends Pick<JobFile, 'name' | 'bytes' | 'sha256'> {
  /** Error that the client wants it to fail with, for a test. */
  readonly simulate?: SimulatedFileError;
}

/** Fields and values of the files, for a hash. */
export function aboutFiles(files: readonly FileIntake[]): string[] {
  return files.flatMap((file, index) => [`${index + 1}:about`, JSON.stringify(file)]);
}

/** The fields that {@link readSummary} needs. */
export const summaryFields = [
  ...['id', 'key', 'state', 'createdAt', 'startedAt', 'completedAt', 'expiresAt'],
  ...['options', 'metadata', 'webhook', 'revision', 'combine'],
  ...fileStates,
] as const;

/**
 * The job of a hash, without its files.
 *
 * @throws PlatenError `INTERNAL_ERROR` if it is damaged.
 */
export function readSummary(environment: Environment, fields: Readonly<Record<string, string>>): JobSummary {
  return orDamaged(fields, () => {
    const counts = Object.fromEntries(fileStates.map((state) => [state, Number(fields[state])]));
    return {
      id: String(fields.id),
      key: String(fields.key),
      environment,
      state: fields.state as JobState,
      createdAt: Number(fields.createdAt),
      startedAt: timeOrNull(fields.startedAt),
      completedAt: timeOrNull(fields.completedAt),
      expiresAt: Number(fields.expiresAt),
      options: JSON.parse(fields.options ?? '{}'),
      metadata: JSON.parse(fields.metadata ?? '{}'),
      webhook: fields.webhook ?? null,
      counts: counts as Record<FileState, number>,
      combine: fields.combine !== undefined,
      revision: Number(fields.revision),
    };
  });
}

/**
 * The job of a hash.
 *
 * @throws PlatenError `INTERNAL_ERROR` if it is damaged.
 */
export function readJob(environment: Environment, fields: Readonly<Record<string, string>>): Job {
  const files = orDamaged(fields, () =>
    Array.from({ length: Number(fields.files) }, (_, index) => readFile(fields, index + 1)),
  );
  return { ...readSummary(environment, fields), files, result: resultOf(fields, WHOLE, files[0]?.state) };
}

function orDamaged<T>({ id }: Readonly<Record<string, string>>, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new PlatenError('INTERNAL_ERROR', { cause: `the record of ${id} is damaged: ${error}` });
  }
}

function readFile(fields: Readonly<Record<string, string>>, number: number): JobFile {
  const own = (name: string): string | undefined => fields[`${number}:${name}`];
  const state = own('state');
  const { simulate: _, ...about } = JSON.parse(own('about') ?? '') as FileIntake;
  const error = own('error');
  return {
    number,
    ...about,
    // Its PDF is not billed yet.
    state: state === 'made' ? 'running' : (state as FileState),
    startedAt: timeOrNull(own('startedAt')),
    endedAt: timeOrNull(own('endedAt')),
    result: resultOf(fields, number, state),
    error: error === undefined ? null : JSON.parse(error),
  };
}

/** Once it is billed. */
function resultOf(
  fields: Readonly<Record<string, string>>,
  number: number,
  state: string | undefined,
): FileResult | null {
  const result = fields[`${number}:result`];
  return state === 'succeeded' && result !== undefined ? JSON.parse(result) : null;
}

function timeOrNull(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}
