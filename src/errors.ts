/** Errors: with a code of the catalogue, for the operator, and why they were raised. */
import { catalogue, type ErrorCode } from './shared/error-catalogue.ts';

export { catalogue, type ErrorCode } from './shared/error-catalogue.ts';

/** Why the preflight refused a file: for logs and metrics, never for clients. */
export const refusalReasons = [
  'not-a-document',
  'template',
  'macro-enabled',
  'encrypted',
  'damaged',
  'polyglot',
  'overlap',
  'header-mismatch',
  'bad-name',
  'duplicate-name',
  'bad-method',
  'bad-size',
  'bad-crc',
  'main-part',
  'too-many-entries',
  'part-too-large',
  'package-too-large',
  'nesting',
  'attributes',
  'paragraph',
  'styles',
  'data-binding',
  'doctype',
  'encoding',
  'pixels',
  'time',
] as const;

/** One of the reasons of the preflight. */
export type RefusalReason = (typeof refusalReasons)[number];

/** The limit that a request exceeded. */
export const limitReasons = [
  'second',
  'hour',
  'day',
  'month',
  'public-second',
  'public-hour',
  'rotations',
  'jobs',
  'failed-authentication',
  'sign-in',
  'console',
  'event-loop',
  'workspaces',
] as const;

/** One of the limits. */
export type LimitReason = (typeof limitReasons)[number];

/**
 * Why the queue refused: no place, expected wait too long, wait too long, displaced by another sender, displaced as stalled, no
 * place for an upload.
 */
export const overloadReasons = ['full', 'late', 'timeout', 'displaced', 'stalled', 'uploads'] as const;

/** One of the reasons of the queue. */
export type OverloadReason = (typeof overloadReasons)[number];

/**
 * How a document failed in the engine: an exhausted budget, a crash, the memory of either, an unloadable document, a process
 * killed from outside; that it cannot become a PDF/A; or that its sender refuses the PDF for its warnings.
 */
export const failureReasons = [
  'time',
  'cpu',
  'memory',
  'file',
  'crash',
  'kit',
  'poison',
  'unloadable',
  'killed',
  'unexportable',
  'pdf-picture',
  'refused',
] as const;

/** One of the failures in the engine. */
export type FailureReason = (typeof failureReasons)[number];

/** Why an error was raised, from a small set of words. */
export type Reason = RefusalReason | LimitReason | OverloadReason | FailureReason;

interface PlatenErrorOptions {
  /** Public text instead of the catalogue's. No path, stack or other customer's data. */
  readonly message?: string;
  /** Seconds after which a retry makes sense; rounded up, at least 1. */
  readonly retryAfter?: number;
  /** For logs and metrics, never for clients. */
  readonly reason?: Reason | undefined;
  /** For the log, never for clients. */
  readonly cause?: unknown;
}

/** One of the files of a request, which an error or a warning is about. */
export interface FileOfRequest {
  /** Which part `file` of the form, counted from 0. */
  readonly index: number;
  /** The file name that its sender gave it, if any. */
  readonly name: string | null;
}

/** How texts name a file of a request. */
export const fileName = (index: number): string => `files[${index}]`;

/** A failure with a code of the catalogue. Its `message` is public; its `cause` is for the log. */
export class PlatenError extends Error {
  override readonly name = 'PlatenError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly reason: Reason | undefined;
  /** Not a field: logs have no file names. */
  #file: FileOfRequest | undefined;

  /** `OVERLOADED` always has a reason. */
  constructor(code: Exclude<ErrorCode, 'OVERLOADED'>, options?: PlatenErrorOptions);
  constructor(code: ErrorCode, options: PlatenErrorOptions & { readonly reason: Reason });
  constructor(code: ErrorCode, options: PlatenErrorOptions = {}) {
    super(options.message ?? catalogue[code].message, { cause: options.cause });
    this.code = code;
    this.status = catalogue[code].status;
    this.reason = options.reason;
    this.retryAfter =
      options.retryAfter === undefined ? undefined : Math.max(1, Math.ceil(options.retryAfter));
  }

  /** The file of its request that it is about; undefined if that has one only, or it is about all. */
  get file(): FileOfRequest | undefined {
    return this.#file;
  }

  /** The same failure, of one of several files: its message says of which. */
  ofFile(file: FileOfRequest): this {
    this.#file = file;
    this.message = `${fileName(file.index)}: ${this.message}`;
    return this;
  }
}

/** An error for the operator (configuration, command line, machine), whose message says all they need. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** Something that is named does not exist, or not for who names it. */
export class NotFoundError extends OperatorError {
  /** What it would be, as in "There is no such key." */
  readonly what: string;

  /** @param kept for how long there is one: the rest of the sentence. */
  constructor(what: string, id: string, kept?: string) {
    super(`there is no ${what} "${id}"`);
    this.what = kept === undefined ? what : `${what}: ${kept}`;
  }
}

/** Codes of a temporary shortage: of space, file descriptors or memory. */
const shortages: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM']);

/** Whether a system call failed because of a temporary shortage on this machine. */
export function isShortage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && shortages.has(error.code);
}
