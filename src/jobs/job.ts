/** Jobs as data. */
import { randomBytes } from 'node:crypto';
import type { Environment } from '../accounts/keys/format.ts';
import type { Conformance } from '../convert/pdf/conformance/verdict.ts';
import type { DescribedWarning } from '../convert/report/warning-messages.ts';
import type { Warning } from '../convert/report/warnings.ts';
import type { ErrorCode } from '../errors.ts';

export const jobStates = ['queued', 'running', 'completed', 'canceled', 'expired'] as const;
export type JobState = (typeof jobStates)[number];

export const fileStates = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const;
export type FileState = (typeof fileStates)[number];

/** Errors of files that clients may simulate: those caused by a document or the engine. */
export const simulatedFileErrors = [
  'INVALID_PARAMETER',
  'INVALID_FILE_TYPE',
  'CORRUPTED_FILE',
  'FETCH_FAILED',
  'PASSWORD_PROTECTED',
  'CONVERSION_FAILED',
  'INTERNAL_ERROR',
] as const satisfies readonly ErrorCode[];
export type SimulatedFileError = (typeof simulatedFileErrors)[number];

/** Largest total size of a job's files, in bytes. */
export const MAX_JOB_BYTES = 524_288_000;
/** How often a file is begun at most, whatever goes wrong with it. A wait for room, an engine or the storage is no try. */
export const MAX_TRIES = 3;
/** How long the record of a job outlasts its results: 7 days. */
export const RECORD_KEPT_MS = 7 * 86_400_000;

/** An account has separate jobs for live keys and for test keys. */
export interface JobOwner {
  readonly account: string;
  readonly environment: Environment;
}

/** Identifies a job. */
export interface JobRef extends JobOwner {
  readonly id: string;
}

/** Identifies a file of a job; files are numbered from 1. {@link WHOLE} stands for all of them, if they become one PDF. */
export interface JobFileRef extends JobRef {
  readonly n: number;
}

/** In place of a file's number: the PDF of all files. */
export const WHOLE = 0;

/** The PDF of a file, or the picture of one of its pages. */
export interface FileResult {
  /** Its key in the storage. */
  readonly key: string;
  readonly pages: number;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /** Version of LibreOffice that made it; undefined if unknown, and in what an earlier version kept. */
  readonly libreOffice?: string | undefined;
  /** From the last start of the conversion to its PDF, in milliseconds. */
  readonly durationMs: number;
  readonly warnings: readonly Warning[];
  /** Number of those that are left out; undefined for none. */
  readonly moreWarnings?: number | undefined;
  /** Of a PDF of several documents: the pages of each. */
  readonly documentPages?: readonly number[] | undefined;
  /** Undefined in what an earlier version kept. */
  readonly conformance?: readonly Conformance[] | undefined;
}

/** Why there is no PDF. */
export interface FileError {
  readonly code: ErrorCode;
  readonly message: string;
  /** Of several that were to become one PDF: which it is about, counted from 0. */
  readonly file?: number;
  /** The warnings for which `failOn` refused the PDF. */
  readonly warnings?: DescribedWarning[];
}

export interface JobFile {
  readonly number: number;
  /** The name that the client gave it; null for none. */
  readonly name: string | null;
  readonly state: FileState;
  /** Size of the document; null until it is fetched. */
  readonly bytes: number | null;
  /** Of the document, in hexadecimal; null until it is fetched. */
  readonly sha256: string | null;
  /** Times in milliseconds since the epoch; null before. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** Null unless the file succeeded. */
  readonly result: FileResult | null;
  /** Null unless the file failed. */
  readonly error: FileError | null;
}

/** A job without its files. */
export interface JobSummary {
  readonly id: string;
  /** Id of the key that sent the job. */
  readonly key: string;
  readonly environment: Environment;
  readonly state: JobState;
  /** Times in milliseconds since the epoch; null before. */
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
  /** When its results are removed. */
  readonly expiresAt: number;
  /** Without free texts and secrets. */
  readonly options: Readonly<Record<string, string>>;
  /** From the client. */
  readonly metadata: Readonly<Record<string, string>>;
  /** URL that is told of the job's end; null: endpoints only. */
  readonly webhook: string | null;
  readonly counts: Readonly<Record<FileState, number>>;
  /** Whether its files become one PDF. */
  readonly combine: boolean;
  /** Grows with each change. */
  readonly revision: number;
}

export interface Job extends JobSummary {
  /** The PDF of all files; null unless they become one and have. */
  readonly result: FileResult | null;
  readonly files: readonly JobFile[];
}

/** Its files, as one PDF. */
export function wholeOf({ account, environment, id }: JobRef): JobFileRef {
  return { account, environment, id, n: WHOLE };
}

const ID = /^job_[0-9a-f]{32}$/;

/** A new id. Ids of later milliseconds sort after it, as texts. */
export function newJobId(): string {
  return `${firstIdOf(Date.now())}${randomBytes(10).toString('hex')}`;
}

/** Sorts before all ids of this millisecond and later. */
export function firstIdOf(time: number): string {
  return `job_${Math.max(0, time).toString(16).padStart(12, '0')}`;
}

export function isJobId(text: string): boolean {
  return ID.test(text);
}

/** Whether a job in this state may still change by itself. */
export function isOpen(state: JobState): boolean {
  return state === 'queued' || state === 'running';
}
