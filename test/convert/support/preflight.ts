/** Documents given to the preflight, and what must come of them. */
import { readdirSync, readFileSync, readlinkSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize } from 'node:v8';
import type { Test } from 'tap';
import t from 'tap';
import type { DocumentMetadata } from '../../../src/convert/document/metadata.ts';
import type { WordPages, WordPagination } from '../../../src/convert/pagination/word-pages.ts';
import {
  type Inspected,
  type Inspection,
  inspectDocument,
} from '../../../src/convert/reading/document-tasks.ts';
import { Readers, type ReadersOptions } from '../../../src/convert/reading/readers.ts';
import type { Setup } from '../../../src/convert/reading/setup.ts';
import type { ErrorCode, RefusalReason } from '../../../src/errors.ts';
import type { Sender } from '../../../src/queue/sender.ts';
import type { DocumentType } from '../../../src/shared/document-types.ts';
import * as documents from '../../support/documents.ts';

export const never = (): AbortSignal => new AbortController().signal;

/** Longer than any package takes on the busiest machine. */
const LONG_MS = 120_000;

/** Whose packages they are. */
export const sender: Sender = { class: 'live', account: 'acme' };

/** Puts the bytes into a file, which ends with the test, and returns its path. */
export function fileOf(test: Test, bytes: Buffer): string {
  return join(test.testdir({ upload: bytes }), 'upload');
}

/** A DOCX of which the metadata take longer than all else: more different characters than the reader remembers, many times. */
export function docxOfManyCharacters(): Buffer {
  const lines = Array.from({ length: 131 }, (_, line) =>
    String.fromCodePoint(...Array.from({ length: 1_000 }, (_, n) => 0x10000 + 1_000 * line + n)),
  );
  return documents.docx({ paragraphs: Array.from({ length: 8 }, () => lines).flat() });
}

/** What is known of a document that has been read. */
interface Checked extends Omit<Inspected, 'wordPages'> {
  readonly wordPages: WordPagination;
  readonly metadata: DocumentMetadata;
}

interface Preflight {
  /** Checks the file at `path`, and puts its print view in its place. */
  check(path: string, options?: Partial<Inspection>): Promise<Checked>;
}

/** What all documents have in common. */
export const setup: Setup = {
  accepted: ['docx'],
  fonts: undefined,
  standIns: new Map(),
  characters: undefined,
  readingMs: LONG_MS,
};

/** The reading of documents, in this process. */
export function openPreflight(
  accepted: readonly DocumentType[] = ['docx'],
  fonts?: ReadonlySet<string>,
): Preflight {
  return {
    async check(path, options = {}) {
      const inspection = { ...inspectionOf(path), ...options };
      const { result, rest } = await inspectDocument(inspection, { ...setup, accepted, fonts });
      const metadata = deserialize(await rest()) as DocumentMetadata;
      renameSync(inspection.target, path);
      const { wordPages } = result;
      const read = typeof wordPages === 'string' ? wordPages : (deserialize(wordPages.clone) as WordPages);
      return { ...result, wordPages: read, metadata };
    },
  };
}

/** A task to read the file at `path`. */
export function inspectionOf(path: string): Inspection {
  return {
    path,
    target: `${path}-view`,
    layout: 'engine',
    password: undefined,
    libreOffice: undefined,
    properties: undefined,
    shown: {},
    pdfa: undefined,
    invoice: undefined,
  };
}

/** Processes that read documents. They end with the test. */
export function openReaders(test: Test = t, options: Partial<ReadersOptions> = {}): Readers {
  const readers = new Readers({ ...setup, places: 2, waitMs: LONG_MS, ...options });
  test.teardown(() => readers.close());
  return readers;
}

/** Processes that read documents for this one. */
function readers(): string[] {
  const children = readdirSync('/proc/self/task').flatMap((id) =>
    readFileSync(`/proc/self/task/${id}/children`, 'utf8').split(' '),
  );
  return children.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('reading/reader');
    } catch {
      return false; // ended meanwhile
    }
  });
}

/** Lists the processes that read documents, but those that are there now: other tests may have left them to their end. */
export function readersFromNow(): () => string[] {
  const former = new Set(readers());
  return () => readers().filter((pid) => !former.has(pid));
}

/** Processor time of a process in milliseconds, to 10 ms; see proc_pid_stat(5), `utime` and `stime`. */
export function processTimeMs(pid: string): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Descriptors of a process that are open for the file, or for one beside it whose name begins with its. */
export function openDescriptors(path: string, pid = 'self'): number {
  return filesOf(pid).filter((file) => file.startsWith(path)).length;
}

function filesOf(pid: string): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).map((fd) => {
      try {
        return readlinkSync(join(folder, fd));
      } catch {
        return ''; // closed meanwhile, such as that of the folder
      }
    });
  } catch {
    return []; // the process has ended
  }
}

/** What it is, and how to build it. */
export type Accepted = readonly [string, () => Buffer];

/** The same, and how it is refused. */
export type Refused = readonly [string, () => Buffer, ErrorCode, RefusalReason, RegExp?];

export function accepts(preflight: Preflight, documents: readonly Accepted[]): void {
  for (const [what, build] of documents) {
    t.test(`accepts ${what}`, (t) => t.resolves(preflight.check(fileOf(t, build()))));
  }
}

export function refuses(preflight: Preflight, documents: readonly Refused[]): void {
  for (const [what, build, code, reason, message = /./] of documents) {
    t.test(`refuses ${what}`, async (t) => {
      const refusal = { name: 'PlatenError', status: 400, code, reason, message };
      await t.rejects(preflight.check(fileOf(t, build())), refusal);
    });
  }
}
