/** Documents given to the preflight, and what must come of them. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { StoredParts } from '../../../src/convert/package/stored-parts.ts';
import { Preflight } from '../../../src/convert/preflight/preflight.ts';
import type { DocumentType } from '../../../src/document-types.ts';
import type { ErrorCode, RefusalReason } from '../../../src/errors.ts';
import type { Sender } from '../../../src/queue/sender.ts';

export const never = (): AbortSignal => new AbortController().signal;

/** Nothing of a smaller document is looked at on its way. */
const LARGE_BYTES = 16_384;

/** Longer than any package takes on the busiest machine. */
const LONG_MS = 120_000;

/** Whose packages they are. */
export const sender: Sender = { class: 'live', account: 'acme' };

/** Puts the bytes into a file, which ends with the test, and returns its path. */
export function fileOf(test: Test, bytes: Buffer): string {
  return join(test.testdir({ upload: bytes }), 'upload');
}

/** One for the whole file. */
export function openPreflight(accepted?: readonly DocumentType[], fonts?: ReadonlySet<string>): Preflight {
  const preflight = new Preflight(LONG_MS, accepted, fonts, LONG_MS);
  t.teardown(() => preflight.close());
  return preflight;
}

/** What was looked at of a document that arrived in pieces of these lengths, over and over. */
export function arrived(document: Buffer, lengths: readonly number[] = [65_536]): StoredParts {
  const parts = new StoredParts(never());
  for (let at = 0, i = 0; at < document.length; i += 1) {
    const piece = document.subarray(at, at + (lengths[i % lengths.length] as number));
    parts.write(piece);
    at += piece.length;
  }
  return parts;
}

/** Processes that read heavy packages for this one. */
export function readers(): string[] {
  const children = readdirSync('/proc/self/task').flatMap((id) =>
    readFileSync(`/proc/self/task/${id}/children`, 'utf8').split(' '),
  );
  return children.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('preflight/reader');
    } catch {
      return false; // ended meanwhile
    }
  });
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
    t.test(`accepts ${what}`, async (t) => {
      const document = build();
      await t.resolves(preflight.check(fileOf(t, document), sender, never()));
      if (document.length < LARGE_BYTES) return;
      await t.resolves(
        preflight.check(fileOf(t, document), sender, never(), { arrived: arrived(document) }),
        'on its way',
      );
    });
  }
}

export function refuses(preflight: Preflight, documents: readonly Refused[]): void {
  for (const [what, build, code, reason, message = /./] of documents) {
    t.test(`refuses ${what}`, async (t) => {
      const document = build();
      const refusal = { name: 'PlatenError', status: 400, code, reason, message };
      await t.rejects(preflight.check(fileOf(t, document), sender, never()), refusal);
      if (document.length < LARGE_BYTES) return;
      const checked = preflight.check(fileOf(t, document), sender, never(), { arrived: arrived(document) });
      await t.rejects(checked, refusal, 'the same where it was looked at on its way');
    });
  }
}
