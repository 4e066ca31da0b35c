/** What a process that reads heavy packages does. */
import { readFile } from 'node:fs/promises';
import type { DocumentType } from '../../document-types.ts';
import { type ErrorCode, PlatenError, type Reason } from '../../errors.ts';
import type { FacturxProfile } from '../../options/conversion-options.ts';
import { timeOf } from '../document/core-properties.ts';
import { type DocumentMetadata, readMetadata } from '../document/metadata.ts';
import { checkInvoice } from '../package/invoice.ts';
import { Allowance } from '../package/limits.ts';
import type { PagePlan } from '../pagination/page-plan.ts';
import { paginate } from '../pagination/paginate.ts';
import type { WordPagination } from '../pagination/word-pages.ts';
import { eastAsianSettings } from '../rules/east-asian-settings.ts';
import { decryptFile } from './decrypt-file.ts';
import { inspect } from './inspection.ts';
import type { ShownOptions } from './print-view.ts';
import type { Properties } from './properties.ts';

/** A refusal as it travels between processes, where an error would lose its class. */
export interface Refusal {
  readonly code: Exclude<ErrorCode, 'OVERLOADED'>;
  readonly message: string;
  readonly reason?: Reason | undefined;
  readonly cause: string | undefined;
}

/** Result of a task that refuses the package. */
export interface Refused {
  readonly refusal: Refusal;
}

/** A task to read a package. */
export interface Inspection {
  readonly path: string;
  readonly accepted: readonly DocumentType[];
  /** Whether Word's page breaks are requested. */
  readonly wantsPages: boolean;
  /** Names of the installed fonts and stand-ins, in lower case; undefined if unknown. */
  readonly fonts: ReadonlySet<string> | undefined;
  /** The version of LibreOffice that the document is for; undefined if unknown. */
  readonly libreOffice: string | undefined;
  /** Replace the document's; none by default. */
  readonly properties: Properties | undefined;
  readonly shown?: ShownOptions | undefined;
  /** Time limit of the reading, in milliseconds. */
  readonly readingMs: number;
}

/** Result of reading a package. */
export type Inspected =
  | {
      readonly metadata: DocumentMetadata;
      readonly wordPages: WordPagination;
      readonly compressesPunctuation: boolean;
      readonly time: number;
    }
  | Refused;

/** A task to write a document again, and its target. */
export interface Repagination extends Omit<Inspection, 'wantsPages' | 'fonts' | 'properties' | 'shown'> {
  readonly plan: PagePlan;
  readonly target: string;
}

/** A task to decrypt a package in its place. */
export interface Decryption {
  readonly path: string;
  readonly password: string;
}

/** A task to check an invoice. */
export interface InvoiceCheck {
  readonly path: string;
  readonly profile: FacturxProfile;
}

/** Result of a task that gives nothing. */
export type Done = { readonly done: true } | Refused;

// An abort ends the process.
const never = new AbortController().signal;

/** The metadata of the package at `path`, or its refusal. */
function inspectPackage({
  path,
  accepted,
  wantsPages,
  fonts,
  libreOffice,
  properties,
  shown,
  readingMs,
}: Inspection): Promise<Inspected> {
  return orRefusal(async () => {
    const options = { wantsPages, fonts, libreOffice, properties, shown };
    const { kept, wordPages } = await inspect(
      path,
      new Allowance(false, never, readingMs),
      accepted,
      options,
    );
    const { compressesPunctuation } = eastAsianSettings(kept);
    return { metadata: readMetadata(kept, fonts), wordPages, compressesPunctuation, time: timeOf(kept) };
  });
}

/** Writes the document at `path`, with Word's page breaks, to `target`. */
function paginatePackage({ path, target, plan, readingMs, ...options }: Repagination): Promise<Done> {
  return orRefusal(async () => {
    await paginate(path, target, plan, options, new Allowance(false, never, readingMs));
    return { done: true };
  });
}

/** Replaces the encrypted package at `path` by the one in it. */
function decryptPackage({ path, password }: Decryption): Promise<Done> {
  return orRefusal(async () => {
    await decryptFile(path, password);
    return { done: true };
  });
}

/** Checks the invoice at `path`. */
function checkInvoiceFile({ path, profile }: InvoiceCheck): Promise<Done> {
  return orRefusal(async () => {
    checkInvoice(await readFile(path), profile);
    return { done: true };
  });
}

async function orRefusal<T>(task: () => Promise<T>): Promise<T | Refused> {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof PlatenError) || error.code === 'OVERLOADED') throw error;
    const { code, message, reason, cause } = error;
    return { refusal: { code, message, reason, cause: cause === undefined ? undefined : String(cause) } };
  }
}

/** By name. Arguments and results travel between processes as structured clones. */
export const tasks = {
  inspect: inspectPackage,
  paginate: paginatePackage,
  decrypt: decryptPackage,
  checkInvoice: checkInvoiceFile,
} as const;

type Tasks = typeof tasks;
export type TaskName = keyof Tasks;
export type TaskInput<Name extends TaskName> = Parameters<Tasks[Name]>[0];
export type TaskResult<Name extends TaskName> = Awaited<ReturnType<Tasks[Name]>>;
