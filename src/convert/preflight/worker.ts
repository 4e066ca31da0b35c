/** The worker thread in which heavy packages are read. */
import type { DocumentType } from '../../document-types.ts';
import { type ErrorCode, PlatenError, type Reason } from '../../errors.ts';
import { type DocumentFacts, readFacts } from '../facts/document-facts.ts';
import { inspect } from './inspection.ts';
import { Allowance } from './limits.ts';

/** A refusal as it travels between threads, where an error would lose its class. */
export interface Refusal {
  readonly code: Exclude<ErrorCode, 'OVERLOADED'>;
  readonly message: string;
  readonly reason?: Reason | undefined;
  readonly cause: string | undefined;
}

/** What is to be read. */
export interface Inspection {
  readonly path: string;
  readonly accepted: readonly DocumentType[];
}

/** What came of the reading of a package. */
export type Inspected = { readonly facts: DocumentFacts } | { readonly refusal: Refusal };

/** What the package at `path` says of itself, or what is wrong with it. */
export default async function inspectInWorker({ path, accepted }: Inspection): Promise<Inspected> {
  // The thread is ended when nobody waits for it any more.
  const never = new AbortController().signal;
  try {
    return { facts: readFacts(await inspect(path, new Allowance(false, never), accepted)) };
  } catch (error) {
    if (!(error instanceof PlatenError) || error.code === 'OVERLOADED') throw error;
    const { code, message, reason, cause } = error;
    return { refusal: { code, message, reason, cause: cause === undefined ? undefined : String(cause) } };
  }
}
